#pragma once
// Standard Input Data as HDF5, the same numbers to the last bit as in memory (io/body/sid.h):
//   attributes    format "monocoque flexible body", version 1, name
//   /mass_kg      one number;  /mode_names  texts;  /node_ids  64-bit integers, in order
//   /mdCM /J /Ct /Cr /Me /Gr /Ge /Oe /ksigma /Ke /De, and /nodes/ID/origin phi psi AP sigma: groups with
//     zero    rows x columns
//     first   nq x rows x columns (one matrix per elastic coordinate), only where there is one
//     second  pairs x rows x columns, pairs l >= m at l (l + 1) / 2 + m
//   each with the attribute `unit`; elastic coordinates q have the unit 1. Gr and Ge: block l at columns 3 l.

#include <string>

#include "io/body/sid.h"

namespace monocoque::io {

/// Bodies with more elastic coordinates are refused, in text as in HDF5.
constexpr int kMostModes = 2000;

/// By its first bytes.
bool is_hdf5(const std::string& path);
/// Throw Error with file and dataset.
Sid read_sid_hdf5(const std::string& path);
void write_sid_hdf5(const Sid& sid, const std::string& path);

}  // namespace monocoque::io

#pragma once
// Tyre property files (.tir) of the Magic Formula: MF 5.2 (also PAC2002), 6.1 and 6.2.
//
//   [SECTION]            sections and keys of any case; order of the sections does not matter
//   KEY = value  $ text  numbers, or text in quotes; comments from $ or ! to the end of the line
//   {radial width}       a table of numbers follows ([SHAPE], [DEFLECTION_LOAD_CURVE])
//
// FITTYP chooses the equations: 5, 6, 21 are MF 5.2; 51, 52 (motorcycle MF-MCTyre), 60 and 61 are read as
// MF 6.1; 62 is MF 6.2. Quantities with a dimension are converted to SI by [UNITS] (angles too); the
// coefficients have none: they belong to radians whatever the unit of ANGLE is. A key the file leaves out
// gets a value by the list in tir_keys.h, and the choice is reported in `assumed`. A file without FITTYP,
// UNLOADED_RADIUS, FNOMIN or one of the leading coefficients is refused: it is no tyre or it has been cut
// off.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/tire/tir_keys.h"

namespace monocoque::io {

/// All numbers of the file in SI, complete.
struct TirValues {
#define MONOCOQUE_TIR_MEMBER(key, dimension, assumed, user) double key = assumed;
  MONOCOQUE_TIR_KEYS(MONOCOQUE_TIR_MEMBER)
#undef MONOCOQUE_TIR_MEMBER
};

enum class TirVersion { mf52, mf61, mf62 };
enum class TireSide { left, right, symmetric };

struct TirEntry {
  Place place;
  std::string section;
  bool is_number = false;
  double number = 0;  ///< as written, not converted
  std::string text;   ///< without quotes
};

struct TirAssumption {
  std::string key;
  double value = 0;  ///< SI
  std::string reason;
  /// "assumed: KEY = value because ..."
  std::string line() const;
};

struct TirFile {
  std::string file;
  int fittyp = 0;
  TirVersion version = TirVersion::mf61;
  TireSide side = TireSide::left;
  TirValues values;
  std::map<std::string, TirEntry> entries;  ///< all keys of the file but those of [UNITS], in capitals
  std::map<std::string, std::vector<std::vector<double>>> tables;  ///< rows by section, as written
  /// Deflection in m and force in N, both increasing; empty where the file has none.
  std::array<std::vector<double>, 2> deflection_load;
  std::vector<TirAssumption> assumed;
  std::vector<std::string> unused;  ///< numbers of the file that the equations of its version do not use
  Diagnostics warnings;

  bool given(const std::string& key) const { return entries.count(key) > 0; }
};

/// Throws Error with everything that is wrong.
TirFile read_tir(const std::string& file);
TirFile read_tir_text(const std::string& text, const std::string& file);

}  // namespace monocoque::io

#pragma once
// Modes of a model in a result file, for the viewer: /modes/frequency_Hz, damping_ratio (k), shape_real,
// shape_imag (k x nz). A shape is an increment of the positions of the file's row of motion: translations in
// world axes, rotations in axes of the part, elastic coordinates.

#include <string>

#include "core/types.h"

namespace monocoque {

struct ModeShapes {
  VecX frequency_Hz, damping_ratio;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rows real, imag;  ///< one row per mode
};

/// Adds them to a finished result file. Throws Error when it cannot be written.
void add_modes(const std::string& path, const ModeShapes& modes);

}  // namespace monocoque

#pragma once
// Road surfaces of ASAM OpenCRG 1.2 (.crg): heights on a grid that follows a curved reference line.
//   u along the reference line, v to its left, z upwards; phi is the heading, counter-clockwise from x
// This reads a file as it is written, the files it refers to included: header, options, modifiers, columns.
// What the numbers mean as a surface (reference line, modifiers applied, borders) is
// elements/roads/crg_surface.h. Formats: LRFI, LDFI (text), KRBI, KDBI (IEEE 754, big end first). Numbers are
// kept as double. Memory follows the bytes that are there, never a count that a header claims.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace monocoque::io {

/// $ROAD_CRG_OPTS: how the surface goes on beyond its data.
struct CrgOptions {
  /// 0 nothing, 1 zero, 2 last value, 3 repeated, 4 reflected
  int border_mode_u = 2, border_mode_v = 2;
  double border_offset_u = 0, border_offset_v = 0;
  double smooth_begin = 0, smooth_end = 0;  ///< lengths of the linear ramps at both ends; 0: none
  bool close_track = false;
};

/// $ROAD_CRG_MODS: changes of the data before use; what is not set is not applied.
struct CrgModifiers {
  std::optional<double> scale_z, scale_slope, scale_banking, scale_length, scale_width, scale_curvature;
  std::optional<int> nan_mode;  ///< 0 keep, 1 zero, 2 last valid value
  std::optional<double> nan_offset;
  std::optional<double> refpoint_u, refpoint_u_fraction, refpoint_u_offset;
  std::optional<double> refpoint_v, refpoint_v_fraction, refpoint_v_offset;
  std::optional<double> refpoint_x, refpoint_y, refpoint_z, refpoint_phi;
  std::optional<double> rotation_center_x, rotation_center_y;
  std::optional<double> offset_x, offset_y, offset_z, offset_phi;
};

/// $ROAD_CRG, as far as it changes the surface. Map coordinates (LON, LAT, ALT, OFFSET_*) do not.
struct CrgHeader {
  std::optional<double> increment, v_right, v_left, v_increment;
  std::optional<double> start_u, start_x, start_y, start_z, start_phi, start_slope, start_banking;
  std::optional<double> end_u, end_x, end_y, end_z, end_phi, end_slope, end_banking;
};

enum class CrgFormat { LRFI, LDFI, KRBI, KDBI };

struct CrgFile {
  std::string file;     ///< the one with the data
  std::string comment;  ///< first line of $CT
  CrgFormat format = CrgFormat::KRBI;
  CrgHeader header;
  CrgOptions options;
  std::optional<CrgModifiers>
      modifiers;            ///< none: the file has no such section; an empty one forbids defaults
  std::size_t rows = 0;     ///< cross sections, at least 2
  std::vector<double> v;    ///< positions of the long sections, increasing, at least 2
  bool explicit_v = false;  ///< given as "long section at v = "
  std::vector<double> z;    ///< rows x v.size(), row by row; NaN: no height
  /// One number per row, or empty. Row i holds the segment that ends there; row 0 of phi and slope is unused
  /// (0).
  std::vector<double> phi, slope, banking;
  std::vector<double> x, y;  ///< reference line given by points
  std::vector<Diagnostic> warnings;
};

/// Throws Error, with file and line (text) or byte (binary), for everything that is not a complete road.
CrgFile read_crg(const std::string& path);
/// The same from memory; `file` names it in messages, and files it refers to are looked for beside it.
CrgFile read_crg_text(std::string_view text, const std::string& file);

}  // namespace monocoque::io

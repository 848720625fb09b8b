#pragma once
// An OpenCRG road ready for use: reference line built, modifiers applied, heights by bilinear interpolation
//   z(u, v) = grid(u, v) + z_ref(u) + banking(u) v
// with z_ref and banking linear in u between cross sections. The borders follow the options of the file.
// Source: ASAM OpenCRG 1.2, sections 6.4.2 to 6.4.8; what the text leaves open follows the behaviour of
// ASAM's C-API (order of modifiers, offsets beyond borders, heading of the continuations).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "elements/roads/crg_line.h"
#include "io/road/opencrg.h"

namespace monocoque {

/// Which modifiers are applied.
enum class CrgModifierUse {
  none,
  file,     ///< those of the file; without a section for them, only missing heights are filled sideways
  standard  ///< those of the file; without a section the road is also moved: right corner of the begin to the
            ///< origin
};

struct CrgHeight {
  double z = 0, z_u = 0, z_v = 0, z_uu = 0, z_uv = 0;
  bool inside = true;  ///< within the data, or within a repetition of them
};

class CrgSurface {
 public:
  explicit CrgSurface(io::CrgFile file, CrgModifierUse use = CrgModifierUse::file);

  const CrgLine& line() const { return line_; }
  const std::vector<double>& v() const { return v_; }
  /// False, with a stand-in height: no height there (missing number, or border mode 0).
  bool height(double u, double v, CrgHeight& out) const noexcept;
  /// Heading of the reference line; not interpolated.
  double heading(double u) const;
  const io::CrgOptions& options() const { return options_; }

 private:
  struct Axis;
  void fill_missing(int mode, double offset);
  void scale(io::CrgFile& file, const io::CrgModifiers& m);
  void build_line(const io::CrgFile& file);
  void build_profile(const io::CrgFile& file);
  void relocate(const io::CrgFile& file, const io::CrgModifiers& m);
  void move(double center_x, double center_y, double angle, double dx, double dy, double dz, bool grid);
  Axis along_u(double u) const noexcept;
  Axis along_v(double v) const noexcept;

  CrgLine line_;
  io::CrgOptions options_;
  std::vector<double> v_;
  bool explicit_v_ = false;
  double v_step_ = 1;                    ///< of equally spaced sections, else 0
  std::vector<std::uint32_t> v_lookup_;  ///< section at or before equal parts of the width
  std::size_t rows_ = 0, sections_ = 0;
  std::vector<double> z_;
  struct Profile {
    double z, banking;
  };
  std::vector<Profile> profile_;  ///< one per row
  std::vector<double> phi_;       ///< one per row, or empty: straight
  double phi_begin_ = 0, phi_end_ = 0;
};

}  // namespace monocoque

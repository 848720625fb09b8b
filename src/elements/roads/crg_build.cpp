#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.h"
#include "elements/roads/crg_surface.h"

namespace monocoque {

namespace {

bool any(std::initializer_list<const std::optional<double>*> values) {
  return std::any_of(values.begin(), values.end(), [](const auto* v) { return v->has_value(); });
}

io::CrgModifiers chosen(const io::CrgFile& file, CrgModifierUse use) {
  io::CrgModifiers m;
  if (use == CrgModifierUse::none) return m;
  if (file.modifiers) return *file.modifiers;
  m.nan_mode = 2;
  if (use == CrgModifierUse::standard) m.refpoint_x = m.refpoint_y = m.refpoint_z = m.refpoint_phi = 0.0;
  return m;
}

/// Steps from both ends, weighted so that neither end is missed: step[i] leads from i - 1 to i.
std::vector<double> integrate_between(double begin, double end, const std::vector<double>& step,
                                      std::size_t shift) {
  const std::size_t n = step.size();
  std::vector<double> at(n);
  at[n - 1] = end;
  for (std::size_t i = n - 1; i > 0; --i) at[i - 1] = at[i] - step[i];
  at[0] = begin;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (shift == 0 && i + 2 == n) break;  // the end itself stays
    const double w = static_cast<double>(i + shift) / static_cast<double>(n - 1);
    at[i + 1] = (1 - w) * (at[i] + step[i + 1]) + w * at[i + 1];
  }
  return at;
}

std::vector<double> integrate_from(double begin, const std::vector<double>& step) {
  std::vector<double> at(step.size());
  at[0] = begin;
  for (std::size_t i = 1; i < step.size(); ++i) at[i] = at[i - 1] + step[i];
  return at;
}

}  // namespace

CrgSurface::CrgSurface(io::CrgFile file, CrgModifierUse use)
    : options_(file.options), explicit_v_(file.explicit_v), rows_(file.rows), sections_(file.v.size()) {
  const io::CrgModifiers m = chosen(file, use);
  scale(file, m);
  v_ = file.v;
  z_ = std::move(file.z);
  if (m.nan_mode || m.nan_offset) fill_missing(m.nan_mode.value_or(2), m.nan_offset.value_or(0));

  const double even = (v_.back() - v_.front()) / static_cast<double>(sections_ - 1);
  v_step_ = even;
  for (std::size_t j = 0; j < sections_; ++j)
    if (std::abs(v_[j] - v_.front() - static_cast<double>(j) * even) > 1e-12 * (1 + std::abs(v_[j])))
      v_step_ = 0;
  if (v_step_ == 0) {
    v_lookup_.resize(2 * sections_ + 1);
    const double part = (v_.back() - v_.front()) / static_cast<double>(v_lookup_.size() - 1);
    for (std::size_t k = 0; k < v_lookup_.size(); ++k) {
      const auto at =
          std::upper_bound(v_.begin(), v_.end(), v_.front() + (static_cast<double>(k) - 1e-6) * part);
      v_lookup_[k] = static_cast<std::uint32_t>(at == v_.begin() ? 0 : at - v_.begin() - 1);
    }
  }
  build_line(file);
  build_profile(file);
  relocate(file, m);
}

void CrgSurface::scale(io::CrgFile& file, const io::CrgModifiers& m) {
  io::CrgHeader& h = file.header;
  // A factor of zero on heights means "not set".
  const auto set = [](const std::optional<double>& factor) { return factor && *factor != 0; };
  if (set(m.scale_z))
    for (double& z : file.z) z *= *m.scale_z;
  if (set(m.scale_slope)) {
    for (double& s : file.slope) s *= *m.scale_slope;
    if (h.start_slope) *h.start_slope *= *m.scale_slope;
    h.end_z.reset();
  }
  if (set(m.scale_banking)) {
    for (double& b : file.banking) b *= *m.scale_banking;
    if (h.start_banking) *h.start_banking *= *m.scale_banking;
  }
  if (m.scale_length) {
    *h.increment *= *m.scale_length;
    for (std::size_t i = file.x.size(); i-- > 0;) {
      file.x[i] = file.x[0] + *m.scale_length * (file.x[i] - file.x[0]);
      file.y[i] = file.y[0] + *m.scale_length * (file.y[i] - file.y[0]);
    }
    h.end_x.reset();
    h.end_y.reset();
    h.end_z.reset();
  }
  if (m.scale_width)
    for (double& v : file.v) v *= *m.scale_width;
  if (m.scale_curvature) {
    const double first = h.start_phi.value_or(file.phi.empty() ? 0 : file.phi[1]);
    for (std::size_t i = 1; i < file.phi.size(); ++i)
      file.phi[i] = first + *m.scale_curvature * (file.phi[i] - first);
    h.end_phi.reset();
    h.end_x.reset();
    h.end_y.reset();
  }
}

void CrgSurface::fill_missing(int mode, double offset) {
  if (mode == 0) return;
  for (std::size_t i = 0; i < rows_; ++i) {
    double* z = &z_[i * sections_];
    if (mode == 1) {
      for (std::size_t j = 0; j < sections_; ++j)
        if (std::isnan(z[j])) z[j] = offset;
      continue;
    }
    // To the left first, then what is left over to the right; the offset once per gap.
    bool lifted = false;
    for (std::size_t j = 1; j < sections_; ++j) {
      if (!std::isnan(z[j]) || std::isnan(z[j - 1])) continue;
      z[j] = z[j - 1] + (lifted ? 0 : offset);
      lifted = true;
    }
    lifted = false;
    for (std::size_t j = sections_ - 1; j > 0; --j) {
      if (!std::isnan(z[j - 1]) || std::isnan(z[j])) continue;
      z[j - 1] = z[j] + (lifted ? 0 : offset);
      lifted = true;
    }
  }
}

void CrgSurface::build_line(const io::CrgFile& file) {
  const io::CrgHeader& h = file.header;
  double step = *h.increment;
  const double x_0 = h.start_x.value_or(0), y_0 = h.start_y.value_or(0);
  std::vector<CrgLine::Point> points(rows_);
  if (!file.phi.empty()) {
    phi_ = file.phi;
    phi_begin_ = phi_[0] = h.start_phi.value_or(phi_[1]);
    phi_end_ = h.end_phi.value_or(phi_.back());
    std::vector<double> dx(rows_), dy(rows_);
    for (std::size_t i = 1; i < rows_; ++i) {
      dx[i] = step * std::cos(phi_[i]);
      dy[i] = step * std::sin(phi_[i]);
    }
    const bool both = h.end_x && h.end_y;
    const auto x = both ? integrate_between(x_0, *h.end_x, dx, 1) : integrate_from(x_0, dx);
    const auto y = both ? integrate_between(y_0, *h.end_y, dy, 1) : integrate_from(y_0, dy);
    for (std::size_t i = 0; i < rows_; ++i) points[i] = {x[i], y[i]};
  } else if (!file.x.empty()) {
    double length = 0;
    phi_.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
      points[i] = {file.x[i], file.y[i]};
      if (i == 0) continue;
      const double dx = file.x[i] - file.x[i - 1], dy = file.y[i] - file.y[i - 1];
      phi_[i] = std::atan2(dy, dx);
      length += std::hypot(dx, dy);
    }
    step = length / static_cast<double>(rows_ - 1);
    phi_begin_ = phi_[0] = h.start_phi.value_or(phi_[1]);
    phi_end_ = h.end_phi.value_or(phi_.back());
  } else {
    phi_begin_ = phi_end_ = h.start_phi.value_or(0);
    const double c = std::cos(phi_begin_), s = std::sin(phi_begin_);
    for (std::size_t i = 0; i < rows_; ++i)
      points[i] = {x_0 + static_cast<double>(i) * step * c, y_0 + static_cast<double>(i) * step * s};
  }
  for (std::size_t i = 1; i < rows_; ++i) {
    const double dx = points[i].x - points[i - 1].x, dy = points[i].y - points[i - 1].y;
    // END_X, END_Y far from where the headings lead would tear the line.
    if (!(std::hypot(dx, dy) > 1e-3 * step) || !std::isfinite(dx + dy))
      throw Error(Place{file.file, 0}, "",
                  "the reference line stands still or is infinite between two cross sections",
                  "REFERENCE_LINE_END_X and END_Y do not fit the headings and the increment");
  }
  line_ =
      CrgLine(std::move(points), h.start_u.value_or(0), step, phi_begin_, phi_end_, v_.front(), v_.back());
}

void CrgSurface::build_profile(const io::CrgFile& file) {
  const io::CrgHeader& h = file.header;
  const double z_0 = h.start_z.value_or(0), start_slope = h.start_slope.value_or(0);
  std::vector<double> z(rows_, z_0);
  if (!file.slope.empty() || start_slope != 0) {
    std::vector<double> rise(rows_);
    for (std::size_t i = 1; i < rows_; ++i)
      rise[i] = line_.step() * (file.slope.empty() ? start_slope : file.slope[i]);
    z = h.end_z ? integrate_between(z_0, *h.end_z, rise, 0) : integrate_from(z_0, rise);
  }
  profile_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i)
    profile_[i] = {z[i], file.banking.empty() ? h.start_banking.value_or(0) : file.banking[i]};
}

void CrgSurface::relocate(const io::CrgFile& file, const io::CrgModifiers& m) {
  const io::CrgHeader& h = file.header;
  // Where the reference line has no height of its own the grid is lifted: ramps at the ends then start from
  // zero.
  const bool grid = file.slope.empty() && h.start_slope.value_or(0) == 0 && !h.start_z;
  if (any({&m.refpoint_u, &m.refpoint_u_fraction, &m.refpoint_v, &m.refpoint_v_fraction, &m.refpoint_x,
           &m.refpoint_y, &m.refpoint_z, &m.refpoint_phi})) {
    double u = line_.u_begin() + m.refpoint_u_fraction.value_or(0) * (line_.u_end() - line_.u_begin()) +
               m.refpoint_u_offset.value_or(0);
    double v = v_.front() + m.refpoint_v_fraction.value_or(0) * (v_.back() - v_.front()) +
               m.refpoint_v_offset.value_or(0);
    if (m.refpoint_u && !m.refpoint_u_fraction) u = *m.refpoint_u;
    if (m.refpoint_v && !m.refpoint_v_fraction) v = *m.refpoint_v;
    const CrgLine::Point from = line_.position(u, v);
    CrgHeight z;
    height(u, v, z);
    move(from.x, from.y, m.refpoint_phi.value_or(0) - heading(u), m.refpoint_x.value_or(0) - from.x,
         m.refpoint_y.value_or(0) - from.y, m.refpoint_z.value_or(0) - z.z, grid);
  } else if (any({&m.offset_x, &m.offset_y, &m.offset_z, &m.offset_phi})) {
    const CrgLine::Point begin = line_.points().front();
    move(m.rotation_center_x.value_or(begin.x), m.rotation_center_y.value_or(begin.y),
         m.offset_phi.value_or(0), m.offset_x.value_or(0), m.offset_y.value_or(0), m.offset_z.value_or(0),
         grid);
  }
}

void CrgSurface::move(double center_x, double center_y, double angle, double dx, double dy, double dz,
                      bool grid) {
  const double c = std::cos(angle), s = std::sin(angle);
  std::vector<CrgLine::Point> points = line_.points();
  for (CrgLine::Point& p : points) {
    const double x = p.x - center_x, y = p.y - center_y;
    p = {center_x + c * x - s * y + dx, center_y + s * x + c * y + dy};
  }
  for (double& phi : phi_) phi += angle;
  phi_begin_ += angle;
  phi_end_ += angle;
  line_ =
      CrgLine(std::move(points), line_.u_begin(), line_.step(), phi_begin_, phi_end_, v_.front(), v_.back());
  if (grid)
    for (double& z : z_) z += dz;
  else
    for (Profile& p : profile_) p.z += dz;
}

}  // namespace monocoque

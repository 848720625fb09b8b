#include "elements/roads/crg_surface.h"

#include <algorithm>
#include <cmath>

namespace monocoque {

/// Position on an axis of length `range` beyond which `mode` rules. Not in the anonymous namespace: Axis has
/// it.
struct PlaceOnAxis {
  double at;        ///< within the range
  double rate = 1;  ///< d(at)/d(given)
  bool inside = true, outside_given = false, nothing = false, zero = false;
};

namespace {

PlaceOnAxis map_to_range(double given, double range, int mode) {
  PlaceOnAxis m{given};
  if (given >= 0 && given <= range) return m;
  m.outside_given = true;
  if (mode == 3) {
    m.at = std::fmod(given, range);
    if (m.at < 0) m.at += range;
    return m;
  }
  if (mode == 4) {
    m.at = std::fmod(std::abs(given), 2 * range);
    m.rate = given < 0 ? -1 : 1;
    if (m.at > range) {
      m.at = 2 * range - m.at;
      m.rate = -m.rate;
    }
    return m;
  }
  m.inside = false;
  m.nothing = mode == 0;
  m.zero = mode == 1;
  m.at = given < 0 ? 0 : range;
  m.rate = 0;
  return m;
}

}  // namespace

/// Cell and place in the cell; `rate` is d(fraction)/d(coordinate).
struct CrgSurface::Axis {
  PlaceOnAxis mapped;
  std::size_t cell = 0;
  double fraction = 0, rate = 0;
};

CrgSurface::Axis CrgSurface::along_u(double u) const noexcept {
  const double range = static_cast<double>(rows_ - 1);
  Axis a;
  a.mapped = map_to_range((u - line_.u_begin()) / line_.step(), range, options_.border_mode_u);
  a.cell = std::min(static_cast<std::size_t>(a.mapped.at), rows_ - 2);
  a.fraction = a.mapped.at - static_cast<double>(a.cell);
  a.rate = a.mapped.rate / line_.step();
  return a;
}

CrgSurface::Axis CrgSurface::along_v(double v) const noexcept {
  const double right = v_.front(), range = v_.back() - right;
  Axis a;
  a.mapped = map_to_range(v - right, range, options_.border_mode_v);
  if (v_step_ > 0) {
    const double t = a.mapped.at / v_step_;
    a.cell = std::min(static_cast<std::size_t>(t), sections_ - 2);
    a.fraction = std::min(t - static_cast<double>(a.cell), 1.0);
    a.rate = a.mapped.rate / v_step_;
    return a;
  }
  const double parts = static_cast<double>(v_lookup_.size() - 1);
  const std::size_t part =
      std::min(static_cast<std::size_t>(a.mapped.at / range * parts), v_lookup_.size() - 2);
  const double* first = v_.data() + v_lookup_[part];
  const double* last = v_.data() + std::min<std::size_t>(v_lookup_[part + 1] + 2, sections_);
  const double at = right + a.mapped.at;
  const auto found = static_cast<std::size_t>(std::upper_bound(first, last, at) - v_.data());
  a.cell = std::min(found > 0 ? found - 1 : 0, sections_ - 2);
  const double width = v_[a.cell + 1] - v_[a.cell];
  a.fraction = std::clamp((at - v_[a.cell]) / width, 0.0, 1.0);
  a.rate = a.mapped.rate / width;
  return a;
}

bool CrgSurface::height(double u, double v, CrgHeight& out) const noexcept {
  out = CrgHeight{};
  if (options_.close_track && line_.closable() && (u < line_.u_close_min() || u > line_.u_close_max())) {
    const double length = line_.u_close_max() - line_.u_close_min();
    const double rest = std::fmod(u - line_.u_close_min(), length);
    u = rest > 0 ? line_.u_close_min() + rest : line_.u_close_max() + rest;
  }
  const Axis a = along_u(u), b = along_v(v);
  const Profile p0 = profile_[a.cell], p1 = profile_[a.cell + 1];
  const double f = a.fraction, g = b.fraction;
  const double slope = (p1.z - p0.z) * a.rate, reference = p0.z + f * (p1.z - p0.z);
  out.inside = a.mapped.inside && b.mapped.inside;
  if (a.mapped.nothing || b.mapped.nothing) {
    out.z = reference;
    return false;
  }
  const double offset = (a.mapped.outside_given ? options_.border_offset_u : 0) +
                        (b.mapped.outside_given ? options_.border_offset_v : 0);
  if (a.mapped.zero || (a.mapped.inside && b.mapped.zero)) {
    out.z = offset;
  } else {
    if (!b.mapped.zero) {
      const double* z0 = &z_[a.cell * sections_ + b.cell];
      const double* z1 = z0 + sections_;
      const double d0 = z0[1] - z0[0], d1 = z1[1] - z1[0], across = d1 - d0;
      const double begin = z0[0] + g * d0, end = z1[0] + g * d1;
      out.z = begin + f * (end - begin);
      if (std::isnan(out.z + across)) {
        out = CrgHeight{};
        out.z = reference;
        out.inside = false;
        return false;
      }
      out.z_u = (end - begin) * a.rate;
      out.z_v = (d0 + f * across) * b.rate;
      out.z_uv = across * a.rate * b.rate;
    }
    const double banking = p0.banking + f * (p1.banking - p0.banking),
                 turn = (p1.banking - p0.banking) * a.rate;
    // Sections given by position keep the v of the query for the banking even where they are repeated.
    const double arm = explicit_v_ ? std::clamp(v, v_.front(), v_.back()) : v_.front() + b.mapped.at;
    const double arm_rate = explicit_v_ ? (arm == v ? 1.0 : 0.0) : b.mapped.rate;
    out.z += reference + banking * arm;
    out.z_u += slope + turn * arm;
    out.z_v += banking * arm_rate;
    out.z_uv += turn * arm_rate;
    if (!out.inside) out.z += offset;
  }
  // Ramps at both ends, towards the height of the reference line there. In repetitions u counts within the
  // data.
  const double along = a.mapped.inside ? a.mapped.at * line_.step() : u - line_.u_begin();
  const double rate = a.mapped.inside ? a.mapped.rate : 0,
               whole = static_cast<double>(rows_ - 1) * line_.step();
  double base = 0, factor = 1, factor_u = 0;
  if (options_.smooth_begin > 0 && along <= options_.smooth_begin) {
    base = profile_.front().z;
    factor = std::max(along, 0.0) / options_.smooth_begin;
    factor_u = along < 0 ? 0 : rate / options_.smooth_begin;
  }
  if (options_.smooth_end > 0 && whole - along <= options_.smooth_end) {
    base = profile_.back().z;
    factor = std::max(whole - along, 0.0) / options_.smooth_end;
    factor_u = along > whole ? 0 : -rate / options_.smooth_end;
  }
  if (factor != 1 || factor_u != 0) {
    out.z_uu = 2 * factor_u * out.z_u;
    out.z_uv = factor * out.z_uv + factor_u * out.z_v;
    out.z_u = factor * out.z_u + factor_u * (out.z - base);
    out.z_v *= factor;
    out.z = base + factor * (out.z - base);
  }
  return true;
}

double CrgSurface::heading(double u) const {
  const double t = (u - line_.u_begin()) / line_.step();
  const std::size_t row = t > 0 ? std::min(static_cast<std::size_t>(t), rows_ - 2) : 0;
  const std::size_t margin = static_cast<std::size_t>(std::max(1.0, std::floor(0.5 / line_.step())));
  if (row < margin) return phi_begin_;
  if (phi_.empty() || row + margin >= rows_) return phi_end_;
  return phi_[row];
}

}  // namespace monocoque

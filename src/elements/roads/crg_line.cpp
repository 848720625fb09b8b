#include "elements/roads/crg_line.h"

#include <algorithm>
#include <cmath>

namespace monocoque {

namespace {

constexpr int kHintSteps = 16, kSearchSteps = 64;
constexpr double kRasterMargin_m = 10;

double dot(double ax, double ay, double bx, double by) {
  return ax * bx + ay * by;
}

}  // namespace

CrgLine::CrgLine(std::vector<Point> points, double u_start, double step, double heading_begin,
                 double heading_end, double v_min, double v_max)
    : points_(std::move(points)),
      u_begin_(u_start),
      step_(step),
      v_min_(v_min),
      v_max_(v_max),
      cos_begin_(std::cos(heading_begin)),
      sin_begin_(std::sin(heading_begin)),
      cos_end_(std::cos(heading_end)),
      sin_end_(std::sin(heading_end)) {
  // On a straight line u and v are plain projections; it is the most frequent road.
  straight_ = heading_begin == heading_end;
  const Point first = points_.front();
  for (std::size_t i = 1; i < points_.size() && straight_; ++i) {
    const double s = step_ * static_cast<double>(i),
                 tolerance = 1e-12 * (s + std::abs(first.x) + std::abs(first.y));
    straight_ = std::abs(points_[i].x - first.x - s * cos_begin_) <= tolerance &&
                std::abs(points_[i].y - first.y - s * sin_begin_) <= tolerance;
  }
  if (straight_) return;
  find_closure();
  lay_raster();
}

void CrgLine::find_closure() {
  const Point a = points_.front(), b = points_.back();
  const double cosine = cos_begin_ * cos_end_ + sin_begin_ * sin_end_;
  if (!(cosine > 0.5)) return;
  // The continuations must lead from the end forwards to the begin, each seen from the normal of the other.
  const double ahead = dot(a.x - b.x, a.y - b.y, cos_begin_, sin_begin_) / cosine;
  const double behind = dot(b.x - a.x, b.y - a.y, cos_end_, sin_end_) / cosine;
  if (!(ahead > 0) || !(behind < 0)) return;
  closable_ = true;
  u_close_min_ = u_begin() + 0.5 * behind * cosine;
  u_close_max_ = u_end() + 0.5 * ahead * cosine;
  const double sine = cos_begin_ * sin_end_ - sin_begin_ * cos_end_;
  if (std::abs(sine) <= 1e-7) return;
  const double to_cross = (cos_begin_ * (a.y - b.y) + sin_begin_ * (b.x - a.x)) / sine;
  const double from_cross = (cos_end_ * (a.y - b.y) + sin_end_ * (b.x - a.x)) / sine;
  if (to_cross < 0 || from_cross > 0) return;
  u_close_min_ = u_begin() + from_cross;
  u_close_max_ = u_end() + to_cross;
}

void CrgLine::lay_raster() {
  double x_min = points_[0].x, x_max = x_min, y_min = points_[0].y, y_max = y_min;
  for (const Point& p : points_) {
    x_min = std::min(x_min, p.x);
    x_max = std::max(x_max, p.x);
    y_min = std::min(y_min, p.y);
    y_max = std::max(y_max, p.y);
  }
  const double margin = std::max(std::abs(v_min_), std::abs(v_max_)) + kRasterMargin_m;
  const double width = x_max - x_min + 2 * margin, height = y_max - y_min + 2 * margin;
  const double cells = std::clamp(2.0 * static_cast<double>(points_.size()), 4096.0, 4e6);
  const double cell = std::max({std::sqrt(width * height / cells), width / cells, height / cells, step_});
  x_0_ = x_min - margin;
  y_0_ = y_min - margin;
  cells_per_m_ = 1 / cell;
  columns_ = static_cast<std::int32_t>(width * cells_per_m_) + 1;
  lines_ = static_cast<std::int32_t>(height * cells_per_m_) + 1;
  raster_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(lines_), -1);
  while (largest_stride_ < static_cast<std::int32_t>(points_.size()) && largest_stride_ * step_ < 2 * cell)
    largest_stride_ *= 4;

  const auto offer = [&](std::int32_t c, std::int32_t l, std::int32_t i) {
    if (i < 0 || c < 0 || l < 0 || c >= columns_ || l >= lines_) return;
    const double x = x_0_ + (c + 0.5) * cell, y = y_0_ + (l + 0.5) * cell;
    std::int32_t& held = raster_[static_cast<std::size_t>(l) * static_cast<std::size_t>(columns_) +
                                 static_cast<std::size_t>(c)];
    if (held < 0 || squared_distance(x, y, i) < squared_distance(x, y, held)) held = i;
  };
  const auto held = [&](std::int32_t c, std::int32_t l) {
    return c < 0 || l < 0 || c >= columns_ || l >= lines_
               ? -1
               : raster_[static_cast<std::size_t>(l) * static_cast<std::size_t>(columns_) +
                         static_cast<std::size_t>(c)];
  };
  for (std::size_t i = 0; i < points_.size(); ++i)
    offer(static_cast<std::int32_t>((points_[i].x - x_0_) * cells_per_m_),
          static_cast<std::int32_t>((points_[i].y - y_0_) * cells_per_m_), static_cast<std::int32_t>(i));
  // Each cell takes over what its neighbours know: two sweeps there and back carry it across the raster.
  for (int sweep = 0; sweep < 4; ++sweep) {
    const bool forward = sweep % 2 == 0;
    const std::int32_t d = forward ? -1 : 1;
    for (std::int32_t a = 0; a < lines_; ++a) {
      const std::int32_t l = forward ? a : lines_ - 1 - a;
      for (std::int32_t c = 0; c < columns_; ++c)
        for (std::int32_t k = -1; k <= 1; ++k) offer(c, l, held(c + k, l + d));
      for (std::int32_t c = 0; c < columns_; ++c) offer(c, l, held(c - 1, l));
      for (std::int32_t c = columns_ - 1; c >= 0; --c) offer(c, l, held(c + 1, l));
    }
  }
}

std::int32_t CrgLine::nearest(double x, double y) const noexcept {
  const double c = std::clamp((x - x_0_) * cells_per_m_, 0.0, columns_ - 1.0);
  const double l = std::clamp((y - y_0_) * cells_per_m_, 0.0, lines_ - 1.0);
  std::int32_t i =
      raster_[static_cast<std::size_t>(l) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(c)];
  double d = squared_distance(x, y, i);
  const std::int32_t last = static_cast<std::int32_t>(points_.size()) - 1;
  // Strides of falling length along the line; the distance has one minimum near the start.
  for (std::int32_t stride = largest_stride_; stride >= 1; stride /= 4)
    for (int step = 0; step < 8; ++step) {
      const std::int32_t up = std::min(i + stride, last), down = std::max(i - stride, 0);
      const double d_up = squared_distance(x, y, up), d_down = squared_distance(x, y, down);
      if (d_up < d && d_up <= d_down) {
        i = up;
        d = d_up;
      } else if (d_down < d) {
        i = down;
        d = d_down;
      } else {
        break;
      }
    }
  return i;
}

bool CrgLine::walk(double x, double y, int limit, std::int32_t& segment) const noexcept {
  const std::int32_t last = static_cast<std::int32_t>(points_.size()) - 2;
  int steps = 0;
  const auto beyond = [&](std::int32_t i) {  // the normal through point i, an inner one
    const Point a = points_[static_cast<std::size_t>(i) - 1], p = points_[static_cast<std::size_t>(i)],
                b = points_[static_cast<std::size_t>(i) + 1];
    return dot(x - p.x, y - p.y, b.x - a.x, b.y - a.y);
  };
  while (segment < last && beyond(segment + 1) > 0) {
    ++segment;
    if (++steps > limit) return false;
  }
  while (segment > 0 && beyond(segment) < 0) {
    --segment;
    if (++steps > limit) return false;
  }
  return true;
}

void CrgLine::inside(double x, double y, std::int32_t segment, CrgPosition& out) const noexcept {
  const std::size_t i = static_cast<std::size_t>(segment), last = points_.size() - 1;
  const Point p1 = points_[i], p2 = points_[i + 1];
  const Point p0 = points_[i > 0 ? i - 1 : i], p3 = points_[std::min(i + 2, last)];
  const double ex = p2.x - p1.x, ey = p2.y - p1.y, length = std::sqrt(ex * ex + ey * ey);
  const double ax = p2.x - p0.x, ay = p2.y - p0.y, bx = p3.x - p1.x, by = p3.y - p1.y;
  const double a = 1 / dot(ax, ay, ex, ey), b = 1 / dot(bx, by, ex, ey);
  const double ta = dot(ax, ay, x - p1.x, y - p1.y) * a, tb = dot(bx, by, p2.x - x, p2.y - y) * b;
  const double ta_x = ax * a, ta_y = ay * a;
  const double sum = ta + tb, sum_x = ta_x - bx * b, sum_y = ta_y - by * b;
  const double t = ta / sum, t_x = (ta_x - t * sum_x) / sum, t_y = (ta_y - t * sum_y) / sum;
  out.u = u_begin_ + step_ * (static_cast<double>(segment) + t);
  out.u_x = step_ * t_x;
  out.u_y = step_ * t_y;
  out.u_xx = -step_ * 2 * t_x * sum_x / sum;
  out.u_xy = -step_ * (t_x * sum_y + t_y * sum_x) / sum;
  out.u_yy = -step_ * 2 * t_y * sum_y / sum;
  out.v = (ex * (y - p1.y) - ey * (x - p1.x)) / length;
  out.v_x = -ey / length;
  out.v_y = ex / length;
}

void CrgLine::continued(double x, double y, bool begin, CrgPosition& out) const noexcept {
  const Point p = begin ? points_.front() : points_.back();
  const double c = begin ? cos_begin_ : cos_end_, s = begin ? sin_begin_ : sin_end_;
  out = CrgPosition{};
  out.u = (begin ? u_begin() : u_end()) + (x - p.x) * c + (y - p.y) * s;
  out.v = (y - p.y) * c - (x - p.x) * s;
  out.u_x = out.v_y = c;
  out.u_y = s;
  out.v_x = -s;
}

void CrgLine::locate(double x, double y, std::int32_t& hint, CrgPosition& out) const noexcept {
  if (straight_) return continued(x, y, true, out);
  const std::int32_t last = static_cast<std::int32_t>(points_.size()) - 2;
  std::int32_t segment = hint;
  if (hint >= 0 && hint <= last && walk(x, y, kHintSteps, segment)) {
    inside(x, y, segment, out);
    // On the road the answer is unique unless the road lies over itself; beside it the nearest part counts.
    if (out.v >= v_min_ && out.v <= v_max_ && out.u >= u_begin() && out.u <= u_end()) {
      hint = segment;
      return;
    }
  }
  segment = std::clamp(nearest(x, y) - 1, 0, last);
  walk(x, y, kSearchSteps, segment);
  inside(x, y, segment, out);
  if (closable_ && (segment == 0 || segment == last)) {
    // At the seam of a loop the other end may hold the point.
    const bool before = out.u<u_begin(), behind = out.u> u_end();
    if (before || behind) {
      std::int32_t other = before ? last : 0;
      CrgPosition there;
      walk(x, y, kSearchSteps, other);
      inside(x, y, other, there);
      if (there.u >= u_begin() && there.u <= u_end() && there.v >= v_min_ && there.v <= v_max_) {
        segment = other;
        out = there;
      }
    }
  }
  hint = segment;
  // A denominator that vanished (beyond the centre of curvature) must not leave here.
  if (!std::isfinite(out.u) || !std::isfinite(out.u_xx) || !std::isfinite(out.u_yy) ||
      !std::isfinite(out.u_xy)) {
    const double v = out.v;
    out = CrgPosition{};
    out.u = u_begin_ + step_ * (static_cast<double>(segment) + 0.5);
    out.v = std::isfinite(v) ? v : 0;
    return;
  }
  if (out.u < u_begin())
    continued(x, y, true, out);
  else if (out.u > u_end())
    continued(x, y, false, out);
}

CrgLine::Point CrgLine::position(double u, double v) const {
  const double n = static_cast<double>(points_.size() - 1), t = (u - u_begin_) / step_;
  if (t < 0 || t > n || straight_) {
    const bool begin = t < 0 || straight_;
    const Point p = begin ? points_.front() : points_.back();
    const double c = begin ? cos_begin_ : cos_end_, s = begin ? sin_begin_ : sin_end_;
    const double along = begin ? u - u_begin() : u - u_end();
    return {p.x + along * c - v * s, p.y + along * s + v * c};
  }
  const std::size_t i = std::min(static_cast<std::size_t>(t), points_.size() - 2);
  const double fraction = t - static_cast<double>(i);
  const Point p1 = points_[i], p2 = points_[i + 1];
  const Point p0 = points_[i > 0 ? i - 1 : i], p3 = points_[std::min(i + 2, points_.size() - 1)];
  const double ex = p2.x - p1.x, ey = p2.y - p1.y, length = std::sqrt(ex * ex + ey * ey);
  // The point at distance v from the segment on the normal of direction d.
  const auto foot = [&](Point p, double dx, double dy) {
    const double scale = v * length / dot(dx, dy, ex, ey);
    return Point{p.x - dy * scale, p.y + dx * scale};
  };
  const Point a = foot(p1, p2.x - p0.x, p2.y - p0.y), b = foot(p2, p3.x - p1.x, p3.y - p1.y);
  return {a.x + fraction * (b.x - a.x), a.y + fraction * (b.y - a.y)};
}

}  // namespace monocoque

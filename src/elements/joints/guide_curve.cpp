#include "elements/joints/guide_curve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/SparseLU>

#include "core/error.h"
#include "core/rotation.h"

namespace monocoque {
namespace {

using Table = Eigen::Matrix<double, 9, Eigen::Dynamic>;  // one column per knot

/// Next frame vector by two reflections: at the plane between the points, then at the one between the
/// tangents.
Vec3 transported(const Vec3& r, const Vec3& from, const Vec3& t_from, const Vec3& to, const Vec3& t_to) {
  const Vec3 v1 = to - from;
  const double c1 = v1.squaredNorm();
  const Vec3 rL = r - v1 * (2 / c1 * v1.dot(r)), tL = t_from - v1 * (2 / c1 * v1.dot(t_from));
  const Vec3 v2 = t_to - tL;
  const double c2 = v2.squaredNorm();
  return c2 > 0 ? Vec3(rL - v2 * (2 / c2 * v2.dot(rL))) : rL;
}

}  // namespace

GuideCurve::GuideCurve(const std::vector<Vec3>& points, bool closed) : closed_(closed) {
  const std::size_t n = points.size(), least = closed ? 3 : 2;
  if (n < least)
    throw Error("point_on_curve", fmt::format("points_m has {} points, {} needs at least {}", n,
                                              closed ? "a closed curve" : "a curve", least));
  knot_.push_back(0);
  const std::size_t segments = closed ? n : n - 1;
  for (std::size_t i = 0; i < segments; ++i) {
    const double chord = (points[(i + 1) % n] - points[i]).norm();
    if (!(chord > 0))
      throw Error(
          "point_on_curve", fmt::format("points {} and {} of points_m coincide", i + 1, (i + 1) % n + 1),
          closed ? "a closed curve returns to its first point by itself: leave out the repeated one" : "");
    knot_.push_back(knot_.back() + chord);
  }
  const auto count = static_cast<Eigen::Index>(segments + 1);
  Table y = Table::Zero(9, count);
  for (Eigen::Index i = 0; i < count; ++i) y.col(i).head<3>() = points[static_cast<std::size_t>(i) % n];
  set_segments(y);

  std::vector<Vec3> tangent;
  for (const double s : knot_) tangent.push_back(at(s).C[1].normalized());
  std::vector<Vec3> normal{rotation_with_z(tangent[0]).col(0)};
  for (std::size_t i = 0; i < segments; ++i)
    normal.push_back(transported(normal[i], y.col(static_cast<Eigen::Index>(i)).head<3>(), tangent[i],
                                 y.col(static_cast<Eigen::Index>(i) + 1).head<3>(), tangent[i + 1]));
  double twist = 0;
  if (closed) {
    const Vec3 across = tangent[0].cross(normal[0]);
    twist = std::atan2(normal.back().dot(across), normal.back().dot(normal[0]));
  }
  for (std::size_t i = 0; i <= segments; ++i) {
    const Vec3 side = tangent[i].cross(normal[i]);
    const double angle = -twist * knot_[i] / length();
    const Vec3 r1 = std::cos(angle) * normal[i] + std::sin(angle) * side;
    y.col(static_cast<Eigen::Index>(i)).segment<3>(3) = r1;
    y.col(static_cast<Eigen::Index>(i)).tail<3>() = tangent[i].cross(r1);
  }
  if (closed) y.col(count - 1) = y.col(0);  // no rounding error in the seam
  set_segments(y);
  check_frames();
}

/// Second derivatives at the knots.
Table GuideCurve::curvatures(const Table& y) const {
  const auto last = static_cast<Eigen::Index>(knot_.size()) - 1;
  const Eigen::Index unknowns = closed_ ? last : last + 1;
  Eigen::SparseMatrix<double> M(unknowns, unknowns);
  Eigen::Matrix<double, Eigen::Dynamic, 9> b = Eigen::Matrix<double, Eigen::Dynamic, 9>::Zero(unknowns, 9);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < unknowns; ++i) {
    if (!closed_ && (i == 0 || i == last)) {
      entries.emplace_back(i, i, 1.0);  // natural end
      continue;
    }
    const Eigen::Index before = i == 0 ? last - 1 : i - 1, after = (i + 1) % unknowns;
    const auto h = [this](Eigen::Index k) {
      return knot_[static_cast<std::size_t>(k) + 1] - knot_[static_cast<std::size_t>(k)];
    };
    const double h0 = h(before), h1 = h(i);
    entries.emplace_back(i, before, h0);
    entries.emplace_back(i, i, 2 * (h0 + h1));
    entries.emplace_back(i, after, h1);
    b.row(i) = 6 * ((y.col(i + 1) - y.col(i)) / h1 - (y.col(i) - y.col(before)) / h0).transpose();
  }
  M.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(M);
  const Eigen::Matrix<double, Eigen::Dynamic, 9> x = lu.solve(b);
  Table result(9, last + 1);
  for (Eigen::Index i = 0; i <= last; ++i) result.col(i) = x.row(i < unknowns ? i : i - unknowns).transpose();
  return result;
}

void GuideCurve::set_segments(const Table& y) {
  const Table m = curvatures(y);
  segment_.resize(knot_.size() - 1);
  for (std::size_t i = 0; i < segment_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double h = knot_[i + 1] - knot_[i];
    auto& c = segment_[i].coefficient;
    c.col(0) = y.col(k);
    c.col(1) = (y.col(k + 1) - y.col(k)) / h - h / 6 * (2 * m.col(k) + m.col(k + 1));
    c.col(2) = m.col(k) / 2;
    c.col(3) = (m.col(k + 1) - m.col(k)) / (6 * h);
  }
}

void GuideCurve::check_frames() const {
  const int fine = 16;
  for (std::size_t i = 0; i < segment_.size(); ++i)
    for (int k = 0; k < fine; ++k) {
      const Sample x = at(knot_[i] + (knot_[i + 1] - knot_[i]) * k / fine);
      const double volume = x.C[1].cross(x.r1[0]).dot(x.r2[0]);
      if (!(volume > 0.3))
        throw Error("point_on_curve",
                    fmt::format("the curve bends too sharply after point {} of points_m", i + 1),
                    "give more points where the direction changes");
    }
}

double GuideCurve::wrapped(double s) const noexcept {
  return closed_ ? s - length() * std::floor(s / length()) : s;
}

GuideCurve::Sample GuideCurve::at(double s) const noexcept {
  s = wrapped(s);
  const bool beyond = !closed_ && (s < 0 || s > length());
  const double inside = beyond ? std::clamp(s, 0.0, length()) : s;
  const auto upper = std::upper_bound(knot_.begin() + 1, knot_.end() - 1, inside);
  const auto i = static_cast<std::size_t>(upper - knot_.begin()) - 1;
  const double x = inside - knot_[i];
  const auto& c = segment_[i].coefficient;
  Values d[4];
  d[0] = c.col(0) + x * (c.col(1) + x * (c.col(2) + x * c.col(3)));
  d[1] = c.col(1) + x * (2 * c.col(2) + 3 * x * c.col(3));
  d[2] = 2 * c.col(2) + 6 * x * c.col(3);
  d[3] = 6 * c.col(3);
  if (beyond) {
    d[0] += (s - inside) * d[1];
    d[2].setZero();
    d[3].setZero();
  }
  Sample out;
  for (int k = 0; k < 4; ++k) {
    out.C[k] = d[k].head<3>();
    out.r1[k] = d[k].segment<3>(3);
    out.r2[k] = d[k].tail<3>();
  }
  return out;
}

double GuideCurve::nearest(const Vec3& y) const noexcept {
  const int fine = 8;
  double best = 0, least = HUGE_VAL;
  for (std::size_t i = 0; i < segment_.size(); ++i)
    for (int k = 0; k <= fine; ++k) {
      const double s = knot_[i] + (knot_[i + 1] - knot_[i]) * k / fine;
      const double distance = (at(s).C[0] - y).squaredNorm();
      if (distance < least) {
        least = distance;
        best = s;
      }
    }
  return foot(y, best);
}

double GuideCurve::foot(const Vec3& y, double start) const noexcept {
  // A fixed number of steps bounds the cost; a warm start needs two or three.
  const double largest = length() / static_cast<double>(segment_.size());
  double s = start;
  for (int k = 0; k < 20; ++k) {
    const Sample x = at(s);
    const Vec3 e = y - x.C[0];
    const double speed = x.C[1].squaredNorm();
    // Beyond the centre of curvature Newton's direction would lead away from the foot.
    const double D = std::max(speed - x.C[2].dot(e), 0.2 * speed);
    const double step = std::clamp(x.C[1].dot(e) / D, -largest, largest);
    s += step;
    if (std::abs(step) <= 1e-15 * length()) break;
  }
  return s;
}

}  // namespace monocoque

#include "elements/lanes/driver_path.h"

#include <algorithm>
#include <cmath>

#include "core/decompositions.h"

namespace monocoque {

DriverPath::DriverPath(std::vector<PathNode> nodes) : nodes_(std::move(nodes)) {
  for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
    const PathNode &a = nodes_[i], &b = nodes_[i + 1];
    Piece piece;
    const double h = b.u - a.u;
    piece.u = a.u;
    piece.length = h;
    // Quintic by value, slope and second derivative at both ends, in (v - u) / h.
    const Vec2 step = b.p - a.p - h * a.d - 0.5 * h * h * a.dd;
    const Vec2 slope = h * (b.d - a.d - h * a.dd), bend = h * h * (b.dd - a.dd);
    piece.c.col(0) = a.p;
    piece.c.col(1) = h * a.d;
    piece.c.col(2) = 0.5 * h * h * a.dd;
    piece.c.col(3) = 10 * step - 4 * slope + 0.5 * bend;
    piece.c.col(4) = -15 * step + 7 * slope - bend;
    piece.c.col(5) = 6 * step - 3 * slope + 0.5 * bend;
    pieces_.push_back(piece);
  }
}

DriverPath DriverPath::through(const std::vector<Vec2>& points) {
  const auto n = static_cast<Eigen::Index>(points.size());
  const auto point = [&](Eigen::Index i) { return points[static_cast<std::size_t>(i)]; };
  VecX h(n - 1);
  for (Eigen::Index i = 0; i + 1 < n; ++i) h[i] = (point(i + 1) - point(i)).norm();
  // Second derivatives from continuous slopes; none at the ends, where the path goes on straight.
  MatX A = MatX::Identity(n, n);
  Eigen::Matrix<double, Eigen::Dynamic, 2> right(n, 2);
  right.setZero();
  for (Eigen::Index i = 1; i + 1 < n; ++i) {
    A(i, i - 1) = h[i - 1] / 6;
    A(i, i) = (h[i - 1] + h[i]) / 3;
    A(i, i + 1) = h[i] / 6;
    right.row(i) = (point(i + 1) - point(i)) / h[i] - (point(i) - point(i - 1)) / h[i - 1];
  }
  const Eigen::Matrix<double, Eigen::Dynamic, 2> bend = A.partialPivLu().solve(right);
  std::vector<PathNode> nodes;
  double u = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    PathNode node;
    node.u = u;
    node.p = point(i);
    node.dd = bend.row(i);
    if (i + 1 < n) {
      node.d = (point(i + 1) - point(i)) / h[i] - h[i] / 6 * (2 * bend.row(i) + bend.row(i + 1)).transpose();
      u += h[i];
    } else {
      node.d = (point(i) - point(i - 1)) / h[i - 1] + h[i - 1] / 6 * bend.row(i - 1).transpose();
    }
    nodes.push_back(node);
  }
  return DriverPath(std::move(nodes));
}

void DriverPath::evaluate(double u, Vec2& p, Vec2& d, Vec2& dd) const noexcept {
  if (nodes_.empty()) {
    p = {u, 0};
    d = Vec2::UnitX();
    dd.setZero();
    return;
  }
  if (u <= first() || u >= last()) {
    const PathNode& end = u <= first() ? nodes_.front() : nodes_.back();
    p = end.p + (u - end.u) * end.d;
    d = end.d;
    dd.setZero();
    return;
  }
  const auto after = std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, u,
                                      [](double value, const PathNode& node) { return value < node.u; });
  const Piece& piece = pieces_[static_cast<std::size_t>(after - nodes_.begin() - 1)];
  const double v = (u - piece.u) / piece.length;
  p = piece.c.col(5);
  d.setZero();
  dd.setZero();
  for (int k = 4; k >= 0; --k) {  // Horner with two derivatives
    dd = dd * v + 2 * d;
    d = d * v + p;
    p = p * v + piece.c.col(k);
  }
  d /= piece.length;
  dd /= piece.length * piece.length;
}

PathPoint DriverPath::at(double u) const noexcept {
  PathPoint out;
  Vec2 d, dd;
  evaluate(u, out.p, d, dd);
  out.stretch = d.norm();
  out.heading_rad = std::atan2(d.y(), d.x());
  out.curvature_per_m = (d.x() * dd.y() - d.y() * dd.x()) / (out.stretch * out.stretch * out.stretch);
  return out;
}

double DriverPath::nearest(const Vec2& q, double hint) const noexcept {
  double u = hint;
  for (int k = 0; k < 20; ++k) {
    Vec2 p, d, dd;
    evaluate(u, p, d, dd);
    const double slope = d.dot(p - q), square = d.squaredNorm();
    // Newton where the square of the distance is convex, else a step down.
    const double convex = std::max(square + dd.dot(p - q), 0.3 * square);
    const double step = slope / convex;
    u -= step;
    if (std::abs(step) < 1e-10 * (1 + std::abs(u))) break;
  }
  return u;
}

double DriverPath::nearest(const Vec2& q) const noexcept {
  const int tries = std::clamp(96 / static_cast<int>(pieces_.size() + 1), 1, 24);  // per piece
  double best = nearest(q, first()), distance = (at(best).p - q).norm();
  for (const Piece& piece : pieces_)
    for (int k = 1; k <= tries; ++k) {
      const double u = piece.u + piece.length * k / tries;
      const double here = (at(u).p - q).norm();
      if (here < distance) {
        distance = here;
        best = u;
      }
    }
  return nearest(q, best);
}

double DriverPath::ahead(double u, double distance) const noexcept {
  constexpr int kSteps = 8;  // midpoint rule: the stretch of a lane is near one
  const double h = distance / kSteps;
  for (int k = 0; k < kSteps; ++k) {
    const double half = u + 0.5 * h / at(u).stretch;
    u += h / at(half).stretch;
  }
  return u;
}

double DriverPath::offset(const Vec2& q, double u) const noexcept {
  const PathPoint point = at(u);
  const Vec2 left(-std::sin(point.heading_rad), std::cos(point.heading_rad));
  return left.dot(q - point.p);
}

DriverPath DriverPath::placed(const Vec2& origin, double heading_rad) const {
  const Eigen::Matrix2d R = Eigen::Rotation2Dd(heading_rad).toRotationMatrix();
  std::vector<PathNode> nodes = nodes_;
  for (PathNode& node : nodes) {
    node.p = origin + R * node.p;
    node.d = R * node.d;
    node.dd = R * node.dd;
  }
  return DriverPath(std::move(nodes));
}

}  // namespace monocoque

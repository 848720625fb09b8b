#pragma once
// The path a driver means to follow: a plane curve p(u) with continuous position, tangent and curvature, made
// of quintic pieces between nodes, straight before the first and after the last. u grows along the curve; for
// lanes it is the distance along the lane, so that positions in it can be named by u. Evaluation allocates
// nothing and throws nothing. Straight continuation keeps the curvature continuous where the end nodes have
// none.

#include <vector>

#include "core/types.h"

namespace monocoque {

using Vec2 = Eigen::Vector2d;

struct PathNode {
  double u = 0;
  Vec2 p = Vec2::Zero(), d = Vec2::UnitX(), dd = Vec2::Zero();  ///< point and derivatives by u
};

struct PathPoint {
  Vec2 p = Vec2::Zero();
  double heading_rad = 0;
  double curvature_per_m = 0;  ///< > 0 turns left
  double stretch = 1;          ///< length of path per u
};

class DriverPath {
 public:
  DriverPath() = default;  ///< the x axis
  /// At least two nodes, u strictly increasing, tangents not zero.
  explicit DriverPath(std::vector<PathNode> nodes);
  /// Natural cubic spline through the points, u the length of the chords; at least two points, no two equal
  /// in sequence.
  static DriverPath through(const std::vector<Vec2>& points);

  double first() const { return nodes_.empty() ? 0 : nodes_.front().u; }
  double last() const { return nodes_.empty() ? 0 : nodes_.back().u; }
  PathPoint at(double u) const noexcept;
  /// The u whose point is nearest to q, searched from `hint` downhill.
  double nearest(const Vec2& q, double hint) const noexcept;
  double nearest(const Vec2& q) const noexcept;  ///< over the whole path
  /// The u at `distance` of path ahead of u.
  double ahead(double u, double distance) const noexcept;
  /// Lateral distance of q from the point at u, > 0 to the left.
  double offset(const Vec2& q, double u) const noexcept;
  /// The same curve moved: turned by heading, then shifted.
  DriverPath placed(const Vec2& origin, double heading_rad) const;

 private:
  struct Piece {
    double u = 0, length = 0;
    Eigen::Matrix<double, 2, 6> c;  ///< of ((v - u) / length)^k
  };
  void evaluate(double u, Vec2& p, Vec2& d, Vec2& dd) const noexcept;

  std::vector<PathNode> nodes_;
  std::vector<Piece> pieces_;
};

}  // namespace monocoque

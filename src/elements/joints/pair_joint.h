#pragma once
// A joint between two markers whose rows are all of the four primitive kinds of pair_rows.h. Nearly every
// joint of the library is a list of such rows; the lists, with their meaning, are in basic_joints and
// driven_joints.

#include <memory>
#include <string>
#include <vector>

#include "elements/joint.h"

namespace monocoque {

struct PairRow {
  enum class Kind {
    point,      ///< a . d, a in world axes
    offset,     ///< a . d, a in axes of A
    alignment,  ///< a . b, a in axes of A, b in axes of B
    distance    ///< |d|
  };
  /// Where time enters: not at all; g = f - u; or a is turned in A before use.
  enum class Drive {
    none,
    value,      ///< g = f - u[signal]
    turn,       ///< a <- Rz(u[signal]) a
    tait_bryan  ///< a <- Rz(yaw) Ry(pitch) Rx(roll) a, signals roll, pitch, yaw from u[signal] on
  };
  std::string name;
  Kind kind = Kind::point;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  double constant = 0;  ///< g = f - constant
  Drive drive = Drive::none;
  int signal = 0;
};

enum class Coordinate { none, angle, travel };

class PairJoint final : public Joint {
 public:
  using Rows = std::vector<PairRow>;
  /// Joints of one type share their rows: in a long chain they would not fit into the cache otherwise.
  /// signals: how many the rows use together.
  explicit PairJoint(std::shared_ptr<const Rows> rows, Coordinate coordinate = Coordinate::none,
                     int signals = 0);

  void residual(const JointInput& in, RowVector& g) const override;
  void velocity_matrix(const JointInput& in, RowsByTwist& W) const override;
  void rate(const JointInput& in, RowVector& r) const override;
  void convective(const JointInput& in, RowVector& gamma) const override;
  void tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const override;
  bool has_coordinate() const override { return coordinate_ != Coordinate::none; }
  bool coordinate_is_angle() const override { return coordinate_ == Coordinate::angle; }
  std::string row_name(int row) const override;

 private:
  std::shared_ptr<const Rows> list_;
  Coordinate coordinate_;
};

}  // namespace monocoque

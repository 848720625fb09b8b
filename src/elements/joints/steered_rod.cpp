// A massless rod whose end on A slides along y of A by a given travel u(t): the tie rod of a steering rack.
//   g = (|d - u yA|^2 - L^2) / (2 L), d from the origin of A to that of B: one row, in m
// Near the constraint g is the error of the length; unlike |d - u yA| - L it has no singular place.
// Sign: u > 0 moves the end on A towards +y of A. lambda > 0: compression, in N (g grows with the length and
// the rod pulls with -lambda).

#include "elements/field_makers.h"
#include "elements/joints/pair_rows.h"

namespace monocoque {
namespace {

using namespace pair;

/// d . d / 2 and its derivatives: x is d, dv or da.
Row12 square_row(const Vec3& x) {
  return make_row(-x, Vec3::Zero(), x, Vec3::Zero());
}

class SteeredRod final : public Joint {
 public:
  explicit SteeredRod(const io::ParameterSet& p) : Joint(2, 1, 1, 1), length_(p.number("length_m")) {
    restrict_to(kPlaceA | kAxesA | kPlaceB);
  }

  void residual(const JointInput& in, RowVector& g) const override {
    const Local l(in);
    g.resize(1);
    g[0] = (0.5 * l.s.d.squaredNorm() - l.u.value * l.a.dot(l.s.d) + 0.5 * l.u.value * l.u.value) / length_ -
           0.5 * length_;
  }
  void velocity_matrix(const JointInput& in, RowsByTwist& W) const override {
    const Local l(in);
    W.resize(1, 12);
    W = row(l);
  }
  void rate(const JointInput& in, RowVector& r) const override {
    const Local l(in);
    r.resize(1);
    r[0] = l.u.rate * (l.u.value - l.a.dot(l.s.d)) / length_;
  }
  void convective(const JointInput& in, RowVector& gamma) const override {
    const Local l(in);
    gamma.resize(1);
    gamma[0] = (l.s.dv.squaredNorm() - l.u.value * offset_convective(l.s, l.a) -
                2 * l.u.rate * offset_velocity(l.s, l.a) - l.u.acceleration * l.a.dot(l.s.d) +
                l.u.rate * l.u.rate + l.u.value * l.u.acceleration) /
               length_;
  }
  void tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const override {
    const Local l(in);
    const double u = l.u.value, v = l.u.rate, w = l.u.acceleration, scaled = lambda[0] / length_;
    out.velocity_pose =
        (square_row(l.s.dv) - u * offset_velocity_pose(l.s, l.a) - v * offset_row(l.s, l.a)) / length_;
    out.acceleration_pose = (square_row(l.s.da) - u * offset_acceleration_pose(l.s, l.a) -
                             2 * v * offset_velocity_pose(l.s, l.a) - w * offset_row(l.s, l.a)) /
                            length_;
    out.acceleration_twist =
        (2 * square_row(l.s.dv) - u * offset_acceleration_twist(l.s, l.a) - 2 * v * offset_row(l.s, l.a)) /
        length_;
    out.force_pose.setZero(12, 12);
    const Mat3 E = scaled * Mat3::Identity();
    add_block(out.force_pose, 0, kvA, kvA, E);
    add_block(out.force_pose, 0, kvB, kvB, E);
    add_block(out.force_pose, 0, kvA, kvB, -E);
    add_block(out.force_pose, 0, kvB, kvA, -E);
    add_offset_force_pose(l.s, l.a, -u * scaled, out.force_pose, 0);
  }
  std::string row_name(int) const override { return "rod length"; }

 private:
  struct Local {
    explicit Local(const JointInput& in) : s(*in.m[0], *in.m[1]), a(in.m[0]->R.col(1)), u(in.u[0]) {}
    PairState s;
    Vec3 a;
    Taylor2 u;
  };
  Row12 row(const Local& l) const { return (square_row(l.s.d) - l.u.value * offset_row(l.s, l.a)) / length_; }

  double length_;
};

}  // namespace

ElementType<Joint> steered_rod_joint_type() {
  return fields::type<SteeredRod, Joint>(
      io::Group::joint, "steered_rod",
      "A massless rod whose end on A slides along y of A by a given travel: tie rod of a rack.",
      {fields::number("length_m", "length of the rod", "", "0.37", io::Rule::positive),
       fields::signal("travel_m", "Travel of the rod's end along y of A.", "", "0.015 * sin(2 * t)")});
}

}  // namespace monocoque

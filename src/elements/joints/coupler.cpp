#include "elements/joints/coupler.h"

#include "elements/field_makers.h"
#include "elements/joints/joint_coordinate.h"
#include "elements/joints/pair_rows.h"

namespace monocoque {
namespace {

using pair::PairState;
using pair::Row12;

/// The angle as a function of s = yA.xB and c = xA.xB; primes of f in comments are time derivatives.
struct Angle {
  Angle(const MarkerKinematics& A, const MarkerKinematics& B)
      : x(A.R.col(0)), y(A.R.col(1)), b(B.R.col(0)), s(y.dot(b)), c(x.dot(b)), inverse(1 / (s * s + c * c)) {}
  Vec3 x, y, b;
  double s, c, inverse;

  Row12 row() const { return inverse * (c * pair::alignment_row(y, b) - s * pair::alignment_row(x, b)); }
  double velocity(const PairState& p) const {
    return inverse * (c * pair::alignment_velocity(p, y, b) - s * pair::alignment_velocity(p, x, b));
  }
  /// angle'' = (c s'' - s c'' - 2 angle' sigma) / (s^2 + c^2), sigma = s s' + c c'
  double convective(const PairState& p) const {
    const double s1 = pair::alignment_velocity(p, y, b), c1 = pair::alignment_velocity(p, x, b);
    const double s2 = pair::alignment_convective(p, y, b), c2 = pair::alignment_convective(p, x, b);
    return inverse * (c * s2 - s * c2 - 2 * velocity(p) * (s * s1 + c * c1));
  }
};

struct PairTangent {
  Row12 velocity_pose, acceleration_pose, acceleration_twist;
};

/// Chain rule through atan2; the force part goes straight into F.
PairTangent angle_tangent(const Angle& q, const PairState& p, double lambda, TwistByTwist& F, int at) {
  const double s = q.s, c = q.c, k = q.inverse;
  const Row12 ws = pair::alignment_row(q.y, q.b), wc = pair::alignment_row(q.x, q.b), w = q.row();
  const Row12 rho = 2 * (s * ws + c * wc);  // d(s^2 + c^2)/dpose
  const double s1 = pair::alignment_velocity(p, q.y, q.b), c1 = pair::alignment_velocity(p, q.x, q.b);
  Vec12 A;
  A << Vec3::Zero(), p.alphaA, Vec3::Zero(), p.alphaB;  // alignments do not see translations
  const double s2 = ws * A + pair::alignment_convective(p, q.y, q.b);
  const double c2 = wc * A + pair::alignment_convective(p, q.x, q.b);
  const double q1 = k * (c * s1 - s * c1), sigma = s * s1 + c * c1;
  const double q2 = k * (c * s2 - s * c2 - 2 * q1 * sigma);
  const Row12 ds1 = pair::alignment_velocity_pose(p, q.y, q.b),
              dc1 = pair::alignment_velocity_pose(p, q.x, q.b);
  const Row12 ds2 = pair::alignment_acceleration_pose(p, q.y, q.b);
  const Row12 dc2 = pair::alignment_acceleration_pose(p, q.x, q.b);

  PairTangent t;
  t.velocity_pose = k * (s1 * wc + c * ds1 - c1 * ws - s * dc1 - q1 * rho);
  const Row12 dsigma = s1 * ws + s * ds1 + c1 * wc + c * dc1;
  t.acceleration_pose =
      k * (s2 * wc + c * ds2 - c2 * ws - s * dc2 - 2 * sigma * t.velocity_pose - 2 * q1 * dsigma - q2 * rho);
  t.acceleration_twist = k * (c * pair::alignment_acceleration_twist(p, q.y, q.b) -
                              s * pair::alignment_acceleration_twist(p, q.x, q.b) - 2 * sigma * w - q1 * rho);
  pair::add_alignment_force_pose(q.y, q.b, lambda * k * c, F, at);
  pair::add_alignment_force_pose(q.x, q.b, -lambda * k * s, F, at);
  F.block<12, 12>(at, at) += lambda * k * (ws.transpose() * wc - wc.transpose() * ws - w.transpose() * rho);
  return t;
}

PairTangent travel_tangent(const Vec3& z, const PairState& p, double lambda, TwistByTwist& F, int at) {
  pair::add_offset_force_pose(p, z, lambda, F, at);
  return {pair::offset_velocity_pose(p, z), pair::offset_acceleration_pose(p, z),
          pair::offset_acceleration_twist(p, z)};
}

}  // namespace

Coupler::Coupler(const Side& a, const Side& b, bool driven, double offset)
    : Joint(4, 1, 1, driven ? 1 : 0, 2), side_{a, b}, driven_(driven), offset_(offset) {
  if (a.ratio == 0 && b.ratio == 0)
    throw Error("coupler", "ratio_a and ratio_b are both 0, one of them must differ from 0");
}

void Coupler::residual(const JointInput& in, RowVector& g) const {
  g.resize(1);
  g[0] = driven_ ? -in.u[0].value : -offset_;
  for (int k = 0; k < 2; ++k) {
    const Side& side = side_[static_cast<std::size_t>(k)];
    const MarkerKinematics &A = *in.m[2 * k], &B = *in.m[2 * k + 1];
    if (side.coordinate == Coordinate::angle)
      g[0] += side.ratio * unwrap(joint_angle(A, B), in.memory ? in.memory[k] : 0.0);
    else
      g[0] += side.ratio * joint_travel(A, B);
  }
}

void Coupler::velocity_matrix(const JointInput& in, RowsByTwist& W) const {
  W.resize(1, 24);
  for (int k = 0; k < 2; ++k) {
    const Side& side = side_[static_cast<std::size_t>(k)];
    const MarkerKinematics &A = *in.m[2 * k], &B = *in.m[2 * k + 1];
    W.block<1, 12>(0, 12 * k) =
        side.ratio * (side.coordinate == Coordinate::angle ? Angle(A, B).row()
                                                           : pair::offset_row(PairState(A, B), A.R.col(2)));
  }
}

void Coupler::rate(const JointInput& in, RowVector& r) const {
  r.resize(1);
  r[0] = driven_ ? -in.u[0].rate : 0;
}

void Coupler::convective(const JointInput& in, RowVector& gamma) const {
  gamma.resize(1);
  gamma[0] = driven_ ? -in.u[0].acceleration : 0;
  for (int k = 0; k < 2; ++k) {
    const Side& side = side_[static_cast<std::size_t>(k)];
    const MarkerKinematics &A = *in.m[2 * k], &B = *in.m[2 * k + 1];
    const PairState p(A, B);
    gamma[0] += side.ratio * (side.coordinate == Coordinate::angle ? Angle(A, B).convective(p)
                                                                   : pair::offset_convective(p, A.R.col(2)));
  }
}

void Coupler::tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const {
  out.force_pose.setZero(24, 24);
  out.velocity_pose.resize(1, 24);
  out.acceleration_pose.resize(1, 24);
  out.acceleration_twist.resize(1, 24);
  for (int k = 0; k < 2; ++k) {
    const Side& side = side_[static_cast<std::size_t>(k)];
    const MarkerKinematics &A = *in.m[2 * k], &B = *in.m[2 * k + 1];
    const PairState p(A, B);
    const double l = lambda[0] * side.ratio;
    const PairTangent t = side.coordinate == Coordinate::angle
                              ? angle_tangent(Angle(A, B), p, l, out.force_pose, 12 * k)
                              : travel_tangent(A.R.col(2), p, l, out.force_pose, 12 * k);
    out.velocity_pose.block<1, 12>(0, 12 * k) = side.ratio * t.velocity_pose;
    out.acceleration_pose.block<1, 12>(0, 12 * k) = side.ratio * t.acceleration_pose;
    out.acceleration_twist.block<1, 12>(0, 12 * k) = side.ratio * t.acceleration_twist;
  }
}

void Coupler::start_memory(const JointInput& in, double* memory) const {
  memory[0] = memory[1] = 0;
  update_memory(in, memory);
}

void Coupler::update_memory(const JointInput& in, double* memory) const {
  for (int k = 0; k < 2; ++k)
    if (side_[static_cast<std::size_t>(k)].coordinate == Coordinate::angle)
      memory[k] = unwrap(joint_angle(*in.m[2 * k], *in.m[2 * k + 1]), memory[k]);
}

ElementType<Joint> coupler_joint_type() {
  using namespace fields;
  ElementType<Joint> type;
  type.info = {
      "coupler",
      io::Group::joint,
      "ratio_a q_a + ratio_b q_b = offset, for coordinates of two joints.",
      {choice("coordinate_a", "Coordinate of the first joint.", "angle", "angle", {"angle", "travel"}),
       choice("coordinate_b", "Coordinate of the second joint.", "angle", "travel", {"angle", "travel"}),
       number("ratio_a", "Factor of the first coordinate.", "1", "0.7"),
       number("ratio_b", "Factor of the second coordinate.", "-1", "-1.3"),
       signal("offset", "Value of the sum, in the unit of its terms.", "0", "0.1 * t")},
      io::Attachment::two_joints};
  type.make = [](const io::ParameterSet& p) {
    const auto side = [&p](const char* coordinate, const char* ratio) {
      return Coupler::Side{p.text(coordinate) == "angle" ? Coordinate::angle : Coordinate::travel,
                           p.number(ratio)};
    };
    return std::make_unique<Coupler>(side("coordinate_a", "ratio_a"), side("coordinate_b", "ratio_b"), true,
                                     0.0);
  };
  return type;
}

ElementType<Joint> gear_joint_type() {
  using namespace fields;
  ElementType<Joint> type;
  type.info = {
      "gear",
      io::Group::joint,
      "Angle of the first joint = ratio times angle of the second + offset.",
      {number("ratio", "Turns of the first joint per turn of the second.", "", "-2.5", Rule::nonzero),
       number("offset_rad", "Angle of the first joint when the second is at 0.", "0", "0.2")},
      io::Attachment::two_joints};
  type.make = [](const io::ParameterSet& p) {
    return std::make_unique<Coupler>(Coupler::Side{Coordinate::angle, 1},
                                     Coupler::Side{Coordinate::angle, -p.number("ratio")}, false,
                                     p.number("offset_rad"));
  };
  return type;
}

}  // namespace monocoque

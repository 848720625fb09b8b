#include "elements/tires/tire_force.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <Eigen/Geometry>

#include "elements/forces/catalogue.h"
#include "elements/forces/field_makers.h"
#include "elements/forces/wrench_assembly.h"
#include "elements/tires/catalogue.h"

namespace monocoque {

namespace {

constexpr double kLeastRelaxation = 0.02;  ///< m; shorter ones would need tiny steps and show nothing
constexpr double kStandstill = 0.5;        ///< m/s; speed at which the aids of standstill fade out
constexpr int kBeltPasses = 5;             ///< each reduces the error of the rim's angles to an eighth or so
constexpr double kMostBeltAngle = 0.2;     ///< rad; keeps the passes within reason
constexpr double kStandstillDamping = 0.02;  ///< s; the tread's damping at standstill over its stiffness

/// Level and smooth, for models without a road.
class FlatGround final : public Road {
  void sample(double, double, RoadHint&, RoadSample& out) const noexcept override { out = {}; }
  std::string description() const override { return "flat ground"; }
};
const FlatGround kFlatGround;

/// A function of some inputs with its derivatives, as a function of whatever the inputs depend on.
template <int N, std::size_t M>
Dual<N> chained(double value, const std::array<double, M>& by, const std::array<const Dual<N>*, M>& inputs) {
  Dual<N> out(value);
  for (std::size_t i = 0; i < M; ++i)
    for (std::size_t k = 0; k < out.d.size(); ++k) out.d[k] += by[i] * inputs[i]->d[k];
  return out;
}

double load_of(const TireLaw& law, const TireVerticalOf<double>& in, double) {
  return law.vertical(in);
}
template <int N>
Dual<N> load_of(const TireLaw& law, const TireVerticalOf<Dual<N>>& in, double reach_s) {
  TireVerticalDerivatives by;
  TireVerticalOf<double> at{in.deflection.v, in.rate.v, in.spin.v, 0, 0, in.gamma.v, in.pressure.v};
  const double Fz = law.vertical(at, by), way = reach_s * at.rate;
  if (std::abs(way) > 1e-9) {
    // Secant over the way of a step; the damping is the mean of both ends.
    TireVerticalDerivatives there;
    at.deflection += way;
    by[0] = (law.vertical(at, there) - Fz) / way;
    by[1] = (by[1] + there[1]) / 2;
  }
  return chained<N, 7>(Fz, by, {&in.deflection, &in.rate, &in.spin, &in.Fx, &in.Fy, &in.gamma, &in.pressure});
}

double radius_of(const TireLaw& law, const TireRollingOf<double>& in) {
  return law.effective_radius(in);
}
template <int N>
Dual<N> radius_of(const TireLaw& law, const TireRollingOf<Dual<N>>& in) {
  TireRollingDerivatives by;
  const double Re = law.effective_radius({in.Fz.v, in.loaded_radius.v, in.spin.v, in.pressure.v}, by);
  return chained<N, 4>(Re, by, {&in.Fz, &in.loaded_radius, &in.spin, &in.pressure});
}

TireForcesOf<double> forces_of(const TireLaw& law, const TireInputOf<double>& in) {
  TireForces out;
  law.forces(in, out);
  return out;
}
template <int N>
TireForcesOf<Dual<N>> forces_of(const TireLaw& law, const TireInputOf<Dual<N>>& in) {
  TireForces f;
  TireJacobian by;
  law.forces(
      {in.Fz.v, in.kappa.v, in.tan_alpha.v, in.gamma.v, in.turn_slip.v, in.Vx.v, in.pressure.v, in.mu.v}, f,
      by);
  const auto row = [&](double value, int r) {
    std::array<double, kTireInputs> slopes;
    for (int i = 0; i < kTireInputs; ++i) slopes[static_cast<std::size_t>(i)] = by(r, i);
    return chained<N, kTireInputs>(
        value, slopes,
        {&in.Fz, &in.kappa, &in.tan_alpha, &in.gamma, &in.turn_slip, &in.Vx, &in.pressure, &in.mu});
  };
  return {row(f.Fx, 0), row(f.Fy, 1), row(f.Mx, 2), row(f.My, 3), row(f.Mz, 4), f.flags};
}

template <class T>
struct Lengths {
  T longitudinal, lateral;
};
Lengths<double> lengths_of(const TireLaw& law, double Fz, double gamma, double pressure) {
  const TireRelaxation r = law.relaxation(Fz, gamma, pressure);
  return {r.longitudinal, r.lateral};
}
template <int N>
Lengths<Dual<N>> lengths_of(const TireLaw& law, const Dual<N>& Fz, const Dual<N>& gamma, double pressure) {
  const TireRelaxation r = law.relaxation(Fz.v, gamma.v, pressure);
  return {chained<N, 2>(r.longitudinal, r.longitudinal_by, {&Fz, &gamma}),
          chained<N, 2>(r.lateral, r.lateral_by, {&Fz, &gamma})};
}

VecOf<double> in_axes(const Mat3& R, const Vec3& v) {
  const Vec3 w = R.transpose() * v;
  return {w[0], w[1], w[2]};
}

constexpr ForceChannel kChannels[] = {
    {"load", "N"},   {"longitudinal_force", "N"}, {"lateral_force", "N"}, {"aligning_moment", "N*m"},
    {"slip", "1"},   {"slip_angle", "rad"},       {"camber", "rad"},      {"spin", "rad/s"},
    {"radius", "m"}, {"friction", "1"},           {"on_road", "1"}};

}  // namespace

template <class T>
struct TireForce::Answer {
  TireContact<T> contact;
  VecOf<T> force, moment;  ///< on the wheel, about its centre, axes of the road's frame
  T rate_x{0}, rate_y{0};
  TireInputOf<T> input;
  TireForcesOf<T> forces;
};

TireForce::TireForce(std::unique_ptr<const TireLaw> law, ContactKind contact, bool transient,
                     double pressure_Pa, const Vec3& contact_share, double belt_softness,
                     double derivative_reach_s)
    : Force(transient ? 2 : 0),
      law_(std::move(law)),
      contact_(contact),
      transient_(transient),
      pressure_(pressure_Pa),
      share_(contact_share),
      belt_softness_(belt_softness),
      reach_(derivative_reach_s),
      road_(&kFlatGround) {}

template <class T>
TireForce::Answer<T> TireForce::evaluate(const WheelMotion<T>& wheel, const T* c) const {
  using std::abs, std::exp, std::max;
  Answer<T> a;
  a.contact = tire_contact(*road_, contact_, wheel);
  const TireContact<T>& at = a.contact;
  TireVerticalOf<T> vertical;
  // The law wants the deflection of the whole tire; a belt part brings the rest of it.
  vertical.deflection = (law_->unloaded_radius() - at.radius) / share_.z();
  vertical.rate = at.rate / share_.z();
  vertical.spin = at.spin;
  vertical.gamma = at.gamma;
  vertical.pressure = T(pressure_);
  TireInputOf<T>& in = a.input;
  // Above the road's back, or lying on the rim: no contact.
  in.Fz = value(at.radius) > 0 ? load_of(*law_, vertical, reach_) : T(0);
  in.gamma = at.gamma;
  in.Vx = at.Vx;
  in.pressure = T(pressure_);
  in.mu = at.mu;
  const T Re = radius_of(*law_, TireRollingOf<T>{in.Fz, at.radius, at.spin, T(pressure_)});
  const T Vsx = at.Vx - Re * at.spin;
  const T speed = abs(at.Vx), bounded = max(speed, law_->low_speed());
  in.turn_slip = -at.yaw_rate / bounded;
  if (transient_) {
    Lengths<T> s = lengths_of(*law_, in.Fz, at.gamma, pressure_);
    s.longitudinal = max(T(share_.x() * s.longitudinal), kLeastRelaxation);
    s.lateral = max(T(share_.y() * s.lateral), kLeastRelaxation);
    const T still = exp(-(at.Vx * at.Vx) / (kStandstill * kStandstill));
    const T damping = kStandstillDamping * still;
    in.kappa = (c[0] - damping * Vsx) / s.longitudinal;
    in.tan_alpha = (c[1] + damping * at.Vy) / s.lateral;
    a.rate_x = -Vsx - (speed + still * abs(Vsx)) / s.longitudinal * c[0];
    a.rate_y = at.Vy - (speed + still * abs(at.Vy)) / s.lateral * c[1];
  } else {
    in.kappa = -Vsx / bounded;
    in.tan_alpha = at.Vy / bounded;
  }
  const T belt_slip = in.tan_alpha, forward = at.Vx / bounded;
  for (int pass = 1;; ++pass) {
    a.forces = forces_of(*law_, in);
    const TireForcesOf<T>& f = a.forces;
    for (std::size_t i = 0; i < 3; ++i) {
      a.force[i] = f.Fx * at.e_x[i] + f.Fy * at.e_y[i] + in.Fz * at.n[i];
      a.moment[i] = f.Mx * at.e_x[i] + f.My * at.e_y[i] + f.Mz * at.n[i];
    }
    a.moment = sum(a.moment, cross(at.arm, a.force));
    if (belt_softness_ == 0 || pass == kBeltPasses) return a;
    // Tires are measured at the rim: give the law the angles of the rim, from which the belt has been turned.
    const auto turned = [&](const VecOf<T>& axis) {
      return clamp_to(T(belt_softness_ * dot(a.moment, axis)), -kMostBeltAngle, kMostBeltAngle);
    };
    in.tan_alpha = belt_slip + turned(at.n) * forward;
    in.gamma = at.gamma - turned(at.e_x);
  }
}

TireForce::Answer<double> TireForce::evaluate(const ForceInput& in) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const RelativePoint r = relative_point(in);
  const WheelMotion<double> wheel{{r.d[0], r.d[1], r.d[2]},
                                  in_axes(A.R, B.R.col(1)),
                                  {r.d_dot[0], r.d_dot[1], r.d_dot[2]},
                                  in_axes(A.R, B.w - A.w)};
  return evaluate<double>(wheel, in.c);
}

void TireForce::wrench(const ForceInput& in, Vec12& out) const {
  const Answer<double> a = evaluate(in);
  out.setZero();
  const Mat3& R = in.m[0]->R;
  add_point_force(relative_point(in).p, R * Vec3(a.force.data()), out);
  add_torque(R * Vec3(a.moment.data()), out);
}

void TireForce::state_rate(const ForceInput& in, InnerVector& rate) const {
  if (!transient_) {
    rate.resize(0);
    return;
  }
  const Answer<double> a = evaluate(in);
  rate.resize(2);
  rate << a.rate_x, a.rate_y;
}

namespace {

/// Derivatives of three outputs by (place, axle, velocity, omega) in axes of A to derivatives by poses and
/// twists. `turned`: the outputs are the components of a vector in axes of A, and it is wanted in world axes.
VectorTangent motion_tangent(const ForceInput& in, const Eigen::Matrix<double, 3, 12>& by, bool turned,
                             const Vec3& world) {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const RelativePoint r = relative_point(in);
  const Mat3 Rt = A.R.transpose();
  const Mat3 C = by.leftCols<3>() * Rt, E = by.middleCols<3>(3) * Rt, D = by.middleCols<3>(6) * Rt,
             W = by.rightCols<3>() * Rt;
  const Vec3 axle = B.R.col(1), omega = B.w - A.w;
  const Mat3 lever = skew(r.p), by_p = C - D * skew(A.w);
  VectorTangent t;
  t.pose.block<3, 3>(0, 0) = -by_p;
  t.pose.block<3, 3>(0, 3) = C * lever + D * skew(r.u) + E * skew(axle) + W * skew(omega);
  t.pose.block<3, 3>(0, 6) = by_p;
  t.pose.block<3, 3>(0, 9) = -E * skew(axle);
  t.twist.block<3, 3>(0, 0) = -D;
  t.twist.block<3, 3>(0, 3) = D * lever - W;
  t.twist.block<3, 3>(0, 6) = D;
  t.twist.block<3, 3>(0, 9) = W;
  if (!turned) return t;
  t.pose = (A.R * t.pose).eval();
  t.twist = (A.R * t.twist).eval();
  t.pose.block<3, 3>(0, 3) -= skew(world);
  return t;
}

}  // namespace

void TireForce::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  constexpr int N = 14;
  using D = Dual<N>;
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const RelativePoint r = relative_point(in);
  const auto lifted = [](const VecOf<double>& v, int start) {
    return VecOf<D>{D::variable(v[0], start), D::variable(v[1], start + 1), D::variable(v[2], start + 2)};
  };
  const WheelMotion<D> wheel{lifted({r.d[0], r.d[1], r.d[2]}, 0), lifted(in_axes(A.R, B.R.col(1)), 3),
                             lifted({r.d_dot[0], r.d_dot[1], r.d_dot[2]}, 6),
                             lifted(in_axes(A.R, B.w - A.w), 9)};
  D c[2];
  for (int i = 0; transient_ && i < 2; ++i) c[i] = D::variable(in.c[i], 12 + i);
  const Answer<D> a = evaluate<D>(wheel, c);
  const auto rows = [](const VecOf<D>& v) {
    Eigen::Matrix<double, 3, N> m;
    for (std::size_t i = 0; i < 3; ++i)
      m.row(static_cast<Eigen::Index>(i)) = Eigen::Map<const Eigen::Matrix<double, 1, N>>(v[i].d.data());
    return m;
  };
  const Eigen::Matrix<double, 3, N> force = rows(a.force), moment = rows(a.moment);
  const Vec3 f = A.R * Vec3(a.force[0].v, a.force[1].v, a.force[2].v);
  const Vec3 m = A.R * Vec3(a.moment[0].v, a.moment[1].v, a.moment[2].v);
  add_point_force_tangent(r.p, f, motion_tangent(in, force.leftCols<12>(), true, f), out);
  add_torque_tangent(motion_tangent(in, moment.leftCols<12>(), true, m), out);
  if (!transient_) return;
  const Eigen::Matrix<double, 3, 2> df = A.R * force.rightCols<2>(), dm = A.R * moment.rightCols<2>();
  out.wrench.c.middleRows<3>(0) = -df;
  out.wrench.c.middleRows<3>(3) = -skew(r.p) * df - dm;
  out.wrench.c.middleRows<3>(6) = df;
  out.wrench.c.middleRows<3>(9) = dm;
  const VecOf<D> rates{a.rate_x, a.rate_y, D(0)};
  const Eigen::Matrix<double, 3, N> rate = rows(rates);
  const VectorTangent t = motion_tangent(in, rate.leftCols<12>(), false, Vec3::Zero());
  out.rate.pose = t.pose.topRows<2>();
  out.rate.twist = t.twist.topRows<2>();
  out.rate.c = rate.topRows<2>().rightCols<2>();
}

double TireForce::power(const ForceInput& in) const {
  Vec12 w;
  wrench(in, w);
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  return w.segment<3>(0).dot(A.v) + w.segment<3>(3).dot(A.w) + w.segment<3>(6).dot(B.v) +
         w.segment<3>(9).dot(B.w);
}

double TireForce::dissipation(const ForceInput& in) const {
  return std::max(0.0, -power(in));
}

double TireForce::supply(const ForceInput& in) const {
  return std::max(0.0, power(in));
}

std::span<const ForceChannel> TireForce::channels() const {
  return kChannels;
}

void TireForce::channel_values(const ForceInput& in, double* out) const {
  const Answer<double> a = evaluate(in);
  const double values[] = {a.input.Fz,
                           a.forces.Fx,
                           a.forces.Fy,
                           a.forces.Mz,
                           a.input.kappa,
                           std::atan(a.input.tan_alpha),
                           a.contact.gamma,
                           a.contact.spin,
                           a.contact.radius,
                           a.contact.mu,
                           a.contact.on_road ? 1.0 : 0.0};
  static_assert(std::size(values) == std::size(kChannels));
  std::copy(std::begin(values), std::end(values), out);
}

std::vector<ElementType<Force>> tire_force_types() {
  std::vector<ElementType<Force>> types;
  for (const ElementType<TireLaw>& law : tire_law_types()) {
    ElementType<Force> type;
    type.info = law.info;
    type.info.group = io::Group::force;
    type.info.doc = "tire on the road: " + law.info.doc;
    type.info.fields.push_back(fields::make("transient", io::FieldKind::boolean,
                                            "slip follows with relaxation lengths; needed to stand still",
                                            "false", "true"));
    type.info.fields.push_back(fields::number("pressure_Pa", "inflation pressure; 0: the law's own", "0",
                                              "230000", io::Rule::non_negative));
    type.info.fields.push_back(
        fields::vec3("contact_share",
                     "share of the tire's compliance along x, y, z that a belt part leaves to the contact",
                     "[1, 1, 1]", "[0.4, 0.7, 0.9]", io::Rule::positive));
    type.info.fields.push_back(
        fields::number("belt_stiffness_Nm_per_rad",
                       "about yaw and camber, with which a belt part is held; 0: the tire is on the rim", "0",
                       "34000", io::Rule::non_negative));
    type.info.fields.push_back(fields::choice(
        "derivatives",
        "of the load in implicit steps: local slopes, or global: secants over the way of a step", "local",
        "local", {"local", "global"}));
    type.info.fields.push_back(fields::number("derivative_reach_s",
                                              "time over which secants of global derivatives reach: the step",
                                              "0.01", "0.01", io::Rule::positive));
    const bool below = law.info.name == "reference_tire";
    type.make = [make = law.make, below](const io::ParameterSet& p) -> std::unique_ptr<Force> {
      const double belt = p.number("belt_stiffness_Nm_per_rad");
      return std::make_unique<TireForce>(
          make(p), below ? ContactKind::below_center : ContactKind::wheel_plane, p.boolean("transient"),
          p.number("pressure_Pa"), p.vec3("contact_share"), belt > 0 ? 1 / belt : 0,
          p.text("derivatives") == "global" ? p.number("derivative_reach_s") : 0);
    };
    types.push_back(std::move(type));
  }
  return types;
}

}  // namespace monocoque

#include "elements/tires/tire_force.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <Eigen/Geometry>

#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"
#include "elements/tires/tire_law_types.h"

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

/// How the wheel moves at its contact: all that the forces in the axes (e_x, e_y, n) depend on.
template <class T>
struct TireForce::Motion {
  T radius, rate, spin, gamma, Vx, Vy, yaw_rate, mu;
  VecOf<T> arm;  ///< in the axes of the contact; matters to tires on a belt only
};

template <class T>
struct TireForce::Forces {
  VecOf<T> force, moment;  ///< at the contact point, axes of the contact
  T rate_x{0}, rate_y{0};
  TireInputOf<T> input;
};

struct TireForce::Answer {
  TireContact<double> contact;
  Forces<double> forces;
  VecOf<double> force, moment;  ///< on the wheel, about its centre, axes of the road's frame
};

TireForce::TireForce(std::unique_ptr<const TireLaw> law, bool transient, double pressure_Pa,
                     const Vec3& contact_share, double belt_softness, double derivative_reach_s)
    : Force(transient ? 2 : 0),
      law_(std::move(law)),
      contact_(law_->contact()),
      transient_(transient),
      pressure_(pressure_Pa),
      share_(contact_share),
      belt_softness_(belt_softness),
      reach_(derivative_reach_s),
      road_(&kFlatGround) {}

template <class T>
TireForce::Forces<T> TireForce::forces(const Motion<T>& at, const T* c) const {
  using std::abs, std::exp, std::max;
  Forces<T> a;
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
    const TireForcesOf<T> f = forces_of(*law_, in);
    a.force = {f.Fx, f.Fy, in.Fz};
    a.moment = {f.Mx, f.My, f.Mz};
    if (belt_softness_ == 0 || pass == kBeltPasses) return a;
    // Tires are measured at the rim: give the law the angles of the rim, from which the belt has been turned.
    const auto turned = [&](const T& moment) {
      return clamp_to(T(belt_softness_ * moment), -kMostBeltAngle, kMostBeltAngle);
    };
    in.tan_alpha =
        belt_slip + turned(a.moment[2] + at.arm[0] * a.force[1] - at.arm[1] * a.force[0]) * forward;
    in.gamma = at.gamma - turned(a.moment[0] + at.arm[1] * a.force[2] - at.arm[2] * a.force[1]);
  }
}

namespace {

WheelMotion<double> wheel_motion(const ForceInput& in, const RelativePoint& r) {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  return {{r.d[0], r.d[1], r.d[2]},
          in_axes(A.R, B.R.col(1)),
          {r.d_dot[0], r.d_dot[1], r.d_dot[2]},
          in_axes(A.R, B.w - A.w)};
}

/// From the axes of the contact to those of the road's frame.
template <class T>
VecOf<T> out_of(const TireContact<T>& at, const VecOf<double>& v) {
  VecOf<T> out;
  for (std::size_t i = 0; i < 3; ++i) out[i] = v[0] * at.e_x[i] + v[1] * at.e_y[i] + v[2] * at.n[i];
  return out;
}

template <class T>
VecOf<T> in_contact_axes(const TireContact<T>& at, const VecOf<T>& v) {
  return {dot(v, at.e_x), dot(v, at.e_y), dot(v, at.n)};
}

}  // namespace

TireForce::Answer TireForce::evaluate(const ForceInput& in) const {
  Answer a;
  a.contact = tire_contact(*road_, contact_, wheel_motion(in, relative_point(in)));
  const TireContact<double>& at = a.contact;
  const VecOf<double> arm = in_contact_axes(at, at.arm);
  a.forces =
      forces<double>({at.radius, at.rate, at.spin, at.gamma, at.Vx, at.Vy, at.yaw_rate, at.mu, arm}, in.c);
  a.force = out_of(at, a.forces.force);
  a.moment = sum(out_of(at, a.forces.moment), cross(at.arm, a.force));
  return a;
}

void TireForce::wrench(const ForceInput& in, Vec12& out) const {
  const Answer a = evaluate(in);
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
  const Answer a = evaluate(in);
  rate.resize(2);
  rate << a.forces.rate_x, a.forces.rate_y;
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

/// In two stages: Motion by place and axle with dual numbers, by the velocities in closed form (it is linear
/// in them); then forces by Motion with N dual numbers, 8 or, with the arm and the states, 13.
template <int N>
void TireForce::add_tangent(const ForceInput& in, ForceTangent& out) const {
  using G = Dual<6>;
  const RelativePoint r = relative_point(in);
  const WheelMotion<double> wheel = wheel_motion(in, r);
  WheelMotion<G> lifted;
  for (std::size_t i = 0; i < 3; ++i) {
    lifted.place[i] = G::variable(wheel.place[i], static_cast<int>(i));
    lifted.axle[i] = G::variable(wheel.axle[i], 3 + static_cast<int>(i));
    lifted.velocity[i] = wheel.velocity[i];
    lifted.omega[i] = wheel.omega[i];
  }
  const TireContact<G> at = tire_contact(*road_, contact_, lifted);
  VecOf<G> arm_inside;
  if constexpr (N > 8) arm_inside = in_contact_axes(at, at.arm);
  const std::array<const G*, 11> motion = {&at.radius,     &at.rate,       &at.spin,      &at.gamma,
                                           &at.Vx,         &at.Vy,         &at.yaw_rate,  &at.mu,
                                           &arm_inside[0], &arm_inside[1], &arm_inside[2]};
  constexpr int kMotion = N > 8 ? 11 : 8;
  // Motion by (place, axle, velocity, omega)
  Eigen::Matrix<double, kMotion, 12, Eigen::RowMajor> by_wheel;
  for (int i = 0; i < kMotion; ++i)
    by_wheel.template block<1, 6>(i, 0) =
        Eigen::Map<const Eigen::Matrix<double, 1, 6>>(motion[static_cast<std::size_t>(i)]->d.data());
  const auto plain = [](const VecOf<G>& v) { return Vec3(v[0].v, v[1].v, v[2].v); };
  const Vec3 n = plain(at.n), e_x = plain(at.e_x), e_y = plain(at.e_y), arm = plain(at.arm),
             axle(wheel.axle.data());
  by_wheel.template rightCols<6>().setZero();
  by_wheel.template block<1, 3>(1, 6) = -at.tilt.v * n.transpose();
  by_wheel.template block<1, 3>(2, 9) = axle.transpose();
  by_wheel.template block<1, 3>(4, 6) = e_x.transpose();
  by_wheel.template block<1, 3>(5, 6) = e_y.transpose();
  const auto across = [&](const Vec3& v) { return (v - axle * axle.dot(v)).transpose(); };
  if (contact_ == ContactKind::wheel_plane) {
    by_wheel.template block<1, 3>(4, 9) = across(arm.cross(e_x));
    by_wheel.template block<1, 3>(5, 9) = across(arm.cross(e_y));
  }
  by_wheel.template block<1, 3>(6, 9) = across(n);

  using D = Dual<N>;
  std::array<D, 13> v;
  for (int i = 0; i < kMotion; ++i)
    v[static_cast<std::size_t>(i)] = D::variable(motion[static_cast<std::size_t>(i)]->v, i);
  D c[2];
  if constexpr (N > 8)
    for (int i = 0; transient_ && i < 2; ++i) c[i] = D::variable(in.c[i], 11 + i);
  const Forces<D> f = forces<D>({v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], {v[8], v[9], v[10]}}, c);

  // Vectors in axes of A: derivatives by (place, axle, velocity, omega), then by the states.
  const auto row = [&](const D& x) {
    Eigen::Matrix<double, 1, 12> out_row = Eigen::Matrix<double, 1, 12>::Zero();
    for (int i = 0; i < kMotion; ++i) out_row += x.d[static_cast<std::size_t>(i)] * by_wheel.row(i);
    return out_row;
  };
  const auto by_states = [&](const D& x) {
    Eigen::Matrix<double, 1, 2> out_row = Eigen::Matrix<double, 1, 2>::Zero();
    if constexpr (N > 8) out_row << x.d[11], x.d[12];
    return out_row;
  };
  Mat3 axes;
  axes << e_x, e_y, n;
  const auto spread = [&](const VecOf<D>& x, Eigen::Matrix<double, 3, 12>& by,
                          Eigen::Matrix<double, 3, 2>& by_c) {
    Eigen::Matrix<double, 3, 12> inside;
    Eigen::Matrix<double, 3, 2> inside_c;
    for (int i = 0; i < 3; ++i) {
      inside.row(i) = row(x[static_cast<std::size_t>(i)]);
      inside_c.row(i) = by_states(x[static_cast<std::size_t>(i)]);
    }
    by.noalias() = axes * inside;
    by_c.noalias() = axes * inside_c;
    const VecOf<double> values{x[0].v, x[1].v, x[2].v};
    const VecOf<G> turned = out_of(at, values);
    for (int i = 0; i < 3; ++i)
      by.template block<1, 6>(i, 0) +=
          Eigen::Map<const Eigen::Matrix<double, 1, 6>>(turned[static_cast<std::size_t>(i)].d.data());
    return Vec3(axes * Vec3(values.data()));
  };
  Eigen::Matrix<double, 3, 12> force, moment;
  Eigen::Matrix<double, 3, 2> force_c, moment_c;
  const Vec3 f_A = spread(f.force, force, force_c);
  const Vec3 m_A = spread(f.moment, moment, moment_c) + arm.cross(f_A);
  moment.noalias() += skew(arm) * force;
  moment_c.noalias() += skew(arm) * force_c;
  Eigen::Matrix<double, 3, 6> by_arm;
  for (int i = 0; i < 3; ++i)
    by_arm.row(i) =
        Eigen::Map<const Eigen::Matrix<double, 1, 6>>(at.arm[static_cast<std::size_t>(i)].d.data());
  moment.leftCols<6>().noalias() -= skew(f_A) * by_arm;

  const Mat3& R = in.m[0]->R;
  const Vec3 f_W = R * f_A, m_W = R * m_A;
  add_point_force_tangent(r.p, f_W, motion_tangent(in, force, true, f_W), out);
  add_torque_tangent(motion_tangent(in, moment, true, m_W), out);
  if constexpr (N > 8) {
    if (!transient_) return;
    const Eigen::Matrix<double, 3, 2> df = R * force_c, dm = R * moment_c;
    out.wrench.c.middleRows<3>(0) = -df;
    out.wrench.c.middleRows<3>(3) = -skew(r.p) * df - dm;
    out.wrench.c.middleRows<3>(6) = df;
    out.wrench.c.middleRows<3>(9) = dm;
    Eigen::Matrix<double, 3, 12> rates = Eigen::Matrix<double, 3, 12>::Zero();
    rates.row(0) = row(f.rate_x);
    rates.row(1) = row(f.rate_y);
    const VectorTangent t = motion_tangent(in, rates, false, Vec3::Zero());
    out.rate.pose = t.pose.topRows<2>();
    out.rate.twist = t.twist.topRows<2>();
    out.rate.c.row(0) = by_states(f.rate_x);
    out.rate.c.row(1) = by_states(f.rate_y);
  }
}

void TireForce::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  if (transient_ || belt_softness_ != 0)
    add_tangent<13>(in, out);
  else
    add_tangent<8>(in, out);
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
  const Answer a = evaluate(in);
  const double values[] = {a.forces.force[2],
                           a.forces.force[0],
                           a.forces.force[1],
                           a.forces.moment[2],
                           a.forces.input.kappa,
                           std::atan(a.forces.input.tan_alpha),
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
    type.info.roles.push_back(io::Role::tire);
    type.info.drawing = io::Drawing::tire;
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
    type.make = [make = law.make](const io::ParameterSet& p) -> std::unique_ptr<Force> {
      const double belt = p.number("belt_stiffness_Nm_per_rad");
      return std::make_unique<TireForce>(
          make(p), p.boolean("transient"), p.number("pressure_Pa"), p.vec3("contact_share"),
          belt > 0 ? 1 / belt : 0, p.text("derivatives") == "global" ? p.number("derivative_reach_s") : 0);
    };
    types.push_back(std::move(type));
  }
  return types;
}

}  // namespace monocoque

#include "analysis/statics/steady_motion.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "analysis/suspension/knobs.h"
#include "analysis/suspension/suspension_rig.h"
#include "core/decompositions.h"
#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/assembly.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "elements/registry.h"
#include "integrate/consistent.h"
#include "solve/acceleration_system.h"

namespace monocoque::analysis {

class SystemLayoutHolder {
 public:
  explicit SystemLayoutHolder(const Model& model)
      : layout(model, SystemKind::iteration, true), A(layout.pattern()) {}
  SystemLayout layout;
  BlockMatrix A;
};

namespace {

constexpr int kMostSteadyIterations = 40;
constexpr double kSteadyBalance = 1e-6;  ///< N or Nm
constexpr double kSteadyEnough = 2e-3;   ///< N or Nm, where rounding lets no more be had
constexpr double kSteadyMove = 0.05;     ///< m or rad in one iteration

}  // namespace

SteadyMotion::~SteadyMotion() = default;

SteadyMotion::SteadyMotion(io::ModelSpec spec, const SteadyNames& names) {
  const std::string car = find_body(spec, names.car);
  freeze(spec, 0);
  std::string steer, drive;
  if (has_signal(spec, names.steer)) steer = knob_of_signal(spec, names.steer);
  if (has_signal(spec, names.drive)) drive = knob_of_signal(spec, names.drive);
  spec.nominal = {};
  model_ = build_model(spec);
  ws_ = std::make_unique<Workspace>(*model_);
  ws_->all_markers = true;
  for (std::size_t i = 0; i < model_->parts.size(); ++i)
    if (model_->parts[i].name == car) car_ = static_cast<int>(i);
  if (!model_->parts[static_cast<std::size_t>(car_)].turns())
    throw Error(Place{spec.file, 0}, "equilibrium", fmt::format("part '{}' cannot be the car body", car),
                "name a part that moves: --car");
  if (!steer.empty()) steer_ = knob_index(*model_, steer);
  if (!drive.empty()) drive_ = knob_index(*model_, drive);
  layout_ = std::make_unique<SystemLayoutHolder>(*model_);
  s_ = initial_state(*model_);
  s_.z.setZero();
  make_consistent(*ws_, s_, LinearSolverKind::automatic);
  start_force_states(*ws_, s_);
  find_spins(spec);
}

void SteadyMotion::find_spins(const io::ModelSpec& spec) {
  for (std::size_t i = 0; i < model_->parts.size(); ++i)
    for (std::size_t k = 0; k < model_->parts[i].rotors.size(); ++k)
      spins_.push_back(
          {model_->parts[i].z_start + 6 + static_cast<int>(k), static_cast<int>(i), Vec3::Zero(), 0});
  // Wheels that are parts of their own: the second end of a tire, on a bearing.
  std::set<std::string> wheels;
  for (const io::InteractSpec& s : spec.interacts)
    if (has_role(s.type, io::Role::tire) && s.ends.size() == 2) wheels.insert(s.ends[1].part);
  for (const JointInstance& j : model_->joints) {
    if (!has_role(j.type, io::Role::bearing)) continue;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const Marker& m = model_->markers[j.markers[k].at()];
      const Part& part = model_->parts[m.part.at()];
      if (wheels.erase(part.name) == 0 || !part.rotors.empty()) continue;
      spins_.push_back({-1, static_cast<int>(m.part.at()), m.R.col(2), 0});
    }
  }
}

/// Velocities and accelerations of the motion at the positions of s.
void SteadyMotion::set_motion(State& s, VecX& z_dot) const {
  const double w = speed_ * curvature_;
  const Part& car = model_->parts[static_cast<std::size_t>(car_)];
  const Vec3 reference = s.x.segment<3>(car.x_start), turn(0, 0, w);
  s.z.setZero();
  z_dot.setZero(model_->nz);
  for (const Part& part : model_->parts) {
    if (!part.moves()) continue;
    const Vec3 v = Vec3(speed_, 0, 0) + turn.cross(Vec3(s.x.segment<3>(part.x_start)) - reference);
    s.z.segment<3>(part.z_start) = v;
    z_dot.segment<3>(part.z_start) = turn.cross(v);
    if (part.turns())
      s.z.segment<3>(part.z_start + 3) =
          rotation_from_quaternion(s.x.segment<4>(part.x_start + 3)).transpose() * turn;
  }
  for (const Spin& spin : spins_) {
    if (spin.coordinate >= 0) {
      s.z[spin.coordinate] = spin.speed;
      continue;
    }
    const int at = model_->parts[static_cast<std::size_t>(spin.part)].z_start + 3;
    const Vec3 carried = s.z.segment<3>(at);
    s.z.segment<3>(at) += spin.speed * spin.axis;
    z_dot.segment<3>(at) = -spin.speed * spin.axis.cross(carried);
  }
}

VecX SteadyMotion::residual(State& s, VecX& z_dot) {
  set_motion(s, z_dot);
  evaluate(*ws_, s);
  const SystemLayout& layout = layout_->layout;
  VecX R = VecX::Zero(layout.size()), balance = VecX::Zero(model_->nz);
  add_constraint_forces(*ws_, s.lambda, 1, balance);
  add_mass_times(*ws_, z_dot, 1, balance);
  R.head(model_->nz) = balance - ws_->f;
  if (drive_ < 0) R[model_->parts[static_cast<std::size_t>(car_)].z_start] -= tow_;
  R.segment(layout.c_start(), model_->nc) = -ws_->c_dot;
  R.segment(layout.lambda_start(), model_->nlambda) = ws_->g;
  R.segment(layout.w_start(), model_->nw) = ws_->b;
  return R;
}

/// Columns: z, c, lambda, w of the layout, then spins, steering, drive.
MatX SteadyMotion::jacobian(State& s, const VecX& z_dot) {
  const SystemLayout& layout = layout_->layout;
  const int n = layout.size(), nz = model_->nz;
  const auto by = [&](double TangentWeights::*argument) {
    TangentWeights k;
    k.*argument = 1;
    assemble_iteration(*ws_, s, z_dot, k, ConstraintLevel::position, layout, layout_->A);
    return layout_->A.to_dense();
  };
  MatX J = MatX::Zero(n, n + static_cast<Eigen::Index>(spins_.size()) + 2);
  // On the position level the rows of constraints have derivatives by the position only.
  MatX vel = by(&TangentWeights::vel), mass = by(&TangentWeights::mass);
  vel.middleRows(layout.lambda_start(), model_->nlambda).setZero();
  mass.middleRows(layout.lambda_start(), model_->nlambda).setZero();
  J.leftCols(n) = by(&TangentWeights::algebraic);
  J.leftCols(nz) = by(&TangentWeights::pos).leftCols(nz);
  const double w = speed_ * curvature_;
  const Mat3 turn = skew(Vec3(0, 0, w));
  MatX dz = MatX::Zero(nz, nz), da = MatX::Zero(nz, nz);
  const Part& car = model_->parts[static_cast<std::size_t>(car_)];
  for (const Part& part : model_->parts) {
    if (!part.moves()) continue;
    const int at = part.z_start;
    dz.block<3, 3>(at, at) += turn;
    dz.block<3, 3>(at, car.z_start) -= turn;
    da.block<3, 3>(at, at) += turn * turn;
    da.block<3, 3>(at, car.z_start) -= turn * turn;
    if (!part.turns()) continue;
    const Mat3 R = rotation_from_quaternion(s.x.segment<4>(part.x_start + 3));
    dz.block<3, 3>(at + 3, at + 3) = skew(Vec3(R.transpose() * Vec3(0, 0, w)));
  }
  for (std::size_t k = 0; k < spins_.size(); ++k) {
    const Spin& spin = spins_[k];
    VecX by_speed = VecX::Zero(nz), a_by_speed = VecX::Zero(nz);
    if (spin.coordinate >= 0) {
      by_speed[spin.coordinate] = 1;
    } else {
      const Part& part = model_->parts[static_cast<std::size_t>(spin.part)];
      const Mat3 R = rotation_from_quaternion(s.x.segment<4>(part.x_start + 3));
      const Vec3 carried = R.transpose() * Vec3(0, 0, w);
      by_speed.segment<3>(part.z_start + 3) = spin.axis;
      a_by_speed.segment<3>(part.z_start + 3) = -spin.axis.cross(carried);
      da.block<3, 3>(part.z_start + 3, part.z_start + 3) -= spin.speed * skew(spin.axis) * skew(carried);
    }
    J.col(n + static_cast<Eigen::Index>(k)) = vel.leftCols(nz) * by_speed + mass.leftCols(nz) * a_by_speed;
  }
  J.leftCols(nz) += vel.leftCols(nz) * dz + mass.leftCols(nz) * da;
  // The reference point keeps its place in the plane.
  J.col(car.z_start).setZero();
  J.col(car.z_start + 1).setZero();
  const Eigen::Index steer = J.cols() - 2, drive = J.cols() - 1;
  State near = s;
  VecX a = z_dot;
  const auto difference = [&](int knob, double step) -> VecX {
    near.r[knob] = s.r[knob] + step;
    const VecX plus = residual(near, a);
    near.r[knob] = s.r[knob] - step;
    const VecX minus = residual(near, a);
    near.r[knob] = s.r[knob];
    return (plus - minus) / (2 * step);
  };
  if (steer_ >= 0) J.col(steer) = difference(steer_, 1e-6);
  if (drive_ >= 0)
    J.col(drive) = difference(drive_, 1.0);
  else
    J(car.z_start, drive) = -1;
  return J;
}

bool SteadyMotion::newton() {
  const SystemLayout& layout = layout_->layout;
  const int n = layout.size(), nz = model_->nz;
  VecX z_dot;
  VecX R = residual(s_, z_dot);
  problem_.clear();
  for (iterations_ = 0; iterations_ < kMostSteadyIterations; ++iterations_) {
    residual_ = R.head(nz).lpNorm<Eigen::Infinity>();
    const double largest = ws_->f.lpNorm<Eigen::Infinity>();
    const double open =
        model_->nlambda > 0 ? R.segment(layout.lambda_start(), model_->nlambda).lpNorm<Eigen::Infinity>() : 0;
    const double inner =
        model_->nc > 0 ? R.segment(layout.c_start(), model_->nc).lpNorm<Eigen::Infinity>() : 0;
    if (residual_ < kSteadyBalance + 1e-12 * largest && open < 1e-10 && inner < 1e-7) return true;
    if (!R.allFinite()) break;
    MatX J = jacobian(s_, z_dot);
    VecX columns = J.colwise().norm();
    for (double& c : columns) c = c > 0 ? 1 / c : 1;
    J = J * columns.asDiagonal();
    VecX rows = J.rowwise().norm();
    for (double& r : rows) r = r > 0 ? 1 / r : 1;
    Eigen::CompleteOrthogonalDecomposition<MatX> qr;
    qr.setThreshold(1e-11);
    qr.compute(rows.asDiagonal() * J);
    VecX d = -(columns.asDiagonal() * VecX(qr.solve(rows.asDiagonal() * R)));
    double move = 0;
    for (const Part& part : model_->parts)
      if (part.moves())
        move = std::max(move, d.segment(part.z_start, part.rigid_size()).lpNorm<Eigen::Infinity>());
    if (!std::isfinite(move)) break;
    if (move > kSteadyMove) d *= kSteadyMove / move;
    retract(*model_, s_.x, d.head(nz), s_.x);
    s_.c += d.segment(layout.c_start(), model_->nc);
    s_.lambda += d.segment(layout.lambda_start(), model_->nlambda);
    s_.w += d.segment(layout.w_start(), model_->nw);
    for (std::size_t k = 0; k < spins_.size(); ++k) spins_[k].speed += d[n + static_cast<Eigen::Index>(k)];
    if (steer_ >= 0) s_.r[steer_] += d[d.size() - 2];
    (drive_ >= 0 ? s_.r[drive_] : tow_) += d[d.size() - 1];
    R = residual(s_, z_dot);
  }
  if (R.allFinite() && residual_ < kSteadyEnough) return true;
  int row = 0;
  if (R.allFinite()) R.head(nz).cwiseAbs().maxCoeff(&row);
  for (const Part& part : model_->parts)
    if (row >= part.z_start && row < part.z_start + part.z_size)
      problem_ = fmt::format("part '{}' keeps {:.4g} N (or Nm)", part.name, R[row]);
  return false;
}

bool SteadyMotion::solve(double speed, double curvature) {
  const State before = s_;
  const std::vector<Spin> spins = spins_;
  const double old_speed = speed_, old_curvature = curvature_, old_tow = tow_;
  speed_ = speed;
  curvature_ = curvature;
  if (!started_) {
    // Wheels start rolling: their axle's height is the radius.
    for (Spin& spin : spins_) {
      const Part& part = model_->parts[static_cast<std::size_t>(spin.part)];
      spin.speed = speed / std::max(0.05, s_.x[part.x_start + 2]);
    }
  } else if (old_speed > 0) {
    for (Spin& spin : spins_) spin.speed *= speed / old_speed;
  }
  bool ok = newton();
  if (ok) {
    update_constraint_velocity(*ws_);
    const LargestResidual open = largest_velocity_residual(*ws_);
    if (open.value > 1e-6 * (1 + speed)) {
      problem_ = fmt::format("{} does not let the vehicle move along the road", model_->row_label(open.row));
      ok = false;
    }
  }
  if (ok) {
    started_ = true;
    return true;
  }
  s_ = before;
  spins_ = spins;
  speed_ = old_speed;
  curvature_ = old_curvature;
  tow_ = old_tow;
  return false;
}

SteadyPoint SteadyMotion::point() const {
  SteadyPoint p;
  State s = s_;
  VecX z_dot;
  set_motion(s, z_dot);
  evaluate(*ws_, s);
  p.speed_m_per_s = speed_;
  p.curvature_per_m = curvature_;
  p.lateral_m_per_s2 = speed_ * speed_ * curvature_;
  if (steer_ >= 0) p.steer = s.r[steer_];
  p.drive = drive_ >= 0 ? s.r[drive_] : tow_;
  const Part& car = model_->parts[static_cast<std::size_t>(car_)];
  const Vec3 angles = tait_bryan_from_rotation(rotation_from_quaternion(s.x.segment<4>(car.x_start + 3)));
  p.roll = angles.x();
  p.pitch = angles.y();
  p.sideslip = -angles.z();
  p.height_m = s.x[car.x_start + 2];
  for (std::size_t i = 0; i < model_->forces.size(); ++i) {
    if (!has_role(model_->forces[i].type, io::Role::tire)) continue;
    const Vec12& wrench = ws_->forces[i].wrench;
    p.tires.push_back({model_->forces[i].name, wrench[6], wrench[7], wrench[8]});
  }
  p.residual = residual_;
  p.iterations = iterations_;
  return p;
}

SteadyCurve steady_curve(SteadyMotion& motion, double speed, const std::vector<double>& lateral) {
  SteadyCurve out;
  double now = 0;
  if (!motion.solve(speed, 0)) {
    out.end = fmt::format("no steady motion straight ahead at {:.4g} m/s: {}", speed, motion.problem());
    return out;
  }
  for (const double wanted : lateral) {
    double step = wanted - now;
    while (now != wanted) {
      const double next = std::abs(wanted - now) <= std::abs(step) ? wanted : now + step;
      if (motion.solve(speed, next / (speed * speed))) {
        now = next;
        step *= 2;
        continue;
      }
      step /= 2;
      if (std::abs(step) < 0.01) {
        out.end = fmt::format("no steady circle beyond {:.3f} m/s^2 at {:.4g} m/s: {}", now, speed,
                              motion.problem());
        out.points.push_back(motion.point());
        return out;
      }
    }
    out.points.push_back(motion.point());
  }
  return out;
}

}  // namespace monocoque::analysis

#include "integrate/failure.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/rotation.h"
#include "integrate/consistent.h"

namespace monocoque {

namespace {

/// Part whose velocities are largest or not finite.
std::string wildest_part(const Workspace& ws, const State& s) {
  std::string name = "none";
  double worst = -1;
  for (const Part& part : ws.model.parts) {
    if (!part.moves()) continue;
    const double size = s.z.segment(part.z_start, part.z_size).norm();
    if (!(size <= worst)) {
      worst = size;
      name = part.name;
      if (!std::isfinite(size)) break;
    }
  }
  return name;
}

/// Size of the largest eigenvalue of the equations of motion at the start, by power iteration on differences
/// of the acceleration; the mean growth over several steps also serves complex pairs. 0 when it cannot be
/// found.
double spectral_radius(Workspace& ws, const io::SimulationSpec& settings) {
  const Model& model = ws.model;
  State base = initial_state(model);
  base.t = settings.start_s;
  try {
    make_consistent(ws, base, LinearSolverKind::automatic);
  } catch (const Error&) {
    return 0;
  }
  AccelerationSystem system(model, LinearSolverKind::automatic);
  VecX a0 = VecX::Zero(model.nz), a = a0, dx = VecX::Random(model.nz), dz = VecX::Random(model.nz);
  if (!system.solve(ws, base, {}, 10, a0)) return 0;
  const double eps = 1e-7;
  double growth = 0;
  constexpr int kSettle = 30, kMeasure = 30;
  for (int k = 0; k < kSettle + kMeasure; ++k) {
    const double size = std::sqrt(dx.squaredNorm() + dz.squaredNorm());
    if (!(size > 0) || !std::isfinite(size)) return 0;
    dx /= size;
    dz /= size;
    if (k >= kSettle) growth += std::log(size);
    State moved = base;
    retract(model, base.x, eps * dx, moved.x);
    moved.z += eps * dz;
    if (!system.solve(ws, moved, {}, 10, a)) return 0;
    dx = dz;
    dz = (a - a0) / eps;
  }
  return std::exp(growth / kMeasure);
}

/// What helps a method whose motion has left the model's: for explicit ones the step that would be stable.
std::string step_advice(Workspace& ws, const IntegratorType& type, const io::SimulationSpec& settings,
                        const char* otherwise) {
  if (!type.explicit_method) return otherwise;
  const double radius = spectral_radius(ws, settings);
  if (!(radius > 0)) return "take a smaller step_s or an implicit solver";
  // Radius of the stability region near the imaginary and the real axis: 2.8 for RK4, 2 for Euler (real).
  const double limit = (type.order == 4 ? 2.8 : 2.0) / radius;
  std::string advice = fmt::format(
      "the fastest motion of the model has a rate of about {:.3g} 1/s, so '{}' needs a step below "
      "about {:.2g} s; take a smaller step_s or an implicit solver",
      radius, type.name, limit);
  // Its stability region touches the imaginary axis at zero only.
  if (type.order == 1) advice += " (motions without damping grow at any step: take rk4 for them)";
  return advice;
}

std::string blown_up(Workspace& ws, const State& s, const IntegratorType& type,
                     const io::SimulationSpec& settings, std::string& remedy) {
  remedy = step_advice(ws, type, settings,
                       "check stiffnesses, masses and units near that part, or take a smaller step_s");
  return fmt::format("the motion of part '{}' grows without bound: '{}' with step_s = {} is unstable here",
                     wildest_part(ws, s), type.name, settings.step_s);
}

/// A vehicle (a model with tires) whose heaviest part lies on its side or its back: then the method is not to
/// blame.
std::optional<NumericError> rolled_over(const Workspace& ws, const State& s,
                                        const io::SimulationSpec& settings) {
  const auto is_tire = [](const ForceInstance& f) {
    const auto channels = f.force->channels();
    return std::any_of(channels.begin(), channels.end(),
                       [](const ForceChannel& c) { return std::string_view(c.name) == "slip_angle"; });
  };
  if (std::none_of(ws.model.forces.begin(), ws.model.forces.end(), is_tire)) return std::nullopt;
  const Part* heaviest = nullptr;
  for (const Part& part : ws.model.parts)
    if (part.turns() && (heaviest == nullptr || part.mass > heaviest->mass)) heaviest = &part;
  if (heaviest == nullptr) return std::nullopt;
  const auto turn = [&](const VecX& x) {
    return rotation_from_quaternion(x.segment<4>(heaviest->x_start + 3));
  };
  const Mat3 turned = turn(s.x) * turn(initial_state(ws.model).x).transpose();
  const double lean = std::acos(std::clamp(turned(2, 2), -1.0, 1.0)) * 180 / std::numbers::pi;
  if (!(lean > 60)) return std::nullopt;
  return NumericError(
      settings.place, fmt::format("{} at t = {:.9g} s", ws.model.name, s.t),
      fmt::format("the motion is lost after the vehicle has rolled over: '{}' leans by {:.0f} degrees, and "
                  "nothing but its tires can touch the road",
                  heaviest->name, lean),
      "end the run before, or keep the vehicle upright");
}

std::string singular(Workspace& ws, const State& s, std::string& remedy) {
  remedy =
      "the mechanism passes a singular position there: change step_s slightly, or remove the joints named";
  if (ws.model.nlambda == 0) {
    remedy = "a part without mass or inertia moves freely: give it mass_kg and inertia_kg_m2";
    return "the equations of motion are singular";
  }
  // Rows taken out at the start are no news: only the others count.
  const RankReport rank = rank_at(ws, s, true);
  std::string rows;
  for (const DependentRow& row : rank.dependent)
    if (ws.active[static_cast<std::size_t>(row.row)])
      rows += fmt::format("{}{}", rows.empty() ? "" : "; ", ws.model.row_label(row.row));
  if (!rows.empty()) return "singular configuration: these constraints depend on the others: " + rows;
  remedy =
      "take a smaller step_s; if it fails at the same time again, the mechanism is singular there, or a part "
      "without mass or inertia moves freely";
  return "the equations of motion are singular";
}

}  // namespace

NumericError lost_motion(Workspace& ws, const JointInstance& joint, double opened, const State& s,
                         const IntegratorType& type, const io::SimulationSpec& settings) {
  if (const auto error = rolled_over(ws, s, settings)) return *error;
  return NumericError(
      joint.place, joint.label,
      fmt::format("this joint has opened by {:.3g} (m or rad) at t = {:.6g} s: the motion is lost ('{}' "
                  "with step_s = {})",
                  opened, s.t, type.name, settings.step_s),
      step_advice(ws, type, settings,
                  "take a smaller step_s, or solver ida; check stiffnesses and masses near the joint"));
}

NumericError step_failure(Workspace& ws, const State& before, const State& s, const IntegratorType& type,
                          const io::SimulationSpec& settings, StepStatus status) {
  std::string problem, remedy;
  // A formula can leave its range within the step that failed.
  for (const double share : {0.0, 1e-6, 0.5, 1.0}) {
    const double t = s.t + share * settings.step_s;
    if (const BadSignal bad = non_finite_signal(ws.model, t); !bad.label.empty())
      return NumericError(
          bad.place, bad.label,
          fmt::format("its signal or a derivative of it has no finite value at t = {:.9g} s", t),
          "check divisions, roots and logarithms in the formula, or end the run before");
  }
  if (const auto error = rolled_over(ws, before, settings)) return *error;
  switch (status) {
    case StepStatus::not_finite:
      problem = blown_up(ws, s, type, settings, remedy);
      break;
    case StepStatus::singular:
      problem = singular(ws, s, remedy);
      break;
    case StepStatus::not_converged:
      problem = "the Newton iteration does not converge even with the smallest step";
      remedy = "loosen relative_tolerance, or look for discontinuities in tables and contacts near this time";
      break;
    case StepStatus::step_too_small:
      problem = "the error test fails with the smallest step";
      remedy = "loosen the tolerances, or look for a discontinuity near this time";
      break;
    case StepStatus::too_many_steps:
      problem = "more than ten million steps were needed for one output interval";
      remedy = "loosen the tolerances";
      break;
    case StepStatus::ok:
      break;
  }
  return NumericError(settings.place, fmt::format("{} at t = {:.9g} s", ws.model.name, s.t), problem, remedy);
}

}  // namespace monocoque

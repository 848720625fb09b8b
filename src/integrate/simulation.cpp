#include "integrate/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/constraints.h"
#include "dynamics/kinematics.h"
#include "integrate/failure.h"

namespace monocoque {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMaxSteps = 1e10;  ///< of a run, and samples of a controller: beyond this a unit is wrong

double seconds(Clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

const IntegratorType& complete(io::SimulationSpec& settings) {
  const IntegratorType& type = find_integrator(settings.solver, settings.place);
  complete_settings(type, settings);
  if (!(settings.end_s > settings.start_s))
    throw Error(
        settings.place, "simulation",
        fmt::format("end_s is {}, it must be later than start_s ({})", settings.end_s, settings.start_s), {});
  if (type.fixed_step && !(settings.step_s > 0))
    throw Error(settings.place, "simulation", fmt::format("step_s is {}, it must be > 0", settings.step_s),
                {});
  if (!std::isfinite(settings.end_s) || !std::isfinite(settings.step_s))
    throw Error(settings.place, "simulation", "end_s and step_s must be finite", {});
  const double steps = (settings.end_s - settings.start_s) / settings.step_s;
  if (type.fixed_step && steps > kMaxSteps)
    throw Error(settings.place, "simulation",
                fmt::format("step_s is {}: {:.3g} steps up to end_s = {}, it must be at most {:.0g}",
                            settings.step_s, steps, settings.end_s, kMaxSteps),
                "take a larger step_s (it is in seconds)");
  if (settings.output_step_s <= 0)
    settings.output_step_s = type.fixed_step ? settings.step_s : (settings.end_s - settings.start_s) / 1000;
  return type;
}

void check_controllers(const Model& model, const io::SimulationSpec& settings) {
  for (const ControllerInstance& c : model.controllers) {
    const double samples = (settings.end_s - settings.start_s) / c.controller->period_s();
    if (samples > kMaxSteps)
      throw Error(c.place, c.label,
                  fmt::format("sample_s is {}: {:.3g} samples up to end_s = {}, it must be at most {:.0g}",
                              c.controller->period_s(), samples, settings.end_s, kMaxSteps),
                  "take a larger sample_s (it is in seconds)");
  }
}

StepTimes statistics(std::vector<float>& us) {
  StepTimes out;
  if (us.empty()) return out;
  std::sort(us.begin(), us.end());
  double sum = 0;
  for (const float u : us) sum += u;
  const auto quantile = [&](double q) {
    return us[std::min(us.size() - 1, static_cast<std::size_t>(q * static_cast<double>(us.size())))];
  };
  out.mean_us = sum / static_cast<double>(us.size());
  out.p50_us = quantile(0.5);
  out.p99_us = quantile(0.99);
  out.max_us = us.back();
  return out;
}

}  // namespace

Simulation::Simulation(const Model& model, const io::SimulationSpec& settings)
    : model_(model),
      settings_(settings),
      type_(complete(settings_)),
      workspace_(model),
      state_(initial_state(model)),
      outputs_(model, settings_.outputs, linear_solver_kind(settings_.linear_solver), settings_.place),
      projector_(model, linear_solver_kind(settings_.linear_solver)),
      grid_step_(type_.fixed_step ? settings_.step_s : settings_.output_step_s),
      samples_(model.controllers.size(), 0) {
  sensor_values_.setZero(model.nsensor);
  inputs_.setZero(model.nsensor + 1);
  row_.setZero(static_cast<Eigen::Index>(outputs_.channels().size()));
  check_controllers(model, settings_);
  for (const JointInstance& joint : model.joints)
    for (int k = joint.signal_start; k < joint.signal_start + joint.joint->signal_count(); ++k)
      if (const ControllerIndex c = model.signals[static_cast<std::size_t>(k)].controller; c.valid())
        controllers_drive_joints_ |= model.controllers[c.at()].controller->output_jumps();
  for (const ControllerInstance& c : model.controllers)
    for (const SensorInstance& sensor : model.sensors)
      for (const int input : c.inputs)
        controllers_need_accelerations_ |=
            input >= sensor.value_start &&
            input < sensor.value_start + static_cast<int>(sensor.sensor->outputs().size()) &&
            sensor.sensor->needs_accelerations();
  state_.t = settings_.start_s;
  for (const ControllerInstance& c : model.controllers) c.controller->start(state_.r.data() + c.r_start);
  consistency_ = make_consistent(workspace_, state_, linear_solver_kind(settings_.linear_solver));
  integrator_ = type_.make(workspace_, settings_);
  sample_controllers(state_.t);
  integrator_->start(state_);
  before_ = state_;
}

void Simulation::sample_controllers(double t) {
  bool measured = false;
  for (std::size_t i = 0; i < model_.controllers.size(); ++i) {
    const ControllerInstance& c = model_.controllers[i];
    const double due = settings_.start_s + static_cast<double>(samples_[i]) * c.controller->period_s();
    if (due > t + 1e-9 * c.controller->period_s()) continue;
    if (!measured && !c.inputs.empty()) {
      outputs_.measure_sensors(workspace_, state_, controllers_need_accelerations_, sensor_values_.data());
      measured = true;
    }
    for (std::size_t k = 0; k < c.inputs.size(); ++k)
      inputs_[static_cast<Eigen::Index>(k)] = sensor_values_[c.inputs[k]];
    c.controller->sample(t, inputs_.data(), state_.r.data() + c.r_start);
    ++samples_[i];
  }
}

double Simulation::next_event(double t) const {
  double next = settings_.end_s;
  const double tiny = 1e-12 * std::max(1.0, std::abs(t));
  const auto it = std::upper_bound(model_.event_times.begin(), model_.event_times.end(), t + tiny);
  if (it != model_.event_times.end()) next = std::min(next, *it);
  for (std::size_t i = 0; i < model_.controllers.size(); ++i)
    next = std::min(next, settings_.start_s + static_cast<double>(samples_[i]) *
                                                  model_.controllers[i].controller->period_s());
  return next;
}

void Simulation::handle_event(double t) {
  sample_controllers(t);
  workspace_.signal_limit = next_event(t);  // from here on signals show their values after the event
  const bool signal_jumps =
      std::any_of(model_.event_times.begin(), model_.event_times.end(),
                  [&](double event) { return std::abs(event - t) <= 1e-9 * std::max(1.0, std::abs(t)); });
  if (!signal_jumps && !controllers_drive_joints_) {
    integrator_->new_forces(state_);
    return;
  }
  project_and_restart();
  if (model_.nlambda > 0) {
    const LargestResidual rest = largest_position_residual(workspace_);
    if (!(rest.value < 1e-6))
      throw NumericError(
          settings_.place, fmt::format("{} at t = {:.9g} s", model_.name, state_.t),
          fmt::format("the mechanism cannot follow the jump of a signal: {} stays open by {:.3g} (m or rad)",
                      model_.row_label(rest.row), rest.value),
          "give the drive a smooth signal: ramp(t - t0) instead of step(t - t0)");
  }
}

/// Cones at the accepted state; the instant and speed of the entry, linear within the step.
void Simulation::watch_lane(LaneSummary& lane) {
  if (!cones_) return;
  const OutlinePose pose = outline_pose(model_, state_.x);
  cones_->add(state_.t, pose);
  if (lane.entered) return;
  const Part& part = model_.parts[model_.markers[model_.lane_marker.at()].part.at()];
  const double speed = state_.z.segment<2>(part.z_start).norm();
  const DriverPath& path = model_.lane->path;
  const double front = path.nearest({pose.x_m, pose.y_m}) + model_.lane->geometry.outline.front_m;
  if (front < 0) return;
  lane.entered = true;
  lane.entry_t_s = state_.t - (speed > 0 ? front / speed : 0);
  lane.entry_speed_m_per_s = speed;
}

/// After a discontinuity the velocities fulfil the constraints by an impulse (mass-weighted projection).
void Simulation::project_and_restart() {
  bool factored = model_.nlambda > 0;
  for (int k = 0; factored && k < 10; ++k) {
    factored = projector_.factor(workspace_, state_);
    if (!factored || largest_position_residual(workspace_).value < 1e-10) break;
    projector_.project_positions(workspace_, state_);
  }
  if (factored) projector_.project_velocities(workspace_, state_);
  integrator_->start(state_);
}

void Simulation::output(double t, const RunHooks& hooks, RunSummary& summary) {
  outputs_.fill(workspace_, state_, audit_, row_.data());
  summary.position_drift = std::max(summary.position_drift, outputs_.position_drift());
  summary.velocity_drift = std::max(summary.velocity_drift, outputs_.velocity_drift());
  if (hooks.record) hooks.record(t, row_.data());
  if (hooks.motion) hooks.motion(state_, workspace_);
  // A method that holds the constraints but lets one open this far has lost the solution.
  const double limit = settings_.constraints == kIndex1 && settings_.stabilisation == kNone ? 10 : 0.1;
  const bool lost = !(outputs_.position_drift() < limit);
  if (!lost || outputs_.position_drift_row() < 0) return;
  const JointInstance& joint = model_.joints[model_.joint_of_row(outputs_.position_drift_row()).at()];
  throw lost_motion(workspace_, joint, outputs_.position_drift(), state_, type_, settings_);
}

StepStatus Simulation::step_to(double t) {
  const double stop = next_event(state_.t);
  workspace_.signal_limit = stop;
  const StepStatus status = integrator_->advance(state_, t, stop);
  if (status != StepStatus::ok) return status;
  // `positions` of the workspace may belong to an intermediate state: memory needs the accepted one.
  if (workspace_.memory) {
    update_signals(workspace_, state_.t, state_.r);
    update_positions(workspace_, state_.x);
    update_velocities(workspace_, state_.z);
    update_joint_memory(workspace_, state_.t, state_.r);
  }
  return status;
}

/// Of redundant constraints other rows may have to be kept than at the start (Bricard's mechanism). And a
/// mechanism that passes a singular position (a parallelogram lying flat) has rows that depend on each other
/// for an instant: one step without them carries it through by its inertia, then they are taken back.
void Simulation::pass_singularity(double t, StepStatus& status) {
  state_ = before_;
  const std::vector<char> old = workspace_.active;
  select_rows(workspace_, state_);
  if (workspace_.active == old) return;
  rows_provisional_ = true;
  project_and_restart();
  status = step_to(t);
}

StepStatus Simulation::step_through(double t) {
  before_ = state_;
  StepStatus status = step_to(t);
  if (status != StepStatus::ok && status != StepStatus::not_finite && model_.nlambda > 0)
    pass_singularity(t, status);
  return status;
}

/// Instants closer than this are one: of the grid of steps, of events and of the end.
double Simulation::time_tolerance(double t) const {
  return std::max(1e-9 * grid_step_, 1e-12 * std::max(1.0, std::abs(t)));
}

/// To time t, through the events on the way; an event this close to t is the end of the way. `step` makes a
/// step to an instant, `accepted` sees its state before an event changes it and says whether to go on.
template <class Step, class Accepted>
StepStatus Simulation::march(double t, Step&& step, Accepted&& accepted) {
  const double tolerance = time_tolerance(t), end = settings_.end_s;
  bool go_on = true;
  while (go_on && state_.t < t - tolerance) {
    const double event = next_event(state_.t);
    double target = event < t + tolerance ? event : t;
    if (std::abs(target - end) <= tolerance) target = end;
    const StepStatus status = step(target);
    if (status != StepStatus::ok) return status;
    state_.t = target;
    if (rows_provisional_ || !consistency_.redundant.empty()) check_left_out_rows();
    go_on = accepted();
    if (target == event && target < end) handle_event(target);
  }
  return StepStatus::ok;
}

StepStatus Simulation::advance(double t) {
  return march(
      t, [this](double target) { return step_through(target); }, [] { return true; });
}

void Simulation::restart(const State& s) {
  state_ = s;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const double passed = (s.t - settings_.start_s) / model_.controllers[i].controller->period_s();
    samples_[i] = static_cast<long>(std::floor(passed + 1e-6)) + 1;
  }
  workspace_.signal_limit = next_event(state_.t);
  rows_provisional_ = false;
  project_and_restart();
  before_ = state_;
}

NumericError Simulation::failure(StepStatus status) {
  return step_failure(workspace_, before_, state_, type_, settings_, status);
}

/// Which row of a dependent set is left out matters: one that the others could replace at the start can
/// become the one that carries them (Bricard's mechanism after a quarter turn). Then another is left out.
void Simulation::renew_redundant_rows() {
  if (rows_provisional_) return;
  constexpr double kLoss = 0.1;
  const double condition = projector_.factor(workspace_, state_) ? projector_.reciprocal_condition() : 0;
  reference_condition_ = std::max(reference_condition_, condition);
  if (condition >= kLoss * reference_condition_) return;
  const std::vector<char> old = workspace_.active;
  if (select_rows(workspace_, state_) != static_cast<int>(consistency_.redundant.size())) {
    workspace_.active = old;  // a singular position: nothing can be chosen here
    return;
  }
  if (projector_.factor(workspace_, state_)) reference_condition_ = projector_.reciprocal_condition();
  if (workspace_.active != old) integrator_->start(state_);
}

/// Largest residual among the rows kept and among those left out, at the accepted state.
Simulation::OpenRows Simulation::open_rows() {
  update_signals(workspace_, state_.t, state_.r);
  update_positions(workspace_, state_.x);
  update_constraints(workspace_, state_.t, state_.r);
  OpenRows out;
  for (std::size_t i = 0; i < model_.joints.size(); ++i)
    for (int k = 0; k < model_.joints[i].joint->holonomic_rows(); ++k) {
      const int row = model_.joints[i].lambda_start + k;
      const double size = std::abs(workspace_.joints[i].g[k]);
      if (workspace_.active[static_cast<std::size_t>(row)]) {
        out.kept = std::max(out.kept, size);
      } else if (size >= out.left_out) {
        out.left_out = size;
        out.worst = row;
      }
    }
  return out;
}

/// A row left out as redundant must stay as closed as the others. If it opens, other rows are chosen; if that
/// does not close it, the constraints contradict each other: two drives may agree at the start only.
void Simulation::check_left_out_rows() {
  renew_redundant_rows();
  OpenRows open = open_rows();
  if (!rows_provisional_ && open.left_out < 1e-9 + 10 * open.kept) return;
  if (open.left_out < std::max(1e-4, 10 * open.kept)) {
    const std::vector<char> old = workspace_.active;
    rows_provisional_ = select_rows(workspace_, state_) > static_cast<int>(consistency_.redundant.size());
    if (workspace_.active == old && open.left_out < 1e-6) return;
    project_and_restart();
    open = open_rows();
    if (rows_provisional_ || open.left_out < 1e-8 + 10 * open.kept) return;
  }
  const JointInstance& joint = model_.joints[model_.joint_of_row(open.worst).at()];
  throw NumericError(
      joint.place, joint.label,
      fmt::format("row '{}' was redundant at the start but is now open by {:.3g} (m or rad) at t = {:.9g} s",
                  joint.joint->row_name(open.worst - joint.lambda_start), open.left_out, state_.t),
      "two drives contradict each other, or the redundancy held at the start only: remove one of the joints");
}

RunSummary Simulation::run(const RunHooks& hooks) {
  RunSummary summary;
  summary.model = model_.name;
  summary.solver = type_.name;
  summary.constraints = settings_.constraints;
  summary.stabilisation = settings_.stabilisation;
  summary.step_s = settings_.step_s;
  const Clock::time_point begin = Clock::now();
  Clock::time_point last_progress = begin;
  std::vector<float> times;
  times.reserve(type_.fixed_step ? static_cast<std::size_t>(std::min(
                                       1e7, (settings_.end_s - settings_.start_s) / settings_.step_s + 16))
                                 : 1024);
  const double t0 = settings_.start_s, end = settings_.end_s;
  long out = 1;
  if (model_.lane) cones_ = std::make_unique<ConeWatch>(model_.lane->geometry);
  watch_lane(summary.lane);
  output(state_.t, hooks, summary);
  const auto step = [&](double target) {
    const Clock::time_point start = Clock::now();
    const StepStatus status = step_through(target);
    const double spent = seconds(Clock::now() - start);
    summary.wall_s += spent;
    times.push_back(static_cast<float>(1e6 * spent));
    return status;
  };
  const auto accepted = [&] {
    if (hooks.stepped) hooks.stepped();
    watch_lane(summary.lane);
    const double due = t0 + static_cast<double>(out) * settings_.output_step_s;
    if (state_.t >= due - 1e-9 * settings_.output_step_s || state_.t >= end) {
      output(state_.t, hooks, summary);
      while (t0 + static_cast<double>(out) * settings_.output_step_s <=
             state_.t + 1e-9 * settings_.output_step_s)
        ++out;
    }
    if (hooks.progress && seconds(Clock::now() - last_progress) > 0.2) {
      last_progress = Clock::now();
      hooks.progress(state_.t);
    }
    summary.interrupted = hooks.interrupted && hooks.interrupted();
    return !summary.interrupted;
  };
  for (long grid = 1; state_.t < end - time_tolerance(end) && !summary.interrupted; ++grid) {
    double target = t0 + static_cast<double>(grid) * grid_step_;
    if (target > end - time_tolerance(end)) target = end;
    const StepStatus status = march(target, step, accepted);
    if (status != StepStatus::ok) throw failure(status);
  }
  summary.total_wall_s = seconds(Clock::now() - begin);
  summary.simulated_s = state_.t - t0;
  summary.linear_solver = outputs_.linear_solver();
  summary.counts = integrator_->counts();
  summary.steps = summary.counts.steps;
  summary.step_us = statistics(times);
  if (cones_) {
    summary.lane.present = true;
    summary.lane.hits = cones_->hits();
    summary.lane.smallest = cones_->smallest();
    summary.lane.smallest_t_s = cones_->smallest_t_s();
  }
  summary.energy_error_J = audit_.largest_error;
  summary.energy_error =
      audit_.largest_energy > 0 ? audit_.largest_error / audit_.largest_energy : audit_.largest_error;
  for (std::size_t i = 0; i < outputs_.channels().size(); ++i)
    summary.final_values.emplace_back(outputs_.channels()[i], row_[static_cast<Eigen::Index>(i)]);
  return summary;
}

}  // namespace monocoque

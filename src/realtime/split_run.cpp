#include "realtime/split_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <thread>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/error_kinds.h"
#include "core/index.h"
#include "core/rotation.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"

namespace monocoque::realtime {

namespace {

using Clock = std::chrono::steady_clock;

float microseconds(Clock::duration d) {
  return std::chrono::duration<float, std::micro>(d).count();
}

double median(std::vector<float> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

constexpr int kFrame = 13;      ///< place, quaternion, velocity and angular velocity of a frame
constexpr double kPull = 0.05;  ///< times 1/step: rate at which copies are pulled together

/// Ends a run whose partner has failed.
struct PartnerStopped {};

}  // namespace

SplitRun::SplitRun(const io::ModelSpec& spec, const std::vector<SplitGroup>& groups,
                   const io::SimulationSpec& settings, const SplitSettings& split)
    : settings_(settings), split_(split) {
  if (!find_integrator(settings.solver, settings.place).fixed_step)
    throw Error(settings.place, "split", fmt::format("solver '{}' chooses its own steps", settings.solver),
                "take one with a fixed step: forces are exchanged after every step");
  if (split.extrapolation < 0 || split.extrapolation > 2)
    throw Error("split", fmt::format("extrapolation is {}, it must be 0, 1 or 2", split.extrapolation));
  const SplitModel parts = split_model(spec, groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    auto half = std::make_unique<Half>();
    half->model = build_model(parts.models[g]);
    io::SimulationSpec own = settings;
    if (g < split.outputs.size()) own.outputs = split.outputs[g];
    half->simulation = std::make_unique<Simulation>(*half->model, own);
    for (const std::string& name : parts.shared)
      for (std::size_t i = 0; i < half->model->parts.size(); ++i)
        if (half->model->parts[i].name == name)
          half->rows.push_back({i, half->model->parts[i].z_start, half->model->parts[i].z_size});
    halves_.push_back(std::move(half));
  }
  for (const Rows& rows : halves_.front()->rows) shared_size_ += rows.size;
  for (const auto& half : halves_) {
    ExternalForce& external = half->simulation->workspace().external;
    if (split.rounds > 0) half->late = dynamic_cast<LateForce*>(&half->simulation->integrator());
    for (VecX* v : {&half->total, &half->missing, &half->pull, &external.value, &external.rate})
      v->setZero(half->model->nz);
    for (VecX& v : half->frames) v.setZero(kFrame * static_cast<int>(half->rows.size()));
    half->own.setZero(shared_size_);
    for (VecX& v : half->history) v.setZero(shared_size_);
    for (VecX& v : half->sent) v.setZero(shared_size_);
  }
  start();
}

/// Multipliers depend on the accelerations of the shared parts, these on the other groups: a fixed point
/// whose contraction is the ratio of masses that makes the coupling stable at all.
void SplitRun::start() {
  constexpr int kMost = 60;
  constexpr double kSmall = 1e-10;
  std::vector<std::unique_ptr<AccelerationSystem>> systems;
  for (const auto& half : halves_)
    systems.push_back(std::make_unique<AccelerationSystem>(
        *half->model, linear_solver_kind(half->simulation->settings().linear_solver)));
  double change = 0;
  for (int k = 0; k < kMost; ++k) {
    change = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      Half& half = *halves_[i];
      VecX z_dot = VecX::Zero(half.model->nz);
      systems[i]->solve(half.simulation->workspace(), half.simulation->state(), {}, 20, z_dot);
      own_forces(half, half.own);
      change = std::max(change, (half.own - half.sent[0]).norm() / (1 + half.own.norm()));
      half.sent[0] = half.own;
    }
    for (std::size_t i = 0; i < size(); ++i) {
      read_others(i, 0);
      set_external(*halves_[i]);
    }
    if (change < kSmall) break;
  }
  if (!(change < kSmall))
    throw NumericError(
        "split", fmt::format("the groups find no common start: forces still change by {:.2g}", change),
        "the shared parts are too light against what they carry: give more parts to one group");
  for (const auto& half : halves_) {
    // As if the forces had been constant before: then the sum of all errors of the extrapolation, which is an
    // error of momentum, does not keep a remainder of the start.
    half->history[1] = half->history[2] = half->history[0];
    set_external(*half);
    half->simulation->integrator().start(half->simulation->state());
  }
}

/// What the elements of the group do to the shared parts, at the present state and multipliers.
void SplitRun::own_forces(Half& half, VecX& out) {
  Workspace& ws = half.simulation->workspace();
  const State& s = half.simulation->state();
  update_signals(ws, s.t, s.r);
  update_positions(ws, s.x);
  update_velocities(ws, s.z);
  update_constraints(ws, s.t, s.r);
  update_forces(ws, s);
  half.total = ws.f;
  add_constraint_forces(ws, s.lambda, -1, half.total);
  int at = 0;
  for (const Rows& rows : half.rows) {
    auto own = out.segment(at, rows.size);
    part_forces(ws, s, rows.part, own);
    own = half.total.segment(rows.z_start, rows.size) - own -
          ws.external.value.segment(rows.z_start, rows.size) -
          (s.t - ws.external.t0) * ws.external.rate.segment(rows.z_start, rows.size);
    at += rows.size;
  }
}

void SplitRun::read_others(std::size_t i, std::size_t slot) {
  Half& half = *halves_[i];
  half.history[0].setZero();
  for (std::size_t k = 0; k < size(); ++k)
    if (k != i) half.history[0] += halves_[k]->sent[slot];
}

/// The step was made with extrapolated forces; now those of its end are known better. What a method cannot
/// take in afterwards is added to the forces of the next step: no momentum is lost.
void SplitRun::correct(Half& half) {
  if (half.late == nullptr) return;
  ExternalForce& external = half.simulation->workspace().external;
  State& s = half.simulation->state();
  half.total.setZero();
  int at = 0;
  for (const Rows& rows : half.rows) {
    auto change = half.total.segment(rows.z_start, rows.size);
    auto value = external.value.segment(rows.z_start, rows.size);
    auto rate = external.rate.segment(rows.z_start, rows.size);
    const auto known = half.history[0].segment(at, rows.size);
    const auto pull = half.pull.segment(rows.z_start, rows.size);
    change = known + pull - value - (s.t - external.t0) * rate;
    value = known + pull;
    rate.setZero();
    at += rows.size;
  }
  external.t0 = s.t;
  if (half.late->add_late_force(s, half.total))
    half.corrects = true;
  else if (half.corrects)
    half.missing += half.total;
}

void SplitRun::show_frames(const Half& half, VecX& out) const {
  const State& s = half.simulation->state();
  int at = 0;
  for (const Rows& rows : half.rows) {
    const Part& part = half.model->parts[rows.part];
    const int nx = part.turns() ? 7 : 3, nz = part.turns() ? 6 : 3;
    out.segment(at, nx) = s.x.segment(part.x_start, nx);
    out.segment(at + 7, nz) = s.z.segment(part.z_start, nz);
    at += kFrame;
  }
}

/// Copies of a frame obey the same forces and would keep every small difference, or its growth, for ever: a
/// soft spring and its critical damping pull each to the mean of all.
void SplitRun::pull_together(std::size_t i, std::size_t slot) {
  Half& half = *halves_[i];
  const double rate = kPull / settings_.step_s;
  int at = 0;
  for (const Rows& rows : half.rows) {
    const Part& part = half.model->parts[rows.part];
    const auto own = half.frames[slot].segment<kFrame>(at);
    const Eigen::Quaterniond turn(own[3], own[4], own[5], own[6]);
    Vec6 gap = Vec6::Zero(), speed = Vec6::Zero();
    for (std::size_t k = 0; k < size(); ++k) {
      if (k == i) continue;
      const auto other = halves_[k]->frames[slot].segment<kFrame>(at);
      gap.head<3>() += other.head<3>() - own.head<3>();
      speed += other.tail<6>() - own.tail<6>();
      if (!part.turns()) continue;
      const Eigen::Quaterniond d =
          turn.conjugate() * Eigen::Quaterniond(other[3], other[4], other[5], other[6]);
      gap.tail<3>() += rotation_vector_from_quaternion(Vec4(d.w(), d.x(), d.y(), d.z()));
    }
    const Vec6 pull = (rate * rate * gap + 2 * rate * speed) / static_cast<double>(size());
    const bool flexible = part.flexible >= 0;
    const FlexibleBody* body = flexible ? &half.model->flexible[monocoque::at(part.flexible)] : nullptr;
    half.pull.segment<3>(rows.z_start) = (flexible ? body->mass : part.mass) * pull.head<3>();
    if (part.turns())
      half.pull.segment<3>(rows.z_start + 3) = (flexible ? tensor(body->J0) : part.inertia) * pull.tail<3>();
    at += kFrame;
  }
}

void SplitRun::set_external(Half& half) {
  ExternalForce& external = half.simulation->workspace().external;
  external.t0 = half.simulation->state().t;
  const int order = split_.extrapolation;
  const double h = settings_.step_s;
  const auto& [now, before, earlier] = half.history;
  int at = 0;
  for (const Rows& rows : half.rows) {
    const auto piece = [&](const VecX& v) { return v.segment(at, rows.size); };
    auto rate = external.rate.segment(rows.z_start, rows.size);
    external.value.segment(rows.z_start, rows.size) = piece(now) + half.pull.segment(rows.z_start, rows.size);
    if (order == 0)
      rate.setZero();
    else if (order == 1)
      rate = (piece(now) - piece(before)) / h;
    else  // a straight line to where the parabola is at the end of the step
      rate = (2 * piece(now) - 3 * piece(before) + piece(earlier)) / h;
    at += rows.size;
  }
  external.rate += half.missing / h;
}

void SplitRun::exchange(std::size_t i) {
  Half& half = *halves_[i];
  const double due = settings_.start_s + static_cast<double>(half.steps + 1) * settings_.step_s;
  if (half.simulation->state().t < due - 1e-6 * settings_.step_s) return;
  ++half.steps;
  const Clock::time_point stepped = Clock::now();
  Clock::duration waited{};
  std::size_t last = 0;
  half.missing.setZero();
  for (int round = 0; round < std::max(1, split_.rounds); ++round) {
    const std::size_t slot = static_cast<std::size_t>(half.meetings++ % 2);
    own_forces(half, half.sent[slot]);
    show_frames(half, half.frames[slot]);
    const Clock::time_point sent = Clock::now();
    if (!barrier_->wait()) throw PartnerStopped{};
    waited += Clock::now() - sent;
    if (round == 0) std::rotate(half.history.begin(), half.history.begin() + 2, half.history.end());
    read_others(i, slot);
    if (split_.rounds > 0) correct(half);
    last = slot;
  }
  pull_together(i, last);
  set_external(half);
  const Clock::time_point done = Clock::now();
  half.share.push_back(microseconds(done - stepped - waited));
  half.work.push_back(microseconds(done - half.done - waited));
  half.wall.push_back(microseconds(done - half.done));
  half.done = done;
}

SplitSummary SplitRun::run(const std::vector<RunHooks>& hooks) {
  SplitSummary out;
  out.groups.resize(size());
  barrier_ = std::make_unique<SpinBarrier>(static_cast<unsigned>(size()));
  std::vector<std::exception_ptr> failures(size());
  const auto count =
      static_cast<std::size_t>(std::min(1e7, (settings_.end_s - settings_.start_s) / settings_.step_s + 16));
  const auto drive = [&](std::size_t i) {
    Half& half = *halves_[i];
    for (auto* v : {&half.wall, &half.work, &half.share}) v->reserve(count);
    try {
      RunHooks own = i < hooks.size() ? hooks[i] : RunHooks{};
      half.done = Clock::now();
      own.stepped = [this, i, asked = own.stepped] {
        exchange(i);
        if (asked) asked();
      };
      out.groups[i] = half.simulation->run(own);
      if (out.groups[i].interrupted) barrier_->stop();
    } catch (const PartnerStopped&) {
    } catch (...) {
      failures[i] = std::current_exception();
      barrier_->stop();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < size(); ++i) threads.emplace_back(drive, i);
  drive(0);
  for (std::thread& t : threads) t.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  out.interrupted = barrier_->stopped();
  out.wall_us = median(halves_.front()->wall);
  for (const auto& half : halves_) {
    out.work_us.push_back(median(half->work));
    out.share_us.push_back(median(half->share));
  }
  return out;
}

}  // namespace monocoque::realtime

#include "realtime/live_session.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/rotation.h"
#include "elements/tires/tire_force.h"
#include "results/scene.h"

namespace monocoque::realtime {

namespace {

constexpr double kEndlessSteps = 9e9;  ///< at 1 kHz 104 days
constexpr double kLeaning = 0.25;      ///< cosine of the roll from which a car does not come back

io::SimulationSpec endless(const LiveModel& m) {
  io::SimulationSpec s = m.settings;
  double shortest = s.step_s;
  for (const ControllerInstance& c : m.model.controllers)
    shortest = std::min(shortest, c.controller->period_s());
  s.end_s = s.start_s + kEndlessSteps * shortest;
  if (!s.outputs.empty()) return s;
  for (const SensorInstance& sensor : m.model.sensors)
    for (const Sensor::Output& o : sensor.sensor->outputs())
      s.outputs.push_back(o.name.empty() ? sensor.name : sensor.name + "/" + o.name);
  for (const ForceInstance& force : m.model.forces)
    if (dynamic_cast<const TireForce*>(force.force.get()) != nullptr)
      for (const char* quantity : {"load", "longitudinal_force", "lateral_force"})
        s.outputs.push_back(force.name + "/" + quantity);
  return s;
}

int place_of(const std::vector<InputInfo>& inputs, const std::string& name) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].name == name) return static_cast<int>(i);
  return -1;
}

/// The part a driver sits in: that of the lane's outline, else 'car', else the heaviest.
int vehicle_of(const Model& model) {
  if (model.lane_marker.valid()) return static_cast<int>(model.markers[model.lane_marker.at()].part.at());
  std::size_t best = 0;
  for (std::size_t i = 1; i < model.parts.size(); ++i) {
    if (model.parts[i].name == "car") return static_cast<int>(i);
    if (model.parts[i].turns() && (best == 0 || model.parts[i].mass > model.parts[best].mass)) best = i;
  }
  if (best == 0) throw Error("drive", "the model has no part that turns and moves", "");
  return static_cast<int>(best);
}

}  // namespace

LiveSession::Body::Body(const LiveModel& m, const Model& layout)
    : model(m.model),
      simulation(std::make_unique<Simulation>(m.model, endless(m))),
      inputs(m.model),
      infos(inputs.infos()),
      start(simulation->state()),
      scratch(start),
      to_row(m.model, layout),
      steer(place_of(infos, "steer")),
      drive(place_of(infos, "throttle")),
      front_brake(place_of(infos, "front_brake")),
      rear_brake(place_of(infos, "rear_brake")) {
  if (steer < 0 || drive < 0 || front_brake < 0)
    throw Error(m.settings.place, "drive",
                "the scenario cannot be driven: it needs controllers of type external named steer, throttle "
                "and front_brake",
                "see models/camry/scenarios/drive.yaml");
  measured.setZero(static_cast<Eigen::Index>(simulation->channels().size()));
  values.setZero(static_cast<Eigen::Index>(infos.size()));
  for (std::size_t i = 0; i < infos.size(); ++i) values[static_cast<Eigen::Index>(i)] = infos[i].initial;
}

LiveSession::LiveSession(const LiveModel& flexible, const std::optional<LiveModel>& rigid,
                         const LiveOptions& options)
    : options_(options),
      step_s_(flexible.settings.step_s),
      start_s_(flexible.settings.start_s),
      driver_(options.style) {
  bodies_.push_back(std::make_unique<Body>(flexible, flexible.model));
  if (rigid) {
    bodies_.push_back(std::make_unique<Body>(*rigid, flexible.model));
    swaps_.push_back(std::make_unique<BodySwap>(flexible.model, rigid->model));
    swaps_.push_back(std::make_unique<BodySwap>(rigid->model, flexible.model));
  }
  if (options.start_rigid && !rigid)
    throw Error("drive", "there is no rigid variant of this scenario", "leave --rigid out");
  active_ = options.start_rigid ? 1 : 0;
  controls_.rigid(options.start_rigid);
  channels_ = bodies_[0]->simulation->channels();
  for (const auto& b : bodies_)
    for (const Channel& wanted : channels_) {
      const auto& own = b->simulation->channels();
      const auto it =
          std::find_if(own.begin(), own.end(), [&](const Channel& c) { return c.path == wanted.path; });
      b->channel_of.push_back(it == own.end() ? -1 : static_cast<int>(it - own.begin()));
    }
  vehicle_ = vehicle_of(flexible.model);
  options_.loop.period_ns = std::llround(1e9 * step_s_);
  if (options_.loop.period_ns < 1)
    throw Error(flexible.settings.place, "drive", "the step is shorter than the clock can count", "");
  options_.loop.steps =
      options.seconds > 0 ? std::max<std::int64_t>(1, std::llround(options.seconds / step_s_)) : 0;
  frame_every_ = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(1 / (options.most_frames_Hz * step_s_) - 1e-9)));
  stats_every_ = std::max<std::int64_t>(1, std::llround(1 / step_s_));
  statistics_ = std::make_unique<LoopStatistics>(options_.loop.period_ns);
  LiveFrame blank;
  blank.row.setZero(flexible.model.nx);
  blank.channels.setZero(static_cast<Eigen::Index>(channels_.size()));
  blank.arrows.assign(3 * (flexible.model.forces.size() + flexible.model.joints.size()), 0);
  arrows_ = blank.arrows;
  frames_.prepare(blank);
  if (flexible.model.lane) cones_.emplace(flexible.model.lane->geometry);
}

double LiveSession::forward_speed() const {
  const Part& part = body().model.parts[static_cast<std::size_t>(vehicle_)];
  const State& s = body().simulation->state();
  const Mat3 R = rotation_from_quaternion(s.x.segment<4>(part.x_start + 3));
  return R.col(0).dot(s.z.segment<3>(part.z_start));
}

bool LiveSession::upside_down() const {
  const Part& part = body().model.parts[static_cast<std::size_t>(vehicle_)];
  const VecX& x = body().simulation->state().x;
  return rotation_from_quaternion(x.segment<4>(part.x_start + 3))(2, 2) < kLeaning;
}

void LiveSession::tell(LiveEventKind kind, int cone, const std::string& text) {
  LiveEvent event;
  event.kind = kind;
  event.t_s = now_s();
  event.cone = cone;
  event.rigid = rigid();
  event.set_text(text);
  events_.push(event);
}

/// Shares of the driver, as values between the limits of the inputs.
void LiveSession::give_inputs() {
  const DriveCommand& c = driver_.update(step_s_, controls_.pedals(), forward_speed());
  Body& b = body();
  const auto set = [&](int place, double share) {
    if (place < 0) return;
    const InputInfo& i = b.infos[static_cast<std::size_t>(place)];
    b.values[place] = share >= 0 ? share * i.maximum : -share * i.minimum;
  };
  set(b.steer, c.steer);
  set(b.drive, c.drive);
  set(b.front_brake, c.brake);
  set(b.rear_brake, c.brake);
  b.inputs.apply(b.values.data(), b.simulation->state());
}

void LiveSession::go_to_start() {
  Body& b = body();
  b.scratch = b.start;
  b.scratch.t = now_s();
  b.simulation->restart(b.scratch);
  driver_.reset();
  motion_ = Motion::runs;
  if (cones_) cones_.emplace(b.model.lane->geometry);
  cones_told_ = 0;
  ++report_.resets;
  tell(LiveEventKind::reset);
}

void LiveSession::switch_body(bool to_rigid) {
  const std::size_t to = to_rigid ? 1 : 0;
  if (!can_switch()) {
    tell(LiveEventKind::body_refused, -1, "this scenario has no flexible parts to switch");
    return;
  }
  Body &from = body(), &other = *bodies_[to];
  other.scratch = other.start;
  swaps_[active_]->map(from.simulation->workspace(), from.simulation->state(), other.simulation->workspace(),
                       other.scratch);
  other.scratch.t = now_s();
  other.simulation->restart(other.scratch);
  other.values = from.values;
  active_ = to;
  ++report_.switches;
  tell(LiveEventKind::body);
}

bool LiveSession::read_inputs(std::int64_t) {
  if (controls_.ended()) return false;
  const bool to_start = controls_.resets() != resets_seen_;
  resets_seen_ = controls_.resets();
  try {
    // A car that has failed has nothing worth keeping: the other body begins at the start, too.
    if (controls_.rigid() != rigid() && !refused_) {
      if (motion_ != Motion::runs && can_switch()) {
        active_ = controls_.rigid() ? 1 : 0;
        ++report_.switches;
        tell(LiveEventKind::body);
        go_to_start();
      } else {
        switch_body(controls_.rigid());
        refused_ = !can_switch();
      }
    }
    if (controls_.rigid() == rigid()) refused_ = false;
    if (to_start) go_to_start();
  } catch (const std::exception& e) {
    stop_motion(Motion::failed, e.what());
  }
  if (motion_ == Motion::runs && !controls_.paused()) give_inputs();
  return true;
}

void LiveSession::stop_motion(Motion why, const std::string& text) {
  motion_ = why;
  ++report_.failures;
  tell(why == Motion::failed ? LiveEventKind::failed : LiveEventKind::rolled_over, -1, text);
}

bool LiveSession::step(std::int64_t) {
  if (motion_ != Motion::runs || controls_.paused()) return true;
  const std::int64_t begin = platform_->now_ns();
  const double t = start_s_ + static_cast<double>(moved_ + 1) * step_s_;
  try {
    const StepStatus status = body().simulation->advance(t);
    if (status == StepStatus::ok)
      ++moved_;
    else
      stop_motion(Motion::failed, body().simulation->failure(status).what());
  } catch (const std::exception& e) {
    stop_motion(Motion::failed, e.what());
  }
  const std::int64_t spent = platform_->now_ns() - begin;
  if (motion_ == Motion::runs) {
    window_.add(spent);
    report_.step.add(spent);
  }
  return true;
}

void LiveSession::watch_cones() {
  if (!cones_) return;
  cones_->add(now_s(), outline_pose(body().model, body().simulation->state().x));
  for (; cones_told_ < cones_->hits().size(); ++cones_told_) {
    const ConeHit& hit = cones_->hits()[cones_told_];
    tell(hit.wrong_side ? LiveEventKind::cone_wrong_side : LiveEventKind::cone_touched, hit.cone);
  }
}

void LiveSession::publish_frame() {
  Body& b = body();
  const std::int64_t begin = platform_->now_ns();
  // While it stands still by pause or failure the last values hold: a failed state cannot be measured.
  if (motion_ == Motion::runs && !(controls_.paused() && measured_valid_)) {
    b.simulation->measure(b.measured.data());
    fill_arrows(b.model, b.simulation->workspace(), arrows_.data());
    measured_valid_ = true;
  }
  LiveFrame& f = frames_.next();
  f.t_s = now_s();
  f.sequence = ++sequence_;
  f.speed_m_per_s = forward_speed();
  f.flags = (controls_.paused() ? kPaused : 0U) | (motion_ != Motion::runs ? kStopped : 0U) |
            (rigid() ? kRigidBody : 0U) | (driver_.command().reverse ? kReverse : 0U);
  f.command = driver_.command();
  b.to_row.fill(b.simulation->state().x, f.row.data());
  std::copy(arrows_.begin(), arrows_.end(), f.arrows.begin());
  for (std::size_t i = 0; i < channels_.size(); ++i)
    f.channels[static_cast<Eigen::Index>(i)] = b.channel_of[i] < 0 ? 0 : b.measured[b.channel_of[i]];
  if (on_frame) on_frame(f);
  frames_.publish();
  ++report_.frames;
  const std::int64_t spent = platform_->now_ns() - begin;
  report_.frame.add(spent);
  window_frame_ns_ = std::max(window_frame_ns_, spent);
}

void LiveSession::publish_stats() {
  const std::int64_t now = platform_->now_ns();
  LiveStats& s = stats_.next();
  s.t_s = now_s();
  s.rt_factor = now > window_begin_ns_ ? static_cast<double>(moved_ - window_moved_) * step_s_ * 1e9 /
                                             static_cast<double>(now - window_begin_ns_)
                                       : 0;
  s.median_us = 1e-3 * window_.quantile_ns(0.5);
  s.p99_us = 1e-3 * window_.quantile_ns(0.99);
  s.worst_us = 1e-3 * static_cast<double>(window_.largest_ns());
  s.frame_us = 1e-3 * static_cast<double>(window_frame_ns_);
  s.period_us = 1e-3 * static_cast<double>(options_.loop.period_ns);
  s.steps = moved_ - window_moved_;
  s.all_overruns = statistics_->overruns();
  s.overruns = s.all_overruns - window_overruns_;
  stats_.publish();
  window_ = {};
  window_frame_ns_ = 0;
  window_begin_ns_ = now;
  window_moved_ = moved_;
  window_overruns_ = statistics_->overruns();
}

void LiveSession::write_outputs(std::int64_t step) {
  if (motion_ == Motion::runs && !controls_.paused()) {
    if (upside_down())
      stop_motion(Motion::rolled_over, "the car has rolled over");
    else
      watch_cones();
  }
  if ((step + 1) % frame_every_ == 0) publish_frame();
  if ((step + 1) % stats_every_ == 0) publish_stats();
}

/// As RealtimeRun does: what the first steps of either model touch for the first time is touched before the
/// clock runs.
void LiveSession::warm_up() {
  for (const auto& b : bodies_) {
    const State begin = b->simulation->state();
    for (int i = 1; i <= 20; ++i)
      if (b->simulation->step_to(begin.t + i * step_s_) != StepStatus::ok) break;
    b->simulation->restart(begin);
    b->simulation->measure(b->measured.data());
  }
}

void LiveSession::run(Platform& platform, const std::function<bool()>& interrupted) {
  platform_ = &platform;
  warm_up();
  report_.machine = prepare_machine(options_.machine);
  window_begin_ns_ = platform.now_ns();
  report_.loop = run_paced(options_.loop, *this, platform, *statistics_, interrupted);
  report_.simulated_s = now_s() - start_s_;
}

}  // namespace monocoque::realtime

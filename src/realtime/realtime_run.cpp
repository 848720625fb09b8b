#include "realtime/realtime_run.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>
#include <zlib.h>

namespace monocoque::realtime {

namespace {

constexpr double kEndlessSteps = 9e9;  ///< at 1 kHz 104 days
constexpr double kNanoseconds = 1e9;

io::SimulationSpec completed(const Model& model, io::SimulationSpec settings,
                             const RealtimeOptions& options) {
  require_fixed_step(settings.solver, settings.place);
  if (settings.outputs.empty()) settings.outputs = usual_outputs(model);
  if (options.endless) {
    double shortest = settings.step_s;
    for (const ControllerInstance& c : model.controllers)
      shortest = std::min(shortest, c.controller->period_s());
    settings.end_s = settings.start_s + kEndlessSteps * shortest;
  }
  return settings;
}

std::int64_t steps_of(double time_s, double step_s) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(time_s / step_s - 1e-6)));
}

std::uint32_t state_checksum(const State& s) {
  uLong crc = crc32(0, reinterpret_cast<const Bytef*>(&s.t), sizeof s.t);
  for (const VecX* v : {&s.x, &s.z, &s.c, &s.lambda, &s.w, &s.r})
    crc = crc32(crc, reinterpret_cast<const Bytef*>(v->data()), static_cast<uInt>(8 * v->size()));
  return static_cast<std::uint32_t>(crc);
}

}  // namespace

void require_fixed_step(const std::string& solver, const Place& place) {
  if (find_integrator(solver, place).fixed_step) return;
  std::string names;
  for (const IntegratorType& type : integrator_types())
    if (type.fixed_step) names += (names.empty() ? "" : ", ") + type.name;
  throw Error(place, "rt",
              fmt::format("solver {} chooses its steps itself: what a step costs cannot be known", solver),
              "take one of fixed step, e.g. --solver linearly-implicit-euler (" + names + ")");
}

std::vector<std::string> usual_outputs(const Model& model) {
  std::vector<std::string> out;
  for (const SensorInstance& sensor : model.sensors)
    for (const Sensor::Output& o : sensor.sensor->outputs())
      out.push_back(o.name.empty() ? sensor.name : sensor.name + "/" + o.name);
  return out;
}

RealtimeRun::RealtimeRun(const Model& model, const io::SimulationSpec& settings,
                         const RealtimeOptions& options)
    : model_(model),
      options_(options),
      settings_(completed(model, settings, options)),
      simulation_(model, settings_),
      inputs_(model) {
  settings_ = simulation_.settings();
  layout_ = {model.name, settings_.step_s, inputs_.infos(), simulation_.channels()};
  options_.loop.period_ns = std::llround(kNanoseconds * settings_.step_s);
  if (options_.loop.period_ns < 1)
    throw Error(settings_.place, "rt",
                fmt::format("step_s is {}, the clock counts nanoseconds", settings_.step_s),
                "take a longer step");
  const double length = settings_.end_s - settings_.start_s;
  options_.loop.steps = options_.endless ? 0 : steps_of(length, settings_.step_s);
  options_.send_every = std::max(1, options_.send_every);
  record_every_ = steps_of(settings_.output_step_s, settings_.step_s);
  if (options_.input_timeout_s > 0) timeout_steps_ = steps_of(options_.input_timeout_s, settings_.step_s);
  statistics_ = std::make_unique<LoopStatistics>(options_.loop.period_ns);
  row_.setZero(static_cast<Eigen::Index>(layout_.outputs.size()));
  values_.setZero(static_cast<Eigen::Index>(layout_.inputs.size()));
}

std::vector<std::string> RealtimeRun::notes() const {
  std::vector<std::string> out;
  for (const ControllerInstance& c : model_.controllers) {
    const double ratio = c.controller->period_s() / settings_.step_s;
    if (ratio > 0.5 && std::abs(ratio - std::round(ratio)) < 1e-6 * ratio) continue;
    out.push_back(fmt::format("{}: sample_s = {:g} is no multiple of the step {:g} s: steps are divided",
                              c.label, c.controller->period_s(), settings_.step_s));
  }
  return out;
}

double RealtimeRun::time_s(std::int64_t step) const {
  const double t = settings_.start_s + static_cast<double>(step) * settings_.step_s;
  return t > settings_.end_s - 1e-9 * settings_.step_s ? settings_.end_s : t;
}

bool RealtimeRun::receive() {
  bool fresh = false;
  for (const auto& link : links_) fresh |= link->receive(values_.data());
  if (fresh) inputs_.apply(values_.data(), simulation_.state());
  return fresh;
}

bool RealtimeRun::read_inputs(std::int64_t step) {
  if (links_.empty()) return true;
  if (receive()) {
    last_input_ = step;
    timed_out_ = false;
    return true;
  }
  ++report_.steps_without_input;
  if (timeout_steps_ == 0 || timed_out_ || step - last_input_ < timeout_steps_) return true;
  timed_out_ = true;
  ++report_.input_timeouts;
  for (const auto& link : links_) link->expect_restart();
  if (options_.on_timeout == OnTimeout::initial) inputs_.apply_initial(simulation_.state());
  report_.stopped_by_timeout = options_.on_timeout == OnTimeout::stop;
  return !report_.stopped_by_timeout;
}

bool RealtimeRun::step(std::int64_t step) {
  try {
    const StepStatus status = simulation_.advance(time_s(step + 1));
    if (status == StepStatus::ok) return true;
    failure_ = simulation_.failure(status);
  } catch (const Error& e) {
    failure_ = e;
  }
  return false;
}

void RealtimeRun::send(std::uint32_t flags) {
  if (timed_out_) flags |= kInputsTimedOut;
  for (const auto& link : links_) link->send(simulation_.state().t, row_.data(), flags);
}

void RealtimeRun::write_outputs(std::int64_t step) {
  const bool last = step + 1 == options_.loop.steps;
  const bool to_links = !links_.empty() && (last || (step + 1) % options_.send_every == 0);
  const bool to_file = recorder_ != nullptr && (last || (step + 1) % record_every_ == 0);
  if (!to_links && !to_file) return;
  simulation_.measure(row_.data());
  if (to_links) send(0);
  if (to_file) recorder_->push(simulation_.state().t, row_.data());
}

/// The first steps order the matrix and touch memory for the first time: that is done before the clock runs.
void RealtimeRun::warm_up() {
  const State begin = simulation_.state();
  for (int i = 1; i <= 3; ++i)
    if (simulation_.step_to(begin.t + i * settings_.step_s) != StepStatus::ok) break;
  simulation_.state() = begin;
  simulation_.integrator().start(begin);
}

void RealtimeRun::wait_for_input(Platform& platform, const std::function<bool()>& interrupted) {
  constexpr std::int64_t pause_ns = 10000000;
  const std::int64_t end =
      platform.now_ns() + static_cast<std::int64_t>(kNanoseconds * options_.wait_input_s);
  report_.input_came = false;
  while (!interrupted() && platform.now_ns() < end) {
    report_.input_came = receive();
    if (report_.input_came) return;
    send(0);
    platform.sleep_until(platform.now_ns() + pause_ns, 0);
  }
}

void RealtimeRun::run(Platform& platform, const std::function<bool()>& interrupted) {
  warm_up();
  simulation_.measure(row_.data());
  if (recorder_ != nullptr) recorder_->push(simulation_.state().t, row_.data());
  report_.machine = prepare_machine(options_.machine);
  if (!links_.empty()) {
    if (options_.wait_input_s > 0) wait_for_input(platform, interrupted);
    send(0);
  }
  report_.resident_start_kB = resident_kB();
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  report_.unix_start_ns = now.tv_sec * 1000000000LL + now.tv_nsec;
  const double stolen = stolen_s();
  report_.loop = run_paced(options_.loop, *this, platform, *statistics_, interrupted);
  report_.resident_end_kB = resident_kB();
  report_.stolen_s = stolen_s() - stolen;
  send(kLastOutputs);
  report_.inputs_limited = inputs_.limited();
  report_.state_crc32 = state_checksum(simulation_.state());
  report_.simulated_s = simulation_.state().t - settings_.start_s;
  if (failure_) throw NumericError(failure_->diagnostics());
}

}  // namespace monocoque::realtime

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "integrate/simulation.h"
#include "results/scene.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

struct RunOptions : ModelOptions, SolverOptions, PrintOptions {
  std::string output;  ///< empty: name of the scenario with .h5
};

constexpr int kBlockRows = 256;  ///< rows that go to the file at once

Json summary_json(const RunSummary& s, const io::ScenarioSpec& scenario, const ConsistencyReport& start) {
  Json final_values = Json::object();
  for (const auto& [channel, value] : s.final_values) final_values[channel.path] = json_number(value);
  Json redundant = Json::array();
  for (const RedundantRow& row : start.redundant) redundant.push_back(row.label);
  return {
      {"model", s.model},
      {"scenario", scenario.name},
      {"solver", s.solver},
      {"constraints", s.constraints},
      {"stabilisation", s.stabilisation},
      {"linear_solver", s.linear_solver},
      {"step_s", s.step_s},
      {"steps", s.steps},
      {"simulated_s", s.simulated_s},
      {"wall_s", s.wall_s},
      {"total_wall_s", s.total_wall_s},
      {"rt_factor", s.simulated_s > 0 ? s.wall_s / s.simulated_s : 0},
      {"step_us",
       {{"mean", s.step_us.mean_us},
        {"p50", s.step_us.p50_us},
        {"p99", s.step_us.p99_us},
        {"max", s.step_us.max_us}}},
      {"drift", {{"position", json_number(s.position_drift)}, {"velocity", json_number(s.velocity_drift)}}},
      {"energy_error", json_number(s.energy_error)},
      {"interrupted", s.interrupted},
      {"counts",
       {{"evaluations", s.counts.evaluations},
        {"factorisations", s.counts.factorisations},
        {"newton_iterations", s.counts.newton_iterations},
        {"error_test_failures", s.counts.error_test_failures}}},
      {"redundant_constraints", redundant},
      {"final", final_values}};
}

Json lane_json(const LaneSummary& s, const LaneGeometry& lane) {
  Json hits = Json::array();
  for (const ConeHit& hit : s.hits) {
    const Cone& cone = lane.cones[static_cast<std::size_t>(hit.cone)];
    hits.push_back({{"cone", hit.cone + 1},
                    {"section", cone.section},
                    {"side", cone.side > 0 ? "left" : "right"},
                    {"t_s", hit.t_s},
                    {"wrong_side", hit.wrong_side}});
  }
  return {{"type", lane.type},
          {"cones", lane.cones.size()},
          {"cone_hits", hits},
          {"smallest_clearance_m", json_number(s.smallest.distance_m)},
          {"smallest_clearance_cone", s.smallest.cone < 0 ? Json(nullptr) : Json(s.smallest.cone + 1)},
          {"smallest_clearance_t_s", s.smallest_t_s},
          {"entry_t_s", s.entered ? Json(s.entry_t_s) : Json(nullptr)},
          {"entry_speed_m_per_s", s.entered ? Json(s.entry_speed_m_per_s) : Json(nullptr)}};
}

void tell_lane(const LaneSummary& s, const LaneGeometry& lane) {
  if (s.entered)
    fmt::print(stderr, "lane {}: entered at {:.3f} s with {:.1f} km/h\n", lane.type, s.entry_t_s,
               3.6 * s.entry_speed_m_per_s);
  if (lane.cones.empty()) return;
  if (s.hits.empty()) {
    fmt::print(stderr, "cone hits: none");
  } else {
    fmt::print(stderr, "cone hits: {}\n", s.hits.size());
    for (const ConeHit& hit : s.hits)
      fmt::print(stderr, "  cone {} {} at {:.3f} s\n", cone_label(lane, hit.cone),
                 hit.wrong_side ? "passed on the wrong side" : "touched", hit.t_s);
    return;
  }
  fmt::print(stderr, "; smallest clearance {:.3f} m, cone {} at {:.3f} s\n", s.smallest.distance_m,
             cone_label(lane, s.smallest.cone), s.smallest_t_s);
}

void print_summary(const RunSummary& s, const std::string& output, bool quiet) {
  fmt::print("model           {}\n", s.model);
  fmt::print("solver          {} ({}, {}; {})\n", s.solver, s.constraints, s.stabilisation, s.linear_solver);
  fmt::print("simulated       {:.6g} s in {} steps{}\n", s.simulated_s, s.steps,
             s.interrupted ? " (interrupted)" : "");
  fmt::print("wall time       {:.4g} s for the steps ({:.4g} s with outputs): real-time factor {:.4g}\n",
             s.wall_s, s.total_wall_s, s.simulated_s > 0 ? s.wall_s / s.simulated_s : 0);
  fmt::print("step            mean {:.3g} us, median {:.3g}, 99 % {:.3g}, largest {:.3g}\n",
             s.step_us.mean_us, s.step_us.p50_us, s.step_us.p99_us, s.step_us.max_us);
  fmt::print("drift           position {:.3g}, velocity {:.3g} (largest of any joint; m, rad, per s)\n",
             s.position_drift, s.velocity_drift);
  fmt::print("energy error    {:.3g} of the largest kinetic plus elastic energy\n", s.energy_error);
  fmt::print("results         {}\n", output);
  if (quiet) return;
  fmt::print(stderr, "next: monocoque report {0} (tables and figures), or monocoque export {0} --list\n",
             output);
}

/// A word as a shell takes it.
std::string quoted(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string("/._-=:,+@").find(c) != std::string::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The command that repeats this run.
std::string rerun_command(const RunOptions& o, const std::string& output) {
  std::string out = "monocoque run " + quoted(o.scenario);
  for (const std::string& text : o.overrides) out += " --set " + quoted(text);
  if (!o.solver.empty()) out += " --solver " + quoted(o.solver);
  if (o.step_s) out += fmt::format(" --step {}", *o.step_s);
  if (o.end_s) out += fmt::format(" --end {}", *o.end_s);
  return out + " -o " + quoted(output);
}

/// Numbers that came out, but should not be believed.
std::vector<std::string> doubts(const RunSummary& s) {
  std::vector<std::string> out;
  if (!(s.position_drift < 0.01))
    out.push_back(
        fmt::format("joints are open by up to {:.3g} (m or rad): the results are not to be trusted; take a "
                    "smaller step_s, another solver, or stabilisation: projection",
                    s.position_drift));
  // A model at rest has next to no energy to compare with.
  if (!(s.energy_error < 0.1) && !(s.energy_error_J < 1e-6))
    out.push_back(
        fmt::format("the energy balance is off by {:.3g} of the largest energy: the results may be wrong; "
                    "compare with a smaller step_s or solver ida",
                    s.energy_error));
  return out;
}

/// Passes instants that are not too close to each other to the file, and keeps the track of the vehicle.
class MotionKeeper {
 public:
  MotionKeeper(const Model& model, const Scene& scene, double step_s, RunWriter& writer)
      : model_(model), scene_(scene), step_(step_s), writer_(writer), arrows_(scene.arrows) {}
  void add(const State& s, const Workspace& ws) {
    if (s.t < next_) return;
    next_ = s.t + step_ * (1 - 1e-6);
    fill_arrows(model_, ws, arrows_.data());
    writer_.motion(s.t, s.x.data(), arrows_.data());
    track_.push_back(vehicle_place(model_, scene_.vehicle, s.x));
  }
  const std::vector<std::array<double, 3>>& track() const { return track_; }

 private:
  const Model& model_;
  const Scene& scene_;
  double step_, next_ = -std::numeric_limits<double>::infinity();
  RunWriter& writer_;
  std::vector<float> arrows_;
  std::vector<std::array<double, 3>> track_;
};

class RunProgress {
 public:
  RunProgress(double start, double end, bool wanted)
      : start_(start), end_(end), wanted_(wanted), begin_(std::chrono::steady_clock::now()) {}
  ~RunProgress() {
    if (shown_) fmt::print(stderr, "\r{:70}\r", "");
  }
  void show(double t) {
    if (!wanted_) return;
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    if (spent < 2) return;  // short work needs no bar
    const double share = (t - start_) / (end_ - start_);
    fmt::print(stderr, "\r{:5.1f} %  t = {:.4g} s  {:.0f} s left   ", 100 * share, t,
               spent * (1 - share) / share);
    shown_ = true;
  }

 private:
  double start_, end_;
  bool wanted_, shown_ = false;
  std::chrono::steady_clock::time_point begin_;
};

int execute(const RunOptions& options) {
  LoadedScenario loaded = load_scenario(options.scenario, options.overrides);
  io::SimulationSpec settings = loaded.spec.simulation;
  override_settings(settings, options.overrides, options.solver, options.step_s, options.end_s);
  Simulation simulation(*loaded.model, settings);
  for (const RedundantRow& row : simulation.consistency().redundant)
    fmt::print(stderr, "note: {} repeats other constraints and was taken out\n", row.label);

  const std::string output = options.output.empty()
                                 ? std::filesystem::path(options.scenario).stem().string() + ".h5"
                                 : options.output;
  const Scene scene = describe_scene(loaded.spec.model, *loaded.model);
  RunInfo info = run_info(loaded, simulation.settings());
  Json asked = Json::parse(info.settings_json);
  asked["command"] = rerun_command(options, output);
  info.settings_json = asked.dump();
  const auto file = writing(
      [&] { return std::make_unique<RunWriter>(output, simulation.channels(), info, kBlockRows, &scene); });
  RunWriter& writer = *file;
  MotionKeeper keeper(*loaded.model, scene, settings.motion_step_s, writer);

  catch_interrupts();
  const std::size_t width = simulation.channels().size();
  RunSummary summary;
  {
    RunProgress progress(settings.start_s, settings.end_s, !options.quiet && progress_wanted());
    RunHooks hooks;
    hooks.record = [&](double t, const double* row) { std::copy(row, row + width, writer.next_row(t)); };
    if (settings.motion_step_s > 0)
      hooks.motion = [&](const State& s, const Workspace& ws) { keeper.add(s, ws); };
    hooks.progress = [&](double t) { progress.show(t); };
    hooks.interrupted = interrupt_requested;
    try {
      summary = simulation.run(hooks);
    } catch (const Error&) {
      writer.flush();
      fmt::print(stderr, "what was computed up to the failure is in {}\n", output);
      throw;
    }
  }
  Json json = summary_json(summary, loaded.spec, simulation.consistency());
  const std::vector<std::string> warnings = doubts(summary);
  json["warnings"] = warnings;
  for (const std::string& text : warnings) fmt::print(stderr, "warning: {}\n", text);
  if (loaded.model->lane) {
    json["lane"] = lane_json(summary.lane, loaded.model->lane->geometry);
    tell_lane(summary.lane, loaded.model->lane->geometry);
  }
  const RoadStrip road = road_strip(*loaded.model, keeper.track());
  writing([&] { writer.finish(json.dump(), summary.lane.hits, &road); });
  if (options.json)
    fmt::print("{}\n", json.dump(2));
  else
    print_summary(summary, output, options.quiet);
  return summary.interrupted ? kInterrupted : kSuccess;
}

void declare(CLI::App& app, RunOptions& o) {
  add_model(app, o);
  add_solver(app, o);
  add_output(app, o.output, "result file (HDF5); default: name of the scenario with .h5");
  add_print(app, o);
}

}  // namespace

Command run_command() {
  return make_command("run", "simulate a scenario or model file", declare, execute);
}

}  // namespace monocoque

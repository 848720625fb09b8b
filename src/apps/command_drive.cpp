#include <array>
#include <cmath>
#include <exception>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/browser.h"
#include "apps/command.h"
#include "apps/common.h"
#include "apps/drive_road.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/version.h"
#include "realtime/realtime_run.h"
#include "realtime/ring_recorder.h"
#include "server/live_handler.h"

namespace monocoque {

namespace {

using namespace realtime;
using Json = nlohmann::ordered_json;

struct DriveOptions : ModelOptions, PageOptions, MachineOptions, PrintOptions {
  std::string road;              ///< flat, random:A to random:E, FILE.crg; empty: that of the scenario
  std::string record;            ///< result file; empty: none
  std::optional<double> step_s;  ///< none: as the scenario says
  double seconds = 0;            ///< 0: until Ctrl-C
  bool rigid = false;
};

constexpr std::int64_t kMostBehind_ns = 100000000;  ///< the car never runs after more than 0.1 s
constexpr std::size_t kRecordedRows = 1024;         ///< ring of 17 s

/// Whether any part of the scenario bends: then it also has a rigid variant.
std::vector<std::string> rigid_overrides(const io::ModelSpec& spec, std::vector<std::string> overrides) {
  const std::size_t before = overrides.size();
  for (const io::PartSpec& part : spec.parts)
    if (part.body) overrides.push_back(fmt::format("parts.{}.elasticity=off", part.name));
  if (overrides.size() == before) overrides.clear();
  return overrides;
}

Json times(const StepHistogram& h) {
  const auto us = [](double ns) { return 1e-3 * ns; };
  return {{"mean", us(h.mean_ns())},
          {"p50", us(h.quantile_ns(0.5))},
          {"p99", us(h.quantile_ns(0.99))},
          {"p999", us(h.quantile_ns(0.999))},
          {"max", us(static_cast<double>(h.largest_ns()))}};
}

Json drive_json(const LiveSession& session, const server::Server& server) {
  const LiveReport& r = session.report();
  const LoopStatistics& s = session.statistics();
  Json causes = Json::object();
  for (int c = 0; c < static_cast<int>(OverrunCause::count); ++c)
    causes[cause_name(static_cast<OverrunCause>(c))] = s.overruns_of(static_cast<OverrunCause>(c));
  const server::ServerCounters n = server.counters();
  return {{"simulated_s", r.simulated_s},
          {"wall_s", 1e-9 * static_cast<double>(r.loop.wall_ns)},
          {"periods", r.loop.steps},
          {"step_us", times(r.step)},
          {"frame_us", times(r.frame)},
          {"step_cpu_us", times(s.cpu)},
          {"latency_us", times(s.latency)},
          {"overruns",
           {{"count", s.overruns()}, {"causes", causes}, {"skipped_periods", r.loop.skipped_periods}}},
          {"frames", r.frames},
          {"resets", r.resets},
          {"switches", r.switches},
          {"failures", r.failures},
          {"server",
           {{"sessions", n.sessions},
            {"messages", n.messages},
            {"states_sent", n.states_sent},
            {"states_replaced", n.states_replaced}}},
          {"memory_kB", resident_kB()}};
}

void print_drive(const Json& j) {
  fmt::print("driven      {:.6g} s in {:.6g} s\n", j["simulated_s"].get<double>(), j["wall_s"].get<double>());
  fmt::print("\n{:<24}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "us", "mean", "50 %", "99 %", "99.9 %", "max");
  constexpr std::array<std::array<const char*, 2>, 4> rows = {{{"step_us", "step, wall time"},
                                                               {"step_cpu_us", "step, CPU time"},
                                                               {"frame_us", "frame, wall time"},
                                                               {"latency_us", "wake-up latency"}}};
  for (const auto& [key, text] : rows) {
    const Json& t = j[key];
    fmt::print("{:<24}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}\n", text, t["mean"].get<double>(),
               t["p50"].get<double>(), t["p99"].get<double>(), t["p999"].get<double>(),
               t["max"].get<double>());
  }
  fmt::print("\noverruns    {}, periods skipped {}\n", j["overruns"]["count"].get<long>(),
             j["overruns"]["skipped_periods"].get<long>());
  fmt::print("frames      {}; resets {}, switches {}, failures {}\n", j["frames"].get<long>(),
             j["resets"].get<long>(), j["switches"].get<long>(), j["failures"].get<long>());
  fmt::print("memory      {} kB\n", j["memory_kB"].get<long>());
}

/// The track of the vehicle for the road of the file, thinned as it grows: memory stays bounded.
class VehicleTrack {
 public:
  VehicleTrack(const Model& model, int vehicle) : model_(model), vehicle_(vehicle) { points_.reserve(kMost); }
  void add(const VecX& x) {
    const std::array<double, 3> p = vehicle_place(model_, vehicle_, x);
    if (!points_.empty() && std::hypot(p[0] - points_.back()[0], p[1] - points_.back()[1]) < spacing_) return;
    if (points_.size() == kMost) return;  // the rest of a very long track is drawn flat
    points_.push_back(p);
  }
  const std::vector<std::array<double, 3>>& points() const { return points_; }

 private:
  static constexpr std::size_t kMost = 20000;
  static constexpr double spacing_ = 0.5;
  const Model& model_;
  int vehicle_;
  std::vector<std::array<double, 3>> points_;
};

int execute(const DriveOptions& options) {
  const std::string scenario = options.scenario.empty()
                                   ? std::string(models_folder()) + "/camry/scenarios/drive.yaml"
                                   : options.scenario;
  LoadedScenario flexible = load_on_road(scenario, options.overrides, options.road);
  const std::vector<std::string> rigid_set = rigid_overrides(flexible.spec.model, options.overrides);
  std::optional<LoadedScenario> rigid;
  if (!rigid_set.empty()) rigid = load_on_road(scenario, rigid_set, options.road);
  const auto live_model = [&](const LoadedScenario& loaded) {
    io::SimulationSpec settings = loaded.spec.simulation;
    override_settings(settings, options.overrides, "", options.step_s, {});
    require_fixed_step(settings.solver, settings.place);
    return LiveModel{*loaded.model, settings};
  };
  LiveOptions live;
  live.loop.most_behind_ns = kMostBehind_ns;
  live.machine.priority = options.priority.value_or(kUsualPriority);
  live.machine.cpu = options.cpu;
  live.machine.lock_memory = !options.no_lock;
  live.seconds = options.seconds;
  live.start_rigid = options.rigid;
  std::optional<LiveModel> other;
  if (rigid) other.emplace(live_model(*rigid));
  LiveSession session(live_model(flexible), other, live);

  server::LiveFacts facts{*flexible.model, describe_scene(flexible.spec.model, *flexible.model), {}};
  facts.run = {{"id", 0},
               {"file", std::filesystem::path(scenario).filename().string()},
               {"model", flexible.model->name},
               {"scenario", flexible.spec.name},
               {"solver", flexible.spec.simulation.solver},
               {"complete", false},
               {"rows", 0},
               {"t0", 0},
               {"t1", 0},
               {"channels", session.channels().size()},
               {"motion_rows", 0}};
  catch_interrupts();  // from here on there may be a file to be finished
  std::unique_ptr<RingRecorder> recorder;
  VehicleTrack track(*flexible.model, facts.scene.vehicle);
  if (!options.record.empty()) {
    io::SimulationSpec settings = live_model(flexible).settings;
    settings.output_step_s = settings.motion_step_s = session.frame_s();
    recorder = writing([&] {
      return std::make_unique<RingRecorder>(options.record, session.channels(), run_info(flexible, settings),
                                            kRecordedRows, &facts.scene);
    });
    session.on_frame = [&](const LiveFrame& f) {
      if (f.flags & (kPaused | kStopped)) return;
      recorder->push(f.t_s, f.channels.data(), f.row.data(), f.arrows.data());
      track.add(f.row);
    };
  }

  server::LiveService service(session, facts);
  server::LiveHandler handler(facts, session.channels());
  server::ServerSettings network;
  if (options.port) {
    network.port = *options.port;
    network.next_port_when_taken = false;
  }
  network.host = options.host;
  server::Server server(network, handler, &service);
  service.attach(server);
  server.start();
  fmt::print(stderr, "drive at {}\n", server.url());
  if (!options.host.empty()) fmt::print(stderr, "everybody who can reach '{}' can drive\n", options.host);
  if (!options.no_browser) open_browser(server.url());

  std::exception_ptr failure;
  std::thread loop([&] {
    try {
      SystemPlatform platform;
      session.run(platform, interrupt_requested);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  loop.join();
  server.stop();
  if (failure) std::rethrow_exception(failure);
  for (const MachineAnswer& a : session.report().machine)
    if (!a.granted) fmt::print(stderr, "note: {} {}\n", a.what, a.text);
  Json json = drive_json(session, server);
  if (recorder) {
    json["recorded_rows"] = recorder->pushed();
    json["dropped_rows"] = recorder->dropped();
    const RoadStrip road = road_strip(*flexible.model, track.points());
    recorder->finish(json.dump(), service.hits(), &road);
  }
  if (options.json)
    fmt::print("{}\n", json.dump(2));
  else
    print_drive(json);
  if (recorder && !options.quiet) fmt::print(stderr, "next: monocoque view {}\n", options.record);
  return 0;
}

void declare(CLI::App& app, DriveOptions& o) {
  add_model(app, o, ModelArgument::optional, "scenario (YAML); default: the Camry on a flat road");
  app.add_option("--road", o.road,
                 "flat, random:A to random:E (ISO 8608) or an OpenCRG file; default: the scenario's");
  add_page(app, o);
  app.add_option("-o,--output,--record", o.record, "result file (HDF5); default: none");
  app.add_option("--step", o.step_s, "step and period in s")->check(CLI::PositiveNumber);
  app.add_option("--seconds", o.seconds, "end after so many seconds; default: Ctrl-C")
      ->check(CLI::PositiveNumber);
  add_machine(app, o);
  app.add_flag("--rigid", o.rigid, "begin with the rigid body");
  add_print(app, o, "print the times as one JSON object");
}

}  // namespace

Command drive_command() {
  return make_command("drive", "drive a car live, in a browser", declare, execute);
}

}  // namespace monocoque

#include <fstream>

#include <fmt/format.h>

#include "apps/commands.h"
#include "apps/common.h"
#include "apps/rt_report.h"
#include "realtime/realtime_run.h"
#include "realtime/shared_link.h"
#include "realtime/udp_link.h"

namespace monocoque {

namespace {

using namespace realtime;

constexpr int kUsualPriority = 50;

RealtimeOptions realtime_options(const RtCommand& options) {
  RealtimeOptions out;
  out.loop.paced = !options.unpaced;
  out.loop.spin_ns = static_cast<std::int64_t>(1000 * options.spin_us);
  out.loop.after_overrun = options.after_overrun == "skip"   ? AfterOverrun::skip
                           : options.after_overrun == "stop" ? AfterOverrun::stop
                                                             : AfterOverrun::catch_up;
  out.machine.lock_memory = !options.no_lock;
  // Unpaced, a thread above all others would not leave the processor to anybody.
  out.machine.priority = options.priority.value_or(options.unpaced ? 0 : kUsualPriority);
  out.machine.cpu = options.cpu;
  out.endless = options.forever;
  out.input_timeout_s = options.input_timeout_s;
  out.on_timeout = options.on_timeout == "initial" ? OnTimeout::initial
                   : options.on_timeout == "stop"  ? OnTimeout::stop
                                                   : OnTimeout::hold;
  out.wait_input_s = options.wait_input_s;
  out.send_every = options.send_every;
  return out;
}

void add_links(RealtimeRun& run, const RtCommand& options) {
  if (options.udp.empty() && !options.udp_peer.empty())
    throw Error("--udp-peer", "it is given without --udp", "give the port for inputs: --udp PORT");
  if (!options.udp.empty()) {
    UdpOptions udp;
    parse_endpoint("--udp", options.udp, udp.address, udp.port);
    if (!options.udp_peer.empty())
      parse_endpoint("--udp-peer", options.udp_peer, udp.peer_address, udp.peer_port);
    run.add_link(std::make_unique<UdpLink>(udp, run.layout()));
  }
  if (!options.shared.empty()) run.add_link(std::make_unique<SharedLink>(options.shared, run.layout()));
  if (run.links().empty() && (options.wait_input_s > 0 || options.input_timeout_s > 0))
    throw Error("rt", "--wait-input and --input-timeout need a link", "give --udp PORT or --shm NAME");
}

void write_layout(const ExchangeLayout& layout, const std::string& path) {
  std::ofstream out(path);
  out << layout.json();
  out.close();
  if (!out) throw Error("--layout", path + " cannot be written", "");
}

void tell(const RealtimeRun& run, bool forever) {
  for (const auto& link : run.links()) fmt::print(stderr, "{}\n", link->description());
  if (!run.links().empty() && run.layout().inputs.empty())
    fmt::print(stderr,
               "note: the model has no external inputs (controllers of type external): outputs only\n");
  for (const std::string& note : run.notes()) fmt::print(stderr, "note: {}\n", note);
  if (forever) fmt::print(stderr, "runs until Ctrl-C\n");
}

void tell_refusals(const RealtimeReport& report) {
  for (const MachineAnswer& a : report.machine)
    if (!a.granted) fmt::print(stderr, "note: {} {}\n", a.what, a.text);
  if (!report.input_came) fmt::print(stderr, "note: no valid input came within --wait-input\n");
}

}  // namespace

int command_rt(const RtCommand& options) {
  LoadedScenario loaded = load_scenario(options.scenario, options.overrides);
  io::SimulationSpec settings = loaded.spec.simulation;
  override_settings(settings, options.overrides, options.solver, options.step_s, options.end_s);
  require_fixed_step(settings.solver, options.solver.empty() ? settings.place : Place{});
  if (!options.outputs.empty()) {
    settings.outputs = options.outputs;
    settings.place = {};
  }
  RealtimeRun run(*loaded.model, settings, realtime_options(options));
  add_links(run, options);
  if (!options.layout.empty()) write_layout(run.layout(), options.layout);
  std::unique_ptr<RingRecorder> recorder;
  if (!options.record.empty()) {
    recorder = std::make_unique<RingRecorder>(options.record, run.layout().outputs,
                                              run_info(loaded, run.simulation().settings()));
    run.record_to(*recorder);
  }
  if (!options.quiet) tell(run, options.forever);

  catch_interrupts();
  SystemPlatform platform;
  std::optional<Error> failure;
  try {
    run.run(platform, interrupt_requested);
  } catch (const Error& e) {
    failure = e;
  }
  if (!options.quiet) {
    tell_refusals(run.report());
    tell_overruns(run);
  }
  nlohmann::ordered_json json = rt_json(run, !options.unpaced);
  if (recorder) {
    json["recorded_rows"] = recorder->pushed();
    json["dropped_rows"] = recorder->dropped();
    recorder->finish(json.dump());
    if (recorder->dropped() > 0)
      fmt::print(stderr, "note: {} of {} rows were dropped: the file could not be written fast enough\n",
                 recorder->dropped(), recorder->dropped() + recorder->pushed());
  }
  if (!options.histogram.empty()) write_rt_histogram(run.statistics(), options.histogram);
  if (!options.plot.empty())
    write_rt_plot(run.statistics(), fmt::format("{}, {:g} ms", run.layout().model, 1e3 * settings.step_s),
                  options.plot);
  if (options.json)
    fmt::print("{}\n", json.dump(2));
  else
    print_rt(run, !options.unpaced);
  if (failure) throw *failure;
  // Ctrl-C is the way an endless run ends.
  if (run.report().loop.end == LoopEnd::interrupted) return options.forever ? 0 : 130;
  return run.report().loop.end == LoopEnd::finished ? 0 : 1;
}

}  // namespace monocoque

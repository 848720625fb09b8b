#include <exception>
#include <fstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/rt_report.h"
#include "realtime/realtime_run.h"
#include "realtime/shared_link.h"
#include "realtime/udp_link.h"

namespace monocoque {

namespace {

using namespace realtime;

struct RtOptions : ModelOptions, SolverOptions, MachineOptions, ResultOptions {
  std::vector<std::string> outputs;
  bool forever = false, unpaced = false;
  double spin_us = 0;
  std::string after_overrun = "catch-up";  ///< or skip, stop
  std::string udp, udp_peer;               ///< PORT or ADDRESS:PORT; empty: none
  std::string shared;                      ///< name of shared memory; empty: none
  double input_timeout_s = 0, wait_input_s = 0;
  std::string on_timeout = "hold";  ///< or initial, stop
  int send_every = 1;
  std::string layout, histogram;  ///< files; empty: none
};

RealtimeOptions realtime_options(const RtOptions& options) {
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

void add_links(RealtimeRun& run, const RtOptions& options) {
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
    throw UsageError("rt", "--wait-input and --input-timeout need a link", "give --udp PORT or --shm NAME");
}

void write_layout(const ExchangeLayout& layout, const std::string& path) {
  std::ofstream out(path);
  out << layout.json();
  out.close();
  if (!out) throw SystemError(Place{path, 0}, "--layout", "cannot be written", "");
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

int execute(const RtOptions& options) {
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
  if (!options.output.empty()) {
    recorder = writing([&] {
      return std::make_unique<RingRecorder>(options.output, run.layout().outputs,
                                            run_info(loaded, run.simulation().settings()));
    });
    run.record_to(*recorder);
  }
  if (!options.quiet) tell(run, options.forever);

  catch_interrupts();
  SystemPlatform platform;
  std::exception_ptr failure;
  try {
    run.run(platform, interrupt_requested);
  } catch (const Error&) {
    failure = std::current_exception();
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
                  figure_path(options.plot, "step-times.svg"));
  if (options.json)
    fmt::print("{}\n", json.dump(2));
  else
    print_rt(run, !options.unpaced);
  if (failure) std::rethrow_exception(failure);
  // Ctrl-C is the way an endless run ends.
  if (run.report().loop.end == LoopEnd::interrupted) return options.forever ? kSuccess : kInterrupted;
  return run.report().loop.end == LoopEnd::finished ? kSuccess : kAnswerIsNo;
}

void declare(CLI::App& app, RtOptions& o) {
  add_model(app, o);
  add_solver(app, o);
  app.add_flag("--forever", o.forever, "until Ctrl-C")->excludes(app.get_option("--end"));
  app.add_flag("--unpaced", o.unpaced, "as fast as possible, with the same statistics");
  app.add_option("--spin", o.spin_us, "us before each step in which the loop polls the clock, not sleeps")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--overrun", o.after_overrun, "after a step that took too long")
      ->check(CLI::IsMember({"catch-up", "skip", "stop"}));
  add_machine(app, o);
  app.add_option("--udp", o.udp, "PORT (of 127.0.0.1) or ADDRESS:PORT that receives inputs");
  app.add_option("--udp-peer", o.udp_peer,
                 "PORT or ADDRESS:PORT where outputs go; default: back to the sender of inputs");
  app.add_option("--shm", o.shared, "name of shared memory for inputs and outputs");
  app.add_option("--outputs", o.outputs, "channel patterns with *; default: of the scenario, or sensors")
      ->take_all();
  app.add_option("--send-every", o.send_every, "steps between two outputs; 1")->check(CLI::PositiveNumber);
  app.add_option("--wait-input", o.wait_input_s, "s to wait for the first input before the first step")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--input-timeout", o.input_timeout_s, "s after which inputs are too old; 0: never")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--on-timeout", o.on_timeout, "then: keep the last inputs, take those of the start, or end")
      ->check(CLI::IsMember({"hold", "initial", "stop"}));
  app.add_option("--layout", o.layout, "file for names, units and order of inputs and outputs (JSON)");
  app.add_option("--histogram", o.histogram, "file for the times of all steps (CSV)");
  add_results(app, o, "result file (HDF5); default: none", "folder for the histogram (step-times.svg)");
}

}  // namespace

Command rt_command() {
  return make_command("rt", "simulate at the pace of the clock, with inputs and outputs (docs/realtime.md)",
                      declare, execute);
}

}  // namespace monocoque

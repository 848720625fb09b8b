// The command line. Data on stdout, messages on stderr, exit status 0 only on success.

#include <exception>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/analysis_commands.h"
#include "apps/commands.h"
#include "apps/signal_commands.h"
#include "apps/version.h"
#include "core/error.h"

namespace {

/// A misspelt command or option gets a suggestion before CLI11's own message.
void hint(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string word = argv[1];
  for (const std::string& name : names)
    if (name == word) return;
  const std::string text = monocoque::suggestion(word, names);
  fmt::print(stderr, "monocoque: unknown command '{}'{}{}\n", word, text.empty() ? "" : "; ", text);
}

void add_mesh_options(CLI::App& command, monocoque::MeshOptions& mesh) {
  command
      .add_option(
          "mesh,--nodes", mesh.path,
          "mesh: Nastran (.bdf .nas .dat), Abaqus (.inp), LS-DYNA (.k); with --matrices: places of the "
          "nodes, a mesh or lines node, x, y, z (.csv .txt)")
      ->required();
  command.add_option("--units", mesh.units, "of the mesh, length-mass-time, e.g. mm-t-s");
  command.add_option("--mass", mesh.mass, "consistent or lumped; with --matrices: file of the mass matrix");
  command.add_option("--matrices", mesh.stiffness,
                     "assembled stiffness matrix (Matrix Market, CalculiX .sti); needs --mass and --map");
  command.add_option("--map", mesh.rows,
                     "rows of the matrices (CalculiX .dof, or lines row, node, component)");
  command
      .add_option("--shared-rigid-nodes", mesh.shared_rigid_nodes,
                  "node that two rigid elements claim: error, or first (it follows the first one)")
      ->check(CLI::IsMember({"error", "first"}));
  command
      .add_option("--only-properties", mesh.only_properties, "elements of these property ids, e.g. 1,2,5-9")
      ->delimiter(',');
  command.add_option("--only-elements", mesh.only_elements, "elements of these kinds, e.g. shell4,shell3")
      ->delimiter(',');
  command.add_flag("--lenient", mesh.lenient, "unknown cards that carry mass or stiffness are only listed");
}

void add_state_options(CLI::App& command, monocoque::StateOptions& state) {
  command.add_option("--at", state.at_s, "time in s to which the model is run before; default: its start");
  command.add_flag("--equilibrium", state.equilibrium, "at the equilibrium near that state, at rest");
  command.add_option("--turning-with", state.turning_with,
                     "part whose turning about the vertical the coordinates follow, for steady turns");
}

void add_drive_options(CLI::App& command, monocoque::DriveCommandOptions& drive) {
  command.add_option("scenario", drive.scenario, "scenario (YAML); default: the Camry on a flat road");
  command.add_option("--road", drive.road,
                     "flat, random:A to random:E (ISO 8608) or an OpenCRG file; default: the scenario's");
  command.add_option("--port", drive.port, "of the page; 0: any free one; default: 8740 or one of the next")
      ->check(CLI::Range(0, 65535));
  command.add_option("--host", drive.host, "name or address to listen at; default: loopback only");
  command.add_option("--record", drive.record, "result file (HDF5)");
  command.add_option("--set", drive.overrides, "path=value; repeatable")->take_all();
  command.add_option("--step", drive.step_s, "step and period in s")->check(CLI::PositiveNumber);
  command.add_option("--seconds", drive.seconds, "end after so many seconds; default: Ctrl-C")
      ->check(CLI::PositiveNumber);
  command.add_option("--priority", drive.priority, "of SCHED_FIFO; 0: none is asked for; 50")
      ->check(CLI::Range(0, 99));
  command.add_option("--cpu", drive.cpu, "processor to run on, from 0")->check(CLI::NonNegativeNumber);
  command.add_flag("--rigid", drive.rigid, "begin with the rigid body");
  command.add_flag("--no-browser", drive.no_browser, "do not open a browser");
  command.add_flag("--no-lock", drive.no_lock, "do not lock memory");
  command.add_flag("--json", drive.json, "times as one JSON object on stdout");
}

void add_rt_options(CLI::App& command, monocoque::RtCommand& rt) {
  command.add_option("scenario", rt.scenario, "scenario or model file (YAML)")->required();
  command.add_option("--solver", rt.solver, "integration method of fixed step");
  command.add_option("--step", rt.step_s, "step and period in s")->check(CLI::PositiveNumber);
  CLI::Option* end = command.add_option("--end", rt.end_s, "end time in s");
  command.add_flag("--forever", rt.forever, "until Ctrl-C")->excludes(end);
  command.add_option("--set", rt.overrides, "path=value; repeatable")->take_all();
  command.add_flag("--unpaced", rt.unpaced, "as fast as possible, with the same statistics");
  command.add_option("--spin", rt.spin_us, "us before each step in which the clock is watched, not slept")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--overrun", rt.after_overrun, "after a step that took too long")
      ->check(CLI::IsMember({"catch-up", "skip", "stop"}));
  command.add_option("--priority", rt.priority, "of SCHED_FIFO; 0: none is asked for; 50 when paced")
      ->check(CLI::Range(0, 99));
  command.add_option("--cpu", rt.cpu, "processor to run on, from 0")->check(CLI::NonNegativeNumber);
  command.add_flag("--no-lock", rt.no_lock, "do not lock memory");
  command.add_option("--udp", rt.udp, "PORT (of 127.0.0.1) or ADDRESS:PORT that takes inputs");
  command.add_option("--udp-peer", rt.udp_peer,
                     "PORT or ADDRESS:PORT where outputs go; default: back to the sender of inputs");
  command.add_option("--shm", rt.shared, "name of shared memory for inputs and outputs");
  command
      .add_option("--outputs", rt.outputs, "channel patterns with *; default: of the scenario, or sensors")
      ->take_all();
  command.add_option("--send-every", rt.send_every, "steps between two outputs; 1")
      ->check(CLI::PositiveNumber);
  command.add_option("--wait-input", rt.wait_input_s, "s to wait for the first input before the first step")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--input-timeout", rt.input_timeout_s, "s after which inputs are too old; 0: never")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--on-timeout", rt.on_timeout, "what then: the last inputs, those of the start, an end")
      ->check(CLI::IsMember({"hold", "initial", "stop"}));
  command.add_option("--layout", rt.layout, "file for names, units and order of inputs and outputs (JSON)");
  command.add_option("-o,--output", rt.record, "result file (HDF5); default: none");
  command.add_option("--histogram", rt.histogram, "file for the times of all steps (CSV)");
  command.add_option("--plot", rt.plot, "the same as a picture (SVG)");
  command.add_flag("--json", rt.json, "summary as one JSON object on stdout");
  command.add_flag("-q,--quiet", rt.quiet, "no notes");
}

void add_kinematics_options(CLI::App& command, monocoque::KinematicsCommand& k) {
  command.add_option("model", k.scenario, "model (YAML)")->required();
  command.add_option("--corner", k.corners, "wheels to show, e.g. FL,FR; all")->delimiter(',');
  command.add_option("--wheel", k.wheels, "wheel of a model without tires: NAME=PART@x,y,z of its centre")
      ->take_all();
  command.add_option("--body", k.body, "part that the rig holds; car, chassis or body, else the ground");
  command.add_option("--travel", k.travel, "m, from:to or from:to:points; -0.08:0.08");
  command.add_option("--roll", k.roll, "the same with left up and right down");
  command.add_option("--steer", k.steer, "range of the steering signal");
  command.add_option("--steer-signal", k.steer_signal, "its name; rack");
  command.add_option("--points", k.points, "of each curve; 17")->check(CLI::Range(2, 10000));
  command
      .add_option("--hold", k.hold, "point that the posts move: wheel (centre) or carrier (centre of mass)")
      ->check(CLI::IsMember({"wheel", "carrier"}));
  command.add_flag("--quasi-static", k.quasi_static, "balance of forces, with bushings and flexible parts");
  command.add_flag("--compliance", k.compliance, "changes under forces and moments at the wheels");
  command.add_option("--load", k.load_kN, "kN, largest of the curves of compliance; 3")
      ->check(CLI::PositiveNumber);
  command.add_option("--plot", k.plot, "folder for curves (SVG), tables (CSV) and JSON");
  command.add_option("--set", k.overrides, "path=value; repeatable")->take_all();
  command.add_flag("--json", k.json, "as one JSON object on stdout");
  command.add_flag("-q,--quiet", k.quiet, "no notes");
}

void add_equilibrium_options(CLI::App& command, monocoque::EquilibriumCommand& e) {
  command.add_option("model", e.scenario, "model (YAML)")->required();
  command.add_option("--speed", e.speed_m_per_s, "m/s: steady motion instead of rest")
      ->check(CLI::PositiveNumber);
  CLI::Option* radius = command.add_option("--radius", e.radius_m, "m, of a circle; > 0 to the left");
  command
      .add_option("--lateral", e.lateral,
                  "m/s^2, from:to:points: steady circles of these lateral accelerations")
      ->excludes(radius);
  command.add_option("--steer", e.steer, "signal that steers; rack");
  command.add_option("--drive", e.drive,
                     "signal that keeps the speed; drive_torque; without one a tow force");
  command.add_option("--car", e.car, "part that is the car body; car, chassis or body");
  command.add_option("--over", e.over,
                     "s, from:to:points: equilibria at these instants, one after the other");
  command.add_option("--outputs", e.outputs, "channel patterns with * for --over")->take_all();
  command.add_option("--start", e.start, "file for the state (JSON), for --set @FILE of other commands");
  command.add_option("--plot", e.plot, "folder for curves (SVG), tables (CSV) and JSON");
  command.add_option("--set", e.overrides, "path=value; repeatable")->take_all();
  command.add_flag("--json", e.json, "as one JSON object on stdout");
  command.add_flag("-q,--quiet", e.quiet, "no notes");
}

void add_nominal_options(CLI::App& command, monocoque::NominalCommand& n) {
  command.add_option("model", n.scenario, "model (YAML)")->required();
  command.add_option("--unknown", n.unknowns, "INTERACT.field, several with commas: all get one value")
      ->take_all();
  command.add_option("--unloaded", n.unloaded, "joints that carry nothing")->delimiter(',');
  command.add_option("--alpha", n.alpha, "of the regularisation |f| + alpha |theta|; 1e-6")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--least-squares", n.least_squares, "values that balance best where none balance");
  command.add_option("-o,--output", n.output, "file for the values, lines of --set");
  command.add_option("--plot", n.plot, "bars of the values before and after (SVG)");
  command.add_option("--set", n.overrides, "path=value; repeatable")->take_all();
  command.add_flag("--json", n.json, "as one JSON object on stdout");
  command.add_flag("-q,--quiet", n.quiet, "no notes");
}

void add_inverse_options(CLI::App& command, monocoque::InverseCommand& i) {
  command.add_option("model", i.scenario, "model (YAML)")->required();
  CLI::Option* run = command.add_option("--run", i.run, "result file (HDF5) whose motion is prescribed");
  command.add_option("--drive", i.drives, "JOINT=FORMULA of t, of a revolute or prismatic joint; repeatable")
      ->take_all()
      ->excludes(run);
  command.add_option("--actuators", i.actuators, "with --run: joints that have to bring the motion about")
      ->delimiter(',');
  command.add_option("--from", i.from_s, "s; start of the scenario");
  command.add_option("--to", i.to_s, "s; end of the scenario");
  command.add_option("--step", i.step_s, "s; output step of the scenario")->check(CLI::PositiveNumber);
  command.add_flag("--quasi-static", i.quasi_static, "without inertia forces: equilibrium at every instant");
  command.add_option("--outputs", i.outputs, "channel patterns with *; reactions of joints")->take_all();
  command.add_flag("--spectra", i.spectra, "amplitude spectra of the outputs");
  command.add_option("-o,--output", i.output, "CSV file of the histories");
  command.add_option("--plot", i.plot, "folder for curves (SVG), tables (CSV) and JSON");
  command.add_option("--set", i.overrides, "path=value; repeatable")->take_all();
  command.add_flag("--json", i.json, "as one JSON object on stdout");
  command.add_flag("-q,--quiet", i.quiet, "no notes");
}

}  // namespace

int main(int argc, char** argv) {
  using namespace monocoque;
  CLI::App app{"Monocoque: flexible multibody dynamics for vehicles", "monocoque"};
  app.set_version_flag("--version", fmt::format("monocoque {} ({})", version(), git_commit()));
  app.require_subcommand(1);
  app.footer("Start with: monocoque check models/examples/four-bar.yaml");
  int status = 0;

  RunOptions run;
  CLI::App* run_command = app.add_subcommand("run", "simulate a scenario or model file");
  run_command->add_option("scenario", run.scenario, "scenario or model file (YAML)")->required();
  run_command->add_option("-o,--output", run.output,
                          "result file (HDF5); default: name of the scenario with .h5");
  run_command->add_option("--solver", run.solver, "integration method; see `monocoque list solvers`");
  run_command->add_option("--step", run.step_s, "step in s")->check(CLI::PositiveNumber);
  run_command->add_option("--end", run.end_s, "end time in s");
  run_command->add_option("--set", run.overrides, "path=value: overrides a parameter or any key; repeatable")
      ->take_all();
  run_command->add_flag("--json", run.json, "summary as one JSON object on stdout");
  run_command->add_flag("-q,--quiet", run.quiet, "no progress");
  run_command->callback([&] { status = command_run(run); });

  RtCommand rt;
  CLI::App* rt_command = app.add_subcommand(
      "rt", "simulate at the pace of the clock, with inputs and outputs (docs/realtime.md)");
  add_rt_options(*rt_command, rt);
  rt_command->callback([&] { status = command_rt(rt); });

  CheckOptions check;
  CLI::App* check_command =
      app.add_subcommand("check", "read a model, report every mistake, count its freedoms");
  check_command->add_option("scenario", check.scenario, "scenario or model file (YAML)")->required();
  check_command->add_option("--set", check.overrides, "path=value; repeatable")->take_all();
  check_command->add_flag("--json", check.json, "as one JSON object on stdout");
  check_command->callback([&] { status = command_check(check); });

  ExportOptions exported;
  CLI::App* export_command = app.add_subcommand("export", "result file to CSV");
  export_command->add_option("run", exported.run, "result file (HDF5)")->required();
  export_command->add_option("-o,--output", exported.output, "CSV file; default: stdout");
  export_command->add_option("-c,--channels", exported.channels, "channel patterns with *; default: all")
      ->take_all();
  export_command->add_option("--digits", exported.digits, "significant digits")->check(CLI::Range(1, 17));
  export_command->add_option("--lane-figure", exported.lane_figure,
                             "instead of channels: the drive through the lane, as SVG file");
  export_command->add_flag("--list", exported.list, "only list the channels");
  export_command->add_flag("--json", exported.json, "as JSON instead of CSV");
  export_command->callback([&] { status = command_export(exported); });

  ReportCommand report;
  CLI::App* report_command =
      app.add_subcommand("report", "result file to one page of tables and figures (HTML)");
  report_command->add_option("run", report.run, "result file (HDF5)")->required();
  report_command->add_option("other", report.other, "second result file, to compare with");
  report_command->add_option("-o,--output", report.output, "page; default: name of the run with .html");
  report_command->callback([&] { status = command_report(report); });

  ReduceCommand reduce;
  CLI::App* reduce_command =
      app.add_subcommand("reduce", "finite-element mesh to a flexible body (SID or HDF5)");
  add_mesh_options(*reduce_command, reduce.mesh);
  reduce_command
      ->add_option("--boundary", reduce.boundary, "node ids with static modes, each ID or ID:123456")
      ->delimiter(',');
  reduce_command->add_option("--interface", reduce.interfaces, "further node ids to keep")->delimiter(',');
  reduce_command->add_option("--modes", reduce.modes, "dynamic modes")->check(CLI::NonNegativeNumber);
  reduce_command->add_option("--frequency-limit", reduce.frequency_limit_Hz, "only modes up to here, Hz")
      ->check(CLI::PositiveNumber);
  reduce_command->add_option("--basis", reduce.basis, "static and dynamic shapes")
      ->check(CLI::IsMember({"craig-bampton", "modal", "attachment", "krylov"}));
  reduce_command->add_option("--frame", reduce.frame, "buckens, tangent:ID or fixed:ID,ID,...");
  reduce_command->add_option("--numbers", reduce.numbers, "elastic coordinates to keep, from 1")
      ->delimiter(',');
  reduce_command->add_option("--error", reduce.error_bound, "drop coordinates within this relative error")
      ->check(CLI::PositiveNumber);
  reduce_command->add_option("--band", reduce.band_Hz, "of --error and of the report, Hz")
      ->check(CLI::PositiveNumber);
  reduce_command->add_option("--damping", reduce.damping, "ratio of every mode")->check(CLI::Range(0.0, 1.0));
  reduce_command->add_option("--rayleigh-alpha", reduce.rayleigh_alpha_per_s, "1/s");
  reduce_command->add_option("--rayleigh-beta", reduce.rayleigh_beta_s, "s");
  reduce_command->add_option("--origin", reduce.origin_m, "of the body's frame in mesh axes, m")
      ->delimiter(',')
      ->expected(3);
  reduce_command->add_flag("--geometric-stiffening", reduce.geometric_stiffening,
                           "with the stiffness that axial forces in rods and beams bring");
  reduce_command
      ->add_option("--stress", reduce.stress,
                   "node ids whose modal stresses go into the body, or all-interfaces")
      ->delimiter(',');
  reduce_command->add_option("--stress-surface", reduce.stress_surface, "of shells")
      ->check(CLI::IsMember({"top", "bottom"}));
  reduce_command->add_option("--memory", reduce.memory_GiB, "refuse to need more than this, GiB");
  reduce_command->add_option("--shapes", reduce.shapes,
                             "surface, shapes and modal stresses of all nodes (HDF5), for pictures of runs");
  reduce_command->add_option("--report", reduce.report, "accuracy against the full model, text file");
  reduce_command->add_option("-o,--output", reduce.output, "file of the body: .sid (text) or .h5 (HDF5)")
      ->required();
  reduce_command->add_flag("--json", reduce.json, "summary as one JSON object on stdout");
  reduce_command->add_flag("-q,--quiet", reduce.quiet, "no progress");
  reduce_command->callback([&] { status = command_reduce(reduce); });

  ModesCommand modes;
  CLI::App* modes_command = app.add_subcommand(
      "modes", "natural frequencies of a mesh, of a reduced body (SID) or of a model (YAML)");
  add_mesh_options(*modes_command, modes.mesh);
  modes_command->add_option("--held", modes.held, "node ids held, each ID or ID:123456")->delimiter(',');
  modes_command->add_option("--modes", modes.modes, "elastic modes")->check(CLI::PositiveNumber);
  modes_command->add_option("--frequency-limit", modes.frequency_limit_Hz, "only modes up to here, Hz")
      ->check(CLI::PositiveNumber);
  modes_command->add_option("--set", modes.overrides, "path=value; repeatable, models only")->take_all();
  add_state_options(*modes_command, modes.state);
  modes_command->add_option("-o,--output", modes.output,
                            "result file (HDF5) with the shapes, for the viewer; models only");
  modes_command->add_option("--plot", modes.plot, "eigenvalues in their plane (SVG); models only");
  modes_command->add_flag("--supports", modes.supports, "with the supports of the mesh");
  modes_command->add_flag("--json", modes.json, "as JSON");
  modes_command->add_flag("-q,--quiet", modes.quiet, "no progress");
  modes_command->callback([&] { status = command_modes(modes); });

  BodyCommand body;
  CLI::App* body_command =
      app.add_subcommand("body", "mesh of a parametric sedan body, with its modes and stiffness");
  body_command->add_option("-o,--out,--output", body.output, "mesh: .nas or .bdf (Nastran), .inp (Abaqus)");
  body_command->add_option("--size", body.size_m, "of the elements, m; 0.2");
  body_command->add_option("--weld", body.weld, "spot welds by rigid elements, or shared nodes")
      ->check(CLI::IsMember({"rigid", "shared"}));
  body_command->add_option("--weld-pitch", body.weld_pitch_m, "of the spots, m; 0.05");
  body_command->add_option("--thickness", body.thickness_scale, "factor on all sheets; 1");
  body_command->add_option("--knockdown", body.knockdown, "Young's modulus of sheets over steel's; 0.35");
  body_command->add_option("--bond", body.bond_scale, "factor on the stiffness of the glass' adhesive; 1");
  body_command->add_option("--mass", body.mass_kg, "of body and trim, kg; 1006.5");
  body_command->add_option("--centre-x", body.centre_x_m, "of mass, m; 0");
  body_command->add_option("--centre-z", body.centre_z_m, "of mass, m over ground; 0.602");
  body_command->add_flag("--no-glass", body.no_glass, "without windscreen and rear window");
  body_command->add_flag("--closed-bulkhead", body.closed_bulkhead, "behind the rear seats");
  body_command->add_flag("--report", body.report, "modes with names, static torsional and bending stiffness");
  body_command->add_option("--modes", body.modes, "of the report; 10")->check(CLI::PositiveNumber);
  body_command->add_option("--pictures", body.pictures,
                           "folder for pictures (SVG) of the mesh and, with --report, of the modes");
  body_command->add_flag("--json", body.json, "as one JSON object on stdout");
  body_command->add_flag("-q,--quiet", body.quiet, "no progress");
  body_command->callback([&] { status = command_body(body); });

  HandlingCommand drive;
  CLI::App* handling_command = app.add_subcommand(
      "handling", "understeer, critical speed, step steer and sine with dwell of a car, in one table");
  handling_command->add_option("model", drive.scenario, "model of the car (YAML)")->required();
  handling_command->add_option("-o,--output", drive.output, "folder for table (CSV, JSON) and plots (SVG)");
  handling_command
      ->add_option("--speed", drive.speed_m_per_s, "m/s, of the tests; less near the critical speed")
      ->check(CLI::PositiveNumber);
  handling_command->add_option("--level", drive.level_m_per_s2, "m/s^2, of the step steer; 4")
      ->check(CLI::PositiveNumber);
  handling_command->add_option("--steer", drive.steer, "signal that steers");
  handling_command
      ->add_option("--small-steer", drive.small_steer, "value of it that turns the wheels a little; 0.001")
      ->check(CLI::PositiveNumber);
  handling_command->add_option("--car", drive.car, "part that is the car body");
  handling_command
      ->add_option("--front", drive.front, "parts that point as the front wheels; FL/carrier,FR/carrier")
      ->delimiter(',');
  handling_command->add_option("--rear", drive.rear, "the same of the rear; RL/carrier,RR/carrier")
      ->delimiter(',');
  handling_command->add_option("--speed-parameter", drive.speed_parameter,
                               "parameter that sets the speed, m/s");
  handling_command->add_option("--hold-parameter", drive.hold_parameter,
                               "parameter that is 1 where it is held");
  handling_command->add_option("--solver", drive.solver, "integration method; linearly-implicit-2");
  handling_command->add_option("--step", drive.step_s, "step in s; 0.002")->check(CLI::PositiveNumber);
  handling_command->add_option("--set", drive.overrides, "path=value; repeatable")->take_all();
  handling_command->add_flag("--quick", drive.quick, "no limits, no disturbed runs, no sine with dwell");
  handling_command->add_flag("--json", drive.json, "as one JSON object on stdout");
  handling_command->add_flag("-q,--quiet", drive.quiet, "no progress");
  handling_command->callback([&] { status = command_handling(drive); });

  CovarianceCommand covariance;
  CLI::App* covariance_command = app.add_subcommand(
      "covariance", "random vibration of a vehicle on a rough road: RMS of accelerations and wheel loads");
  covariance_command->add_option("model", covariance.scenario, "model or scenario (YAML)")->required();
  covariance_command->add_option("--class", covariance.road_class, "of ISO 8608, A to H; C");
  covariance_command->add_option("--roughness", covariance.roughness_m3, "m^3 at 0.1 1/m, instead of a class")
      ->check(CLI::PositiveNumber);
  covariance_command->add_option("--speed", covariance.speed_m_per_s, "m/s; that of the model")
      ->check(CLI::PositiveNumber);
  covariance_command->add_option("--coherence", covariance.coherence, "of the two tracks, 0 to 1; 1")
      ->check(CLI::Range(0.0, 1.0));
  covariance_command->add_flag("--isotropic", covariance.isotropic, "tracks as on an isotropic road");
  covariance_command
      ->add_option("--longest-wavelength", covariance.longest_wavelength_m, "m, of the road; 100")
      ->check(CLI::PositiveNumber);
  covariance_command
      ->add_option("--shortest-wavelength", covariance.shortest_wavelength_m,
                   "m: shorter waves do not reach the wheel, as by the length of the tread; 0: all do")
      ->check(CLI::NonNegativeNumber);
  covariance_command->add_option("--outputs", covariance.outputs, "patterns of channels")->delimiter(',');
  covariance_command->add_option("--at", covariance.at_s,
                                 "linearise there: the model is run to this time, s");
  covariance_command->add_option("--over", covariance.over,
                                 "path=from:to:count: trade-off over a value of the model");
  covariance_command->add_option("-o,--output", covariance.output, "spectra as CSV");
  covariance_command->add_option("--plot", covariance.plot, "SVG file of the spectra, or of the trade-off");
  covariance_command->add_option("--set", covariance.overrides, "path=value; repeatable")->take_all();
  covariance_command->add_flag("--json", covariance.json, "as one JSON object on stdout");
  covariance_command->callback([&] { status = command_covariance(covariance); });

  ReproduceCommand reproduce;
  CLI::App* reproduce_command = app.add_subcommand(
      "reproduce", "run a published experiment again and compare; without a name, list them");
  reproduce_command->add_option("name", reproduce.name, "of the experiment");
  reproduce_command->add_option("-o,--output", reproduce.output, "folder; default: out/reproduce/NAME");
  reproduce_command->add_flag("--quick", reproduce.quick, "a shorter run, for tests");
  reproduce_command->add_flag("--json", reproduce.json, "table as JSON");
  reproduce_command->callback([&] { status = command_reproduce(reproduce); });

  BenchCommand bench;
  CLI::App* bench_command =
      app.add_subcommand("bench", "cost of a step and accuracy for it, of this program's models or of yours");
  bench_command->add_option(
      "parts", bench.parts,
      "table, modes, units, step-size, solve, phases, frontier, spread, or the file of a model "
      "(YAML); default: all but a model");
  bench_command->add_option("--solver", bench.solvers, "only these methods")->delimiter(',');
  bench_command->add_option("--step", bench.steps_s, "only these steps, s")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  bench_command->add_option("--jacobian", bench.jacobians, "only these Jacobians")->delimiter(',');
  bench_command->add_option("--linear-solver", bench.linear_solver, "structured, sparse, dense or auto");
  bench_command->add_option("--manoeuvre", bench.manoeuvres, "of the frontier: only these")->delimiter(',');
  bench_command->add_option("--steps", bench.steps, "number of steps measured, for a model; 1000")
      ->check(CLI::PositiveNumber);
  bench_command->add_option("--state", bench.state, "file for the last state, for a model");
  bench_command->add_option("--set", bench.overrides, "path=value; repeatable")->take_all();
  bench_command->add_option("-o,--output", bench.output, "folder of plots, page and JSON; out/bench");
  bench_command->add_option("--docs", bench.docs, "page whose marked part is written anew");
  bench_command->add_flag("--quick", bench.quick, "shorter and fewer runs");
  bench_command->add_flag("--json", bench.json, "as one JSON object on stdout");
  bench_command->add_flag("-q,--quiet", bench.quiet, "no progress");
  bench_command->callback([&] { status = command_bench(bench); });

  LinearizeCommand linearize;
  CLI::App* linearize_command = app.add_subcommand(
      "linearize", "a model as a linear system: A, B, C, D and mass, damping, stiffness, with names");
  linearize_command->add_option("model", linearize.scenario, "scenario or model file (YAML)")->required();
  linearize_command
      ->add_option("--inputs", linearize.inputs,
                   "patterns with *: signals, controllers, road/TIRE, PART.frame/force/x; default: "
                   "named signals, controllers, roads")
      ->delimiter(',');
  linearize_command
      ->add_option("--outputs", linearize.outputs, "channel patterns with *; default: all sensors")
      ->delimiter(',');
  add_state_options(*linearize_command, linearize.state);
  linearize_command->add_option("-o,--output", linearize.output, "file: .mat (MATLAB), .json or .csv");
  linearize_command->add_option("--plot", linearize.plot, "eigenvalues in their plane (SVG)");
  linearize_command->add_option("--set", linearize.overrides, "path=value; repeatable")->take_all();
  linearize_command->add_flag("--json", linearize.json, "as one JSON object on stdout");
  linearize_command->add_flag("-q,--quiet", linearize.quiet, "no hints");
  linearize_command->callback([&] { status = command_linearize(linearize); });

  BodeCommand bode;
  CLI::App* bode_command = app.add_subcommand("bode", "transfer functions from inputs to outputs of a model");
  bode_command->add_option("model", bode.scenario, "scenario or model file (YAML)")->required();
  bode_command->add_option("--input", bode.inputs, "input or pattern, as of linearize; repeatable")
      ->delimiter(',')
      ->required();
  bode_command->add_option("--output", bode.outputs, "channel or pattern; repeatable")
      ->delimiter(',')
      ->required();
  bode_command->add_option("--from", bode.from_Hz, "lowest frequency, Hz; 0.1")->check(CLI::PositiveNumber);
  bode_command->add_option("--to", bode.to_Hz, "highest frequency, Hz; 100")->check(CLI::PositiveNumber);
  bode_command->add_option("--points", bode.points, "frequencies; 401")->check(CLI::Range(2, 100000));
  add_state_options(*bode_command, bode.state);
  bode_command->add_option("--plot", bode.plot, "gain and phase as SVG file");
  bode_command->add_option("-o,--csv", bode.output, "all points as CSV file");
  bode_command->add_option("--set", bode.overrides, "path=value; repeatable")->take_all();
  bode_command->add_flag("--json", bode.json, "as one JSON object on stdout");
  bode_command->add_flag("-q,--quiet", bode.quiet, "no hints");
  bode_command->callback([&] { status = command_bode(bode); });

  LocusCommand locus;
  CLI::App* locus_command =
      app.add_subcommand("locus", "eigenvalues of a model over a parameter, and its critical values");
  locus_command->add_option("model", locus.scenario, "scenario or model file (YAML)")->required();
  locus_command
      ->add_option("--over", locus.over,
                   "path=from:to:count or path=a,b,c, e.g. parameters.speed_m_per_s=5:40:8")
      ->required();
  add_state_options(*locus_command, locus.state);
  locus_command->add_option("--frequency-limit", locus.frequency_limit_Hz, "show only modes up to here, Hz")
      ->check(CLI::PositiveNumber);
  locus_command->add_option("--plot", locus.plot, "curves as SVG file");
  locus_command->add_option("-o,--output", locus.output, "all modes as CSV file");
  locus_command->add_option("--set", locus.overrides, "path=value; repeatable")->take_all();
  locus_command->add_flag("--json", locus.json, "as one JSON object on stdout");
  locus_command->add_flag("-q,--quiet", locus.quiet, "no progress, no hints");
  locus_command->callback([&] { status = command_locus(locus); });

  StabilityCommand stability;
  CLI::App* stability_command = app.add_subcommand(
      "stability", "largest stable step of each explicit method, from a model's eigenvalues and by runs");
  stability_command->add_option("model", stability.scenario, "scenario or model file (YAML)");
  stability_command->add_option("--pictures", stability.pictures,
                                "folder for the regions of stability (SVG)");
  stability_command->add_option("-o,--output", stability.output, "file of the steps: .json or .csv");
  add_state_options(*stability_command, stability.state);
  stability_command->add_option("--set", stability.overrides, "path=value; repeatable")->take_all();
  stability_command->add_flag("--no-run", stability.no_run, "without the runs beside the limits");
  stability_command->add_flag("--json", stability.json, "as one JSON object on stdout");
  stability_command->add_flag("-q,--quiet", stability.quiet, "no hints");
  stability_command->callback([&] { status = command_stability(stability); });
  ViewCommand view;
  CLI::App* view_command = app.add_subcommand("view", "look at runs in a browser, in 3D and as plots");
  view_command->add_option("run", view.run, "result file (HDF5)")->required();
  view_command->add_option("other", view.other, "second result file, to compare with");
  view_command
      ->add_option("--port", view.port, "of the page; 0: any free one; default: 8740 or one of the next")
      ->check(CLI::Range(0, 65535));
  view_command->add_option("--host", view.host, "name or address to listen at; default: loopback only");
  view_command->add_option("--html", view.html, "write one file with animation and plots instead of serving");
  view_command->add_option("-c,--channels", view.channels, "of --html: channel patterns with *")->take_all();
  view_command->add_flag("--no-browser", view.no_browser, "do not open a browser");
  view_command->add_flag("--read-only", view.read_only, "keep no layouts beside the run");
  view_command->add_flag("--json", view.json, "the address as one JSON object on stdout");
  view_command->callback([&] { status = command_view(view); });

  DriveCommandOptions live;
  CLI::App* drive_command = app.add_subcommand("drive", "drive a car live, in a browser");
  add_drive_options(*drive_command, live);
  drive_command->callback([&] { status = command_drive(live); });

  CLI::App* schema_command = app.add_subcommand("schema", "JSON Schema of model files, for editors");
  schema_command->callback([&] { status = command_schema(); });

  std::string what = "elements";
  bool list_json = false;
  CLI::App* list_command = app.add_subcommand("list", "element types or solvers with their keys");
  list_command->add_option("what", what, "elements or solvers")
      ->check(CLI::IsMember({"elements", "solvers"}));
  list_command->add_flag("--json", list_json, "as JSON");
  list_command->callback([&] { status = command_list(what, list_json); });

  KinematicsCommand kinematics;
  CLI::App* kinematics_command = app.add_subcommand(
      "kinematics", "suspension curves of any model: toe, camber, kingpin, roll centre, compliance");
  add_kinematics_options(*kinematics_command, kinematics);
  kinematics_command->callback([&] { status = command_kinematics(kinematics); });

  EquilibriumCommand equilibrium;
  CLI::App* equilibrium_command =
      app.add_subcommand("equilibrium", "static equilibrium; steady motion straight ahead and in a circle");
  add_equilibrium_options(*equilibrium_command, equilibrium);
  equilibrium_command->callback([&] { status = command_equilibrium(equilibrium); });

  NominalCommand nominal;
  CLI::App* nominal_command = app.add_subcommand(
      "nominal", "preloads and other values that make the reference position an equilibrium");
  add_nominal_options(*nominal_command, nominal);
  nominal_command->callback([&] { status = command_nominal(nominal); });

  InverseCommand inverse;
  CLI::App* inverse_command =
      app.add_subcommand("inverse", "forces for a prescribed motion, joint reactions and their spectra");
  add_inverse_options(*inverse_command, inverse);
  inverse_command->callback([&] { status = command_inverse(inverse); });
  register_signal_commands(app, status);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) hint(app, argc, argv);
    return app.exit(e);
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  } catch (const std::exception& e) {
    fmt::print(stderr, "monocoque: {}\n", e.what());
    return 1;
  }
  return status;
}

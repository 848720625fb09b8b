// `monocoque equilibrium`: rest, steady motion, and equilibria at one instant after the other.

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/statics/inverse.h"
#include "analysis/statics/start_file.h"
#include "analysis/statics/steady_motion.h"
#include "analysis/suspension/suspension.h"
#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/ranges.h"
#include "core/rotation.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "integrate/consistent.h"
#include "integrate/equilibrium.h"
#include "integrate/integrator.h"
#include "io/files/text_source.h"
#include "results/outputs.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using analysis::SteadyPoint;

struct EquilibriumCommandOptions : ModelOptions, ResultOptions {
  std::optional<double> speed_m_per_s, radius_m;
  std::string lateral;  ///< range of lateral acceleration, m/s^2; empty: none
  std::string over;     ///< range of time of a quasi-static sequence; empty: none
  std::string steer = "rack", drive = "drive_torque", car;
  std::vector<std::string> outputs;  ///< channel patterns of the sequence
  std::string start;                 ///< file of the state
};

constexpr double kDeg = 180 / std::numbers::pi;

Json json_of(const SteadyPoint& p) {
  Json tires = Json::object();
  for (const auto& t : p.tires)
    tires[t.name] = {{"Fx_N", json_number(t.Fx)}, {"Fy_N", json_number(t.Fy)}, {"Fz_N", json_number(t.Fz)}};
  return {{"speed_m_per_s", p.speed_m_per_s},       {"curvature_per_m", p.curvature_per_m},
          {"lateral_m_per_s2", p.lateral_m_per_s2}, {"steer", json_number(p.steer)},
          {"drive", json_number(p.drive)},          {"sideslip_deg", json_number(kDeg * p.sideslip)},
          {"roll_deg", json_number(kDeg * p.roll)}, {"pitch_deg", json_number(kDeg * p.pitch)},
          {"height_m", json_number(p.height_m)},    {"tires", tires},
          {"residual_N", json_number(p.residual)},  {"iterations", p.iterations}};
}

void print_steady(const analysis::SteadyCurve& curve, const EquilibriumCommandOptions& o, bool towed) {
  fmt::print("{:>10}{:>11}{:>12}{:>12}{:>11}{:>9}{:>9}{:>11}", "lateral", "radius m", o.steer,
             towed ? "tow N" : "drive", "sideslip", "roll", "pitch", "height");
  if (!curve.points.empty())
    for (const auto& t : curve.points.front().tires) fmt::print("{:>12}", t.name.substr(0, 8) + " Fz");
  fmt::print("\n{:>10}{:>11}{:>12}{:>12}{:>11}{:>9}{:>9}{:>11}\n", "m/s^2", "", "", "", "deg", "deg", "deg",
             "m");
  for (const SteadyPoint& p : curve.points) {
    fmt::print(
        "{:>10.3f}{:>11}{:>12.6f}{:>12.4f}{:>11.4f}{:>9.4f}{:>9.4f}{:>11.5f}", p.lateral_m_per_s2,
        p.curvature_per_m == 0 ? std::string("straight") : fmt::format("{:.3f}", 1 / p.curvature_per_m),
        p.steer, p.drive, kDeg * p.sideslip, kDeg * p.roll, kDeg * p.pitch, p.height_m);
    for (const auto& t : p.tires) fmt::print("{:>12.1f}", t.Fz);
    fmt::print("\n");
  }
  if (!curve.end.empty()) fmt::print("{}\n", curve.end);
}

std::string csv_of(const analysis::SteadyCurve& curve) {
  std::string csv = "lateral_m_per_s2,curvature_per_m,steer,drive,sideslip_deg,roll_deg,pitch_deg,height_m";
  if (!curve.points.empty())
    for (const auto& t : curve.points.front().tires)
      csv += fmt::format(",{0}_Fx_N,{0}_Fy_N,{0}_Fz_N", t.name);
  for (const SteadyPoint& p : curve.points) {
    csv += fmt::format("\n{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", p.lateral_m_per_s2,
                       p.curvature_per_m, p.steer, p.drive, kDeg * p.sideslip, kDeg * p.roll, kDeg * p.pitch,
                       p.height_m);
    for (const auto& t : p.tires) csv += fmt::format(",{:.9g},{:.9g},{:.9g}", t.Fx, t.Fy, t.Fz);
  }
  return csv + "\n";
}

void plot_steady(const analysis::SteadyCurve& curve, const EquilibriumCommandOptions& o) {
  make_folder(o.plot);
  const auto draw = [&](const char* file, const char* title, const char* y, auto&& value) {
    Plot plot{title, "lateral acceleration / m/s^2", y, {}};
    PlotSeries series;
    for (const SteadyPoint& p : curve.points) {
      series.x.push_back(p.lateral_m_per_s2);
      series.y.push_back(value(p));
    }
    plot.series.push_back(series);
    write_svg(plot, fmt::format("{}/{}.svg", o.plot, file));
  };
  draw("steer", "Steady circle: steering signal", "steering signal",
       [](const SteadyPoint& p) { return p.steer; });
  draw("sideslip", "Steady circle: sideslip", "sideslip / deg",
       [](const SteadyPoint& p) { return kDeg * p.sideslip; });
  draw("roll", "Steady circle: roll", "roll / deg", [](const SteadyPoint& p) { return kDeg * p.roll; });
  Plot loads{"Steady circle: wheel loads", "lateral acceleration / m/s^2", "Fz / N", {}};
  for (std::size_t i = 0; !curve.points.empty() && i < curve.points.front().tires.size(); ++i) {
    PlotSeries series;
    series.name = curve.points.front().tires[i].name;
    for (const SteadyPoint& p : curve.points) {
      series.x.push_back(p.lateral_m_per_s2);
      series.y.push_back(p.tires[i].Fz);
    }
    loads.series.push_back(series);
  }
  write_svg(loads, o.plot + "/wheel-loads.svg");
  io::write_text_file(o.plot + "/steady.csv", csv_of(curve));
}

int find_steady_motion(const EquilibriumCommandOptions& o, const LoadedScenario& loaded) {
  analysis::SteadyNames names;
  names.car = o.car;
  names.steer = o.steer;
  names.drive = o.drive;
  analysis::SteadyMotion motion(loaded.spec.model, names);
  const double v = *o.speed_m_per_s;
  std::vector<double> lateral{0};
  if (o.radius_m) {
    if (*o.radius_m == 0) throw Error("--radius", "the radius is 0, it must not be");
    lateral = {v * v / *o.radius_m};
  }
  if (!o.lateral.empty()) {
    const Range r = parse_range("--lateral", o.lateral);
    lateral = r.single() ? std::vector<double>{r.from}
                         : analysis::sweep_values(r.from, r.to, r.points > 0 ? r.points : 11);
  }
  const analysis::SteadyCurve curve = analysis::steady_curve(motion, v, lateral);
  if (curve.points.empty())
    throw NumericError(Place{loaded.spec.model.file, 0}, "equilibrium", curve.end,
                       "check steering and drive signal, road and tires");
  if (!o.start.empty()) {
    std::map<std::string, double> signals;
    if (motion.steers()) signals[o.steer] = motion.point().steer;
    if (motion.drives()) signals[o.drive] = motion.point().drive;
    io::write_text_file(o.start, analysis::start_text(motion.model(), motion.state(), signals));
  }
  if (!o.plot.empty()) plot_steady(curve, o);
  Json points = Json::array();
  for (const SteadyPoint& p : curve.points) points.push_back(json_of(p));
  const Json json = {{"model", loaded.spec.model.name}, {"points", points}, {"end", curve.end}};
  if (!o.output.empty()) write_table_file(o.output, csv_of(curve), json);
  if (o.json) {
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: steady motion at {:.4g} m/s\n", loaded.spec.model.name, v);
    print_steady(curve, o, !motion.drives());
  }
  if (!o.quiet && !o.start.empty())
    fmt::print(stderr, "next: monocoque run {} --set @{}\n", o.scenario, o.start);
  return curve.end.empty() ? kSuccess : kNumerics;
}

struct Rest {
  Workspace ws;
  State s;
  explicit Rest(const Model& model, double t) : ws(model), s(initial_state(model)) {
    s.t = t;
    s.z.setZero();
    make_consistent(ws, s, LinearSolverKind::automatic);
    s.z.setZero();
    start_force_states(ws, s);
  }
};

int find_sequence(const EquilibriumCommandOptions& o, const LoadedScenario& loaded) {
  const Model& model = *loaded.model;
  const Range r = parse_range("--over", o.over);
  std::vector<std::string> patterns = o.outputs;
  if (patterns.empty())
    for (const JointInstance& j : model.joints) patterns.push_back(j.name + "/reaction/*");
  const analysis::QuasiStatic sequence = analysis::quasi_static(
      model, analysis::sweep_values(r.from, r.to, r.points > 0 ? r.points : 21), patterns);
  std::string csv = "t_s";
  for (const Channel& c : sequence.channels) csv += "," + c.path;
  csv += '\n';
  for (std::size_t i = 0; i < sequence.t.size(); ++i) {
    csv += fmt::format("{:.9g}", sequence.t[i]);
    for (const double v : sequence.rows[i]) csv += fmt::format(",{:.9g}", v);
    csv += '\n';
  }
  if (!o.plot.empty()) {
    make_folder(o.plot);
    io::write_text_file(o.plot + "/quasi-static.csv", csv);
    for (std::size_t c = 0; c < sequence.channels.size() && c < 40; ++c) {
      Plot plot{sequence.channels[c].path, "t / s", sequence.channels[c].unit, {}};
      PlotSeries series;
      series.x = sequence.t;
      for (const auto& row : sequence.rows) series.y.push_back(row[c]);
      plot.series.push_back(series);
      std::string file = sequence.channels[c].path;
      for (char& letter : file)
        if (letter == '/') letter = '_';
      write_svg(plot, fmt::format("{}/{}.svg", o.plot, file));
    }
  }
  Json channels = Json::object();
  for (std::size_t c = 0; c < sequence.channels.size(); ++c) {
    Json values = Json::array();
    for (const auto& row : sequence.rows) values.push_back(json_number(row[c]));
    channels[sequence.channels[c].path] = values;
  }
  const Json json = {
      {"model", model.name}, {"t_s", sequence.t}, {"channels", channels}, {"end", sequence.end}};
  if (!o.output.empty()) write_table_file(o.output, csv, json);
  if (o.json)
    fmt::print("{}\n", json.dump(2));
  else
    fmt::print("{}", csv);
  if (!sequence.end.empty()) fmt::print(stderr, "{}\n", sequence.end);
  return sequence.end.empty() ? kSuccess : kNumerics;
}

int execute(const EquilibriumCommandOptions& o) {
  const LoadedScenario loaded = load_scenario(o.scenario, o.overrides);
  if (!o.speed_m_per_s && (o.radius_m || !o.lateral.empty()))
    throw Error("--speed", "a circle needs a speed", "for example --speed 20");
  if (o.speed_m_per_s) return find_steady_motion(o, loaded);
  if (!o.over.empty()) return find_sequence(o, loaded);
  const Model& model = *loaded.model;
  Rest rest(model, loaded.spec.simulation.start_s);
  const VecX before = rest.s.x;
  EquilibriumOptions options;
  options.stable = true;
  const EquilibriumReport report = find_equilibrium(rest.ws, rest.s, options);
  const EquilibriumStiffness stiffness = equilibrium_stiffness(rest.ws, rest.s);
  evaluate(rest.ws, rest.s);
  if (!o.start.empty()) io::write_text_file(o.start, analysis::start_text(model, rest.s));
  std::string csv = "kind,name,x,y,z,unit,roll_deg,pitch_deg,yaw_deg,moved\n";
  Json parts = Json::object(), forces = Json::object(), loose = Json::array();
  VecX moved = VecX::Zero(model.nz);
  local_difference(model, before, rest.s.x, moved);
  if (!o.json) {
    fmt::print(
        "{}: equilibrium by {} in {} iterations, {:.1e} N or Nm left, {}\n", model.name, report.method,
        report.iterations, report.residual,
        stiffness.stable() ? "stable" : fmt::format("UNSTABLE ({:.3g} 1/s^2)", stiffness.least_per_s2));
    fmt::print("{:<28}{:>12}{:>12}{:>12}{:>11}{:>11}{:>11}   moved by\n", "part (state frame)", "x m", "y m",
               "z m", "roll deg", "pitch deg", "yaw deg");
  }
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    const Vec3 p = rest.s.x.segment<3>(part.x_start);
    Vec3 angles = Vec3::Zero();
    if (part.turns())
      angles =
          kDeg * tait_bryan_from_rotation(rotation_from_quaternion(rest.s.x.segment<4>(part.x_start + 3)));
    const double by = moved.segment(part.z_start, part.rigid_size()).lpNorm<Eigen::Infinity>();
    parts[part.name] = {{"position_m", {p.x(), p.y(), p.z()}},
                        {"angles_deg", {angles.x(), angles.y(), angles.z()}},
                        {"moved", by}};
    csv += fmt::format("part,{},{:.9g},{:.9g},{:.9g},m,{:.9g},{:.9g},{:.9g},{:.9g}\n", part.name, p.x(),
                       p.y(), p.z(), angles.x(), angles.y(), angles.z(), by);
    if (!o.json)
      fmt::print("{:<28}{:>12.6f}{:>12.6f}{:>12.6f}{:>11.5f}{:>11.5f}{:>11.5f}   {:.3g}\n", part.name, p.x(),
                 p.y(), p.z(), angles.x(), angles.y(), angles.z(), by);
  }
  if (!o.json) fmt::print("{:<28}{:>12}{:>12}{:>12}   N, on its second end\n", "force", "x", "y", "z");
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const Vec12& w = rest.ws.forces[i].wrench;
    if (w.cwiseAbs().maxCoeff() < 1e-9) continue;
    forces[model.forces[i].name] = {json_number(w[6]), json_number(w[7]), json_number(w[8])};
    csv += fmt::format("force,{},{:.9g},{:.9g},{:.9g},N,,,,\n", model.forces[i].name, w[6], w[7], w[8]);
    if (!o.json) fmt::print("{:<28}{:>12.3f}{:>12.3f}{:>12.3f}\n", model.forces[i].name, w[6], w[7], w[8]);
  }
  for (const LooseDirection& d : stiffness.loose) {
    loose.push_back(d.text());
    if (!o.json) fmt::print("free: nothing holds {}\n", d.text());
  }
  const Json json = {{"model", model.name},
                     {"method", report.method},
                     {"iterations", report.iterations},
                     {"residual", report.residual},
                     {"stable", stiffness.stable()},
                     {"least_stiffness_per_s2", json_number(stiffness.least_per_s2)},
                     {"free", loose},
                     {"parts", parts},
                     {"forces_N", forces}};
  if (!o.output.empty()) write_table_file(o.output, csv, json);
  if (o.json) fmt::print("{}\n", json.dump(2));
  if (!o.quiet)
    fmt::print(stderr, "next: monocoque {}\n",
               o.start.empty()
                   ? fmt::format("equilibrium {} --start start.json, or --speed 20 --radius 100", o.scenario)
                   : fmt::format("run {} --set @{}", o.scenario, o.start));
  return 0;
}

void declare(CLI::App& app, EquilibriumCommandOptions& o) {
  add_model(app, o);
  app.add_option("--speed", o.speed_m_per_s, "m/s: steady motion instead of rest")
      ->check(CLI::PositiveNumber);
  CLI::Option* radius = app.add_option("--radius", o.radius_m, "m, of a circle; > 0 to the left");
  app.add_option("--lateral", o.lateral,
                 "m/s^2, from:to:points: steady circles of these lateral accelerations")
      ->excludes(radius);
  app.add_option("--steer", o.steer, "signal that steers; rack");
  app.add_option("--drive", o.drive, "signal that keeps the speed; drive_torque; without one a tow force");
  app.add_option("--car", o.car, "part that is the car body; car, chassis or body");
  app.add_option("--over", o.over, "s, from:to:points: equilibria at these instants, one after the other");
  app.add_option("--outputs", o.outputs, "channel patterns with * for --over")->take_all();
  app.add_option("--start", o.start, "file for the state (JSON), for --set @FILE of other commands");
  add_results(app, o, "table: .csv or .json", "folder for figures (SVG) and tables (CSV)");
}

}  // namespace

Command equilibrium_command() {
  return make_command("equilibrium", "static equilibrium; steady motion straight ahead and in a circle",
                      declare, execute);
}

}  // namespace monocoque

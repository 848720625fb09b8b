#include <chrono>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/handling/handling.h"
#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "io/files/text_source.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using analysis::CarTrace;
using analysis::HandlingReport;
using analysis::HandlingRow;

struct HandlingOptions : ModelOptions, ResultOptions {
  std::string speed_parameter = "speed_m_per_s", hold_parameter = "hold_speed";
  std::string steer = "rack", car = "car";
  std::vector<std::string> front, rear;  ///< empty: those of the Camry
  std::string solver;
  std::optional<double> step_s, speed_m_per_s, level_m_per_s2, small_steer;
  bool quick = false;
};

constexpr double kDegrees = 180 / std::numbers::pi;

analysis::HandlingCar car_of(const HandlingOptions& c) {
  analysis::HandlingCar car;
  car.names.steer = c.steer;
  car.names.car = c.car;
  if (!c.front.empty()) car.names.front = c.front;
  if (!c.rear.empty()) car.names.rear = c.rear;
  car.at_speed = [&c](double speed, bool hold) {
    std::vector<std::string> overrides = c.overrides;
    overrides.push_back(fmt::format("{}={:.17g}", c.speed_parameter, speed));
    overrides.push_back(fmt::format("{}={}", c.hold_parameter, hold ? 1 : 0));
    return load_scenario(c.scenario, overrides).spec;
  };
  return car;
}

class HandlingProgress {
 public:
  explicit HandlingProgress(bool wanted) : wanted_(wanted), begin_(std::chrono::steady_clock::now()) {}
  ~HandlingProgress() {
    if (shown_) fmt::print(stderr, "\r{:70}\r", "");
  }
  void show(const std::string& what, double share) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    if (!wanted_ || spent < 1) return;
    fmt::print(stderr, "\r{:5.1f} %  {:<40}", 100 * share, what);
    shown_ = true;
  }

 private:
  bool wanted_, shown_ = false;
  std::chrono::steady_clock::time_point begin_;
};

std::string text_of(std::optional<double> value) {
  if (!value) return "-";
  return std::abs(*value) < 10 ? fmt::format("{:.3f}", *value) : fmt::format("{:.1f}", *value);
}

std::string table(const std::string& name, const std::vector<HandlingRow>& rows) {
  std::string out = fmt::format("{}\n", name), group;
  for (const HandlingRow& r : rows) {
    if (r.group != group) out += fmt::format("\n{}\n", group = r.group);
    out += fmt::format("  {:<50}{:>10}  {:<13}{}\n", r.quantity, text_of(r.value), r.unit, r.remark);
    while (out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
  }
  return out;
}

Json as_json(const std::string& name, const HandlingReport& report, const std::vector<HandlingRow>& rows) {
  Json figures = Json::object(), remarks = Json::object();
  for (const HandlingRow& r : rows) {
    figures[r.key] = r.value ? json_number(*r.value) : Json();
    if (!r.remark.empty()) remarks[r.key] = r.remark;
  }
  Json dwell = Json::array();
  if (report.dwell)
    for (const analysis::DwellRun& d : report.dwell->runs)
      dwell.push_back({{"amplitude_A", json_number(d.factor)},
                       {"yaw_after_1s", json_number(d.yaw_after_1s)},
                       {"yaw_after_1_75s", json_number(d.yaw_after_1_75s)},
                       {"displacement_m", json_number(d.displacement_m)},
                       {"stable", d.stable}});
  return {{"model", name}, {"figures", figures}, {"remarks", remarks}, {"sine_with_dwell", dwell}};
}

std::string csv(const std::vector<HandlingRow>& rows) {
  std::string out = "group,quantity,value,unit,remark\n";
  for (const HandlingRow& r : rows)
    out += fmt::format("\"{}\",\"{}\",{},\"{}\",\"{}\"\n", r.group, r.quantity,
                       r.value ? fmt::format("{:.9g}", *r.value) : "", r.unit, r.remark);
  return out;
}

std::vector<double> scaled(const std::vector<double>& values, double factor) {
  std::vector<double> out = values;
  for (double& v : out) v *= factor;
  return out;
}

void draw(const HandlingReport& r, const std::string& folder) {
  const auto write = [&](const char* name, const Plot& plot) {
    write_svg(plot, folder + "/" + name + ".svg");
  };
  const analysis::SteadyCornering& s = r.steady;
  if (!s.left_run.t.empty()) {
    Plot steer{fmt::format("Steady cornering at {:.0f} km/h", 3.6 * s.speed_m_per_s),
               "lateral acceleration / m/s^2",
               "angle / deg",
               {}};
    Plot roll{"Steady cornering: roll and sideslip", "lateral acceleration / m/s^2", "angle / deg", {}};
    for (const bool left : {true, false}) {
      const CarTrace& run = left ? s.left_run : s.right_run;
      const double sign = left ? kDegrees : -kDegrees;
      const std::string side = left ? ", left" : ", right";
      const std::vector<double> a = scaled(run.centripetal, left ? 1 : -1);
      std::vector<double> ackermann;
      for (std::size_t i = 0; i < run.size(); ++i)
        ackermann.push_back(sign * r.sizes.wheelbase_m * run.yaw_rate[i] / run.speed[i]);
      steer.series.push_back(
          {"steering" + side, a, scaled(left ? s.left_steering : s.right_steering, sign), !left});
      steer.series.push_back({"road wheels" + side, a, scaled(run.front, sign), !left});
      if (left) steer.series.push_back({"L/R", a, ackermann});
      roll.series.push_back({"roll" + side, a, scaled(run.roll, sign), !left});
      roll.series.push_back({"sideslip" + side, a, scaled(run.sideslip, sign), !left});
    }
    write("steady-steering", steer);
    write("steady-roll", roll);
  }
  if (!r.step) return;
  const CarTrace& run = r.step->run;
  Plot step{fmt::format("Step steer at {:.0f} km/h", 3.6 * r.step->speed_m_per_s),
            "t / s",
            "deg/s, m/s^2, deg",
            {}};
  step.series.push_back({"yaw rate / deg/s", run.t, scaled(run.yaw_rate, kDegrees)});
  step.series.push_back({"lateral acceleration / m/s^2", run.t, run.lateral});
  step.series.push_back({"sideslip / deg", run.t, scaled(run.sideslip, kDegrees)});
  step.series.push_back({"road wheels / deg", run.t, scaled(run.front, kDegrees), true});
  write("step-steer", step);
}

void write_files(const std::string& folder, const std::string& name, const HandlingReport& report,
                 const std::vector<HandlingRow>& rows) {
  make_folder(folder);
  io::write_text_file(folder + "/handling.csv", csv(rows));
  io::write_text_file(folder + "/handling.json", as_json(name, report, rows).dump(2) + "\n");
  draw(report, folder);
}

int execute(const HandlingOptions& c) {
  analysis::HandlingOptions options;
  if (!c.solver.empty()) options.drive.solver = c.solver;
  if (c.step_s) options.drive.step_s = *c.step_s;
  if (c.speed_m_per_s) options.speed_m_per_s = *c.speed_m_per_s;
  if (c.level_m_per_s2) options.step_acceleration_m_per_s2 = *c.level_m_per_s2;
  if (c.small_steer) options.small_steer = *c.small_steer;
  if (c.quick) options.critical_by_runs = options.limit = options.sine_with_dwell = false;
  const analysis::HandlingCar car = car_of(c);
  const std::string name = car.at_speed(options.speed_m_per_s, true).model.name;
  catch_interrupts();
  HandlingReport report;
  {
    HandlingProgress progress(!c.quiet && progress_wanted());
    analysis::HandlingHooks hooks;
    hooks.progress = [&](const std::string& what, double share) { progress.show(what, share); };
    hooks.interrupted = interrupt_requested;
    report = analysis::handling(car, options, hooks);
  }
  if (report.interrupted) {
    fmt::print(stderr, "interrupted: no table\n");
    return kInterrupted;
  }
  const std::vector<HandlingRow> rows = analysis::handling_table(report);
  if (!c.output.empty()) write_table_file(c.output, csv(rows), as_json(name, report, rows));
  if (!c.plot.empty()) write_files(c.plot, name, report, rows);
  if (c.json)
    fmt::print("{}\n", as_json(name, report, rows).dump(2));
  else
    fmt::print("{}", table(name, rows));
  return 0;
}

void declare(CLI::App& app, HandlingOptions& o) {
  add_model(app, o, ModelArgument::required, "model of the car (YAML)");
  app.add_option("--speed", o.speed_m_per_s, "m/s, of the tests; less near the critical speed")
      ->check(CLI::PositiveNumber);
  app.add_option("--level", o.level_m_per_s2, "m/s^2, of the step steer; 4")->check(CLI::PositiveNumber);
  app.add_option("--steer", o.steer, "signal that steers");
  app.add_option("--small-steer", o.small_steer, "value of it that turns the wheels a little; 0.001")
      ->check(CLI::PositiveNumber);
  app.add_option("--car", o.car, "part that is the car body");
  app.add_option("--front", o.front, "parts that point as the front wheels; FL/carrier,FR/carrier")
      ->delimiter(',');
  app.add_option("--rear", o.rear, "the same of the rear; RL/carrier,RR/carrier")->delimiter(',');
  app.add_option("--speed-parameter", o.speed_parameter, "parameter that sets the speed, m/s");
  app.add_option("--hold-parameter", o.hold_parameter, "parameter that is 1 where it is held");
  app.add_option("--solver", o.solver, "integration method; linearly-implicit-2");
  app.add_option("--step", o.step_s, "step in s; 0.002")->check(CLI::PositiveNumber);
  app.add_flag("--quick", o.quick, "no limits, no disturbed runs, no sine with dwell");
  add_results(app, o, "table: .csv or .json", "folder for figures (SVG) and the table (CSV, JSON)");
}

}  // namespace

Command handling_command() {
  return make_command("handling",
                      "understeer, critical speed, step steer and sine with dwell of a car, in one table",
                      declare, execute);
}

}  // namespace monocoque

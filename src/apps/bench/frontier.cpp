// Error against real-time factor: what a method gives for the time it takes. Three manoeuvres of the flexible
// Camry, every method, every step size.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "apps/bench/reference.h"

namespace monocoque::bench {

namespace {

constexpr double kSample_s = 0.01;             ///< of the speed controller: steps are parts of it
constexpr double kWithin_dB = 1, kRtf = 0.03;  ///< asked of a second-order method on the washboard

/// Steps are timed from here on, for so long: the car is on the bumps by then.
constexpr double kAhead_s = 2, kMeasured_s = 0.5;

struct Variant {
  std::string solver, jacobian;
  double step_s = 0;
  int matrix_steps = 0, iterations = 0;  ///< 0: as in the scenario
};

/// What the matrix of a step is, in words.
std::string matrix_of(const Variant& v) {
  std::string out = v.jacobian;
  if (v.matrix_steps > 1) out += fmt::format(", shared by {}, no couplings", v.matrix_steps);
  if (v.iterations > 0) out += fmt::format(", {} solve{}", v.iterations, v.iterations > 1 ? "s" : "");
  return out;
}

/// For real time: few solves, matrices shared, and inertia couplings neglected (the reference has them).
std::vector<Variant> real_time_variants() {
  std::vector<Variant> out;
  for (const double step : {kSample_s, kSample_s / 2, kSample_s / 4, kSample_s / 5, kSample_s / 10}) {
    const int shared = step > 2e-3 ? 2 : 8;
    out.push_back({"linearly-implicit-euler", "rigid-forces", step, shared, 0});
    out.push_back({"bdf2", "rigid-forces", step, shared, 1});
    out.push_back({"generalized-alpha", "rigid-forces", step, 4 * shared, 2});
  }
  return out;
}

/// As given by the user, or all that make sense.
std::vector<Variant> variants(const Bench& bench) {
  const BenchOptions& c = bench.command();
  std::vector<std::string> solvers = c.solvers, jacobians = c.jacobians;
  std::vector<double> steps = c.steps_s;
  if (solvers.empty()) {
    solvers = {"linearly-implicit-euler", "linearly-implicit-2"};
    if (!bench.quick()) solvers.insert(solvers.end(), {"bdf2", "generalized-alpha", "rk4"});
  }
  if (jacobians.empty())
    jacobians = bench.quick() ? std::vector<std::string>{"simplified"}
                              : std::vector<std::string>{"full", "simplified"};
  if (steps.empty())
    steps = bench.quick() ? std::vector{kSample_s, kSample_s / 5}
                          : std::vector{kSample_s,     kSample_s / 2,  kSample_s / 3, kSample_s / 4,
                                        kSample_s / 5, kSample_s / 10, kSample_s / 20};
  std::vector<Variant> out;
  for (const std::string& solver : solvers) {
    const IntegratorType& type = find_integrator(solver);
    const bool has_jacobian = !type.explicit_method && type.fixed_step;
    for (std::size_t i = 0; i < (has_jacobian ? jacobians.size() : 1); ++i)
      for (const double step : steps)
        out.push_back({solver, has_jacobian ? jacobians[i] : "full", step, 0, 0});
  }
  if (!bench.quick() && c.solvers.empty() && c.jacobians.empty() && c.steps_s.empty())
    for (const Variant& v : real_time_variants()) out.push_back(v);
  return out;
}

struct Point {
  Variant variant;
  double rtf = 0;      ///< of the steps
  double run_rtf = 0;  ///< of the run without outputs, with controllers
  std::vector<Deviation> deviations;
  std::string failure;  ///< empty: the run came to its end
};

Point measure(const Bench& bench, const Manoeuvre& m, const LoadedScenario& car, const Reference& reference,
              const Variant& v) {
  Point point{v, 0, 0, {}, {}};
  io::SimulationSpec s = settings_for(m, car.spec.simulation, bench.quick());
  s.solver = v.solver;
  s.jacobian = v.jacobian;
  s.step_s = v.step_s;
  if (v.matrix_steps > 0) s.matrix_steps = v.matrix_steps;
  if (v.iterations > 0) s.iterations = v.iterations;
  s.linear_solver = bench.command().linear_solver;
  s.output_step_s = std::max(m.sample_s, v.step_s);
  // Samples lie on steps, at the same distance all along.
  while (std::abs(std::remainder(s.output_step_s, v.step_s)) > 1e-9) s.output_step_s = v.step_s;
  try {
    point.deviations = m.compare(record_run(*car.model, s), reference.run);
    const int runs = bench.quick() ? 1 : 3;
    point.run_rtf = measure::run_cost(*car.model, s, runs).cpu_s / s.end_s;
    const measure::CostOptions late{static_cast<int>(kMeasured_s / v.step_s), runs,
                                    static_cast<int>(kAhead_s / v.step_s)};
    point.rtf = measure::step_cost(*car.model, s, late).per_step.cpu_s / v.step_s;
  } catch (const Error&) {
    if (interrupt_requested()) throw;
    point.failure = "fails";
  }
  return point;
}

Table table_of(const Manoeuvre& m, const Reference& reference, const std::vector<Point>& points) {
  Table table;
  table.title = fmt::format("Frontier: {}", m.name);
  table.columns = {"method", "jacobian", "step [ms]", "real-time factor", "with controllers"};
  for (const Deviation& d : reference.by_step)
    table.columns.push_back(d.unit.empty() ? d.name : fmt::format("{} [{}]", d.name, d.unit));
  const auto row = [&](const std::string& method, const std::string& jacobian, double step, Cell rtf,
                       Cell run_rtf, const std::vector<Deviation>& deviations) {
    std::vector<Cell> cells = {method, jacobian, Cell(1e3 * step, "{:.3g}"), std::move(rtf),
                               std::move(run_rtf)};
    for (std::size_t i = 0; i < reference.by_step.size(); ++i)
      cells.push_back(i < deviations.size() ? Cell(deviations[i].value, "{:.3g}") : Cell("-"));
    table.add(std::move(cells));
  };
  for (const Point& p : points)
    row(p.variant.solver, matrix_of(p.variant), p.variant.step_s,
        p.failure.empty() ? Cell(p.rtf, "{:.4f}") : Cell(p.failure),
        p.failure.empty() ? Cell(p.run_rtf, "{:.4f}") : Cell("-"), p.deviations);
  const auto words = [](const std::vector<Deviation>& list) {
    std::string out;
    for (const Deviation& d : list)
      out += fmt::format("{}{}: {:.2g}{}{}", out.empty() ? "" : ", ", d.name, d.value,
                         d.unit.empty() ? "" : " ", d.unit);
    return out;
  };
  table.note =
      fmt::format("Compared with {}. It differs from twice the step by {}; from bdf2 at its step by {}.",
                  reference.recipe, words(reference.by_step), words(reference.by_method));
  return table;
}

void draw(Bench& bench, const Manoeuvre& m, const std::vector<Point>& points) {
  Plot plot{
      fmt::format("Error against real-time factor: {}", m.name), "real-time factor", "", {}, true, true};
  std::map<std::string, PlotSeries> lines;
  for (const Point& p : points) {
    if (!p.failure.empty() || p.deviations.empty()) continue;
    const Deviation& d = p.deviations.front();
    plot.y_label = d.unit.empty() ? d.name : fmt::format("{} / {}", d.name, d.unit);
    PlotSeries& line = lines[fmt::format("{}, {}", p.variant.solver, matrix_of(p.variant))];
    line.name = fmt::format("{}, {}", p.variant.solver, matrix_of(p.variant));
    line.x.push_back(p.rtf);
    line.y.push_back(d.value);
  }
  for (auto& [name, line] : lines) {
    line.dashed = plot.series.size() >= kPlotColors;  // colours come back
    plot.series.push_back(std::move(line));
  }
  if (!plot.series.empty()) bench.figures().plot("frontier-" + m.name, plot);
}

/// The cheapest second-order run within 1 dB, or the nearest one.
void judge(Bench& bench, const std::vector<Point>& points) {
  const Point *cheapest = nullptr, *nearest = nullptr;
  for (const Point& p : points) {
    if (!p.failure.empty() || find_integrator(p.variant.solver).order < 2) continue;
    const double dB = p.deviations.front().value;
    if (nearest == nullptr || dB < nearest->deviations.front().value) nearest = &p;
    if (dB <= kWithin_dB && (cheapest == nullptr || p.rtf < cheapest->rtf)) cheapest = &p;
  }
  const Point* shown = cheapest != nullptr ? cheapest : nearest;
  if (shown == nullptr) return;
  const std::string what =
      "washboard, PSD of the dome RL, 11 to 40 Hz: largest deviation of a line, real-time factor";
  const std::string found =
      fmt::format("{:.2f} dB, {:.4f} ({}, {}, {:.3g} ms)", shown->deviations.front().value, shown->rtf,
                  shown->variant.solver, matrix_of(shown->variant), 1e3 * shown->variant.step_s);
  if (bench.quick())  // not the methods and steps that meet it
    bench.figures().note(what, "-", found);
  else
    bench.figures().expect(what, "-", found, fmt::format("within {:g} dB at <= {:g}", kWithin_dB, kRtf),
                           cheapest != nullptr && cheapest->rtf <= kRtf);
}

}  // namespace

void frontier(Bench& bench) {
  for (const std::string& name : bench.command().manoeuvres) find_manoeuvre(name);
  for (const Manoeuvre& m : manoeuvres()) {
    const std::vector<std::string>& only = bench.command().manoeuvres;
    if (!only.empty() && std::find(only.begin(), only.end(), m.name) == only.end()) continue;
    const LoadedScenario car =
        load_scenario(shipped_model("camry/scenarios/" + m.file), bench.command().overrides);
    const Reference reference = reference_for(bench, m, car);
    std::vector<std::string> without = bench.command().overrides;
    without.emplace_back("parts.car.inertia_couplings=neglected");
    const LoadedScenario fast = load_scenario(shipped_model("camry/scenarios/" + m.file), without);
    std::vector<Point> points;
    for (const Variant& v : variants(bench)) {
      bench.check_interrupt();
      bench.say(fmt::format("{}: {}, {}, {:.3g} ms", m.name, v.solver, matrix_of(v), 1e3 * v.step_s));
      points.push_back(measure(bench, m, v.matrix_steps > 0 ? fast : car, reference, v));
    }
    bench.add(table_of(m, reference, points));
    draw(bench, m, points);
    if (m.name == "washboard") judge(bench, points);
  }
}

}  // namespace monocoque::bench

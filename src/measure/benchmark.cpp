#include "measure/benchmark.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/error_kinds.h"
#include "dynamics/layout.h"

namespace monocoque::measure {

namespace {

constexpr double kLong_s = 1e4;  ///< end of runs that are stopped by hand

bool same(const State& a, const State& b) {
  return a.t == b.t && a.x == b.x && a.z == b.z && a.c == b.c && a.lambda == b.lambda && a.w == b.w &&
         a.r == b.r;
}

Times least(const Times& a, const Times& b) {
  return {std::min(a.cpu_s, b.cpu_s), std::min(a.wall_s, b.wall_s)};
}

constexpr Times kNone{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

}  // namespace

double growth_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size() || x.size() < 2)
    throw Error("growth", fmt::format("{} and {} values do not make a line", x.size(), y.size()), "");
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = std::log(x[i]), v = std::log(y[i]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double quantile(std::vector<double>& values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = std::ceil(q * static_cast<double>(values.size())) - 1;
  return values[std::min(values.size() - 1, static_cast<std::size_t>(std::max(0.0, place)))];
}

LineDeviation largest_line_deviation(const Spectrum& a, const Spectrum& b, double from_Hz, double to_Hz) {
  LineDeviation worst;
  for (std::size_t i = 0; i < b.frequency_Hz.size(); ++i) {
    const double f = b.frequency_Hz[i];
    if (f < from_Hz - 1e-9 || f > to_Hz + 1e-9) continue;
    if (i >= a.frequency_Hz.size() || std::abs(a.frequency_Hz[i] - f) > 1e-9 * f)
      throw Error("spectrum", fmt::format("the other spectrum has no line at {} Hz", f), "");
    const double dB = std::abs(10 * std::log10(a.density[i] / b.density[i]));
    if (!(dB <= worst.dB)) worst = {std::isnan(dB) ? std::numeric_limits<double>::infinity() : dB, f};
  }
  return worst;
}

void make_steps(Simulation& simulation, int count) {
  const double begin = simulation.state().t, h = simulation.settings().step_s;
  for (int i = 1; i <= count; ++i)
    if (simulation.step_to(begin + i * h) != StepStatus::ok)
      throw NumericError("bench", fmt::format("step {} of {:g} s failed", i, h), "take a smaller step");
}

StepCost step_cost(const Model& model, io::SimulationSpec settings, const CostOptions& options) {
  settings.end_s = kLong_s;
  settings.outputs = {"energy/total"};
  Simulation simulation(model, settings);
  StepCost cost;
  cost.states = model.nx + model.nz + model.nc;
  cost.constraints = model.nlambda;
  cost.unknowns = SystemLayout::count(model, SystemKind::iteration);
  cost.per_step = kNone;
  make_steps(simulation, options.ahead);
  const State begin = simulation.state();
  for (int run = 0; run < options.runs; ++run) {
    simulation.state() = begin;
    simulation.integrator().start(begin);
    make_steps(simulation, 2);  // a multistep method begins with other steps
    const long before = simulation.integrator().counts().factorisations;
    const StopWatch watch;
    make_steps(simulation, options.steps);
    const Times t = watch.elapsed();
    cost.per_step = least(cost.per_step, {t.cpu_s / options.steps, t.wall_s / options.steps});
    cost.factorisations =
        static_cast<double>(simulation.integrator().counts().factorisations - before) / options.steps;
    if (run == 0)
      cost.last = simulation.state();
    else
      cost.repeats = cost.repeats && same(cost.last, simulation.state());
  }
  return cost;
}

Times run_cost(const Model& model, io::SimulationSpec settings, int runs) {
  settings.outputs = {"energy/total"};
  settings.output_step_s = settings.end_s - settings.start_s;
  Times best = kNone;
  for (int run = 0; run < runs; ++run) {
    Simulation simulation(model, settings);
    const StopWatch watch;
    simulation.run();
    best = least(best, watch.elapsed());
  }
  return best;
}

}  // namespace monocoque::measure

// Cost against the number of elastic coordinates and against the number of units of a road train.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/bench/cars.h"
#include "io/files/text_source.h"

namespace monocoque::bench {

namespace {

constexpr double kStep_s = 1e-3;
constexpr double kTrain_s = 2;

io::SimulationSpec euler(const Bench& bench, io::SimulationSpec s, double step_s) {
  s.solver = "linearly-implicit-euler";
  s.constraints = s.stabilisation = "";
  s.jacobian = "simplified";
  s.linear_solver = bench.command().linear_solver;
  s.step_s = step_s;
  return s;
}

/// Places and axle loads of a road train after some seconds straight ahead, beside statics.
struct TrainCheck {
  double aside_m = 0;     ///< largest |y| of a part
  double load_error = 0;  ///< largest relative deviation of an axle load from statics
};

/// Axle loads by moments about the couplings, from the last trailer on; numbers of
/// models/vehicles/trailer.yaml.
std::vector<double> static_axle_loads(int trailers) {
  constexpr double kAxle = 3.4, kAhead = 0.15, kTail = 0.6, kBody_N = 600 * 9.81, kWheels_N = 2 * 35 * 9.81;
  std::vector<double> loads(static_cast<std::size_t>(trailers));
  double on_tail = 0;  // weight that the next trailer puts on the coupling behind
  for (auto it = loads.rbegin(); it != loads.rend(); ++it) {
    const double on_axle = (kBody_N * (kAxle - kAhead) + on_tail * (kAxle + kTail)) / kAxle;
    *it = on_axle + kWheels_N;
    on_tail = kBody_N + on_tail - on_axle;
  }
  return loads;
}

TrainCheck check_train(const LoadedScenario& train, io::SimulationSpec s, int trailers) {
  s.end_s = kTrain_s;
  s.output_step_s = 0.1;
  s.outputs = {"place/y"};
  if (trailers > 0) s.outputs.insert(s.outputs.end(), {"T*/place/y", "T*/*_tire/load"});
  const RecordedRun run = record_run(*train.model, s);
  TrainCheck out;
  for (std::size_t c = 0; c < run.paths.size(); ++c)
    if (run.paths[c].ends_with("place/y"))
      for (const double y : run.columns[c]) out.aside_m = std::max(out.aside_m, std::abs(y));
  const std::vector<double> loads = static_axle_loads(trailers);
  for (int i = 1; i <= trailers; ++i) {
    const double measured =
        run[fmt::format("T{}/left_tire/load", i)].back() + run[fmt::format("T{}/right_tire/load", i)].back();
    out.load_error =
        std::max(out.load_error, std::abs(measured / loads[static_cast<std::size_t>(i - 1)] - 1));
  }
  return out;
}

}  // namespace

void cost_by_modes(Bench& bench) {
  Table table{"Cost against the number of elastic coordinates",
              {"coordinates", "inertia couplings", "unknowns", "CPU per step [us]", "wall per step [us]",
               "real-time factor", "CPU per step, settings of real time [us]"},
              {},
              "Flexible Camry, wheels on carriers, linearly implicit Euler, simplified Jacobian, 1 ms, "
              "straight ahead at 60 km/h. "
              "0: the same body held rigid."};
  const std::vector<int> sizes =
      bench.quick() ? std::vector{0, 40, 100} : std::vector{0, 40, 100, 200, 500, 1000};
  std::vector<double> n, cpu;
  for (const int modes : sizes) {
    bench.check_interrupt();
    bench.say(fmt::format("modes: {}", modes));
    // From 100 on without couplings, so that the growth is that of one model.
    for (const bool coupled : {true, false}) {
      if (coupled ? modes > 100 : modes < 100) continue;
      std::vector<std::string> set;
      if (!coupled && modes == 100) set.emplace_back("parts.car.inertia_couplings=neglected");
      const LoadedScenario car = straight_car(bench, "camry-flexible.yaml", modes, set);
      const measure::StepCost cost = measure::step_cost(
          *car.model, euler(bench, car.spec.simulation, kStep_s), {bench.quick() ? 200 : 500, bench.runs()});
      const measure::StepCost fast = measure::step_cost(*car.model, real_time(car.spec.simulation, kStep_s),
                                                        {bench.quick() ? 200 : 500, bench.runs()});
      table.add({modes,
                 modes == 0 ? "-"
                 : coupled  ? "full"
                            : "neglected",
                 cost.unknowns, Cell(1e6 * cost.per_step.cpu_s, "{:.2f}"),
                 Cell(1e6 * cost.per_step.wall_s, "{:.2f}"), Cell(cost.per_step.cpu_s / kStep_s, "{:.4f}"),
                 Cell(1e6 * fast.per_step.cpu_s, "{:.2f}")});
      if (coupled) continue;
      n.push_back(modes);
      cpu.push_back(cost.per_step.cpu_s);
    }
  }
  bench.add(table);
  if (n.size() < 2) return;
  bench.figures().plot("modes", {"Cost of a step against elastic coordinates",
                                 "elastic coordinates",
                                 "CPU time of a step / s",
                                 {{"", n, cpu}},
                                 true,
                                 true});
  bench.time_at_most("1000 elastic coordinates at 1 ms, couplings neglected: real-time factor", "-",
                     cpu.back() / kStep_s, 0.5, "");
  bench.time_at_most("growth of the step's cost between 100 and 1000 elastic coordinates, exponent", "-",
                     measure::growth_exponent(n, cpu), 1.1, "");
}

void cost_by_units(Bench& bench) {
  Table table{"Cost against the number of units",
              {"units", "parts", "velocities", "constraints", "CPU per step [us]", "per unit [us]",
               "per trailer added [us]", "largest sideways place [m]", "axle loads beside statics"},
              {},
              "The rigid Camry with trailers (models/vehicles/trailer.yaml) at 60 km/h, linearly implicit "
              "Euler, simplified "
              "Jacobian, 1 ms. Per trailer added: beyond the car alone."};
  const std::vector<int> sizes =
      bench.quick() ? std::vector{0, 1, 4, 9} : std::vector{0, 1, 2, 4, 9, 19, 29, 49};
  std::vector<double> units, cpu, per_trailer;
  TrainCheck worst;
  for (const int trailers : sizes) {
    bench.check_interrupt();
    bench.say(fmt::format("units: {}", trailers + 1));
    const std::string path = bench.figures().file(fmt::format("road-train-{}.yaml", trailers));
    io::write_text_file(path, road_train(trailers));
    const LoadedScenario train = load_scenario(path, {"speed_m_per_s=60/3.6"});
    const io::SimulationSpec s = euler(bench, train.spec.simulation, kStep_s);
    const measure::StepCost cost =
        measure::step_cost(*train.model, s, {std::max(50, 1000 / (trailers + 1)), bench.runs()});
    const TrainCheck check = check_train(train, s, trailers);
    worst = {std::max(worst.aside_m, check.aside_m), std::max(worst.load_error, check.load_error)};
    units.push_back(trailers + 1);
    cpu.push_back(1e6 * cost.per_step.cpu_s);
    if (trailers > 0) per_trailer.push_back((cpu.back() - cpu.front()) / trailers);
    table.add({trailers + 1, static_cast<int>(train.model->parts.size()) - 1, train.model->nz,
               train.model->nlambda, Cell(cpu.back(), "{:.2f}"), Cell(cpu.back() / (trailers + 1), "{:.3f}"),
               trailers > 0 ? Cell(per_trailer.back(), "{:.3f}") : Cell("-"), Cell(check.aside_m, "{:.1e}"),
               trailers > 0 ? Cell(check.load_error, "{:.1e}") : Cell("-")});
  }
  bench.add(table);
  bench.figures().plot("units", {"Cost of a step against the length of the road train",
                                 "units",
                                 "CPU time of a step / us",
                                 {{"", units, cpu}}});
  const auto [low, high] = std::minmax_element(per_trailer.begin(), per_trailer.end());
  bench.time_at_most(
      fmt::format("road trains up to {} units: spread of the cost per trailer, highest over lowest - 1",
                  sizes.back() + 1),
      "-", *high / *low - 1, 0.2, "");
  bench.at_most("road trains straight ahead: largest sideways place after 2 s", "-", worst.aside_m, 1e-3,
                "m");
  bench.at_most("road trains: axle loads beside statics", "-", worst.load_error, 1e-3, "");
}

}  // namespace monocoque::bench

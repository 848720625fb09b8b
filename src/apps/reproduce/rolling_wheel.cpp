// Dissertation 2.3.2: a wheel of 0.3 m rolls at 3 m/s. The kinematic matrix Z of x_dot = Z z is constant in
// the position for the mixed frame; in the floating frame it holds the place of the wheel in its own axes
// (2.137).

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/reproduce/reproduction.h"
#include "core/rotation.h"
#include "dynamics/formulation.h"

namespace monocoque {

namespace {

/// Rows of the place in Z, by unit velocities: exact, x_dot is linear in z.
MatX kinematic_rows(const FormulationMap& map, const VecX& x_own) {
  MatX Z(3, 6);
  VecX none = VecX::Zero(6), x_dot = VecX::Zero(x_own.size()), z_dot = VecX::Zero(6);
  for (int j = 0; j < 6; ++j) {
    map.rates(x_own, VecX(VecX::Unit(6, j)), none, x_dot, z_dot);
    Z.col(j) = x_dot.head<3>();
  }
  return Z;
}

}  // namespace

void reproduce_rolling_wheel(Reproduction& r) {
  const LoadedScenario scenario = load_scenario(shipped_model("examples/rolling-wheel.yaml"), {});
  const Model& model = *scenario.model;
  const double v = 3, radius = 0.3;
  const RecordedRun run = record_run(model, scenario.spec.simulation);

  const FormulationMap mixed(model, Formulation::mixed), floating(model, Formulation::floating);
  Simulation simulation(model, scenario.spec.simulation);
  const MatX mixed_start = kinematic_rows(mixed, simulation.state().x);
  Plot world{"Place of the wheel, world axes", "t / s", "m", {{"x", {}, {}}, {"z", {}, {}, true}}};
  Plot local{"Place of the wheel, its own axes", "t / s", "m", {{"x", {}, {}}, {"z", {}, {}, true}}};
  Plot entries{"Largest entry of Z that depends on the place",
               "t / s",
               "m",
               {{"floating frame", {}, {}}, {"mixed frame", {}, {}, true}}};
  double mixed_change = 0, floating_error = 0, slip = 0;
  for (std::size_t i = 0; i < run.t.size(); ++i) {
    const double t = run.t[i];
    if (i > 0) simulation.step_to(t);
    const State& s = simulation.state();
    VecX x_own(model.nx), z_own(model.nz);
    floating.from_mixed(s.x, s.z, x_own, z_own);
    const MatX Zm = kinematic_rows(mixed, s.x), Zf = kinematic_rows(floating, x_own);
    mixed_change = std::max(mixed_change, (Zm - mixed_start).cwiseAbs().maxCoeff());
    // Z = [E, p~] with p the place in body axes, |p| = sqrt((v t)^2 + r^2)
    floating_error =
        std::max(floating_error, (Zf.rightCols(3) - skew(x_own.head<3>())).cwiseAbs().maxCoeff());
    slip = std::max(slip, std::abs(x_own.head<3>().norm() - std::hypot(v * t, radius)));
    for (const auto& [plot, p] : {std::pair<Plot*, Vec3>{&world, s.x.head<3>()}, {&local, x_own.head<3>()}})
      for (const int k : {0, 1}) {
        plot->series[static_cast<std::size_t>(k)].x.push_back(t);
        plot->series[static_cast<std::size_t>(k)].y.push_back(p[2 * k]);
      }
    for (const int k : {0, 1}) entries.series[static_cast<std::size_t>(k)].x.push_back(t);
    entries.series[0].y.push_back(Zf.rightCols(3).cwiseAbs().maxCoeff());
    entries.series[1].y.push_back(Zm.rightCols(3).cwiseAbs().maxCoeff());
  }
  r.below("change of Z over the run, mixed frame", "independent of the place", mixed_change, 1e-14, "");
  r.below("Z of the floating frame against [E, p~]", "[E, p~]", floating_error, 1e-12, "m");
  r.below("length of p in body axes against sqrt((v t)^2 + r^2)", "grows with the distance", slip, 1e-9, "m");
  r.note("largest entry of Z at the end, floating frame", "grows",
         fmt::format("{:.4g} m after {:g} s", entries.series[0].y.back(), run.t.back()));

  // What it costs: the error of one revolution's place with the classical Runge-Kutta method at 20 ms.
  const auto error_of = [&](const char* formulation) {
    io::SimulationSpec settings = scenario.spec.simulation;
    settings.formulation = formulation;
    settings.step_s = settings.output_step_s = 0.02;
    const RecordedRun coarse = record_run(model, settings);
    return std::abs(coarse["wheel/position/x"].back() - v * coarse.t.back());
  };
  const double by_mixed = error_of("mixed"), by_floating = error_of("floating");
  r.note("error in x at the end, rk4 at 20 ms, mixed frame", "-", fmt::format("{:.2g} m", by_mixed));
  r.note("the same, floating frame", "larger truncation error", fmt::format("{:.2g} m", by_floating));
  r.plot("place-world", world);
  r.plot("place-own-axes", local);
  r.plot("kinematic-matrix", entries);
}

}  // namespace monocoque

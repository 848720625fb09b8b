// Every manoeuvre of the Camry from 1 to 40 m/s: linearly implicit Euler at 10 ms beside the converged
// solution. A fixed step that real time allows must not fall over where the car itself does not.

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "apps/reproduce/reproduction.h"

namespace monocoque {

namespace {

constexpr std::array kManoeuvres = {"straight",     "cornering",     "step-steer",       "sine-with-dwell",
                                    "full-braking", "brake-in-turn", "mu-split-braking", "bump",
                                    "curb-strike",  "washboard",     "random-road"};
constexpr double kSpun = std::numbers::pi / 4, kOverturned = std::numbers::pi / 3;

struct Ending {
  std::string how = "keeps";  ///< keeps, spins, overturns, or why the run stopped
  double x = 0, y = 0;        ///< of the car body at the end, m
  double largest_roll = 0;    ///< rad
  bool keeps() const { return how == "keeps"; }
};

Ending ending_of(const RecordedRun& run) {
  Ending e;
  const auto &vx = run["speed/x"], &vy = run["speed/y"], &roll = run["attitude/roll"];
  for (std::size_t i = 0; i < run.t.size() && e.keeps(); ++i) {
    if (!std::isfinite(vx[i] + vy[i] + roll[i])) e.how = "NaN";
    if (std::hypot(vx[i], vy[i]) > 2 && std::abs(std::atan2(vy[i], vx[i])) > kSpun) e.how = "spins";
    if (std::abs(roll[i]) > kOverturned) e.how = "overturns";
    e.largest_roll = std::max(e.largest_roll, std::abs(roll[i]));
  }
  e.x = run["car/position/x"].back();
  e.y = run["car/position/y"].back();
  return e;
}

Ending drive(const LoadedScenario& car, const char* solver, double step_s, double end_s) {
  io::SimulationSpec s = car.spec.simulation;
  s.solver = solver;
  s.constraints = s.stabilisation = "";
  s.step_s = step_s;
  s.step_given = true;
  s.end_s = std::min(s.end_s, end_s);
  s.output_step_s = 0.01;
  s.outputs = {"speed/*", "attitude/*", "car/position/*"};
  try {
    return ending_of(record_run(*car.model, s));
  } catch (const Error& e) {
    if (interrupt_requested()) throw;
    Ending out;
    out.how = e.diagnostics().empty() ? e.what() : e.diagnostics().front().problem;
    return out;
  }
}

}  // namespace

void reproduce_manoeuvres(Reproduction& r) {
  const std::vector<double> speeds =
      r.quick() ? std::vector<double>{10} : std::vector<double>{1, 5, 10, 20, 30, 40};
  for (const char* name : kManoeuvres)
    for (const double speed : speeds) {
      r.say(fmt::format("{} at {:g} m/s", name, speed));
      const LoadedScenario car = load_scenario(shipped_model(fmt::format("camry/scenarios/{}.yaml", name)),
                                               {fmt::format("speed_m_per_s={}", speed)});
      const double end_s = r.quick() ? 1.5 : 1e9;
      const Ending converged = drive(car, "linearly-implicit-2", 1e-3, end_s),
                   euler = drive(car, "linearly-implicit-euler", 1e-2, end_s);
      const std::string what = fmt::format("{}, {:g} m/s", name, speed);
      if (!converged.keeps()) {
        r.note(what, converged.how, euler.how);
        continue;
      }
      const double away = std::hypot(euler.x - converged.x, euler.y - converged.y);
      r.expect(what,
               fmt::format("keeps, roll up to {:.2f} deg", converged.largest_roll * 180 / std::numbers::pi),
               euler.keeps() ? fmt::format("keeps, roll up to {:.2f} deg, {:.3g} m away at the end",
                                           euler.largest_roll * 180 / std::numbers::pi, away)
                             : euler.how,
               "keeps", euler.keeps());
    }
}

}  // namespace monocoque

#include "apps/bench/cars.h"

#include <fmt/format.h>

#include "apps/camry_body.h"

namespace monocoque::bench {

namespace {

constexpr int kShipped = 40;

}  // namespace

LoadedScenario straight_car(const std::string& model, std::vector<std::string> overrides) {
  overrides.emplace_back("speed_m_per_s=60/3.6");
  return load_scenario(shipped_model("camry/" + model), overrides);
}

LoadedScenario straight_car(const Bench& bench, const std::string& model, int modes,
                            const std::vector<std::string>& overrides) {
  std::vector<std::string> set = overrides;
  set.emplace_back("parts.car.elasticity=off");
  if (modes == 0) return straight_car(model, set);
  if (modes == kShipped) return straight_car(model, overrides);
  LoadedScenario car = straight_car(model, set);  // rigid: its nominal forces stay
  set = overrides;
  set.insert(set.end(),
             {"speed_m_per_s=60/3.6",
              "parts.car.body=" + camry_body(modes, [&](const std::string& line) { bench.say(line); })});
  if (modes > kLargestCoupledBody)
    set.insert(set.end(), {"parts.car.inertia_couplings=neglected", "parts.car.geometric_stiffening=off"});
  io::ScenarioSpec flexible = read_specification(shipped_model("camry/" + model), set);
  car.spec.model.parts = std::move(flexible.model.parts);
  car.model = build_model(car.spec.model);
  return car;
}

io::SimulationSpec real_time(io::SimulationSpec s, double step_s) {
  s.solver = "linearly-implicit-euler";
  s.constraints = "";
  s.stabilisation = kBaumgarte;
  s.baumgarte_alpha = 0.5 / step_s;
  s.jacobian = "rigid-forces";
  s.linear_solver = "structured";
  s.matrix_steps = step_s > 2e-3 ? 2 : 8;
  s.step_s = step_s;
  return s;
}

std::string road_train(int trailers) {
  constexpr double kFirst_m = -2.5, kUnit_m = 4;  // as models/vehicles/road-train.yaml
  std::string text = fmt::format("monocoque: 1\nname: Camry with {} trailers\ninclude:\n", trailers);
  for (const char* file : {"camry/body.yaml", "camry/car-rigid.yaml", "camry/wheels-on-carriers.yaml",
                           "camry/reference-tires.yaml", "vehicles/trailer.yaml"})
    text += fmt::format("  - {}\n", shipped_model(file));
  if (trailers == 0) return text;
  text += "subsystems:\n";
  for (int i = 1; i <= trailers; ++i)
    text += fmt::format("  - {{name: T{}, type: trailer, connect: {{ahead: {}}}, parameters: {{x: {:g}}}}}\n",
                        i, i == 1 ? "car" : fmt::format("T{}/body", i - 1), kFirst_m - kUnit_m * (i - 1));
  text += "nominal:\n  unknowns:\n";
  for (int i = 1; i <= trailers; ++i)
    text += fmt::format(
        "    - {{of: [T{0}/left_spring.preload_N, T{0}/right_spring.preload_N]}}\n"
        "    - {{of: [T{0}/left_tire.radius_m, T{0}/right_tire.radius_m]}}\n",
        i);
  return text;
}

}  // namespace monocoque::bench

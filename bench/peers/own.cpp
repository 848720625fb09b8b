// Monocoque: absolute coordinates and constraints for both mechanisms.

#include <cmath>

#include "core/rotation.h"
#include "peers.h"
#include "support.h"

namespace monocoque::bench {
namespace {

const char* const kFourBar = R"(
monocoque: 1
name: four-bar
gravity_m_per_s2: [0, -9.81, 0]
parts:
  - {name: b0, mass_kg: 1, inertia_kg_m2: [1/12, 0.01/12, 1/12], position_m: [0, 0.5, 0],
     velocity_m_per_s: [0.5, 0, 0], angular_velocity_rad_per_s: [0, 0, -1]}
  - {name: b1, mass_kg: 1, inertia_kg_m2: [1/12, 0.01/12, 1/12], position_m: [1, 0.5, 0],
     velocity_m_per_s: [0.5, 0, 0], angular_velocity_rad_per_s: [0, 0, -1]}
  - {name: b2, mass_kg: 1, inertia_kg_m2: [0.01/12, 1/12, 1/12], position_m: [0.5, 1, 0], velocity_m_per_s: [1, 0, 0]}
interacts:
  - {name: A0, type: revolute, from: ground, to: {part: b0, position_m: [0, -0.5, 0]}}
  - {name: A1, type: revolute, from: {part: ground, position_m: [1, 0, 0]}, to: {part: b1, position_m: [0, -0.5, 0]}}
  - {name: B0, type: revolute, from: {part: b0, position_m: [0, 0.5, 0]}, to: {part: b2, position_m: [-0.5, 0, 0]}}
  - {name: B1, type: revolute, from: {part: b1, position_m: [0, 0.5, 0]}, to: {part: b2, position_m: [0.5, 0, 0]}}
)";

const Model& model_of(Problem problem) {
  static const auto four_bar = model_from_text(kFourBar, "four-bar");
  // The chain of support.h falls in x-z: its z is the y of the peers.
  static const auto chain =
      model_from_text(chain_text({kChainLinks, kLinkLength, kLinkMass, false}), "chain");
  return problem == Problem::chain ? *chain : *four_bar;
}

Outcome run(Problem problem, double end_s, double fineness, const std::string& method) {
  const Model& model = model_of(problem);
  io::SimulationSpec settings;
  settings.solver = method;
  settings.end_s = end_s;
  settings.outputs = {"energy/total"};
  const bool fixed_step = find_integrator(method).fixed_step;
  const long steps = fixed_step ? std::lround(fineness) : 1;
  settings.step_s = end_s / static_cast<double>(steps);
  settings.relative_tolerance = settings.absolute_tolerance = 1 / fineness;
  Simulation simulation(model, settings);
  Outcome out;
  const measure::StopWatch watch;
  for (long i = 1; i <= steps; ++i)
    if (simulation.step_to(i == steps ? end_s : static_cast<double>(i) * settings.step_s) != StepStatus::ok)
      return out;
  out.cpu_s = watch.elapsed().cpu_s;
  out.steps = simulation.integrator().counts().steps;
  const Part& part = problem == Problem::chain ? model.parts.back() : model.parts[1];
  const VecX& x = simulation.state().x;
  const Vec3 local = problem == Problem::chain ? Vec3(kLinkLength / 2, 0, 0) : Vec3(0, 0.5, 0);
  const Vec3 p =
      x.segment<3>(part.x_start) + rotation_from_quaternion(Vec4(x.segment<4>(part.x_start + 3))) * local;
  out.point = {p.x(), problem == Problem::chain ? p.z() : p.y()};
  out.finished = p.allFinite();
  return out;
}

Tool tool(const std::string& method) {
  return {"Monocoque", method, find_integrator(method).fixed_step,
          [method](Problem problem, double end_s, double fineness) {
            return run(problem, end_s, fineness, method);
          }};
}

}  // namespace

std::vector<Tool> own_tools() {
  return {tool("rk4"), tool("linearly-implicit-2"), tool("ida")};
}

}  // namespace monocoque::bench

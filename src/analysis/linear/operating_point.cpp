#include "analysis/linear/operating_point.h"

#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "integrate/equilibrium.h"

namespace monocoque::analysis {

std::unique_ptr<Simulation> operating_point(const Model& model, io::SimulationSpec settings,
                                            const StateChoice& choice) {
  if (choice.at_s) {
    if (!(*choice.at_s >= settings.start_s) || !std::isfinite(*choice.at_s))
      throw Error("--at",
                  fmt::format("the time is {} s, the model starts at {} s", *choice.at_s, settings.start_s));
    settings.end_s = std::max(settings.end_s, *choice.at_s);
  }
  settings.outputs.clear();
  auto run = std::make_unique<Simulation>(model, settings);
  if (choice.at_s) {
    const double start = run->state().t, step = run->settings().step_s, way = *choice.at_s - start;
    const long steps = std::lround(std::ceil(way / step - 1e-9));
    for (long k = 1; k <= steps; ++k) {
      const double t = k == steps ? *choice.at_s : start + static_cast<double>(k) * step;
      if (const StepStatus status = run->advance(t); status != StepStatus::ok) throw run->failure(status);
    }
  }
  if (choice.equilibrium) find_equilibrium(run->workspace(), run->state());
  return run;
}

Vec3 vertical_rate(Simulation& run, const Model& model, const std::string& part) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    if (!model.parts[i].turns()) continue;
    names.push_back(model.parts[i].name);
    if (model.parts[i].name != part) continue;
    evaluate(run.workspace(), run.state());
    const Vec3 up = model.gravity.norm() > 0 ? Vec3(-model.gravity.normalized()) : Vec3(Vec3::UnitZ());
    return up * up.dot(run.workspace().parts[i].w);
  }
  throw Error("--turning-with", fmt::format("there is no part '{}' that turns", part),
              suggestion(part, names));
}

}  // namespace monocoque::analysis

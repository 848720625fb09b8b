#pragma once
// Models made in memory, and the clocks.

#include <memory>
#include <string>

#include <fmt/format.h>

#include "elements/registry.h"
#include "integrate/simulation.h"
#include "io/model/reader.h"
#include "measure/stop_watch.h"

namespace monocoque::bench {

inline std::unique_ptr<const Model> model_from_text(const std::string& text, const std::string& name) {
  Diagnostics diagnostics;
  const io::ScenarioSpec spec = io::read_scenario_text(text, name, element_library(), {}, diagnostics);
  diagnostics.throw_if_errors();
  return build_model(spec.model);
}

/// Uniform slender rods in a row along x, hinged at their near ends to one another and the first to the
/// ground. Axes of the hinges: all y, or y and z in turn, with gravity across both so that every hinge moves.
struct ChainShape {
  int links = 20;
  double length_m = 0.1, mass_kg = 0.1;
  bool spatial = false;
};

inline std::string chain_text(const ChainShape& c) {
  const double inertia = c.mass_kg * c.length_m * c.length_m / 12;
  std::string text = fmt::format("monocoque: 1\nname: chain of {} links\ngravity_m_per_s2: [0, {}, -9.81]\n",
                                 c.links, c.spatial ? 3 : 0);
  std::string hinges = "interacts:\n";
  text += "parts:\n";
  for (int i = 0; i < c.links; ++i) {
    const std::string axis = c.spatial && i % 2 == 1 ? "[0, 0, 1]" : "[0, 1, 0]";
    text += fmt::format(
        "  - {{name: link{}, mass_kg: {}, inertia_kg_m2: [{}, {}, {}], position_m: [{:.17g}, 0, 0]}}\n", i,
        c.mass_kg, 0.01 * inertia, inertia, inertia, c.length_m * (i + 0.5));
    hinges += fmt::format(
        "  - {{name: hinge{}, type: revolute, from: {{part: {}, position_m: [{}, 0, 0], orientation: "
        "{{z_axis: "
        "{}}}}}, to: {{part: link{}, position_m: [{}, 0, 0], orientation: {{z_axis: {}}}}}}}\n",
        i, i == 0 ? "ground" : fmt::format("link{}", i - 1), i == 0 ? 0 : c.length_m / 2, axis, i,
        -c.length_m / 2, axis);
  }
  return text + hinges;
}

}  // namespace monocoque::bench

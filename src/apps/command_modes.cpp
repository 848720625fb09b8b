#include <fmt/format.h>

#include "apps/commands.h"
#include "apps/common.h"
#include "apps/mesh_loading.h"
#include "core/error.h"
#include "fe/rigid_body.h"
#include "reduce/modes.h"

namespace monocoque {

namespace {

void print_json(const ModesCommand& o, const LoadedMesh& loaded, const reduce::Modes& modes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (Eigen::Index i = 0; i < modes.omega2.size(); ++i)
    list.push_back({{"mode", i + 1},
                    {"frequency_Hz", json_number(modes.frequency_Hz(i))},
                    {"rigid", i < modes.rigid},
                    {"residual", json_number(modes.residual[i])}});
  const nlohmann::ordered_json json = {{"mesh", o.mesh.path},
                                       {"unknowns", loaded.system.size()},
                                       {"mass_kg", json_number(loaded.system.mesh_mass_kg)},
                                       {"rigid_modes", modes.rigid},
                                       {"complete", modes.complete},
                                       {"modes", list}};
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

int command_modes(const ModesCommand& o) {
  const LoadedMesh loaded = load_mesh(o.mesh, o.supports, o.quiet);
  const reduce::NodeMap map(loaded.system);
  reduce::ModeOptions m;
  m.count = o.modes;
  m.frequency_limit_Hz = o.frequency_limit_Hz;
  m.log = log_to_stderr(o.quiet);
  m.refuse_mechanisms = false;  // here they are what the user looks for
  for (const std::string& text : o.held) {
    const NodeChoice choice = node_choice(text, io::kAllSix);
    for (int c = 0; c < 6; ++c) {
      const reduce::NodeComponent component{map.node_of(choice.id), c};
      if ((choice.components & (1U << static_cast<unsigned>(c))) && map.exists(component))
        m.held.push_back(component);
    }
  }
  const reduce::Modes modes = reduce::eigenmodes(loaded.system, map, m);
  if (o.json) {
    print_json(o, loaded, modes);
  } else {
    fmt::print("mode      frequency [Hz]   residual\n");
    for (Eigen::Index i = 0; i < modes.omega2.size(); ++i)
      fmt::print("{:4}  {:18.6f}  {:9.1e}{}\n", i + 1, modes.frequency_Hz(i), modes.residual[i],
                 i < modes.rigid ? "  rigid" : "");
  }
  if (!modes.complete)
    fmt::print(stderr, "there are more modes below {:.6g} Hz; raise --modes\n", o.frequency_limit_Hz);
  if (modes.rigid > 6) {
    fmt::print(stderr, "{} modes of zero frequency: parts are loose or a mechanism is left. {}\n",
               modes.rigid, explain_parts(connected_parts(loaded.mesh)));
    return 1;
  }
  return 0;
}

}  // namespace monocoque

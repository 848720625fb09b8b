#pragma once
// `monocoque modes` of a mesh, of a reduced body and of a model: its options, and the latter two.

#include <optional>
#include <string>
#include <vector>

#include "apps/linear_commands.h"
#include "apps/mesh_loading.h"
#include "apps/options.h"

namespace monocoque {

struct ModesOptions : ResultOptions {
  MeshOptions mesh;                    ///< its path may also be a reduced body or a model
  std::vector<std::string> held;       ///< ids, each with :components
  std::vector<std::string> overrides;  ///< models only
  std::optional<int> modes;            ///< none: 20 of a mesh, all of the others
  double frequency_limit_Hz = 0;
  StateOptions state;     ///< models only
  bool supports = false;  ///< keep those of the mesh
};

/// Of Standard Input Data, and of a model at the chosen state.
int modes_of_body(const ModesOptions& options);
int modes_of_model(const ModesOptions& options);

}  // namespace monocoque

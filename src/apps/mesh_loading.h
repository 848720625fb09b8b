#pragma once
// What the commands on finite-element meshes share.

#include <cstdint>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "fe/fe_system.h"
#include "io/fe_mesh.h"
#include "reduce/log.h"

namespace monocoque {

struct LoadedMesh {
  io::FeMesh mesh;
  FeSystem system;
};

/// Reads and assembles; notes go to stderr unless quiet.
LoadedMesh load_mesh(const MeshOptions& options, bool use_supports, bool quiet);

/// "mm-t-s" and the like.
io::FeUnits units_from(const std::string& text);

struct NodeChoice {
  long id = 0;
  std::uint8_t components = 7;
};
/// "12" or "12:1236"; components count from 1 as in Nastran.
NodeChoice node_choice(const std::string& text, std::uint8_t default_components);
long node_id(const std::string& text);

/// Lines on stderr.
reduce::Log log_to_stderr(bool quiet);

}  // namespace monocoque

#pragma once
// What the commands on finite-element meshes share.

#include <cstdint>
#include <string>
#include <vector>

#include "core/error_kinds.h"
#include "fe/fe_system.h"
#include "io/mesh/fe_mesh.h"
#include "reduce/log.h"

namespace CLI {
class App;
}

namespace monocoque {

/// A finite-element mesh and how to read it.
struct MeshOptions {
  std::string path;
  std::string units = "m-kg-s";              ///< length-mass-time, e.g. mm-t-s
  std::string mass = "consistent";           ///< or lumped; with matrices: file of the mass matrix
  bool lenient = false;                      ///< unknown cards that carry mass or stiffness are only listed
  std::string shared_rigid_nodes = "error";  ///< or first: a node of two rigid elements follows the first
  std::vector<std::string> only_properties;  ///< ids and ranges, "5-9"
  std::vector<std::string> only_elements;    ///< names of element kinds
  /// Assembled stiffness matrix and the meaning of its rows; the mesh then only gives the places of nodes.
  std::string stiffness, rows;
};
void add_mesh(CLI::App& app, MeshOptions& o);

struct LoadedMesh {
  io::FeMesh mesh;  ///< of assembled matrices: nothing but the file's name
  FeSystem system;
  bool assembled = false;  ///< matrices of another program: no elements
};

/// Reads and assembles mesh or matrices; notes go to stderr unless quiet.
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

/// Runs `work`; complaints of the library that name no file get this one.
template <class Work>
auto about_file(const std::string& file, Work&& work) {
  try {
    return work();
  } catch (const Error& e) {
    std::vector<Diagnostic> list = e.diagnostics();
    for (Diagnostic& d : list)
      if (!d.place.known() && !d.element.starts_with("--")) d.place.file = file;
    rethrow_with(e, std::move(list));
  }
}

/// Lines on stderr.
reduce::Log log_to_stderr(bool quiet);

}  // namespace monocoque

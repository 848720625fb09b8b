#include "io/mesh/fe_mesh.h"

#include <filesystem>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/mesh_readers.h"

namespace monocoque::io {

const char* name_of(ElementKind kind) {
  constexpr const char* names[] = {"rod2", "beam2", "beam3",  "shell3", "shell4",
                                   "tet4", "tet10", "wedge6", "brick8", "brick20"};
  return names[static_cast<int>(kind)];
}

FeMesh read_fe_mesh(const std::string& path, const FeReadOptions& options) {
  const FeUnits& u = options.units;
  for (const double factor : {u.length_m, u.mass_kg, u.time_s})
    if (!(factor > 0 && factor < 1e30))
      throw Error(Place{path, 0}, "units", fmt::format("a factor is {}, it must be > 0", factor), "");
  const std::string ending = upper(std::filesystem::path(path).extension().string());
  if (ending == ".NAS" || ending == ".BDF" || ending == ".DAT" || ending == ".NASTRAN")
    return read_nastran(path, options);
  if (ending == ".INP") return read_abaqus(path, options);
  if (ending == ".K" || ending == ".KEY" || ending == ".DYN") return read_lsdyna(path, options);
  throw Error(
      Place{path, 0}, "", fmt::format("the ending '{}' is of no known mesh format", ending.substr(0, 20)),
      "name it .nas, .bdf, .dat or .nastran (Nastran), .inp (Abaqus, CalculiX), .k, .key or .dyn (LS-DYNA)");
}

MeshSummary summary_of(const FeMesh& mesh) {
  MeshSummary s;
  s.nodes = static_cast<long>(mesh.nodes.size());
  std::vector<bool> used(mesh.nodes.size());
  const auto use = [&used](int node) {
    if (node >= 0) used[static_cast<std::size_t>(node)] = true;
  };
  if (!mesh.nodes.empty()) s.low = s.high = mesh.nodes.front().p;
  for (const FeNode& n : mesh.nodes) {
    s.low = s.low.cwiseMin(n.p);
    s.high = s.high.cwiseMax(n.p);
  }
  for (const FeElement& e : mesh.elements) ++s.elements[e.kind];
  for (const int node : mesh.connectivity) use(node);
  for (const RigidSpider& r : mesh.rigid) {
    use(r.independent);
    for (const int node : r.dependent) use(node);
  }
  for (const MeanSpider& m : mesh.means) {
    use(m.reference);
    for (const MeanSpider::Leg& leg : m.legs) use(leg.node);
  }
  for (const PointMass& m : mesh.masses) use(m.node);
  for (const PointSpring& k : mesh.springs) {
    use(k.node_a);
    use(k.node_b);
  }
  for (const bool u : used) s.unused_nodes += u ? 0 : 1;
  return s;
}

std::string MeshSummary::text() const {
  std::string out =
      fmt::format("{} nodes, {} of them unused; box {:.6g} {:.6g} {:.6g} to {:.6g} {:.6g} {:.6g} m", nodes,
                  unused_nodes, low.x(), low.y(), low.z(), high.x(), high.y(), high.z());
  for (const auto& [kind, count] : elements) out += fmt::format("\n{} {}", count, name_of(kind));
  return out;
}

}  // namespace monocoque::io

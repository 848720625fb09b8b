#pragma once
// Meshes made in the test, static solutions with loads or prescribed motion, eigenfrequencies.

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fe/assemble.h"
#include "fe/rigid_body.h"
#include "io/mesh/fe_mesh.h"

namespace monocoque::test {

using io::ElementKind;

struct Steel {
  double E = 2.1e11, nu = 0.3, rho = 7850;
};

class MeshBuilder {
 public:
  io::FeMesh mesh;

  int node(const Vec3& p) {
    mesh.nodes.push_back({static_cast<long>(mesh.nodes.size()) + 1, p});
    return static_cast<int>(mesh.nodes.size()) - 1;
  }
  int material(const Steel& s) {
    io::FeMaterial m;
    m.id = static_cast<long>(mesh.materials.size()) + 1;
    m.young_Pa = s.E;
    m.poisson = s.nu;
    m.density_kg_per_m3 = s.rho;
    mesh.materials.push_back(m);
    return static_cast<int>(mesh.materials.size()) - 1;
  }
  int shell(const Steel& s, double thickness) {
    io::FeProperty p = property(s, io::PropertyKind::shell);
    p.shell.thickness_m = thickness;
    return add(p);
  }
  int solid(const Steel& s) { return add(property(s, io::PropertyKind::solid)); }
  int beam(const Steel& s, const io::BeamSection& section) {
    io::FeProperty p = property(s, io::PropertyKind::beam);
    p.beam = section;
    return add(p);
  }
  int element(ElementKind kind, int property, const std::vector<int>& nodes,
              const io::BeamPlacement* placement = {}) {
    io::FeElement e;
    e.id = static_cast<long>(mesh.elements.size()) + 1;
    e.kind = kind;
    e.property = property;
    e.first_node = static_cast<int>(mesh.connectivity.size());
    if (placement) {
      e.placement = static_cast<int>(mesh.beams.size());
      mesh.beams.push_back(*placement);
    }
    mesh.connectivity.insert(mesh.connectivity.end(), nodes.begin(), nodes.end());
    mesh.elements.push_back(e);
    return static_cast<int>(mesh.elements.size()) - 1;
  }
  void support(int node, std::uint8_t components = io::kAllSix) {
    mesh.supports.push_back({node, components});
  }
  /// Supports all nodes for which the function is true.
  void support_where(const std::function<bool(const Vec3&)>& where, std::uint8_t components) {
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      if (where(mesh.nodes[n].p)) support(static_cast<int>(n), components);
    }
  }
  std::vector<int> nodes_where(const std::function<bool(const Vec3&)>& where) const {
    std::vector<int> out;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      if (where(mesh.nodes[n].p)) out.push_back(static_cast<int>(n));
    }
    return out;
  }
  int nearest(const Vec3& p) const {
    int best = 0;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      if ((mesh.nodes[n].p - p).norm() < (mesh.nodes[static_cast<std::size_t>(best)].p - p).norm()) {
        best = static_cast<int>(n);
      }
    }
    return best;
  }

  /// nx by ny shells on the unit square, mapped; triangles split each square along its first diagonal.
  void surface(ElementKind kind, int property, int nx, int ny,
               const std::function<Vec3(double, double)>& map);
  /// Solids on the unit cube, mapped. Tetrahedra: six per cell; wedges: two.
  void volume(ElementKind kind, int property, int nx, int ny, int nz,
              const std::function<Vec3(double, double, double)>& map);

 private:
  io::FeProperty property(const Steel& s, io::PropertyKind kind) {
    io::FeProperty p;
    p.id = static_cast<long>(mesh.properties.size()) + 1;
    p.kind = kind;
    p.material = material(s);
    return p;
  }
  int add(const io::FeProperty& p) {
    mesh.properties.push_back(p);
    return static_cast<int>(mesh.properties.size()) - 1;
  }
};

constexpr std::uint8_t bits(std::initializer_list<int> components) {
  std::uint8_t b = 0;
  for (const int c : components) b = static_cast<std::uint8_t>(b | 1 << (c - 1));
  return b;
}

/// Motion of all nodes (6 per node) under loads on all nodes; supports as in the mesh.
VecX solve_static(const FeSystem& system, const VecX& nodal_load);
/// The same with prescribed components (key 6 node + k); the mesh must have no rigid elements.
VecX solve_prescribed(const FeSystem& system, const std::map<int, double>& prescribed);
/// Lowest frequencies in Hz, sorted; shift-invert Lanczos, dense for small systems.
std::vector<double> frequencies(const FeSystem& system, int count);

}  // namespace monocoque::test

#pragma once
// Plane walls of four-node steel shells that share their nodes: cells counted along three axes.

#include <array>
#include <map>

#include "io/mesh/fe_mesh.h"

namespace monocoque::test {

class ShellBox {
 public:
  using Cell = std::array<int, 3>;

  ShellBox(const Vec3& size_m, const Cell& cells, double thickness_m) : size_(size_m), cells_(cells) {
    mesh.file = "generated box";
    mesh.materials.push_back({1, "steel", 2.1e11, 2.1e11 / 2.6, 0.3, 7850});
    io::FeProperty p;
    p.id = 1;
    p.kind = io::PropertyKind::shell;
    p.material = 0;
    p.shell.thickness_m = thickness_m;
    mesh.properties.push_back(p);
  }

  /// Whole wall across `axis` at this cell number.
  void wall(int axis, int at) {
    const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    const auto place = [&](int i, int j) {
      Cell c{};
      c[static_cast<std::size_t>(axis)] = at;
      c[static_cast<std::size_t>(u)] = i;
      c[static_cast<std::size_t>(v)] = j;
      return c;
    };
    for (int j = 0; j < count(v); ++j)
      for (int i = 0; i < count(u); ++i) {
        io::FeElement e;
        e.id = static_cast<long>(mesh.elements.size()) + 1;
        e.kind = io::ElementKind::shell4;
        e.property = 0;
        e.first_node = static_cast<int>(mesh.connectivity.size());
        for (const Cell& c : {place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)})
          mesh.connectivity.push_back(node(c));
        mesh.elements.push_back(e);
      }
  }

  long id(int i, int j, int k) { return mesh.nodes[static_cast<std::size_t>(node({i, j, k}))].id; }
  int nx() const { return cells_[0]; }
  int ny() const { return cells_[1]; }
  int nz() const { return cells_[2]; }
  io::FeMesh mesh;

 private:
  int count(int axis) const { return cells_[static_cast<std::size_t>(axis)]; }

  int node(const Cell& c) {
    const auto [it, fresh] = index_.try_emplace(c, static_cast<int>(mesh.nodes.size()));
    if (fresh) {
      io::FeNode n;
      n.id = it->second + 1;
      n.p = Vec3(size_[0] * c[0] / nx(), size_[1] * c[1] / ny(), size_[2] * c[2] / nz());
      mesh.nodes.push_back(n);
    }
    return it->second;
  }

  Vec3 size_;
  Cell cells_;
  std::map<Cell, int> index_;
};

}  // namespace monocoque::test

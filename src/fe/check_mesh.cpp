#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/index.h"
#include "fe/items.h"

namespace monocoque::fe {
namespace {

class Check {
 public:
  Check(const io::FeMesh& mesh, std::vector<std::string>& notes, Diagnostics& diagnostics)
      : mesh_(mesh), notes_(notes), diagnostics_(diagnostics), used_(mesh.properties.size(), 0) {}

  void run() {
    for (const io::FeNode& n : mesh_.nodes) {
      if (!n.p.allFinite())
        error(fmt::format("node {}", n.id), "its position is no number", "repair the file");
    }
    for (const io::FeElement& e : mesh_.elements) element(e);
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (used_[i]) property(mesh_.properties[i], used_[i]);
    }
    for (const io::RigidSpider& r : mesh_.rigid) {
      const std::string name = fmt::format("RBE2 {}", r.id);
      node(r.independent, name);
      for (const int d : r.dependent) node(d, name);
    }
    for (const io::MeanSpider& r : mesh_.means) mean(r);
    for (const io::PointMass& m : mesh_.masses) mass(m);
    for (const io::PointSpring& s : mesh_.springs) spring(s);
    for (const io::Support& s : mesh_.supports) node(s.node, "support");
  }

 private:
  void error(std::string element, std::string problem, std::string remedy) {
    diagnostics_.error(Place{mesh_.file, 0}, std::move(element), std::move(problem), std::move(remedy));
  }
  bool node(int n, const std::string& owner) {
    if (n >= 0 && n < static_cast<int>(mesh_.nodes.size())) return true;
    error(owner, "it names a node that does not exist", "add the node or correct its number");
    return false;
  }
  void positive(double value, const std::string& owner, const char* what, const char* remedy) {
    if (!(value > 0) || !std::isfinite(value)) {
      error(owner, fmt::format("{} is {}, it must be > 0", what, value), remedy);
    }
  }

  void element(const io::FeElement& e) {
    const auto name = [&] { return fmt::format("{} {}", kind_name(e.kind), e.id); };
    const int count = io::node_count(e.kind);
    if (e.first_node < 0 || at(e.first_node + count) > mesh_.connectivity.size()) {
      error(name(), "its nodes are missing", "repair the file");
      return;
    }
    const int* nodes = mesh_.nodes_of(e);
    for (int i = 0; i < count; ++i) {
      if (nodes[i] < 0 || at(nodes[i]) >= mesh_.nodes.size()) {
        node(nodes[i], name());
        return;
      }
      for (int j = 0; j < i; ++j) {
        if (nodes[i] == nodes[j]) {
          error(name(), fmt::format("node {} appears twice in it", mesh_.nodes[at(nodes[i])].id),
                "write it as an element with fewer nodes");
          return;
        }
      }
    }
    if (e.property < 0 || at(e.property) >= mesh_.properties.size()) {
      error(name(), "it has no property", "give it one");
      return;
    }
    const io::PropertyKind need = is_solid(e.kind)                  ? io::PropertyKind::solid
                                  : is_shell(e.kind)                ? io::PropertyKind::shell
                                  : e.kind == io::ElementKind::rod2 ? io::PropertyKind::rod
                                                                    : io::PropertyKind::beam;
    const io::PropertyKind has = mesh_.properties[at(e.property)].kind;
    // A beam's section has all that a rod needs.
    if (has != need && !(need == io::PropertyKind::rod && has == io::PropertyKind::beam)) {
      error(
          name(),
          fmt::format("property {} is made for another kind of element", mesh_.properties[at(e.property)].id),
          "give it a property of its own kind");
      return;
    }
    used_[at(e.property)] |= 1 << static_cast<int>(e.kind);
  }

  void property(const io::FeProperty& p, int kinds) {
    const std::string name = fmt::format("property {}", p.id);
    if (p.material < 0 || at(p.material) >= mesh_.materials.size()) {
      error(name, "it has no material", "give it one");
      return;
    }
    const io::FeMaterial& m = mesh_.materials[at(p.material)];
    const std::string material = fmt::format("material {} (of property {})", m.id, p.id);
    positive(m.young_Pa, material, "Young's modulus (Pa)", "give the elastic constants");
    const double limit = p.kind == io::PropertyKind::shell ? 1.0 : 0.5;
    if (p.kind >= io::PropertyKind::shell && !(m.poisson > -1 && m.poisson < limit)) {
      error(material,
            fmt::format("Poisson's ratio is {}, it must be above -1 and below {}", m.poisson, limit),
            "correct it");
    }
    if (!(m.density_kg_per_m3 >= 0)) {
      error(material, fmt::format("density is {} kg/m^3, it must be >= 0", m.density_kg_per_m3),
            "correct it");
    }
    const bool more_mass =
        p.kind == io::PropertyKind::shell ? p.shell.mass_kg_per_m2 > 0 : p.beam.mass_kg_per_m > 0;
    if (m.density_kg_per_m3 == 0 && !more_mass) {
      notes_.push_back(
          fmt::format("material {} of property {} has no density: its elements have no mass", m.id, p.id));
    }
    if (p.kind == io::PropertyKind::shell) {
      positive(p.shell.thickness_m, name, "thickness (m)", "give a thickness");
      positive(p.shell.bending_ratio, name, "12 I / t^3",
               "a shell without bending stiffness is not supported");
      positive(p.shell.shear_ratio, name, "transverse shear ratio",
               "5/6 is the value of a homogeneous section");
    }
    if (p.kind == io::PropertyKind::rod || p.kind == io::PropertyKind::beam) {
      positive(p.beam.area_m2, name, "area (m^2)", "give the area of the section");
    }
    const int rod = 1 << static_cast<int>(io::ElementKind::rod2);
    if (p.kind == io::PropertyKind::beam && (kinds & ~rod)) {
      const double det = p.beam.I_y_m4 * p.beam.I_z_m4 - p.beam.I_yz_m4 * p.beam.I_yz_m4;
      positive(p.beam.I_y_m4, name, "second moment I_y (m^4)", "a bar without bending is a rod");
      positive(p.beam.I_z_m4, name, "second moment I_z (m^4)", "a bar without bending is a rod");
      positive(det, name, "I_y I_z - I_yz^2 (m^8)", "correct the second moments");
    }
  }

  void mean(const io::MeanSpider& r) {
    const std::string name = fmt::format("RBE3 {}", r.id);
    node(r.reference, name);
    for (const auto& leg : r.legs) {
      node(leg.node, name);
      if (!(leg.weight >= 0))
        error(name, fmt::format("a weight is {}, it must be >= 0", leg.weight), "correct it");
    }
  }
  void mass(const io::PointMass& m) {
    const std::string name = fmt::format("point mass {}", m.id);
    node(m.node, name);
    if (!(m.mass_kg >= 0) || !m.offset_m.allFinite() || !m.inertia_kg_m2.allFinite()) {
      error(name,
            fmt::format("mass is {} kg, it must be >= 0, offset and inertia must be numbers", m.mass_kg),
            "correct it");
    }
  }
  void spring(const io::PointSpring& s) {
    const std::string name = fmt::format("spring {}", s.id);
    if (s.node_a >= 0) node(s.node_a, name);
    if (s.node_b >= 0) node(s.node_b, name);
    if (s.node_a < 0 && s.node_b < 0) error(name, "it has no node", "name at least one");
    if (!(s.stiffness >= 0))
      error(name, fmt::format("stiffness is {}, it must be >= 0", s.stiffness), "correct it");
    if (s.component_a < 0 || s.component_a > 5 || s.component_b < 0 || s.component_b > 5) {
      error(name, "a component is outside 1..6", "correct it");
    }
  }

  const io::FeMesh& mesh_;
  std::vector<std::string>& notes_;
  Diagnostics& diagnostics_;
  std::vector<int> used_;  ///< per property: bits of the element kinds
};

}  // namespace

void check_mesh(const io::FeMesh& mesh, std::vector<std::string>& notes, Diagnostics& diagnostics) {
  Check(mesh, notes, diagnostics).run();
}

}  // namespace monocoque::fe

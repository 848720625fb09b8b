// Writes a mesh as Abaqus input in SI. Left out, with a comment: releases and offsets of beams, offsets of
// masses, added mass of rods and beams. A shell whose bending stiffness is not that of its thickness gets a
// thickness and a material that have the same stiffness in its plane and in bending and the same mass.

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "io/files/line_writer.h"
#include "io/files/text_source.h"
#include "io/mesh/mesh_readers.h"

namespace monocoque::io {

namespace {

class InpWriter : private LineWriter {
 public:
  explicit InpWriter(const FeMesh& mesh) : mesh_(mesh) {}

  std::string text() {
    line("** Written by Monocoque from {}; SI units: m, kg, s, N, Pa", mesh_.file);
    line("*NODE");
    for (const FeNode& n : mesh_.nodes) line("{}, {}, {}, {}", n.id, n.p.x(), n.p.y(), n.p.z());
    for (std::size_t i = 0; i < mesh_.materials.size(); ++i) {
      const FeMaterial& m = mesh_.materials[i];
      line("*MATERIAL, NAME=M{}\n*ELASTIC\n{}, {}\n*DENSITY\n{}", i + 1, m.young_Pa, m.poisson,
           m.density_kg_per_m3);
    }
    // Ids can be doubled where kinds of elements are counted apart.
    std::map<long, int> seen;
    for (const FeElement& e : mesh_.elements) {
      own_ids_ = own_ids_ && ++seen[e.id] == 1 && e.id > 0;
      next_ = std::max(next_, e.id + 1);
    }
    if (!own_ids_) next_ = static_cast<long>(mesh_.elements.size()) + 1;
    elements();
    attachments();
    sets();
    return fmt::to_string(out_);
  }

 private:
  long id_of(std::size_t element) const {
    return own_ids_ ? mesh_.elements[element].id : static_cast<long>(element) + 1;
  }
  long node(int index) const { return mesh_.nodes[static_cast<std::size_t>(index)].id; }

  void elements() {
    static constexpr const char* types[] = {"T3D2", "B31",   "B32",  "S3",   "S4",
                                            "C3D4", "C3D10", "C3D6", "C3D8", "C3D20"};
    // One set per property, kind and direction of the section.
    using Key = std::tuple<int, ElementKind, double, double, double>;
    std::map<Key, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < mesh_.elements.size(); ++i) {
      const FeElement& e = mesh_.elements[i];
      Vec3 y = Vec3::Zero();
      if (e.placement >= 0) y = mesh_.beams[static_cast<std::size_t>(e.placement)].y_axis;
      groups[{e.property, e.kind, y.x(), y.y(), y.z()}].push_back(i);
    }
    int number = 0;
    for (const auto& [key, members] : groups) {
      const auto& [property, kind, x, y, z] = key;
      line("*ELEMENT, TYPE={}, ELSET=E{}", types[static_cast<int>(kind)], ++number);
      for (const std::size_t i : members) element(i, kind);
      section(mesh_.properties[static_cast<std::size_t>(property)], number, Vec3(x, y, z),
              mesh_.elements[members[0]]);
    }
  }

  void element(std::size_t i, ElementKind kind) {
    const int* nodes = mesh_.nodes_of(mesh_.elements[i]);
    std::string s = fmt::format("{}", id_of(i));
    for (int k = 0; k < node_count(kind); ++k) {
      const int from = kind == ElementKind::beam3 && k > 0 ? 3 - k : k;
      s += fmt::format("{}{}", k == 10 ? ",\n" : ", ", node(nodes[from]));
    }
    line("{}", s);
    if (mesh_.elements[i].placement < 0) return;
    const BeamPlacement& b = mesh_.beams[static_cast<std::size_t>(mesh_.elements[i].placement)];
    if ((b.release_a | b.release_b) != 0 || !b.offset_a_m.isZero() || !b.offset_b_m.isZero())
      line("** beam {} loses its releases and offsets", id_of(i));
  }

  void section(const FeProperty& p, int set, Vec3 direction, const FeElement& first) {
    const BeamSection& b = p.beam;
    const FeMaterial& m = mesh_.materials[static_cast<std::size_t>(p.material)];
    switch (p.kind) {
      case PropertyKind::solid:
        return line("*SOLID SECTION, ELSET=E{}, MATERIAL=M{}", set, p.material + 1);
      case PropertyKind::rod:
        return line("*SOLID SECTION, ELSET=E{}, MATERIAL=M{}\n{}", set, p.material + 1, b.area_m2);
      case PropertyKind::shell: {
        std::string more, material = fmt::format("M{}", p.material + 1);
        double thickness = p.shell.thickness_m;
        if (p.shell.bending_ratio > 0 && p.shell.bending_ratio != 1) {
          // E t and E t^3 times the ratio stay: a thicker sheet of a softer and lighter material.
          const double root = std::sqrt(p.shell.bending_ratio);
          thickness *= root;
          material = fmt::format("BENDING{}", set);
          line("*MATERIAL, NAME={}\n*ELASTIC\n{}, {}\n*DENSITY\n{}", material, m.young_Pa / root, m.poisson,
               m.density_kg_per_m3 / root);
        }
        if (p.shell.offset_m != 0) more += fmt::format(", OFFSET={}", -p.shell.offset_m / thickness);
        if (p.shell.mass_kg_per_m2 != 0) more += fmt::format(", DENSITY={}", p.shell.mass_kg_per_m2);
        return line("*SHELL SECTION, ELSET=E{}, MATERIAL={}{}\n{}", set, material, more, thickness);
      }
      case PropertyKind::beam: {
        if (direction.isZero()) {
          const int* nodes = mesh_.nodes_of(first);
          const Vec3 along = mesh_.nodes[static_cast<std::size_t>(nodes[1])].p -
                             mesh_.nodes[static_cast<std::size_t>(nodes[0])].p;
          Eigen::Index least = 0;
          along.cwiseAbs().minCoeff(&least);
          direction = Vec3::Unit(least);
        }
        if (b.mass_kg_per_m != 0) line("** section E{} loses its added mass", set);
        return line(
            "*BEAM GENERAL SECTION, SECTION=GENERAL, ELSET=E{}, DENSITY={}\n{}, {}, {}, {}, {}\n{}, {}, "
            "{}\n{}, {}",
            set, m.density_kg_per_m3, b.area_m2, b.I_y_m4, b.I_yz_m4, b.I_z_m4, b.torsion_m4, direction.x(),
            direction.y(), direction.z(), m.young_Pa, m.shear_Pa);
      }
    }
  }

  void node_list(const std::string& name, const std::vector<int>& nodes) {
    line("*NSET, NSET={}", name);
    for (const int n : nodes) line("{},", node(n));
  }

  /// Components as runs "first, last".
  static std::vector<std::pair<int, int>> runs(std::uint8_t bits) {
    std::vector<std::pair<int, int>> out;
    for (int k = 0; k < 6; ++k) {
      if ((bits >> k & 1) == 0) continue;
      if (!out.empty() && out.back().second == k)
        out.back().second = k + 1;
      else
        out.emplace_back(k + 1, k + 1);
    }
    return out;
  }

  void attachments() {
    int number = 0;
    for (const RigidSpider& r : mesh_.rigid) {
      const std::string set = fmt::format("RIGID{}", ++number);
      node_list(set, r.dependent);
      if (r.components == kAllSix) {
        line("*RIGID BODY, NSET={}, REF NODE={}", set, node(r.independent));
        continue;
      }
      line("*KINEMATIC COUPLING, REF NODE={}", node(r.independent));
      for (const auto& [first, last] : runs(r.components)) line("{}, {}, {}", set, first, last);
    }
    number = 0;
    for (const MeanSpider& m : mesh_.means) {
      line("*SURFACE, TYPE=NODE, NAME=MEAN{}", ++number);
      for (const MeanSpider::Leg& leg : m.legs) line("{}, {}", node(leg.node), leg.weight);
      line("*COUPLING, CONSTRAINT NAME=C{0}, SURFACE=MEAN{0}, REF NODE={1}\n*DISTRIBUTING", number,
           node(m.reference));
      for (const auto& [first, last] : runs(m.components)) line("{}, {}", first, last);
    }
    number = 0;
    for (const PointMass& m : mesh_.masses) {
      ++number;
      if (!m.offset_m.isZero()) line("** the next mass loses its offset");
      if (m.mass_kg > 0)
        line("*ELEMENT, TYPE=MASS, ELSET=MASS{0}\n{1}, {2}\n*MASS, ELSET=MASS{0}\n{3}", number, next_++,
             node(m.node), m.mass_kg);
      const Mat3& I = m.inertia_kg_m2;
      if (!I.isZero())
        line(
            "*ELEMENT, TYPE=ROTARYI, ELSET=ROT{0}\n{1}, {2}\n*ROTARY INERTIA, ELSET=ROT{0}\n{3}, {4}, {5}, "
            "{6}, {7}, {8}",
            number, next_++, node(m.node), I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    }
    number = 0;
    for (const PointSpring& s : mesh_.springs) {
      ++number;
      if (s.node_b < 0)
        line("*ELEMENT, TYPE=SPRING1, ELSET=K{0}\n{1}, {2}\n*SPRING, ELSET=K{0}\n{3}\n{4}", number, next_++,
             node(s.node_a), s.component_a + 1, s.stiffness);
      else
        line("*ELEMENT, TYPE=SPRING2, ELSET=K{0}\n{1}, {2}, {3}\n*SPRING, ELSET=K{0}\n{4}, {5}\n{6}", number,
             next_++, node(s.node_a), node(s.node_b), s.component_a + 1, s.component_b + 1, s.stiffness);
    }
    if (!mesh_.supports.empty()) line("*BOUNDARY");
    for (const Support& s : mesh_.supports)
      for (const auto& [first, last] : runs(s.components)) line("{}, {}, {}", node(s.node), first, last);
  }

  void sets() {
    for (const auto& [name, nodes] : mesh_.node_sets) node_list(fmt::format("\"{}\"", name), nodes);
    for (const auto& [name, members] : mesh_.element_sets) {
      line("*ELSET, ELSET=\"{}\"", name);
      for (const int i : members) line("{},", id_of(static_cast<std::size_t>(i)));
    }
  }

  const FeMesh& mesh_;
  bool own_ids_ = true;
  long next_ = 1;
};

}  // namespace

void write_inp(const FeMesh& mesh, const std::string& path) {
  write_text_file(path, InpWriter(mesh).text());
}

}  // namespace monocoque::io

// Writes a mesh as Nastran bulk data in SI: large fields in free form, 16 characters each.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

#include <fmt/format.h>

#include "io/files/line_writer.h"
#include "io/files/text_source.h"
#include "io/mesh/mesh_readers.h"

namespace monocoque::io {

namespace {

/// As many digits as sixteen characters hold, always with a point.
std::string real(double x) {
  std::string s;
  for (int digits = 16; digits > 0; --digits) {
    s = fmt::format("{:.{}g}", x, digits);
    if (s.find('.') == std::string::npos) {
      const std::size_t e = s.find('e');
      s.insert(e == std::string::npos ? s.size() : e, 1, '.');
    }
    if (s.size() <= 16) break;
  }
  return s;
}

std::string components(std::uint8_t bits) {
  std::string s;
  for (int k = 0; k < 6; ++k)
    if ((bits >> k & 1) != 0) s += static_cast<char>('1' + k);
  return s;
}

/// The file's own ids where they are positive and differ, otherwise 1, 2, 3, ...
template <class List>
std::vector<long> unique_ids(const List& list) {
  std::vector<long> ids;
  std::unordered_set<long> seen;
  bool good = true;
  for (const auto& item : list) {
    ids.push_back(item.id);
    good = good && item.id > 0 && item.id < 100000000 && seen.insert(item.id).second;
  }
  for (std::size_t i = 0; !good && i < ids.size(); ++i) ids[i] = static_cast<long>(i) + 1;
  return ids;
}

class NastranWriter : private LineWriter {
 public:
  explicit NastranWriter(const FeMesh& mesh) : mesh_(mesh) {}

  std::string text() {
    line("$ Written by Monocoque from {}; SI units: m, kg, s, N, Pa", mesh_.file);
    line("BEGIN BULK");
    for (const FeNode& n : mesh_.nodes)
      card("GRID", {num(n.id), "", real(n.p.x()), real(n.p.y()), real(n.p.z())});
    const std::vector<long> materials = unique_ids(mesh_.materials);
    for (std::size_t i = 0; i < materials.size(); ++i) {
      const FeMaterial& m = mesh_.materials[i];
      card("MAT1", {num(materials[i]), real(m.young_Pa), real(m.shear_Pa), real(m.poisson),
                    real(m.density_kg_per_m3)});
    }
    properties_ = unique_ids(mesh_.properties);
    for (std::size_t i = 0; i < properties_.size(); ++i)
      property(mesh_.properties[i], properties_[i],
               materials[static_cast<std::size_t>(mesh_.properties[i].material)]);
    const std::vector<long> ids = unique_ids(mesh_.elements);
    for (std::size_t i = 0; i < ids.size(); ++i) element(mesh_.elements[i], ids[i]);
    next_ = ids.empty() ? 1 : *std::max_element(ids.begin(), ids.end()) + 1;
    attachments();
    line("ENDDATA");
    return fmt::to_string(out_);
  }

 private:
  /// Four fields per line.
  void card(const char* name, const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); i += 4) {
      fmt::format_to(std::back_inserter(out_), "{}{}", i == 0 ? name : "", "*");
      for (std::size_t k = i; k < std::min(i + 4, fields.size()); ++k)
        fmt::format_to(std::back_inserter(out_), ",{}", fields[k]);
      out_.push_back('\n');
    }
  }

  static std::string num(long x) { return std::to_string(x); }
  std::string node(int index) const { return num(mesh_.nodes[static_cast<std::size_t>(index)].id); }

  void property(const FeProperty& p, long id, long material) {
    const BeamSection& b = p.beam;
    const ShellSection& s = p.shell;
    switch (p.kind) {
      case PropertyKind::rod:
        return card("PROD",
                    {num(id), num(material), real(b.area_m2), real(b.torsion_m4), "", real(b.mass_kg_per_m)});
      case PropertyKind::beam: {
        std::vector<std::string> f{num(id),        num(material),      real(b.area_m2),      real(b.I_z_m4),
                                   real(b.I_y_m4), real(b.torsion_m4), real(b.mass_kg_per_m)};
        f.resize(16);
        f.push_back(b.shear_y > 0 ? real(b.shear_y) : "");
        f.push_back(b.shear_z > 0 ? real(b.shear_z) : "");
        f.push_back(real(b.I_yz_m4));
        return card("PBAR", f);
      }
      case PropertyKind::shell: {
        const bool bends = s.bending_ratio > 0;
        return card("PSHELL", {num(id), num(material), real(s.thickness_m), bends ? num(material) : "",
                               bends ? real(s.bending_ratio) : "", bends ? num(material) : "",
                               real(s.shear_ratio), real(s.mass_kg_per_m2)});
      }
      case PropertyKind::solid:
        return card("PSOLID", {num(id), num(material)});
    }
  }

  void element(const FeElement& e, long id) {
    static constexpr const char* names[] = {"CROD",   "CBAR",   "CBAR",   "CTRIA3", "CQUAD4",
                                            "CTETRA", "CTETRA", "CPENTA", "CHEXA",  "CHEXA"};
    std::vector<std::string> f{num(id), num(properties_[static_cast<std::size_t>(e.property)])};
    const int* nodes = mesh_.nodes_of(e);
    const bool beam = e.kind == ElementKind::beam2 || e.kind == ElementKind::beam3;
    for (int k = 0; k < (beam ? 2 : node_count(e.kind)); ++k) {
      // Nastran puts the vertical edges of a brick before the top ones.
      const int from = e.kind != ElementKind::brick20 || k < 12 ? k : k < 16 ? k + 4 : k - 4;
      f.push_back(node(nodes[from]));
    }
    const double offset = mesh_.properties[static_cast<std::size_t>(e.property)].shell.offset_m;
    if (e.kind == ElementKind::shell3 || e.kind == ElementKind::shell4) {
      f.emplace_back();
      if (offset != 0) f.push_back(real(offset));
    }
    if (e.kind == ElementKind::beam3) line("$ beam {} loses its middle node", id);
    if (beam) beam_fields(e, nodes, f);
    card(names[static_cast<int>(e.kind)], f);
  }

  void beam_fields(const FeElement& e, const int* nodes, std::vector<std::string>& f) const {
    BeamPlacement b;
    if (e.placement >= 0) b = mesh_.beams[static_cast<std::size_t>(e.placement)];
    if (b.y_axis.isZero()) {
      const Vec3 along = mesh_.nodes[static_cast<std::size_t>(nodes[1])].p -
                         mesh_.nodes[static_cast<std::size_t>(nodes[0])].p;
      Eigen::Index least = 0;
      along.cwiseAbs().minCoeff(&least);
      b.y_axis = Vec3::Unit(least);
    }
    for (int k = 0; k < 3; ++k) f.push_back(real(b.y_axis[k]));
    f.emplace_back();
    f.push_back(components(b.release_a));
    f.push_back(components(b.release_b));
    for (int k = 0; k < 3; ++k) f.push_back(real(b.offset_a_m[k]));
    for (int k = 0; k < 3; ++k) f.push_back(real(b.offset_b_m[k]));
  }

  void attachments() {
    for (const RigidSpider& r : mesh_.rigid) {
      std::vector<std::string> f{num(next_++), node(r.independent), components(r.components)};
      for (const int n : r.dependent) f.push_back(node(n));
      card("RBE2", f);
    }
    for (const MeanSpider& m : mesh_.means) {
      std::vector<std::string> f{num(next_++), "", node(m.reference), components(m.components)};
      for (std::size_t i = 0; i < m.legs.size(); ++i) {
        const MeanSpider::Leg& leg = m.legs[i];
        if (i == 0 || leg.weight != m.legs[i - 1].weight || leg.components != m.legs[i - 1].components) {
          f.push_back(real(leg.weight));
          f.push_back(components(leg.components));
        }
        f.push_back(node(leg.node));
      }
      card("RBE3", f);
    }
    for (const PointMass& m : mesh_.masses) {
      const Mat3& I = m.inertia_kg_m2;
      card("CONM2", {num(next_++), node(m.node), "", real(m.mass_kg), real(m.offset_m.x()),
                     real(m.offset_m.y()), real(m.offset_m.z()), "", real(I(0, 0)), real(-I(1, 0)),
                     real(I(1, 1)), real(-I(2, 0)), real(-I(2, 1)), real(I(2, 2))});
    }
    for (const PointSpring& s : mesh_.springs) {
      std::vector<std::string> f{num(next_++), real(s.stiffness), node(s.node_a), num(s.component_a + 1)};
      if (s.node_b >= 0) {
        f.push_back(node(s.node_b));
        f.push_back(num(s.component_b + 1));
      }
      card("CELAS2", f);
    }
    for (const Support& s : mesh_.supports) card("SPC1", {"1", components(s.components), node(s.node)});
  }

  const FeMesh& mesh_;
  std::vector<long> properties_;
  long next_ = 1;
};

}  // namespace

void write_nastran(const FeMesh& mesh, const std::string& path) {
  write_text_file(path, NastranWriter(mesh).text());
}

}  // namespace monocoque::io

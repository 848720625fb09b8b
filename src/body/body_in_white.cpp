#include "body/body_in_white.h"

#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "body/grid.h"
#include "body/sedan.h"
#include "body/stock.h"
#include "body/ties.h"
#include "body/trim.h"

namespace monocoque::body {

namespace {

void check(const BodyParameters& p) {
  Diagnostics found;
  const auto range = [&](const char* name, double value, double low, double high, const char* remedy) {
    if (!(value >= low && value <= high))
      found.error({}, "body",
                  fmt::format("{} is {:.6g}, it must be from {:g} to {:g}", name, value, low, high), remedy);
  };
  range("size_m", p.size_m, kLeastSize_m, kLargestSize_m,
        "0.2 gives 3 000 shells, 0.0066 more than a million");
  range("weld_pitch_m", p.weld_pitch_m, 0.01, 1, "spot welds of cars stand 0.03 to 0.08 m apart");
  range("thickness_scale", p.thickness_scale, 0.2, 5, "1 is the sedan of docs/body.md");
  range("knockdown", p.knockdown, 0.01, 2, "1 is full steel, 0.5 the fitted body");
  range("bond_scale", p.bond_scale, 1e-6, 1e6, "1 is a usual adhesive");
  range("mass_kg", p.mass_kg, 1, 1e5, "give the mass of body with trim");
  range("centre_x_m", p.centre_x_m, -1, 1, "x counts from the middle of the interface table");
  range("centre_z_m", p.centre_z_m, 0.1, 1.4, "z counts from the ground");
  for (const auto& [name, value] : {std::pair("Ixx_kg_m2", p.Ixx_kg_m2), std::pair("Iyy_kg_m2", p.Iyy_kg_m2),
                                    std::pair("Izz_kg_m2", p.Izz_kg_m2)})
    range(name, value, 1, 1e6, "give the moments of inertia wished for");
  found.throw_if_errors();
}

/// Nodes of the grid in the order of the mesh: the interfaces, which the grid has last, come first.
class Writer {
 public:
  Writer(const Grid& grid, const Ties& ties, const Trim& trim, const BodyParameters& p)
      : grid_(grid), ties_(ties), trim_(trim), p_(p), first_interface_(ties.interface_nodes.front()) {}

  io::FeMesh mesh() {
    mesh_.file = fmt::format("the parametric sedan, size {:g} m", p_.size_m);
    nodes();
    materials();
    shells();
    bars();
    attachments();
    return std::move(mesh_);
  }

  int index(int node) const {
    const int count = static_cast<int>(interfaces().size());
    return node < first_interface_ ? node + count : node - first_interface_;
  }

 private:
  void nodes() {
    mesh_.nodes.resize(grid_.nodes.size());
    for (int n = 0; n < static_cast<int>(grid_.nodes.size()); ++n) {
      const bool interface = n >= first_interface_;
      io::FeNode& node = mesh_.nodes[static_cast<std::size_t>(index(n))];
      node.id = interface ? interfaces()[static_cast<std::size_t>(n - first_interface_)].id : 101 + n;
      node.p = grid_.nodes[static_cast<std::size_t>(n)];
    }
  }

  void materials() {
    for (const Stock stock : {Stock::sheet_steel, Stock::glass, Stock::beam_steel}) {
      const Material& m = material(stock);
      io::FeMaterial out;
      out.id = static_cast<long>(mesh_.materials.size()) + 1;
      out.name = m.name;
      out.young_Pa = m.young_Pa * (stock == Stock::sheet_steel ? p_.knockdown : 1);
      out.poisson = m.poisson;
      out.shear_Pa = out.young_Pa / (2 * (1 + m.poisson));
      out.density_kg_per_m3 = m.density_kg_per_m3;
      mesh_.materials.push_back(out);
    }
  }

  int shell_property(const Quad& q) {
    const auto [it, fresh] =
        shells_.emplace(std::pair(q.sheet, q.zone), static_cast<int>(mesh_.properties.size()));
    if (!fresh) return it->second;
    const Sheet& s = sheets()[static_cast<std::size_t>(q.sheet)];
    io::FeProperty out;
    out.id = it->second + 1;
    out.kind = io::PropertyKind::shell;
    out.name = s.name;
    out.material = static_cast<int>(s.stock);
    out.shell.thickness_m = s.thickness_m * p_.thickness_scale;
    out.shell.bending_ratio = s.bending_ratio;
    if (q.zone != kNoZone && s.panel)
      out.shell.mass_kg_per_m2 = trim_.panel_kg_per_m2[static_cast<std::size_t>(q.zone)];
    mesh_.properties.push_back(out);
    return it->second;
  }

  void element(io::ElementKind kind, int property, int placement, const int* nodes, int count) {
    io::FeElement e;
    e.id = static_cast<long>(mesh_.elements.size()) + 1;
    e.kind = kind;
    e.property = property;
    e.placement = placement;
    e.first_node = static_cast<int>(mesh_.connectivity.size());
    for (int k = 0; k < count; ++k) mesh_.connectivity.push_back(index(nodes[k]));
    mesh_.elements.push_back(e);
  }

  void shells() {
    for (const Quad& q : grid_.quads)
      element(io::ElementKind::shell4, shell_property(q), -1, q.node.data(), 4);
  }

  void bars() {
    const int first = static_cast<int>(mesh_.properties.size());
    for (const Section& s : sections()) {
      const BoxValues v = box_values(s.width_m, s.height_m, s.wall_m);
      io::FeProperty out;
      out.id = static_cast<long>(mesh_.properties.size()) + 1;
      out.kind = io::PropertyKind::beam;
      out.name = s.name;
      out.material = static_cast<int>(Stock::beam_steel);
      out.beam.area_m2 = v.area;
      out.beam.I_z_m4 = v.I_height;
      out.beam.I_y_m4 = v.I_width;
      out.beam.torsion_m4 = v.torsion;
      out.beam.shear_y = v.shear_height;
      out.beam.shear_z = v.shear_width;
      mesh_.properties.push_back(out);
    }
    for (const Bar& b : grid_.bars) {
      const Vec3 along =
          grid_.nodes[static_cast<std::size_t>(b.b)] - grid_.nodes[static_cast<std::size_t>(b.a)];
      io::BeamPlacement placement;
      // The height stands upright, of upright beams it lies along the car.
      placement.y_axis = std::abs(along.z()) < 0.9 * along.norm() ? Vec3::UnitZ() : Vec3::UnitX();
      mesh_.beams.push_back(placement);
      const int ends[] = {b.a, b.b};
      element(io::ElementKind::beam2, first + b.section, static_cast<int>(mesh_.beams.size()) - 1, ends, 2);
    }
  }

  void attachments() {
    long id = static_cast<long>(mesh_.elements.size());
    for (const Rigid& r : ties_.rigid) {
      io::RigidSpider out;
      out.id = ++id;
      out.independent = index(r.independent);
      for (const int n : r.dependent) out.dependent.push_back(index(n));
      mesh_.rigid.push_back(std::move(out));
    }
    for (const Bead& b : ties_.beads)
      for (int c = 0; c < 3; ++c)
        mesh_.springs.push_back({++id, index(b.glass), index(b.body), c, c, b.stiffness_N_per_m});
    for (const auto& [node, kg] : trim_.at_node) {
      io::PointMass m;
      m.id = ++id;
      m.node = index(node);
      m.mass_kg = kg;
      mesh_.masses.push_back(m);
    }
  }

  const Grid& grid_;
  const Ties& ties_;
  const Trim& trim_;
  const BodyParameters& p_;
  int first_interface_;
  std::map<std::pair<int, int>, int> shells_;
  io::FeMesh mesh_;
};

}  // namespace

BodyInWhite make_body(const BodyParameters& p) {
  check(p);
  const Skeleton skeleton = sedan({p.glass, p.closed_bulkhead});
  Grid grid(skeleton, {p.size_m, p.weld == WeldKind::shared});
  TrimTarget target;
  target.mass_kg = p.mass_kg;
  target.centre_m = Vec3(p.centre_x_m, 0, p.centre_z_m);
  target.inertia_kg_m2 = Vec3(p.Ixx_kg_m2, p.Iyy_kg_m2, p.Izz_kg_m2);
  target.thickness_scale = p.thickness_scale;
  const Trim trim = match_trim(grid, target);
  const Ties ties = tie(grid, p.size_m, p.weld_pitch_m, p.bond_scale);

  Writer writer(grid, ties, trim, p);
  BodyInWhite out;
  out.mesh = writer.mesh();
  out.mass = {trim.mass_kg, trim.centre_m, trim.inertia_kg_m2};
  out.structure_kg = trim.structure_kg;
  for (std::size_t z = 0; z < zones().size(); ++z)
    out.trim_kg[std::string(zones()[z].name)] = trim.zone_kg[z];
  for (const Rigid& r : ties.rigid) ++(r.weld ? out.welds : out.spiders);
  for (std::size_t k = 0; k < skeleton.points.size(); ++k) {
    const std::vector<int>& there = grid.at_point(static_cast<int>(k));
    if (!there.empty()) out.key_nodes[skeleton.names[k]] = writer.index(there.front());
  }
  return out;
}

}  // namespace monocoque::body

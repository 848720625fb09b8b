#include "body/assess.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "body/stock.h"
#include "core/decompositions.h"
#include "core/error.h"
#include "reduce/constrained_solver.h"
#include "reduce/node_map.h"

namespace monocoque::body {

namespace {

constexpr double kSlice_m = 0.25;
constexpr double kGlobalShare = 0.5, kLocalShare = 0.4;
constexpr const char* kLeftSill = "S10a";
constexpr const char* kRightSill = "S10a*";

Vec3 translation(const VecX& motion, Eigen::Index node) {
  return motion.segment<3>(6 * node);
}

/// The rigid motion of each slice that fits its nodes best, and the kinetic energy it carries.
class Slices {
 public:
  Slices(const io::FeMesh& mesh, const VecX& mass) : mesh_(mesh), mass_(mass) {
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
      if (mass[static_cast<Eigen::Index>(n)] > 0)
        members_[static_cast<int>(std::floor(mesh.nodes[n].p.x() / kSlice_m))].push_back(n);
  }

  /// Shares of the kinetic energy.
  void share(const VecX& motion, NamedMode& mode) const {
    double total = 0, roll = 0, vertical = 0, lateral = 0;
    for (const auto& [slice, nodes] : members_) {
      Vec3 centre = Vec3::Zero();
      double m = 0;
      for (const std::size_t n : nodes) {
        m += mass_[static_cast<Eigen::Index>(n)];
        centre += mass_[static_cast<Eigen::Index>(n)] * mesh_.nodes[n].p;
      }
      centre /= m;
      Mat3 J = 1e-12 * m * Mat3::Identity();  // a slice of few nodes has no inertia about some axis
      Vec3 momentum = Vec3::Zero(), spin = Vec3::Zero();
      for (const std::size_t n : nodes) {
        const double w = mass_[static_cast<Eigen::Index>(n)];
        const Vec3 r = mesh_.nodes[n].p - centre, u = translation(motion, static_cast<Eigen::Index>(n));
        J += w * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
        momentum += w * u;
        spin += w * r.cross(u);
        total += w * u.squaredNorm();
      }
      const Vec3 v = momentum / m, turn = J.ldlt().solve(spin);
      roll += turn.x() * spin.x();
      vertical += m * (v.x() * v.x() + v.z() * v.z()) + turn.y() * spin.y();
      lateral += m * v.y() * v.y() + turn.z() * spin.z();
    }
    mode.roll = roll / total;
    mode.vertical = vertical / total;
    mode.lateral = lateral / total;
  }

 private:
  const io::FeMesh& mesh_;
  const VecX& mass_;
  std::map<int, std::vector<std::size_t>> members_;
};

/// Name of the property whose elements have most of the energy, and their share.
std::pair<std::string, double> busiest_property(const io::FeMesh& mesh, const VecX& mass,
                                                const VecX& motion) {
  std::map<std::string, double> energy;
  std::vector<int> elements_at(mesh.nodes.size());
  for (const int n : mesh.connectivity) ++elements_at[static_cast<std::size_t>(n)];
  for (const io::FeElement& e : mesh.elements)
    for (int k = 0; k < io::node_count(e.kind); ++k) {
      const int n = mesh.nodes_of(e)[k];
      energy[mesh.properties[static_cast<std::size_t>(e.property)].name] +=
          mass[n] * translation(motion, n).squaredNorm() / elements_at[static_cast<std::size_t>(n)];
    }
  const auto most = std::max_element(energy.begin(), energy.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  double total = 0;
  for (const auto& [name, e] : energy) total += e;
  return {most->first, most->second / total};
}

void name_mode(const io::FeMesh& mesh, const VecX& mass, const Slices& slices, NamedMode& mode) {
  slices.share(mode.motion, mode);
  if (mode.roll + mode.vertical + mode.lateral < kGlobalShare) {
    const auto [name, share] = busiest_property(mesh, mass, mode.motion);
    mode.kind = share > kLocalShare ? ModeKind::local : ModeKind::mixed;
    mode.name = mode.kind == ModeKind::local ? "local: " + name : "mixed";
  } else if (mode.roll > std::max(mode.vertical, mode.lateral)) {
    mode.kind = ModeKind::torsion;
    mode.name = "torsion";
  } else if (mode.vertical > mode.lateral) {
    mode.kind = ModeKind::bending;
    mode.name = "vertical bending";
  } else {
    mode.kind = ModeKind::lateral;
    mode.name = "lateral bending";
  }
}

/// Eigenvectors have no sign of their own; this gives each the same one in every run and on every mesh.
void fix_sign(const io::FeMesh& mesh, VecX& motion) {
  double sum = 0;  // a form that neither symmetric nor antisymmetric motion makes zero
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const Vec3 &p = mesh.nodes[n].p, u = translation(motion, static_cast<Eigen::Index>(n));
    sum += (1 + p.x() + 2 * p.y()) * u.z() + 0.5 * u.y();
  }
  if (sum < 0) motion = -motion;
}

/// Work of a solve with forms held: rows of T are forms over components of nodes.
class Statics {
 public:
  Statics(const FeSystem& fe, const reduce::NodeMap& map) : fe_(fe), map_(map) {}

  /// Sum of the components is held at zero.
  void hold(const std::vector<reduce::NodeComponent>& sum) {
    Eigen::SparseVector<double> form(fe_.size());
    for (const reduce::NodeComponent& c : sum) form = Eigen::SparseVector<double>(form + map_.form(c));
    for (Eigen::SparseVector<double>::InnerIterator it(form); it; ++it)
      entries_.emplace_back(rows_, static_cast<int>(it.index()), it.value());
    ++rows_;
  }

  VecX solve(const std::vector<std::pair<reduce::NodeComponent, double>>& loads,
             const reduce::Log& log) const {
    SparseMatrix T(rows_, fe_.size());
    T.setFromTriplets(entries_.begin(), entries_.end());
    MatX F = MatX::Zero(fe_.size(), 1);
    for (const auto& [where, force] : loads) F += force * MatX(map_.form(where));
    reduce::CholeskyOptions options;
    options.log = log;
    options.what = "the stiffness matrix of the body";
    return fe_.to_nodes * reduce::ConstrainedSolver(fe_, 0, T, options).solve_held(F).col(0);
  }

 private:
  const FeSystem& fe_;
  const reduce::NodeMap& map_;
  std::vector<Eigen::Triplet<double>> entries_;
  int rows_ = 0;
};

double component(const VecX& motion, reduce::NodeComponent c) {
  return motion[6 * c.node + c.component];
}

}  // namespace

double Stiffness::torsion_kNm_per_deg() const {
  return torsion_Nm_per_rad * std::numbers::pi / 180 * 1e-3;
}

VecX nodal_masses(const io::FeMesh& mesh) {
  VecX out = VecX::Zero(static_cast<Eigen::Index>(mesh.nodes.size()));
  for (const io::FeElement& e : mesh.elements) {
    const io::FeProperty& p = mesh.properties[static_cast<std::size_t>(e.property)];
    const double density = mesh.materials[static_cast<std::size_t>(p.material)].density_kg_per_m3;
    const int* n = mesh.nodes_of(e);
    const auto x = [&](int k) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(n[k])].p; };
    double m = 0;
    if (e.kind == io::ElementKind::shell4)
      m = (x(2) - x(0)).cross(x(3) - x(1)).norm() / 2 *
          (density * p.shell.thickness_m + p.shell.mass_kg_per_m2);
    else
      m = (x(1) - x(0)).norm() * (density * p.beam.area_m2 + p.beam.mass_kg_per_m);
    const int count = io::node_count(e.kind);
    for (int k = 0; k < count; ++k) out[n[k]] += m / count;
  }
  for (const io::PointMass& m : mesh.masses) out[m.node] += m.mass_kg;
  return out;
}

Stiffness static_stiffness(const BodyInWhite& body, const FeSystem& fe, const reduce::Log& log) {
  using reduce::NodeComponent;
  const reduce::NodeMap map(fe);
  const int front[] = {map.node_of(1), map.node_of(2)}, rear[] = {map.node_of(3), map.node_of(4)};
  Stiffness out;
  {
    Statics torsion(fe, map);
    for (const int n : rear)
      for (int c = 0; c < 3; ++c) torsion.hold({{n, c}});
    torsion.hold({{front[0], 2}, {front[1], 2}});
    const double force = 1000;
    const VecX u = torsion.solve({{{front[0], 2}, force}, {{front[1], 2}, -force}}, log);
    const double track = fe.positions[static_cast<std::size_t>(front[0])].y() -
                         fe.positions[static_cast<std::size_t>(front[1])].y();
    const double angle = (component(u, {front[0], 2}) - component(u, {front[1], 2})) / track;
    out.torsion_Nm_per_rad = force * track / angle;
  }
  {
    Statics bending(fe, map);
    for (const int n : {front[0], front[1], rear[0], rear[1]}) bending.hold({{n, 2}});
    bending.hold({{rear[0], 0}});
    bending.hold({{rear[0], 1}});
    bending.hold({{rear[1], 0}});
    const NodeComponent left{body.key_nodes.at(kLeftSill), 2}, right{body.key_nodes.at(kRightSill), 2};
    const double force = 500;
    const VecX u = bending.solve({{left, -force}, {right, -force}}, log);
    out.bending_N_per_m = -2 * force / (0.5 * (component(u, left) + component(u, right)));
  }
  return out;
}

BodyModes named_modes(const BodyInWhite& body, const FeSystem& fe, int count, const reduce::Log& log) {
  const reduce::NodeMap map(fe);
  reduce::ModeOptions options;
  options.count = count;
  options.log = log;
  const reduce::Modes modes = reduce::eigenmodes(fe, map, options);
  const VecX mass = nodal_masses(body.mesh);
  const Slices slices(body.mesh, mass);
  BodyModes out;
  out.rigid = modes.rigid;
  for (Eigen::Index i = modes.rigid; i < modes.omega2.size(); ++i) {
    NamedMode mode;
    mode.frequency_Hz = modes.frequency_Hz(i);
    mode.motion = fe.to_nodes * modes.shapes.col(i);
    fix_sign(body.mesh, mode.motion);
    name_mode(body.mesh, mass, slices, mode);
    out.elastic.push_back(std::move(mode));
  }
  return out;
}

const NamedMode* first_of(const BodyModes& modes, ModeKind kind) {
  for (const NamedMode& m : modes.elastic)
    if (m.kind == kind) return &m;
  return nullptr;
}

}  // namespace monocoque::body

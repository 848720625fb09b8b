#include "body/cheap_bodies.h"

#include <cmath>

#include <fmt/format.h>

#include "body/stock.h"
#include "core/decompositions.h"
#include "core/error.h"
#include "fe/assemble.h"
#include "io/mesh/beam_sections.h"

namespace monocoque::body {

namespace {

constexpr double kYoung_Pa = 2.1e11, kPoisson = 0.3;
constexpr double kShear_Pa = kYoung_Pa / (2 * (1 + kPoisson));
constexpr long kFirstFrameNode = 101;

/// A mesh of nodes, massless beams, and rigid legs to the interfaces.
class Frame {
 public:
  explicit Frame(std::string name) {
    body_.mesh.file = std::move(name);
    for (const Interface& i : interfaces())
      body_.mesh.nodes.push_back({i.id, Vec3(i.x, i.y, i.z) + reference_centre()});
  }

  int node(const Vec3& p) {
    body_.mesh.nodes.push_back({kFirstFrameNode + static_cast<long>(frame_.size()), p});
    frame_.push_back(static_cast<int>(body_.mesh.nodes.size()) - 1);
    return frame_.back();
  }
  const Vec3& at(int node) const { return body_.mesh.nodes[static_cast<std::size_t>(node)].p; }

  int property(const std::string& name, const io::BeamSection& section, double factor) {
    io::FeMesh& m = body_.mesh;
    const auto id = static_cast<long>(m.properties.size()) + 1;
    m.materials.push_back({id, name, factor * kYoung_Pa, factor * kShear_Pa, kPoisson, 0});
    io::FeProperty p;
    p.id = id;
    p.name = name;
    p.kind = io::PropertyKind::beam;
    p.material = static_cast<int>(m.materials.size()) - 1;
    p.beam = section;
    m.properties.push_back(p);
    return static_cast<int>(m.properties.size()) - 1;
  }

  void beam(int property, int a, int b) {
    io::FeMesh& m = body_.mesh;
    const Vec3 along = (at(b) - at(a)).normalized();
    io::BeamPlacement placement;
    placement.y_axis = std::abs(along.z()) < 0.9 ? Vec3(Vec3::UnitZ()) : Vec3(Vec3::UnitX());
    io::FeElement e;
    e.id = static_cast<long>(m.elements.size()) + 1;
    e.kind = io::ElementKind::beam2;
    e.property = property;
    e.first_node = static_cast<int>(m.connectivity.size());
    e.placement = static_cast<int>(m.beams.size());
    m.beams.push_back(placement);
    m.connectivity.insert(m.connectivity.end(), {a, b});
    m.elements.push_back(e);
  }

  /// Every interface goes rigidly with the frame node that `host` names.
  template <class Host>
  void tie_interfaces(Host&& host) {
    std::map<int, std::vector<int>> legs;
    for (int i = 0; i < static_cast<int>(interfaces().size()); ++i) legs[host(i)].push_back(i);
    for (auto& [node, list] : legs)
      body_.mesh.rigid.push_back({static_cast<long>(body_.mesh.rigid.size()) + 1, node, std::move(list)});
  }

  /// The mass of every node of the shell body moves with the frame node that `host` names; then the last
  /// percents of centre and inertia, which lumping has lost.
  template <class Host>
  void take_mass(const BodyInWhite& shells, const MassProperties& target, Host&& host) {
    const VecX mass = nodal_masses(shells.mesh);
    std::map<int, std::vector<std::size_t>> clusters;
    for (std::size_t n = 0; n < shells.mesh.nodes.size(); ++n)
      if (mass[static_cast<Eigen::Index>(n)] > 0) clusters[host(shells.mesh.nodes[n].p)].push_back(n);
    for (const auto& [node, members] : clusters) {
      io::PointMass m;
      m.id = static_cast<long>(body_.mesh.masses.size()) + 1;
      m.node = node;
      Vec3 first = Vec3::Zero();
      for (const std::size_t n : members) {
        m.mass_kg += mass[static_cast<Eigen::Index>(n)];
        first += mass[static_cast<Eigen::Index>(n)] * shells.mesh.nodes[n].p;
      }
      const Vec3 centre = first / m.mass_kg;
      m.offset_m = centre - at(node);
      for (const std::size_t n : members) {
        const Vec3 r = shells.mesh.nodes[n].p - centre;
        m.inertia_kg_m2 +=
            mass[static_cast<Eigen::Index>(n)] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
      }
      body_.mesh.masses.push_back(m);
    }
    for (int pass = 0; pass < 2; ++pass) {
      const MassProperties now = mass_properties(assemble(body_.mesh));
      for (io::PointMass& m : body_.mesh.masses) {
        m.offset_m += target.centre - now.centre;
        const double share = m.mass_kg / now.mass_kg;
        m.inertia_kg_m2 += share * (target.inertia - now.inertia);
        m.mass_kg *= target.mass_kg / now.mass_kg;
      }
    }
  }

  int nearest(const Vec3& p) const {
    int best = frame_.front();
    for (const int n : frame_)
      if ((at(n) - p).squaredNorm() < (at(best) - p).squaredNorm()) best = n;
    return best;
  }

  BodyInWhite& body() { return body_; }

 private:
  BodyInWhite body_;
  std::vector<int> frame_;
};

constexpr const char* kSillKeys[2] = {"S10a", "S10a*"};  // where assess.h loads the body

// ---------------------------------------------------------------- beam frame

/// Points of the left half along the load paths; those with y = 0 lie in the middle plane. Metres, z from the
/// ground.
struct FramePoint {
  const char* name;
  double x, y, z;
};
constexpr FramePoint kPoints[] = {
    {"rail front", 2.25, .47, .48},    {"rail tower", 1.45, .47, .48},   {"rail dash", .98, .46, .45},
    {"torque box", .80, .58, .33},     {"sill front", .75, .75, .33},    {"sill middle", -.06, .75, .33},
    {"sill rear", -.80, .72, .33},     {"kick up", -1.00, .55, .42},     {"rail dome", -1.43, .50, .52},
    {"rail rear", -2.33, .49, .42},    {"hinge top", .75, .72, .90},     {"A top", .02, .57, 1.36},
    {"B top", -.40, .56, 1.42},        {"C top", -1.05, .54, 1.34},      {"C foot", -1.45, .60, 1.00},
    {"dome front", 1.369, .599, .93},  {"dome rear", -1.432, .592, .92}, {"subframe front", 1.45, .42, .28},
    {"subframe rear", 1.12, .38, .28}, {"rear frame", -1.42, .30, .32},  {"tunnel front", .80, 0, .36},
    {"tunnel rear", -.80, 0, .36},     {"quarter", -2.25, .62, .85},
};
struct FrameBeam {
  const char *from, *to;
  double width_mm;  ///< square box, wall 1.2 mm
};
constexpr FrameBeam kBeams[] = {
    {"rail front", "rail tower", 170},
    {"rail tower", "rail dash", 180},
    {"rail dash", "torque box", 160},
    {"torque box", "sill front", 110},
    {"sill front", "sill middle", 130},
    {"sill middle", "sill rear", 130},
    {"sill rear", "kick up", 130},
    {"kick up", "rail dome", 140},
    {"rail dome", "rail rear", 150},
    {"sill front", "hinge top", 120},
    {"hinge top", "A top", 110},
    {"A top", "B top", 110},
    {"B top", "C top", 110},
    {"C top", "C foot", 130},
    {"B top", "sill middle", 120},
    {"hinge top", "dome front", 150},
    {"dome front", "rail tower", 150},
    {"dome front", "rail dash", 130},
    {"C foot", "dome rear", 120},
    {"dome rear", "rail dome", 120},
    {"dome rear", "sill rear", 100},
    {"C foot", "quarter", 130},
    {"quarter", "rail rear", 110},
    {"subframe front", "rail tower", 90},
    {"subframe rear", "rail dash", 90},
    {"subframe front", "subframe rear", 80},
    {"rear frame", "rail dome", 90},
    {"torque box", "tunnel front", 100},
    {"sill rear", "tunnel rear", 100},
    {"tunnel front", "tunnel rear", 140},
};
/// Beams from a point to its own image.
constexpr FrameBeam kBridges[] = {
    {"rail front", "", 90}, {"hinge top", "", 110}, {"A top", "", 70},          {"B top", "", 60},
    {"C top", "", 70},      {"C foot", "", 110},    {"sill middle", "", 90},    {"rail dome", "", 90},
    {"rail rear", "", 90},  {"quarter", "", 70},    {"subframe front", "", 80}, {"subframe rear", "", 80},
    {"rear frame", "", 80}, {"rail dash", "", 100},
};

/// What sheets do against shear: diagonals from a point to the image of another.
constexpr FrameBeam kPanels[] = {
    {"sill front", "tunnel rear", 40}, {"sill rear", "tunnel front", 40}, {"A top", "C top", 40},
    {"hinge top", "A top", 110},       {"C top", "C foot", 130},          {"hinge top", "torque box", 40},
    {"C foot", "rail dome", 40},       {"rail dome", "rail rear", 150},   {"dome front", "rail dash", 130},
    {"quarter", "rail rear", 110},
};

io::BeamSection box(double width_m) {
  constexpr double wall_m = 1.2e-3;
  io::BeamSection s;
  std::string reason;
  if (!io::section_of_shape("BOX", {width_m, width_m, wall_m, wall_m}, s, reason))
    throw Error("beam frame", reason, "");
  return s;
}

BodyInWhite framed(const BodyInWhite& shells, const MassProperties& mass, double all, double panels) {
  Frame frame("beam-frame");
  std::map<std::string, std::array<int, 2>> nodes;
  for (const FramePoint& p : kPoints) {
    const int left = frame.node({p.x, p.y, p.z});
    nodes[p.name] = {left, p.y > 0 ? frame.node({p.x, -p.y, p.z}) : left};
  }
  std::map<std::pair<int, bool>, int> made;
  const auto beam = [&](double width_mm, bool panel, int from, int to) {
    const auto [it, fresh] = made.try_emplace({static_cast<int>(width_mm), panel}, 0);
    if (fresh)
      it->second = frame.property(fmt::format("{} {:g} mm", panel ? "panel" : "box", width_mm),
                                  box(1e-3 * width_mm), panel ? all * panels : all);
    frame.beam(it->second, from, to);
  };
  for (const FrameBeam& b : kBeams) {
    const auto &from = nodes.at(b.from), &to = nodes.at(b.to);
    beam(b.width_mm, false, from[0], to[0]);
    if (from[0] != from[1] || to[0] != to[1]) beam(b.width_mm, false, from[1], to[1]);
  }
  for (const FrameBeam& b : kBridges) beam(b.width_mm, false, nodes.at(b.from)[0], nodes.at(b.from)[1]);
  for (const FrameBeam& b : kPanels) {
    const auto &from = nodes.at(b.from), &to = nodes.at(b.to);
    beam(b.width_mm, true, from[0], to[1]);
    beam(b.width_mm, true, from[1], to[0]);
  }
  frame.tie_interfaces([&](int i) { return frame.nearest(frame.at(i)); });
  frame.take_mass(shells, mass, [&](const Vec3& p) { return frame.nearest(p); });
  for (std::size_t side = 0; side < 2; ++side)
    frame.body().key_nodes[kSillKeys[side]] = nodes.at("sill middle")[side];
  return std::move(frame.body());
}

}  // namespace

BodyInWhite two_halves(const BodyInWhite& shells, const MassProperties& mass, const Stiffness& stiffness) {
  constexpr double kHalfBar_m = 0.1, kRigid = 1e4;
  Frame frame("two-halves");
  const int front = frame.node(mass.centre + Vec3(kHalfBar_m, 0, 0)),
            rear = frame.node(mass.centre - Vec3(kHalfBar_m, 0, 0));
  io::BeamSection bar = io::round_section(0.1, 0);
  bar.torsion_m4 = stiffness.torsion_Nm_per_rad * 2 * kHalfBar_m / kShear_Pa;
  // Everything but torsion is as good as rigid.
  bar.area_m2 *= kRigid;
  bar.I_y_m4 *= kRigid;
  bar.I_z_m4 *= kRigid;
  frame.beam(frame.property("torsion bar", bar, 1), front, rear);
  const auto half = [&](const Vec3& p) { return p.x() > mass.centre.x() ? front : rear; };
  frame.tie_interfaces([&](int i) { return half(frame.at(i)); });
  frame.take_mass(shells, mass, half);
  return std::move(frame.body());
}

BodyInWhite beam_frame(const BodyInWhite& shells, const MassProperties& mass, const Stiffness& stiffness,
                       BeamFit* fit) {
  constexpr int kMostIterations = 30;
  constexpr double kMet = 1e-6;
  BeamFit f;
  const auto missed = [&](double all, double panels) {
    const BodyInWhite body = framed(shells, mass, all, panels);
    const Stiffness now = static_stiffness(body, assemble(body.mesh));
    return Eigen::Vector2d(std::log(now.torsion_Nm_per_rad / stiffness.torsion_Nm_per_rad),
                           std::log(now.bending_N_per_m / stiffness.bending_N_per_m));
  };
  Eigen::Vector2d miss = missed(f.all, f.panels);
  for (; f.iterations < kMostIterations && miss.norm() > kMet; ++f.iterations) {
    // Both stiffnesses are proportional to the factor of all beams: that column of the derivative is (1, 1).
    constexpr double kDifference = 1e-3;
    Eigen::Matrix2d J;
    J.col(0).setOnes();
    J.col(1) = (missed(f.all, f.panels * std::exp(kDifference)) - miss) / kDifference;
    const Eigen::Vector2d step = -J.inverse() * miss;
    const double most = std::max(1.0, step.cwiseAbs().maxCoeff());  // at most a factor e at a time
    f.all *= std::exp(step[0] / most);
    f.panels *= std::exp(step[1] / most);
    miss = missed(f.all, f.panels);
    if (!miss.allFinite()) break;
  }
  if (!(miss.norm() <= kMet))
    throw Error(
        "beam frame",
        fmt::format(
            "torsion and bending stiffness cannot both be met: {:.3g} and {:.3g} are left (logarithms)",
            miss[0], miss[1]),
        "change sections in body/cheap_bodies.cpp");
  if (fit != nullptr) *fit = f;
  return framed(shells, mass, f.all, f.panels);
}

}  // namespace monocoque::body

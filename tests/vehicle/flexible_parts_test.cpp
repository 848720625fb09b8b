// Parts of the Camry other than its body through the same chain (mesh, reduction, part of a model): a
// stabilizer bar of beams and lower wishbones of shells. Bodies against closed form and full mesh, cars
// against those with torsion springs and rods in their place.

#include <numbers>

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "fe/assemble.h"
#include "io/body/sid_hdf5.h"
#include "io/mesh/mesh_readers.h"
#include "reduce/cholesky.h"

#include "support/paths.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

constexpr const char* kSection = "Camry, flexible parts";

std::string part_file(const std::string& name) {
  return source_dir() + "/models/camry/parts/" + name;
}

struct PointLoad {
  long node;
  Vec3 force;
};
/// Forces in equilibrium: what they do needs no support, so full and reduced model compare without one.
using Loads = std::vector<PointLoad>;

double reduced_compliance(const io::Sid& body, const Loads& a, const Loads& b) {
  const auto modal = [&](const Loads& loads) {
    VecX f = VecX::Zero(body.nq);
    for (const PointLoad& load : loads)
      for (const io::SidNode& node : body.nodes)
        if (node.id == load.node) f += node.phi.zero.transpose() * load.force;
    return f;
  };
  return modal(a).dot(body.Ke.zero.ldlt().solve(modal(b)));
}

/// Stabilizer bar in twist: forces +1 and -1 N along z at its ends. The displacement of an end by the
/// unit-load method over the corners of the bar, between which moments are linear: torsion, bending and shear
/// of the round section, exact by Simpson's rule.
double closed_form_end_compliance() {
  const double d = 0.0187, E = 2.1e11, G = E / 2.6, I = std::numbers::pi * std::pow(d, 4) / 64,
               area = std::numbers::pi * d * d / 4, shear = 0.9 * area;
  const std::vector<Vec3> corners = {{0, 0, 0},          {0, 0.30, 0},       {0, 0.42, 0},
                                     {0.11, 0.50, 0.06}, {0.21, 0.56, 0.06}, {0.30, 0.60, 0}};
  const Vec3 bearing = corners[1], end = corners.back(), force = Vec3::UnitZ();
  double compliance = 0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const Vec3 line = corners[i + 1] - corners[i], t = line.normalized();
    const auto density = [&](double share) {
      const Vec3 p = corners[i] + share * line;
      // Inward of the bearing its reaction counts too: -2 N, by the balance of moments about x.
      const double inside = i == 0 ? 1 : 0;
      const Vec3 m = (end - p).cross(force) - inside * 2 * (bearing - p).cross(force),
                 f = (1 - 2 * inside) * force;
      const double twist = m.dot(t), pull = f.dot(t);
      return twist * twist / (G * 2 * I) + (m - twist * t).squaredNorm() / (E * I) +
             (f - pull * t).squaredNorm() / (G * shear) + pull * pull / (E * area);
    };
    compliance += line.norm() / 6 * (density(0) + 4 * density(0.5) + density(1));
  }
  return compliance;
}

/// Torsion spring between two levers of 0.30 m that is as stiff at their ends.
double equivalent_Nm_per_rad() {
  return 0.30 * 0.30 / 2 / closed_form_end_compliance();
}

TEST(FlexibleBar, TwistsLikeTheClosedForm) {
  const io::Sid body = io::read_sid_hdf5(part_file("stabilizer-bar.h5"));
  ASSERT_EQ(body.nodes.size(), 4U);  // ends and bearings
  Loads twist;
  for (const io::SidNode& node : body.nodes) {
    const double y = node.origin.zero(1);
    twist.push_back({node.id, (y > 0 ? 1 : -1) * (std::abs(y) > 0.5 ? 1 : -2) * Vec3::UnitZ()});
  }
  const double ours = 2 / reduced_compliance(body, twist, twist), exact = 1 / closed_form_end_compliance();
  // Cubic beams with shear are exact at their nodes.
  EXPECT_NEAR(ours / exact, 1, 1e-6);
  verify_row(kSection, "stabilizer bar of 20 beams, 16 coordinates", "force over travel of an end in roll",
             fmt::format("{:.3f} N/mm", ours / 1000), fmt::format("{:.3f} N/mm", exact / 1000),
             std::abs(ours / exact - 1), "closed form");
}

TEST(FlexibleWishbone, IsAsStiffAsItsMesh) {
  const io::Sid body = io::read_sid_hdf5(part_file("wishbone.h5"));
  const FeSystem fe = assemble(io::read_nastran(part_file("wishbone.nas"), {}));
  // Loads in balance leave the support open: the ball joint is held, by a stiffness like its own.
  SparseMatrix held = fe.K;
  for (int i = 0; i < fe.size(); ++i)
    if (fe.node_ids[static_cast<std::size_t>(fe.unknowns[static_cast<std::size_t>(i)].node)] == 1)
      held.coeffRef(i, i) *= 2;
  const reduce::SparseCholesky factor(held, {});
  const auto full = [&](const Loads& a, const Loads& b) {
    const auto spread = [&](const Loads& loads) {
      VecX f = VecX::Zero(6 * fe.nodes());
      for (const PointLoad& load : loads)
        for (std::size_t n = 0; n < fe.node_ids.size(); ++n)
          if (fe.node_ids[n] == load.node) f.segment<3>(static_cast<Eigen::Index>(6 * n)) += load.force;
      return VecX(fe.to_nodes.transpose() * f);
    };
    return spread(a).dot(factor.solve(spread(b)).col(0));
  };
  // Forces of 1 N at the ball joint along x and y of the arm (lateral and longitudinal on the car) and what
  // the bushes hold against: the front one both ways, the rear one across the axis of the two.
  const Vec3 front = body.nodes[1].origin.zero, rear = body.nodes[2].origin.zero;
  ASSERT_EQ(body.nodes[1].id, 2);
  ASSERT_EQ(body.nodes[2].id, 3);
  const Vec3 across = Vec3::UnitZ().cross(rear - front).normalized();
  const auto held_by_bushes = [&](const Vec3& force) {
    const double at_rear = (front.cross(force)).z() / (rear - front).cross(across).z();
    return Loads{{1, force}, {3, at_rear * across}, {2, -force - at_rear * across}};
  };
  const Loads x = held_by_bushes(Vec3::UnitX()), y = held_by_bushes(Vec3::UnitY());
  const auto compare = [&](const char* name, const Loads& a) {
    const double ours = 1 / reduced_compliance(body, a, a), mesh = 1 / full(a, a);
    EXPECT_NEAR(ours / mesh, 1, 1e-5) << name;  // static shapes hold this load exactly
    verify_row(kSection, "wishbone of shells, 13 coordinates", name, fmt::format("{:.4g} N/mm", ours / 1000),
               fmt::format("{:.4g} N/mm", mesh / 1000), std::abs(ours / mesh - 1), "full mesh");
  };
  compare("stiffness at the ball joint, lateral", x);
  compare("stiffness at the ball joint, longitudinal", y);
  EXPECT_NEAR(reduced_compliance(body, x, y), full(x, y), 1e-5 * full(y, y));
}

/// Cornering with the rack moved at once, so that a short run ends near the steady state.
Overrides cornering(Overrides more = {}) {
  more.push_back({"speed_m_per_s", "40/3.6"});
  more.push_back({"hold_speed", "1"});
  more.push_back({"signals.rack.formula", "0.015*(3*min(t/0.1, 1)^2 - 2*min(t/0.1, 1)^3)"});
  return more;
}

#ifdef NDEBUG
constexpr double kEnd = 2.5;
#else
constexpr double kEnd = 0.5;  // with sanitizers
#endif

Values steady(const std::string& car, const Overrides& overrides) {
  return run(load_model("camry/" + car, cornering(overrides)), fixed_step("linearly-implicit-2", kEnd, 5e-3))
      .final;
}

double radius(const Values& v) {
  return std::hypot(v.at("speed/x"), v.at("speed/y")) / std::abs(v.at("turning/z"));
}

/// At rest in equilibrium, and with its energy in balance while it turns in.
void expect_sound(const std::string& car, const std::string& part) {
  const Loaded still = load_model("camry/" + car);
  const Values v = run(still, fixed_step("linearly-implicit-2", 0.2, 1e-3)).final;
  EXPECT_NEAR(v.at("car/position/z"), 0.602,
              1e-4);  // bent by its weight, a little lower than the nominal place
  EXPECT_LT(std::abs(v.at("car/velocity/z")), 1e-6);
  EXPECT_LT(std::abs(v.at("car/acceleration/z")), 1e-4);
  EXPECT_LT(std::abs(v.at(part + "/velocity/z")), 1e-6);
  io::SimulationSpec settings = fixed_step("linearly-implicit-2", kEnd / 4, 1e-3);
  settings.output_step_s = 0.01;  // power is summed over outputs
  const Outcome turn = run(load_model("camry/" + car, cornering()), settings);
  EXPECT_LT(turn.summary.energy_error, 1e-3);
  verify_row(kSection, car, "energy left over while it turns in", "", "0", turn.summary.energy_error,
             "of the largest energy");
}

TEST(FlexibleBar, StartsInEquilibriumAndKeepsItsEnergy) {
  expect_sound("camry-flexible-bar.yaml", "front_bar");
}

TEST(FlexibleWishbone, StartsInEquilibriumAndKeepsItsEnergy) {
  expect_sound("camry-flexible-wishbone.yaml", "FL/arm/wishbone");
}

TEST(FlexibleBar, LoadsBothLinksAlikeWhereEquilibriumDoesNotTell) {
  Loaded loaded = load_model("camry/camry-flexible-bar.yaml");
  const Values v = run(loaded, fixed_step("linearly-implicit-2", 1e-3, 1e-3)).final;
  // Differences of the springs come from hard points that are not quite alike; without a bar they are 5 N.
  EXPECT_NEAR(v.at("front_bar_left_link/reaction/force/z"), v.at("front_bar_right_link/reaction/force/z"),
              0.1);
  EXPECT_NEAR(v.at("FL/tire/load"), v.at("FR/tire/load"), 0.1);
}

TEST(FlexibleBar, CornersLikeATorsionSpringOfItsStiffness) {
  const Values flexible = steady("camry-flexible-bar.yaml", {}),
               spring = steady("camry-bars.yaml",
                               {{"front_bar_Nm_per_rad", fmt::format("{:.6f}", equivalent_Nm_per_rad())},
                                {"rear_bar_Nm_per_rad", "0"}});
  const auto compare = [&](const char* name, double ours, double reference, const char* unit) {
    // The bar weighs 3.5 kg, the levers nothing: 0.4 % of the front axle's load.
    EXPECT_NEAR(ours / reference, 1, 0.01) << name;
    verify_row(kSection, "cornering with a flexible stabilizer bar", name,
               fmt::format("{:.5g} {}", ours, unit), fmt::format("{:.5g} {}", reference, unit),
               std::abs(ours / reference - 1), "torsion spring of the same stiffness");
  };
  const auto transfer = [](const Values& v, const char* axle) {
    return v.at(fmt::format("{}L/tire/load", axle)) - v.at(fmt::format("{}R/tire/load", axle));
  };
  compare("roll angle", flexible.at("attitude/roll"), spring.at("attitude/roll"), "rad");
  compare("load transfer in front", transfer(flexible, "F"), transfer(spring, "F"), "N");
  compare("load transfer at the rear", transfer(flexible, "R"), transfer(spring, "R"), "N");
  compare("radius", radius(flexible), radius(spring), "m");
}

TEST(FlexibleWishbone, MadeStiffItCornersLikeRods) {
  const double rods = radius(steady("camry.yaml", {})),
               soft = radius(steady("camry-flexible-wishbone.yaml", {})),
               stiff = radius(steady("camry-flexible-wishbone.yaml",
                                     {{"parts.FL/arm/wishbone.stiffness_factor", "1000"},
                                      {"parts.FR/arm/wishbone.stiffness_factor", "1000"}}));
  EXPECT_NEAR(stiff / rods, 1, 1e-3);  // the arms weigh 2 kg each, the rods nothing
  EXPECT_LT(std::abs(soft / stiff - 1), 5e-3);
  verify_row(kSection, "cornering with wishbones 1000 times as stiff", "radius",
             fmt::format("{:.5f} m", stiff), fmt::format("{:.5f} m", rods), std::abs(stiff / rods - 1),
             "rods");
}

}  // namespace
}  // namespace monocoque::test

// The flexible Camry: the same car as the rigid one but for its body's bending.

#include <gtest/gtest.h>

#include "io/body/body_shapes.h"
#include "support/paths.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

constexpr double kWeight = 1006.5 * 9.81;

io::SimulationSpec short_run(const Loaded& loaded, double end_s, double step_s = 1e-3) {
  io::SimulationSpec s = loaded.spec.simulation;
  s.step_s = step_s;
  s.step_given = true;
  s.end_s = end_s;
  s.output_step_s = end_s;
  return s;
}

const Part& part_named(const Loaded& loaded, const std::string& name) {
  return *std::find_if(loaded.model->parts.begin(), loaded.model->parts.end(),
                       [&](const Part& p) { return p.name == name; });
}

TEST(FlexibleCamry, RigidTwinHasMassAndInertiaOfTheBody) {
  const Loaded flexible = load_model("camry/camry-flexible.yaml"),
               rigid = load_model("camry/camry-flexible.yaml", {{"parts.car.elasticity", "off"}});
  EXPECT_EQ(flexible.model->nz, rigid.model->nz + 40);
  EXPECT_EQ(rigid.model->nz, 40);
  const Part& car = part_named(rigid, "car");
  EXPECT_NEAR(car.mass, 1006.5, 1e-6);
  const FlexibleBody& body =
      flexible.model->flexible[static_cast<std::size_t>(part_named(flexible, "car").flexible)];
  EXPECT_NEAR((car.inertia - tensor(body.J0)).norm(), 0, 1e-9 * car.inertia.norm());
}

/// What pictures show is what the model computes with: the same coordinates, the same shapes, the same
/// stresses.
TEST(FlexibleCamry, ShapesForPicturesAreThoseOfTheBody) {
  const std::string folder = source_dir() + "/models/camry/";
  const io::Sid sid = io::read_sid(folder + "camry-body-40.h5");
  const io::BodyShapes shapes = io::read_body_shapes(folder + "camry-body-40-shapes.h5");
  ASSERT_EQ(shapes.coordinate_count(), sid.nq);
  constexpr int sid_row[] = {0, 1, 2, 3, 5, 4};
  int with_stress = 0;
  double worst = 0;
  for (const io::SidNode& node : sid.nodes) {
    const auto it = std::find(shapes.node_ids.begin(), shapes.node_ids.end(), node.id);
    ASSERT_NE(it, shapes.node_ids.end()) << node.id;
    const auto i = it - shapes.node_ids.begin();
    EXPECT_LT((shapes.points.col(i) - Vec3(node.origin.zero)).norm(), 1e-12) << node.id;
    EXPECT_LT((shapes.modes.middleRows<3>(3 * i).cast<double>() - node.phi.zero).norm(),
              1e-7 * node.phi.zero.norm())
        << node.id;
    if (node.sigma.zero.size() == 0) continue;
    ++with_stress;
    for (int k = 0; k < 6; ++k)
      worst = std::max(
          worst, (shapes.stress.row(6 * i + k).cast<double>() - node.sigma.zero.row(sid_row[k])).norm() /
                     node.sigma.zero.norm());
  }
  EXPECT_EQ(with_stress, 3);
  EXPECT_LT(worst, 1e-7);  // single precision
}

TEST(FlexibleCamry, StartsAtRestAndStays) {
  for (const char* body : {"camry-body-40.h5", "camry-body-all.h5"}) {
    const Loaded car = load_model("camry/camry-flexible.yaml", {{"parts.car.body", body}});
    const Values start = run(car, short_run(car, 1e-3)).final, later = run(car, short_run(car, 0.1)).final;
    for (const auto& [path, value] : start) {
      if (path.find("/position/") == std::string::npos && path.find("/elastic/") == std::string::npos)
        continue;
      EXPECT_NEAR(later.at(path), value, 1e-8) << path << " on " << body;
    }
  }
}

TEST(FlexibleCamry, LoadsOnTheNodesCarryTheBody) {
  const Loaded car = load_model("camry/camry-flexible.yaml", {{"parts.car.body", "camry-body-all.h5"}});
  const Values v = run(car, short_run(car, 1e-3)).final;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  const io::Sid sid = io::read_sid(source_dir() + "/models/camry/camry-body-all.h5");
  for (int id = 1; id <= 20; ++id) {
    Vec3 f, m;
    for (int c = 0; c < 3; ++c) {
      f[c] = v.at(fmt::format("car/node_{}/force/{}", id, "xyz"[c]));
      m[c] = v.at(fmt::format("car/node_{}/torque/{}", id, "xyz"[c]));
    }
    const auto node =
        std::find_if(sid.nodes.begin(), sid.nodes.end(), [&](const auto& n) { return n.id == id; });
    force += f;
    moment += m + Vec3(node->origin.zero.col(0)).cross(f);
  }
  // In axes of the body, which has pitched by some 1e-4 rad; moments about the undeformed places.
  EXPECT_NEAR(force.z(), kWeight, 0.1);
  EXPECT_NEAR(force.norm(), kWeight, 1e-3);
  EXPECT_LT(moment.norm(), 3);
  verify_row("Flexible Camry", "standing on its 20 interfaces", "sum of the loads on the nodes",
             fmt::format("{:.4f} N", force.norm()), fmt::format("{:.4f} N", kWeight),
             std::abs(force.norm() - kWeight) / kWeight, "the body's weight");
}

TEST(FlexibleCamry, BecomesTheRigidCarAsItsBodyStiffens) {
  const char* file = "camry/scenarios/double-lane-change-open-loop.yaml";
  const auto end_of = [&](const Overrides& with) {
    const Loaded car = load_model(file, with);
    const Values v = run(car, short_run(car, 1.6, 2e-3)).final;
    return Vec3(v.at("car/position/x"), v.at("car/position/y"), v.at("car/position/z"));
  };
  const Vec3 rigid = end_of({{"parts.car.elasticity", "off"}});
  double last = (end_of({}) - rigid).norm();
  EXPECT_GT(last, 1e-4);  // flexibility is seen
  for (const char* factor : {"10", "100"}) {
    const double away = (end_of({{"parts.car.stiffness_factor", factor}}) - rigid).norm();
    EXPECT_LT(away, 0.15 * last) << factor;
    last = away;
  }
}

TEST(FlexibleCamry, FramesBesideTheNodesAreRefused) {
  try {
    load_model("camry/camry-flexible.yaml", {{"tie_drop_m", "0.02"}});
    FAIL() << "no node lies there";
  } catch (const Error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("FL/tie:from"), std::string::npos) << text;
    EXPECT_NE(text.find("the nearest is 7"), std::string::npos) << text;
    EXPECT_NE(text.find("0.02 m away"), std::string::npos) << text;
  }
}

TEST(FlexibleCamry, EnergyIsAccountedForOnTheWashboard) {
  const Loaded car = load_model("camry/scenarios/washboard-flexible.yaml");
  io::SimulationSpec s = short_run(car, 1.8);
  s.output_step_s = 2e-3;
  const RunSummary summary = Simulation(*car.model, s).run({});
  EXPECT_LT(summary.energy_error, 1e-3);
}

}  // namespace
}  // namespace monocoque::test

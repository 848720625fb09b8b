// Deformation of flexible parts, from the motion in a result file: as written, its peaks, its pictures.

#include "results/body_motion.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "results/report.h"
#include "results/scene.h"

namespace monocoque {
namespace {

constexpr int kRow = 11;  // a ground mass of two numbers, then seven of the part and two elastic coordinates

Scene strip_scene() {
  Scene scene;
  scene.json = R"({"version":1,"vehicle":1,"parts":[{"name":"ground","x":-1,"nq":0},
    {"name":"plate","kind":"flexible","x":2,"turns":true,"nq":2,"asset":0}]})";
  scene.row = kRow;
  SceneAsset a;
  a.points.resize(3, 5);
  a.points << 0, 1, 1, 0, 2, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0;
  a.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 2}};
  a.modes.setZero(15, 2);
  a.modes(3 * 4 + 2, 0) = 1;     // the tip goes up by the first coordinate,
  a.modes(3 * 3 + 1, 1) = 0.5F;  // a corner to the side by the second
  a.stress.setZero(30, 2);
  a.stress(6 * 1 + 0, 0) = 2e9F;  // xx at node 1
  a.stress(6 * 2 + 3, 1) = 1e9F;  // xy at node 2
  scene.assets = {a};
  return scene;
}

/// Elastic coordinates of instant i.
Eigen::Vector2d q_at(int i) {
  return {i == 30 ? 0.004 : 0.001, i == 50 ? -0.02 : 0.002};
}

std::string written(const Scene& scene, int instants, const char* name) {
  const std::string path = testing::TempDir() + "/" + name;
  RunWriter writer(path, {{"plate/elastic/q1", "1"}}, {}, 16, &scene);
  for (int i = 0; i < instants; ++i) {
    *writer.next_row(0.01 * i) = q_at(i)[0];
    double x[kRow] = {7, 7, 1, 2, 3, 1, 0, 0, 0, q_at(i)[0], q_at(i)[1]};
    writer.motion(0.01 * i, x, nullptr);
  }
  writer.finish("{}");
  return path;
}

TEST(BodyMotion, IsReadAsWritten) {
  const Scene scene = strip_scene();
  const RunMotion motion = read_run_motion(written(scene, 80, "body-motion.h5"));
  EXPECT_EQ(motion.vehicle, "plate");
  ASSERT_EQ(motion.bodies.size(), 1U);
  const BodyMotion& body = motion.bodies[0];
  EXPECT_EQ(body.part, "plate");
  ASSERT_EQ(body.q.rows(), 80);
  for (int i = 0; i < 80; ++i) EXPECT_EQ(Eigen::Vector2d(body.q.row(i)), q_at(i)) << i;
  EXPECT_DOUBLE_EQ(body.time[79], 0.79);
  // Halves of a quadrilateral are put together again.
  EXPECT_EQ(body.shapes.faces, (std::vector<std::array<int, 4>>{{0, 1, 2, 3}, {1, 4, 2, -1}}));
  EXPECT_EQ(body.shapes.modes, scene.assets[0].modes);
  EXPECT_EQ(body.shapes.stress, scene.assets[0].stress);
}

TEST(BodyMotion, PeaksAreFound) {
  const RunMotion motion = read_run_motion(written(strip_scene(), 80, "body-peaks.h5"));
  const BodyPeaks peaks = body_peaks(motion.bodies[0]);
  EXPECT_NEAR(peaks.displacement.value, 0.01, 1e-9);  // 0.5 times 0.02
  EXPECT_EQ(peaks.displacement.row, 50);
  EXPECT_EQ(peaks.displacement.node, 3);
  EXPECT_DOUBLE_EQ(peaks.displacement.at_s, 0.5);
  ASSERT_TRUE(peaks.von_mises);
  EXPECT_NEAR(peaks.von_mises->value, std::sqrt(3.0) * 0.02 * 1e9, 10);
  EXPECT_EQ(peaks.von_mises->node, 2);
  EXPECT_FALSE(peaks.thinned);
}

TEST(BodyMotion, PeaksOfLongRunsAreFoundTheSameWay) {
  BodyMotion body = read_run_motion(written(strip_scene(), 80, "body-long.h5")).bodies[0];
  const int n = 50000;
  body.time = VecX::LinSpaced(n, 0, 50);
  body.q.resize(n, 2);
  for (int i = 0; i < n; ++i) body.q.row(i) << 1e-3 * std::sin(0.1 * i), 0;
  body.q(31234, 0) = 0.005;
  const BodyPeaks peaks = body_peaks(body);
  EXPECT_TRUE(peaks.thinned);
  EXPECT_EQ(peaks.displacement.row, 31234);
  EXPECT_NEAR(peaks.displacement.value, 0.005, 1e-9);
  EXPECT_NEAR(peaks.von_mises->value, 1e7, 10);
}

TEST(BodyMotion, IsShownInTheReport) {
  const std::string path = written(strip_scene(), 80, "body-report.h5");
  const RunData run = read_run(path);
  const RunMotion motion = read_run_motion(path);
  const std::string page = report_page({"a.h5", &run, &motion});
  const auto has = [&](const char* piece) { return page.find(piece) != std::string::npos; };
  EXPECT_TRUE(has("<span>Deformation, largest</span><strong>10</strong> mm"));
  EXPECT_TRUE(has("<span>Stress, largest</span><strong>34.64</strong> MPa"));
  EXPECT_TRUE(has("Largest displacement 10 mm, at 0.5 s"));
  EXPECT_TRUE(has("href=\"data:image/png;base64,"));
  EXPECT_TRUE(has("id=\"bar0\"") && has("url(#bar0)") && has("id=\"bar1\"") && !has("id=\"bar\""));
}

TEST(BodyMotion, DamagedScenesAreRefused) {
  Scene scene = strip_scene();
  scene.json = "{\"parts\":[{\"name\":\"plate\",\"x\":2,\"turns\":true,\"nq\":3,\"asset\":0}]}";
  EXPECT_THROW(read_run_motion(written(scene, 3, "damaged-a.h5")), Error);
  scene.json = "{\"parts\":[{\"name\":\"plate\",\"x\":2e9,\"turns\":true,\"nq\":2,\"asset\":0}]}";
  EXPECT_THROW(read_run_motion(written(scene, 3, "damaged-b.h5")), Error);
  scene.json = "not json";
  EXPECT_THROW(read_run_motion(written(scene, 3, "damaged-c.h5")), Error);
  scene = strip_scene();
  scene.assets[0].triangles[1][2] = 9;
  EXPECT_THROW(read_run_motion(written(scene, 3, "damaged-d.h5")), Error);
}

}  // namespace
}  // namespace monocoque

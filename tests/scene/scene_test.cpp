// What the viewer gets: markers drawn from the scene's text and a row of motion lie where the kinematics has
// them, motion and road come back from the file, meshes are read as they were written.

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/rotation.h"
#include "dynamics/kinematics.h"
#include "io/files/hdf5.h"
#include "io/mesh/triangle_mesh.h"
#include "results/scene.h"
#include "support/complaint.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

using Json = nlohmann::json;

Vec3 vec3(const Json& j) {
  return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()};
}

/// Place of a marker as docs/results-file.md tells a viewer to compute it.
Vec3 drawn(const Json& scene, const Json& marker, const VecX& x) {
  const Json& part = scene.at("parts").at(marker.at("part").get<std::size_t>());
  Vec3 r = vec3(marker.at("position"));
  const int start = part.at("x").get<int>();
  if (start < 0) return r;
  if (marker.contains("phi"))
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < part.at("nq").get<int>(); ++k)
        r[i] +=
            marker.at("phi").at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(k)).get<double>() *
            x[start + 7 + k];
  if (part.at("turns").get<bool>()) r = rotation_from_quaternion(x.segment<4>(start + 3)) * r;
  return x.segment<3>(start) + r;
}

class SceneOfModel : public ::testing::TestWithParam<const char*> {};

TEST_P(SceneOfModel, MarkersAreDrawnWhereTheKinematicsHasThem) {
  const Loaded loaded = load_model(GetParam());
  const Model& model = *loaded.model;
  const Scene scene = describe_scene(loaded.spec.model, model);
  const Json json = Json::parse(scene.json);
  ASSERT_EQ(json.at("row").get<int>(), model.nx);
  ASSERT_EQ(json.at("parts").size(), model.parts.size());
  State s = initial_state(model);
  VecX d(model.nz);  // a generic position near the start
  for (Eigen::Index i = 0; i < d.size(); ++i) d[i] = 0.05 * std::sin(1.0 + 3.0 * static_cast<double>(i));
  for (const Part& part : model.parts)
    if (part.nq() > 0 && part.rotors.empty()) d.segment(part.z_start + 6, part.nq()) *= 1e-3;
  retract(model, s.x, d, s.x);
  Workspace ws(model);
  ws.all_markers = true;
  update_positions(ws, s.x);
  double worst = 0;
  for (std::size_t i = 0; i < model.markers.size(); ++i)
    worst = std::max(worst, (drawn(json, json.at("markers").at(i), s.x) - ws.markers[i].k.p).norm());
  EXPECT_LT(worst, 1e-6);
  EXPECT_EQ(scene.arrows, 3 * (model.forces.size() + model.joints.size()));
}

INSTANTIATE_TEST_SUITE_P(Models, SceneOfModel,
                         ::testing::Values("camry/camry-flexible.yaml", "camry/camry.yaml",
                                           "examples/flexible-double-pendulum.yaml",
                                           "examples/gear-train.yaml", "examples/air-table.yaml",
                                           "vehicles/single-track.yaml"));

TEST(RunFile, MotionAndRoadComeBack) {
  const Loaded loaded = load_model("camry/scenarios/washboard.yaml");
  const Model& model = *loaded.model;
  const Scene scene = describe_scene(loaded.spec.model, model);
  const std::string path = ::testing::TempDir() + "motion.h5";
  const std::vector<Channel> channels{{"a", "m"}};
  const int rows = 600;  // more than two blocks
  const VecX x0 = initial_state(model).x;
  {
    RunWriter writer(path, channels, RunInfo{}, 256, &scene);
    std::vector<float> arrows(scene.arrows);
    for (int i = 0; i < rows; ++i) {
      *writer.next_row(0.01 * i) = i;
      VecX x = x0;
      x[0] += i;
      for (std::size_t k = 0; k < arrows.size(); ++k)
        arrows[k] = static_cast<float>(i) + static_cast<float>(k);
      writer.motion(0.01 * i, x.data(), arrows.data());
    }
    const RoadStrip strip = road_strip(model, {{0, 0, 0}, {30, 0, 0}, {60, 0, 0}});
    ASSERT_FALSE(strip.empty());
    for (Eigen::Index i = 0; i < strip.line.rows(); i += 97) {
      RoadHint hint;
      RoadSample sample;
      model.road->sample(strip.line(i, 0), strip.line(i, 1) + strip.offsets[3], hint, sample);
      EXPECT_NEAR(strip.z(i, 3), sample.z, 1e-6);
    }
    writer.finish("{}", {}, &strip);
  }
  EXPECT_EQ(read_run(path).data(rows - 1, 0), rows - 1);
  const hdf5::Session session;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const hdf5::Handle set(H5Dopen2(file, "motion/x", H5P_DEFAULT), H5Dclose);
  const hdf5::Handle space(H5Dget_space(set), H5Sclose);
  hsize_t size[2] = {};
  H5Sget_simple_extent_dims(space, size, nullptr);
  ASSERT_EQ(size[0], static_cast<hsize_t>(rows));
  ASSERT_EQ(size[1], scene.row);
  std::vector<double> all(size[0] * size[1]);
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
  EXPECT_EQ(all[size[1] * (size[0] - 1)], x0[0] + rows - 1);
  EXPECT_EQ(all[size[1] * (size[0] - 1) + 1], x0[1]);
  EXPECT_GT(H5Lexists(file, "road", H5P_DEFAULT), 0);
  std::filesystem::remove(path);
}

std::string write_file(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(TriangleMesh, ReadsTheThreeKinds) {
  const std::string text =
      "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 "
      "0\nendloop\nendfacet\n"
      "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 "
      "0\nendloop\nendfacet\nendsolid\n";
  const io::TriangleMesh a = io::read_triangle_mesh(write_file("a.stl", text));
  EXPECT_EQ(a.points.cols(), 4);
  EXPECT_EQ(a.triangles.size(), 2U);
  std::string binary(84 + 50, '\0');
  const std::uint32_t count = 1;
  std::memcpy(binary.data() + 80, &count, 4);
  const float corners[9] = {0, 0, 0, 2, 0, 0, 0, 3, 0};
  std::memcpy(binary.data() + 84 + 12, corners, sizeof corners);
  const io::TriangleMesh b = io::read_triangle_mesh(write_file("b.STL", binary));
  ASSERT_EQ(b.points.cols(), 3);
  EXPECT_EQ(b.points(1, 2), 3.0F);
  const io::TriangleMesh c = io::read_triangle_mesh(
      write_file("c.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2/3 3//1 -1\n"));
  EXPECT_EQ(c.points.cols(), 4);
  EXPECT_EQ(c.triangles.size(), 2U);
}

TEST(TriangleMesh, RefusesDamagedFiles) {
  const auto refused = [](const std::string& name, const std::string& bytes) {
    const std::string path = write_file(name, bytes);
    EXPECT_THROW(io::read_triangle_mesh(path), Error) << name;
  };
  refused("d.obj", "v 0 0\nf 1 1 1\n");
  refused("e.obj", "v 0 0 0\nf 1 2 3\n");
  refused("f.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  refused("g.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n");
  refused("h.stl", "short");
  std::string many(84, '\0');
  const std::uint32_t count = 0xffffffffU;
  std::memcpy(many.data() + 80, &count, 4);
  refused("i.stl", many);
  refused("j.ply", "ply\n");
}

}  // namespace
}  // namespace monocoque::test

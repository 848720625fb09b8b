// Shapes of a body's surface: written and read again; damaged files are refused.

#include "io/body/body_shapes.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/error.h"

namespace monocoque::io {
namespace {

BodyShapes strip() {
  BodyShapes s;
  s.node_ids = {7, 8, 9, 10, 11};
  s.points.resize(3, 5);
  s.points << 0, 1, 1, 0, 2, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0;
  s.faces = {{0, 1, 2, 3}, {1, 4, 2, 2}};
  s.lines = {{0, 4}};
  s.modes.resize(15, 2);
  s.stress.setConstant(30, 2, 4e9F);
  s.stress(8, 1) = -1e8F;
  for (Eigen::Index i = 0; i < s.modes.size(); ++i) s.modes.data()[i] = 0.125F * static_cast<float>(i);
  return s;
}

std::string path_of(const char* name) {
  return testing::TempDir() + "/" + name;
}

TEST(BodyShapes, AreReadAsWritten) {
  const BodyShapes s = strip();
  const std::string path = path_of("shapes.h5");
  write_body_shapes(s, path);
  const BodyShapes r = read_body_shapes(path);
  EXPECT_EQ(r.node_ids, s.node_ids);
  EXPECT_EQ(r.points, s.points);
  EXPECT_EQ(r.faces, s.faces);
  EXPECT_EQ(r.lines, s.lines);
  EXPECT_EQ(r.modes, s.modes);
  const auto u = r.displacements(Eigen::Vector2d(2, -1));
  EXPECT_DOUBLE_EQ(u(1, 3), 2 * s.modes(10, 0) - s.modes(10, 1));
  EXPECT_EQ(r.stress, s.stress);
  const auto stress = r.stresses(Eigen::Vector2d(0.5, -1));
  EXPECT_DOUBLE_EQ(stress(2, 1), 0.5 * 4e9 + 1e8);
  EXPECT_DOUBLE_EQ(stress(5, 4), 0.5 * 4e9 - 4e9);
}

TEST(BodyShapes, WithoutStressAreReadAsWritten) {
  BodyShapes s = strip();
  s.stress.resize(0, 0);
  const std::string path = path_of("shapes-without-stress.h5");
  write_body_shapes(s, path);
  const BodyShapes r = read_body_shapes(path);
  EXPECT_FALSE(r.has_stress());
  EXPECT_EQ(r.modes, s.modes);
}

TEST(BodyShapes, DamagedFilesAreRefused) {
  const std::string path = path_of("damaged.h5");
  EXPECT_THROW(read_body_shapes(path_of("none.h5")), Error);
  std::ofstream(path) << "no HDF5";
  EXPECT_THROW(read_body_shapes(path), Error);
  write_body_shapes(strip(), path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_THROW(read_body_shapes(path), Error);
  BodyShapes wrong = strip();
  wrong.faces[0][2] = 99;
  write_body_shapes(wrong, path);
  EXPECT_THROW(read_body_shapes(path), Error);
  BodyShapes infinite = strip();
  infinite.modes(3, 1) = std::numeric_limits<float>::infinity();
  write_body_shapes(infinite, path);
  EXPECT_THROW(read_body_shapes(path), Error);
  BodyShapes few = strip();
  few.stress.setZero(30, 3);  // three coordinates, where the shapes have two
  write_body_shapes(few, path);
  EXPECT_THROW(read_body_shapes(path), Error);
}

}  // namespace
}  // namespace monocoque::io

// `monocoque modes` and `reduce` on meshes, matrices, bodies and models, as a user meets them.

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

using Json = nlohmann::json;

/// Steel bar along x, 2 m, 40 x 20 mm, ids from 1.
std::string beam(int elements) {
  std::string text = "BEGIN BULK\nMAT1,1,2.1+11,,0.3,7850.\nPBAR,1,1,8.-4,1.066667-7,2.666667-8,7.-8\n";
  for (int i = 0; i <= elements; ++i)
    text += fmt::format("GRID,{},,{:.6f},0.,0.\n", i + 1, 2.0 * i / elements);
  for (int i = 0; i < elements; ++i) text += fmt::format("CBAR,{},1,{},{},0.,1.,0.\n", i + 1, i + 1, i + 2);
  return text + "ENDDATA\n";
}

/// Strip of shells along x, 1 x 0.1 x 0.01 m, without lateral contraction; spiders 9001 and 9002 at its ends.
std::string strip(int nx, int ny) {
  std::string text = "BEGIN BULK\nMAT1,1,2.0+11,1.0+11,,7850.\nPSHELL,1,1,0.01,1,,1\n";
  const auto id = [ny](int i, int j) { return 1 + i * (ny + 1) + j; };
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      text +=
          fmt::format("GRID,{},,{:.9f},{:.9f},0.\n", id(i, j), double(i) / nx, 0.1 * (double(j) / ny - 0.5));
  int element = 0;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      text += fmt::format("CQUAD4,{},1,{},{},{},{}\n", ++element, id(i, j), id(i + 1, j), id(i + 1, j + 1),
                          id(i, j + 1));
  const auto spider = [&](int number, int i, double x) {
    text += fmt::format("GRID,{},,{:.6f},0.,0.\nRBE2,{},{},123456", 9000 + number, x, 9000 + number,
                        9000 + number);
    for (int j = 0; j <= ny; ++j) text += fmt::format(",{}", id(i, j));
    text += "\n";
  };
  spider(1, 0, 0);
  spider(2, nx, 1);
  return text + "ENDDATA\n";
}

class MeshCommands : public Program {
 protected:
  Json run_json(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const Outcome o = run(arguments);
    EXPECT_EQ(o.status, 0) << o.err;
    return o.status == 0 ? Json::parse(o.out) : Json{};
  }
  std::vector<double> frequencies(const std::vector<std::string>& arguments) const {
    const Json json = run_json(arguments);
    std::vector<double> out;
    for (const Json& mode : json.at("modes")) out.push_back(mode.at("frequency_Hz"));
    return out;
  }
  Outcome refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts,
                  int status = 3) const {
    const Outcome o = run(arguments);
    EXPECT_EQ(o.status, status) << o.out << o.err;
    for (const std::string& part : parts) EXPECT_TRUE(has(o.err, part)) << part << "\n in \n" << o.err;
    return o;
  }
};

TEST_F(MeshCommands, ModesOfAReducedBodyAreThoseOfItsMesh) {
  write("beam.nas", beam(20));
  const std::vector<double> mesh = frequencies({"modes", "beam.nas", "--modes", "8"});
  for (const char* frame : {"buckens", "tangent:5"}) {
    ASSERT_EQ(run({"reduce", "beam.nas", "--basis", "modal", "--interface", "1,21", "--modes", "8", "--frame",
                   frame, "--damping", "0.03", "-o", "beam.sid"})
                  .status,
              0);
    const Json body = run_json({"modes", "beam.sid"});
    EXPECT_EQ(body["rigid_modes"], 6);
    ASSERT_EQ(body["modes"].size(), mesh.size());
    for (std::size_t i = 6; i < mesh.size(); ++i) {
      const Json& mode = body["modes"][i];
      EXPECT_NEAR(mode["frequency_Hz"].get<double>(), mesh[i], 1e-7 * mesh[i]) << frame << " mode " << i + 1;
      EXPECT_NEAR(mode["damping_ratio"].get<double>(), 0.03, 1e-8) << frame << " mode " << i + 1;
    }
  }
  const Outcome table = run({"modes", "beam.sid"});
  EXPECT_TRUE(has(table.out, "rigid")) << table.out;
  write("body.txt", read_text(folder_ / "beam.sid"));  // known by its first line
  EXPECT_EQ(run({"modes", "body.txt"}).out, table.out);
  refused({"modes", "beam.sid", "--held", "1"}, {"--held", "reduced body"}, 2);
}

const char* const kClamped = R"(
monocoque: 1
name: clamped
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: beam, kind: flexible, body: BODY, frames: [{name: root, node: ROOT}, {name: tip, node: TIP}]}
interacts:
  - {name: clamp, type: rigid, from: ground, to: beam.root}
)";

std::string clamped(const std::string& body, int root, int tip) {
  std::string text = kClamped;
  text.replace(text.find("BODY"), 4, body);
  text.replace(text.find("ROOT"), 4, std::to_string(root));
  return text.replace(text.find("TIP"), 3, std::to_string(tip));
}

TEST_F(MeshCommands, ModesOfAModelWithAClampedBodyAreThoseOfTheHeldMesh) {
  write("beam.nas", beam(20));
  ASSERT_EQ(run({"reduce", "beam.nas", "--boundary", "1:123456", "--interface", "21", "--modes", "10", "-o",
                 "beam.sid"})
                .status,
            0);
  write("model.yaml", clamped("beam.sid", 1, 21));
  // Fixed-interface modes are in the basis themselves, so the clamped body has them exactly.
  const std::vector<double> held = frequencies({"modes", "beam.nas", "--held", "1", "--modes", "10"});
  const Json model = run_json({"modes", "model.yaml"});
  EXPECT_EQ(model["state"], "equilibrium");
  ASSERT_EQ(model["modes"].size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(model["modes"][i]["frequency_Hz"].get<double>(), held[i], 1e-6 * held[i]);
    EXPECT_EQ(model["modes"][i]["part"], "beam");
  }
}

TEST_F(MeshCommands, ModesOfAModelSayWhereItIsLinearised) {
  const Outcome falling = run({"modes", example("pendulum.yaml")});
  EXPECT_EQ(falling.status, 0);
  EXPECT_TRUE(has(falling.out, "at rest but no equilibrium")) << falling.out;
  const Json still = run_json({"modes", example("quarter-car.yaml")});
  EXPECT_EQ(still["state"], "equilibrium");
  const Json set = run_json({"modes", example("quarter-car.yaml"), "--set", "sprung_kg=87.5"});
  EXPECT_GT(set["modes"][0]["frequency_Hz"].get<double>(),
            1.8 * still["modes"][0]["frequency_Hz"].get<double>());
  refused({"modes", example("pendulum.yaml"), "--held", "3"}, {"--held", "a model"}, 2);
}

TEST_F(MeshCommands, BodyInHdf5IsTheSame) {
  write("beam.nas", beam(6));
  for (const char* file : {"beam.sid", "beam.h5"})
    ASSERT_EQ(run({"reduce", "beam.nas", "--boundary", "1:123456,7:123", "--modes", "4", "--damping", "0.02",
                   "--geometric-stiffening", "-o", file})
                  .status,
              0);
  EXPECT_EQ(run({"modes", "beam.sid"}).out, run({"modes", "beam.h5"}).out);
  write("a.yaml", clamped("beam.sid", 1, 7));
  write("b.yaml", clamped("beam.h5", 1, 7));
  EXPECT_EQ(run({"modes", "a.yaml"}).out, run({"modes", "b.yaml"}).out);
  // A run file is HDF5 too, but no body.
  ASSERT_EQ(run({"run", example("pendulum.yaml"), "--end", "0.01", "-o", "run.h5"}).status, 0);
  write("c.yaml", clamped("run.h5", 1, 7));
  refused({"check", "c.yaml"}, {"c.yaml:6", "run.h5", "monocoque reduce -o BODY.h5"});
}

/// Bending stress of a clamped strip under an end force, M c / I, in a run of a model with the reduced body.
TEST_F(MeshCommands, StressInARunIsThatOfTheBentStrip) {
  const int nx = 40, ny = 2, clamp = 2, middle = 1 + (nx / 2) * (ny + 1) + 1;
  write("strip.nas", strip(nx, ny));
  for (const char* surface : {"top", "bottom"}) {
    ASSERT_EQ(
        run({"reduce", "strip.nas", "--boundary", "9001:123456,9002:123456", "--modes", "4", "--damping", "1",
             "--stress", fmt::format("{},{}", clamp, middle), "--stress-surface", surface, "-o", "strip.h5"})
            .status,
        0);
    std::string text = clamped("strip.h5", 9001, 9002);
    text.replace(text.find("{name: tip"), 0,
                 fmt::format("{{name: edge, node: {}}}, {{name: middle, node: {}}}, ", clamp, middle));
    write("strip.yaml",
          text +
              "  - {name: load, type: force_constant, from: ground, to: beam.tip, force_N: [0, 0, 10]}\n"
              "simulation: {solver: linearly-implicit-2, step_s: 0.002, end_s: 3}\n");
    const Json final = run_json({"run", "strip.yaml"})["final"];
    const double sign = std::string(surface) == "top" ? -1 : 1;  // the force lifts: the upper side is pressed
    const double W = 0.1 * 0.01 * 0.01 / 6;
    // The curvature varies linearly within an element, so the clamped node sees the moment of the edge
    // itself.
    EXPECT_NEAR(final["beam/edge/stress/xx"].get<double>(), sign * 10 * 1.0 / W, 0.002 * 10 / W) << surface;
    EXPECT_NEAR(final["beam/middle/stress/xx"].get<double>(), sign * 10 * 0.5 / W, 0.002 * 10 / W) << surface;
    EXPECT_NEAR(final["beam/tip/deformation/z"].get<double>(), 10.0 / (3 * 2e11 * W * 0.005), 0.02 * 0.2);
  }
  refused({"reduce", "strip.nas", "--boundary", "9001:123456", "--stress", "9001", "-o", "a.sid"},
          {"strip.nas", "node 9001", "no shell or solid"});
}

/// Ten-millimetre steel block on its left face, twenty-node bricks, as CalculiX reads it.
std::string block(bool matrices) {
  const int nx = 6, ny = 1, nz = 1;
  std::string text = "*NODE, NSET=ALL\n";
  std::vector<int> known;
  const auto id = [](int i, int j, int k) { return 1 + i + 20 * j + 400 * k; };
  const auto there = [](int i, int j, int k) { return (i % 2) + (j % 2) + (k % 2) <= 1; };
  for (int k = 0; k <= 2 * nz; ++k)
    for (int j = 0; j <= 2 * ny; ++j)
      for (int i = 0; i <= 2 * nx; ++i)
        if (there(i, j, k))
          text += fmt::format("{}, {:.6f}, {:.6f}, {:.6f}\n", id(i, j, k), 0.05 * i, 0.02 * j, 0.015 * k);
  text += "*ELEMENT, TYPE=C3D20, ELSET=E\n";
  for (int e = 0; e < nx; ++e) {
    const int i = 2 * e;
    const int n[20] = {id(i, 0, 0),     id(i + 2, 0, 0), id(i + 2, 2, 0), id(i, 2, 0),     id(i, 0, 2),
                       id(i + 2, 0, 2), id(i + 2, 2, 2), id(i, 2, 2),     id(i + 1, 0, 0), id(i + 2, 1, 0),
                       id(i + 1, 2, 0), id(i, 1, 0),     id(i + 1, 0, 2), id(i + 2, 1, 2), id(i + 1, 2, 2),
                       id(i, 1, 2),     id(i, 0, 1),     id(i + 2, 0, 1), id(i + 2, 2, 1), id(i, 2, 1)};
    text += std::to_string(e + 1);
    for (int k = 0; k < 20; ++k) text += (k == 9 ? ",\n" : ", ") + std::to_string(n[k]);
    text += "\n";
  }
  text +=
      "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n*SOLID SECTION, ELSET=E, "
      "MATERIAL=STEEL\n";
  text += matrices ? "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n12\n*END STEP\n"
                   : "*STEP\n*FREQUENCY\n12\n*END STEP\n";
  return text;
}

TEST_F(MeshCommands, MatricesOfCalculixGiveItsFrequencies) {
  if (std::system("command -v ccx > /dev/null 2>&1") != 0) GTEST_SKIP() << "ccx is not installed";
  write("own.inp", block(false));
  write("block.inp", block(true));
  const std::string cd = "cd '" + folder_.string() + "' && ";
  ASSERT_EQ(std::system((cd + "ccx own > own.log 2>&1").c_str()), 0);
  (void)std::system(
      (cd + "ccx block > block.log 2>&1").c_str());  // ends with an exit of its own after writing
  std::vector<double> theirs;
  std::ifstream dat(folder_ / "own.dat");
  for (std::string line; std::getline(dat, line) && !has(line, "P A R T I C I P A T I O N");) {
    std::istringstream words(line);
    int mode = 0;
    double value = 0, radian = 0, hertz = 0;
    if (words >> mode >> value >> radian >> hertz && mode == static_cast<int>(theirs.size()) + 1)
      theirs.push_back(hertz);
  }
  ASSERT_EQ(theirs.size(), 12u);
  const std::vector<std::string> files = {"block.inp", "--matrices", "block.sti", "--mass",
                                          "block.mas", "--map",      "block.dof"};
  const auto with = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::vector<double> ours = frequencies(with({"modes"}, {"--modes", "6"}));
  ASSERT_EQ(ours.size(), 12u);
  for (std::size_t i = 6; i < 12; ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-5 * theirs[i]) << i;
  // The same matrices to a body: its own modes again.
  ASSERT_EQ(run(with({"reduce"}, {"--basis", "modal", "--interface", "1", "--modes", "6", "-o", "block.sid"}))
                .status,
            0);
  const std::vector<double> body = frequencies({"modes", "block.sid"});
  for (std::size_t i = 6; i < 12; ++i) EXPECT_NEAR(body[i], theirs[i], 1e-5 * theirs[i]) << i;
  refused(with({"reduce"}, {"--interface", "1", "--stress", "1", "-o", "a.sid"}),
          {"--stress", "needs elements"}, 2);
  refused({"modes", "block.inp", "--matrices", "block.sti", "--mass", "block.mas"}, {"--map", "is missing"},
          2);
  refused({"modes", "block.inp", "--matrices", "block.sti", "--map", "block.dof"}, {"--mass", "is missing"},
          2);
  refused({"modes", "block.inp", "--matrices", "block.mas", "--mass", "missing.mas", "--map", "block.dof"},
          {"missing.mas"});
}

TEST_F(MeshCommands, MatricesOfAChain) {
  // Four masses of 2 kg on a line with springs of 800 N/m between: omega = 2 sqrt(k/m) sin(i pi / 8).
  write("k.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n4 4 7\n1 1 800\n2 1 -800\n2 2 1600\n3 2 -800\n"
        "3 3 1600\n4 3 -800\n4 4 800\n");
  write("m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n1 1 2\n2 2 2\n3 3 2\n4 4 2\n");
  write("rows.txt", "1, 11, 1\n2, 12, 1\n3, 13, 1\n4, 14, 1\n");
  write("nodes.csv", "11, 0, 0, 0\n12, 1, 0, 0\n13, 2, 0, 0\n14, 3, 0, 0\n");
  const std::vector<double> f = frequencies(
      {"modes", "--nodes", "nodes.csv", "--matrices", "k.mtx", "--mass", "m.mtx", "--map", "rows.txt"});
  ASSERT_EQ(f.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_NEAR(f[i], 2 * 20 * std::sin(static_cast<double>(i) * M_PI / 8) / (2 * M_PI), 1e-8);
  write("bad.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n1 1 800\n2 2 -3\n3 3 0\n");
  refused({"modes", "nodes.csv", "--matrices", "bad.mtx", "--mass", "m.mtx", "--map", "rows.txt"},
          {"bad.mtx", "node 12 u_x", "-3", "row 2"});
}

TEST_F(MeshCommands, ASubsetIsAMeshOfItsOwn) {
  // Two bars side by side with properties 1 and 7 and a bridge of property 3.
  std::string text =
      "BEGIN BULK\nMAT1,1,2.1+11,,0.3,7850.\nPBAR,1,1,8.-4,1.-7,3.-8,7.-8\nPBAR,7,1,8.-4,1.-7,3.-8,7.-8\n"
      "PROD,3,1,1.-4,1.-8\n";
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i <= 4; ++i)
      text += fmt::format("GRID,{},,{:.2f},{:.1f},0.\n", 100 * b + i + 1, 0.25 * i, 0.5 * b);
  for (int b = 0; b < 2; ++b)
    for (int i = 1; i <= 4; ++i)
      text += fmt::format("CBAR,{},{},{},{},0.,1.,0.\n", 100 * b + i, b == 0 ? 1 : 7, 100 * b + i,
                          100 * b + i + 1);
  text += "CROD,300,3,1,101\nENDDATA\n";
  write("two.nas", text);
  const Outcome one = run({"modes", "two.nas", "--only-properties", "1"});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_TRUE(has(one.err, "4 of 9 elements")) << one.err;
  EXPECT_TRUE(has(one.err, "5 nodes that nothing uses any more")) << one.err;
  // Both bars without the bridge: two pieces, told with their sizes.
  const Outcome both = run({"modes", "two.nas", "--only-elements", "beam2"});
  EXPECT_EQ(both.status, 1);
  EXPECT_TRUE(has(both.err, "12 modes of zero frequency")) << both.err;
  EXPECT_TRUE(has(both.err, "2 parts that nothing connects")) << both.err;
  EXPECT_TRUE(has(both.err, "5 nodes (e.g. node 1), 5 nodes (e.g. node 101)")) << both.err;
  refused({"reduce", "two.nas", "--only-elements", "beam2", "--boundary", "1:123456", "-o", "a.sid"},
          {"2 parts that nothing connects", "--only-properties"});
  // In one piece, but the rod is a hinge.
  const Outcome hinge = run({"modes", "two.nas", "--only-properties", "1-7"});
  EXPECT_EQ(hinge.status, 1);
  EXPECT_TRUE(has(hinge.err, "hang together") && has(hinge.err, "moves most at nodes")) << hinge.err;
  refused({"modes", "two.nas", "--only-properties", "2"}, {"two.nas", "no property 2", "1, 3, 7"});
  refused({"modes", "two.nas", "--only-properties", "9-2"}, {"'9-2'", "1,2,5-9"}, 2);
  refused({"modes", "two.nas", "--only-elements", "quad"}, {"'quad'", "shell4"}, 2);
  refused({"modes", "two.nas", "--only-elements", "tet4"}, {"two.nas", "none of its elements"});
}

TEST_F(MeshCommands, NodesThatCannotBeHeld) {
  // A brick, a free node 77, and a spider on its corners whose centre is 50.
  write("brick.nas",
        "BEGIN BULK\nMAT1,1,2.1+11,,0.3,7850.\nPSOLID,1,1\n"
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n"
        "GRID,5,,0.,0.,1.\nGRID,6,,1.,0.,1.\nGRID,7,,1.,1.,1.\nGRID,8,,0.,1.,1.\nGRID,77,,5.,0.,0.\n"
        "GRID,50,,0.5,0.5,1.\nRBE2,900,50,123,5,6,7,8\n"
        "CHEXA,1,1,1,2,3,4,5,6,+\n+,7,8\nENDDATA\n");
  refused({"reduce", "brick.nas", "--boundary", "77", "-o", "a.sid"},
          {"brick.nas", "node 77", "u_x has no stiffness", "attached"});
  refused({"reduce", "brick.nas", "--boundary", "1:123456", "-o", "a.sid"},
          {"brick.nas", "node 1", "theta_x has no stiffness", ":123", "rigid element"});
  refused({"reduce", "brick.nas", "--boundary", "9", "-o", "a.sid"}, {"brick.nas", "node 9", "8 and 50"});
  refused({"reduce", "brick.nas", "--boundary", "1,2,3", "--interface", "77", "-o", "a.sid"}, {"node 77"});
  refused({"modes", "brick.nas", "--held", "77"}, {"brick.nas", "node 77", "RBE2"});
  refused({"modes", "brick.nas", "--held", "1:4"}, {"brick.nas", "node 1", "component 4", ":123"});
  refused({"modes", "brick.nas", "--held", "9"}, {"brick.nas", "node 9", "8 and 50"});
  EXPECT_EQ(run({"reduce", "brick.nas", "--boundary", "50:123456", "--modes", "3", "-o", "a.sid"}).status, 0);
}

}  // namespace
}  // namespace monocoque::test

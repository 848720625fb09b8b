// Dissertation 3.2.4: two beams 2 mm x 5 mm x 0.9 m of 1200 bricks each, 4 eigenmodes, tangent frame at the
// first node; hinge about y, ball joint between, gravity, 5 s. The 5 mm and the four modes lie in the plane
// of motion. With modes across it the second beam, free to roll in its ball joint, turns onto its weak side
// within half a second, whatever the formulation: rounding errors are enough to start it.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "apps/mesh_loading.h"
#include "apps/reproduce/reproduction.h"
#include "io/body/sid.h"
#include "io/mesh/mesh_readers.h"
#include "reduce/reduce_body.h"

namespace monocoque {

namespace {

constexpr double kLength = 0.9, kWidth = 0.002, kHeight = 0.005;  // along x, y, z
constexpr int kAlong = 300, kAcross = 2;                          // 300 x 2 x 2 bricks
constexpr long kFirstEnd = 10001, kSecondEnd = 10002;

/// Bricks along x; each end face hangs on a node of its own in its middle.
io::FeMesh brick_beam() {
  io::FeMesh mesh;
  mesh.materials.push_back({1, "steel", 2.1e11, 2.1e11 / 2.6, 0.3, 7850});
  io::FeProperty solid;
  solid.id = 1;
  solid.kind = io::PropertyKind::solid;
  solid.material = 0;
  mesh.properties.push_back(solid);
  const int side = kAcross + 1;
  const auto node = [&](int i, int j, int k) { return (i * side + j) * side + k; };
  for (int i = 0; i <= kAlong; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k)
        mesh.nodes.push_back(
            {node(i, j, k) + 1, Vec3(kLength * i / kAlong, kWidth * (static_cast<double>(j) / kAcross - 0.5),
                                     kHeight * (static_cast<double>(k) / kAcross - 0.5))});
  for (int i = 0; i < kAlong; ++i)
    for (int j = 0; j < kAcross; ++j)
      for (int k = 0; k < kAcross; ++k) {
        io::FeElement e;
        e.id = static_cast<long>(mesh.elements.size()) + 1;
        e.kind = io::ElementKind::brick8;
        e.property = 0;
        e.first_node = static_cast<int>(mesh.connectivity.size());
        for (const int above : {0, 1})
          for (const auto& [a, b] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
            mesh.connectivity.push_back(node(i + a, j + b, k + above));
        mesh.elements.push_back(e);
      }
  for (const auto& [i, id] : {std::pair{0, kFirstEnd}, {kAlong, kSecondEnd}}) {
    io::RigidSpider spider;
    spider.id = id;
    spider.independent = static_cast<int>(mesh.nodes.size());
    mesh.nodes.push_back({id, Vec3(kLength * i / kAlong, 0, 0)});
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) spider.dependent.push_back(node(i, j, k));
    spider.components = 7;
    mesh.rigid.push_back(spider);
  }
  return mesh;
}

/// Mesh to file, file to reduced body, as a user would.
reduce::ReducedBody reduce_beam(Reproduction& r) {
  io::write_nastran(brick_beam(), r.file("double-pendulum-beam.nas"));
  MeshOptions options;
  options.path = r.file("double-pendulum-beam.nas");
  const LoadedMesh loaded = load_mesh(options, false, true);
  reduce::ReduceOptions o;
  o.name = "double-pendulum-beam";
  o.interface_nodes = {kFirstEnd, kSecondEnd};
  o.statics = reduce::StaticModes::none;
  o.dynamics = reduce::DynamicModes::free;
  o.modes = 12;
  const reduce::NodeMap map(loaded.system);
  const reduce::ReducedBody all = reduce::reduce_body(loaded.system, map, o);
  for (int i = 0; i < all.sid.nq && o.numbers.size() < 4; ++i) {
    const auto shape = all.sid.nodes.back().phi.zero.col(i);
    if (std::abs(shape[2]) > std::abs(shape[1])) o.numbers.push_back(i + 1);
  }
  o.frame.kind = reduce::FrameKind::tangent;
  o.frame.nodes = {kFirstEnd};
  reduce::ReducedBody body = reduce::reduce_body(loaded.system, map, o);
  io::write_sid(body.sid, r.file("double-pendulum-beam.sid"));
  return body;
}

/// Free-free beam of Euler and Bernoulli: beta L of the first bending modes.
void compare_frequencies(Reproduction& r, const reduce::ReducedBody& body) {
  constexpr double beta[] = {4.730040745, 7.853204624, 10.995607838, 14.137165491};
  const double c = std::sqrt(2.1e11 / 7850) * kHeight / std::sqrt(12.0);
  for (Eigen::Index i = 0; i < body.basis.omega2.size(); ++i) {
    const double f = std::sqrt(body.basis.omega2[i]) / (2 * M_PI);
    const double exact = beta[i] * beta[i] / (2 * M_PI * kLength * kLength) * c;
    r.below(fmt::format("eigenmode {} ({:.3f} Hz) against a slender beam {:.3f} Hz", i + 1, f, exact), "-",
            std::abs(f / exact - 1), 0.01, "");
  }
}

/// Largest distance of two runs in the place of a frame.
double distance(const RecordedRun& a, const RecordedRun& b, const std::string& frame, double until) {
  double worst = 0;
  for (std::size_t i = 0; i < a.t.size() && i < b.t.size() && a.t[i] <= until + 1e-9; ++i) {
    double square = 0;
    for (const char* axis : {"/x", "/y", "/z"}) {
      const std::string path = frame + axis;
      square += std::pow(a[path][i] - b[path][i], 2);
    }
    worst = std::max(worst, std::sqrt(square));
  }
  return worst;
}

void draw(Reproduction& r, const RecordedRun& run) {
  Plot path{"Double pendulum: trajectories", "x / m", "z / m", {}, false, false, true, 560, 560};
  path.series.push_back({"ball joint", run["ball_place/x"], run["ball_place/z"]});
  path.series.push_back({"lower end", run["end_place/x"], run["end_place/z"]});
  r.plot("trajectories", path);
  for (const auto& [part, name] :
       {std::pair<std::string, std::string>{"upper", "first"}, {"lower", "second"}}) {
    Plot spin{"Angular velocity of the " + name + " beam about y", "t / s", "rad/s", {}};
    spin.series.push_back({"", run.t, run[part + "/angular_velocity/y"]});
    r.plot("angular-velocity-" + name, spin);
  }
  Plot q{"Elastic coordinates of the first beam", "t / s", "q (modal)", {}};
  for (int i = 1; i <= 4; ++i)
    q.series.push_back({fmt::format("q{}", i), run.t, run[fmt::format("upper/elastic/q{}", i)]});
  r.plot("elastic-coordinates", q);
}

}  // namespace

void reproduce_double_pendulum(Reproduction& r) {
  r.say("1200 bricks, reduction to 4 eigenmodes");
  const reduce::ReducedBody body = reduce_beam(r);
  compare_frequencies(r, body);
  const std::string model_file = r.file("flexible-double-pendulum.yaml");
  std::filesystem::copy_file(shipped_model("examples/flexible-double-pendulum.yaml"), model_file,
                             std::filesystem::copy_options::overwrite_existing);
  const LoadedScenario scenario = load_scenario(model_file, {});
  io::SimulationSpec settings = scenario.spec.simulation;
  settings.output_step_s = 0.005;

  settings.end_s = r.quick() ? 0.2 : 5;
  settings.formulation = "quaternion";
  r.say("quaternion derivatives at index 1");
  const RecordedRun quaternion = record_run(*scenario.model, settings);
  settings.end_s = r.quick() ? 0.2 : 1;
  r.say("mixed frame");
  settings.formulation = "mixed";
  const RecordedRun mixed = record_run(*scenario.model, settings);
  r.say("floating frame");
  settings.formulation = "floating";
  const RecordedRun floating = record_run(*scenario.model, settings);

  double off_plane = 0, off_circle = 0, bending = 0;
  const auto &x = quaternion["ball_place/x"], &y = quaternion["ball_place/y"],
             &z = quaternion["ball_place/z"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    off_plane = std::max({off_plane, std::abs(y[i]), std::abs(quaternion["end_place/y"][i])});
    off_circle = std::max(off_circle, std::abs(std::hypot(x[i], z[i]) - kLength));
    bending = std::max(bending, std::hypot(quaternion["upper/end/deformation/x"][i],
                                           quaternion["upper/end/deformation/z"][i]));
  }
  r.below("joint residuals, quaternion derivatives", "no relevant drift", quaternion.summary.position_drift,
          1e-6, "m");
  // The motion is chaotic: the reduction's rounding across the plane (1e-11 of the shapes) grows with it.
  r.below("out of the x-z plane", "none", off_plane, 1e-5, "m");
  r.note("ball joint off its circle (by bending only)", "not visible", fmt::format("{:.3g} m", off_circle));
  // A tip that bends by u across the beam shortens the distance to the hinge by u^2 / 2L at most beyond u
  // itself along the beam; the linear shapes do not shorten: sqrt(L^2 + u^2) - L.
  r.below("the same beyond the bending itself", "-", off_circle - (std::hypot(kLength, bending) - kLength),
          1e-6, "m");
  r.note("largest bending of the first beam's end", "not visible", fmt::format("{:.3g} m", bending));
  const double until = r.quick() ? 0.2 : 1;
  for (const char* frame : {"ball_place", "end_place"}) {
    r.below(fmt::format("quaternion against mixed, {}, first {:g} s", frame, until), "-",
            distance(quaternion, mixed, frame, until), 1e-6, "m");
    r.below(fmt::format("floating against mixed, {}, first {:g} s", frame, until), "-",
            distance(floating, mixed, frame, until), 1e-6, "m");
  }
  r.note("energy error over the run", "-", fmt::format("{:.2g}", quaternion.summary.energy_error));
  draw(r, quaternion);
}

}  // namespace monocoque

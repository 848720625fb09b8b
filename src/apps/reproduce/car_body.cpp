// The car body reduced (dissertation 4.5.2) and replaced by cheaper ones (4.2): what each of them keeps of
// the shell body, and what that means for the car.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "apps/reproduce/flexible_camry.h"
#include "body/cheap_bodies.h"
#include "core/decompositions.h"
#include "core/spectrum.h"
#include "fe/assemble.h"
#include "reduce/report.h"

namespace monocoque {

namespace {

using reduce::ReducedBody;
using reduce::ReduceOptions;

constexpr int kInterfaces = 20, kDomes = 4;
constexpr double kBand_Hz = 50, kDamping = 0.01;
constexpr double kQuickStep_s = 2e-3;  ///< fine enough to compare bodies at the same step

struct Meshed {
  body::BodyInWhite body;
  FeSystem fe;
  explicit Meshed(body::BodyInWhite made) : body(std::move(made)), fe(assemble(body.mesh)) {}
};

enum class Basis { craig_bampton, attachment, modal };

ReduceOptions options(Basis basis, int boundary, int modes) {
  const body::BodyParameters parameters;
  ReduceOptions o;
  o.name = "camry";
  for (int i = 1; i <= kInterfaces; ++i)
    if (i <= boundary)
      o.boundary.push_back({i, 7});
    else
      o.interface_nodes.push_back(i);
  if (basis == Basis::attachment) o.statics = reduce::StaticModes::attachment;
  if (basis == Basis::modal) o.statics = reduce::StaticModes::none;
  if (basis != Basis::craig_bampton) o.dynamics = reduce::DynamicModes::free;
  o.modes = modes;
  o.damping.ratio = kDamping;
  o.origin_m = Vec3(parameters.centre_x_m, 0, parameters.centre_z_m);
  return o;
}

/// Largest error of the responses up to 50 Hz: at the boundary, and at all interfaces.
struct ResponseError {
  double boundary = 0, all = 0;
};
ResponseError response_error(const Meshed& m, const reduce::NodeMap& map, const ReduceOptions& o,
                             const ReducedBody& reduced) {
  reduce::ReportOptions report;
  report.band_Hz = kBand_Hz;
  report.max_inputs = 3 * kInterfaces;
  const reduce::AccuracyReport r = reduce::accuracy_report(m.fe, map, reduced, o, report);
  const auto largest = [](const std::vector<reduce::BandError>& bands) {
    double out = 0;
    for (const reduce::BandError& b : bands) out = std::max(out, b.largest);
    return out;
  };
  return {largest(r.boundary_bands.empty() ? r.bands : r.boundary_bands), largest(r.bands)};
}

std::string percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

void reductions(Reproduction& r, const Meshed& m, const reduce::NodeMap& map) {
  struct Case {
    const char* name;
    Basis basis;
    int boundary, modes;
    bool domes_bound, all_bound;
  };
  for (const Case& c : {Case{"12 shapes of held domes, 34 modes with held domes", Basis::craig_bampton,
                             kDomes, 34, false, false},
                        Case{"12 shapes of forces at the domes, 28 free modes (camry-body-40)",
                             Basis::attachment, kDomes, 28, true, false},
                        Case{"60 shapes of forces at all interfaces, 30 free modes (camry-body-all)",
                             Basis::attachment, kInterfaces, 30, true, true}}) {
    r.say(fmt::format("reduction: {}", c.name));
    const ReduceOptions o = options(c.basis, c.boundary, c.modes);
    const ReducedBody reduced = reduce::reduce_body(m.fe, map, o);
    const ResponseError e = response_error(m, map, o, reduced);
    const std::string what =
        fmt::format("{}: {} coordinates, largest error of responses up to 50 Hz", c.name, reduced.sid.nq);
    const auto row = [&](const std::string& where, double error, bool bound) {
      if (bound)
        r.expect(what + where, "-", percent(error), "< 1 %", error < 0.01);
      else
        r.note(what + where, "-", percent(error));
    };
    if (c.boundary < kInterfaces) row(" at the domes", e.boundary, c.domes_bound);
    row(" at all interfaces", e.all, c.all_bound);
  }
}

/// Loads of the standing car on the nodes of its body, and how these have moved.
struct Standing {
  VecX load, moved;  ///< 6 and 3 per interface
};
Standing standing(const std::string& body_file) {
  const LoadedScenario car = load_camry("washboard-flexible.yaml", Body::flexible,
                                        {"parts.car.body=" + body_file, "speed_m_per_s=0"});
  io::SimulationSpec s = car.spec.simulation;
  s.end_s = s.step_s;
  s.outputs = {"car/node_*", "car/elastic/*"};
  const RecordedRun run = record_run(*car.model, s);
  const io::Sid sid = io::read_sid(body_file);
  const VecX q = elastic_coordinates(run, 0);
  Standing out;
  out.load = VecX::Zero(6 * kInterfaces);
  out.moved.resize(3 * kInterfaces);
  for (int i = 0; i < kInterfaces; ++i) {
    for (int c = 0; c < 3; ++c) {
      out.load[6 * i + c] = run[fmt::format("car/node_{}/force/{}", i + 1, "xyz"[c])][0];
      out.load[6 * i + 3 + c] = run[fmt::format("car/node_{}/torque/{}", i + 1, "xyz"[c])][0];
    }
    const auto node =
        std::find_if(sid.nodes.begin(), sid.nodes.end(), [&](const io::SidNode& n) { return n.id == i + 1; });
    out.moved.segment<3>(3 * i) = node->phi.zero * q;
  }
  return out;
}

/// The full model under the same loads, carried by its own weight: what its nodes move, free of rigid motion.
VecX full_shape(const Meshed& m, const reduce::NodeMap& map, const VecX& load) {
  std::vector<reduce::NodeComponent> components;
  std::vector<Eigen::Index> used;
  for (int i = 0; i < kInterfaces; ++i)
    for (int c = 0; c < 6; ++c)
      if (std::abs(load[6 * i + c]) > 1e-9) {
        components.push_back({map.node_of(i + 1), c});
        used.push_back(6 * i + c);
      }
  const MatX shapes = reduce::attachment_modes(m.fe, map, components, {});
  VecX u = VecX::Zero(m.fe.size());
  for (std::size_t k = 0; k < used.size(); ++k) u += load[used[k]] * shapes.col(static_cast<Eigen::Index>(k));
  const MatX S = map.rigid_motions(options(Basis::attachment, kDomes, 1).origin_m), MS = m.fe.M * S;
  u -= S * (S.transpose() * MS).ldlt().solve(MS.transpose() * u);
  const VecX nodes = m.fe.to_nodes * u;
  VecX out(3 * kInterfaces);
  for (int i = 0; i < kInterfaces; ++i) out.segment<3>(3 * i) = nodes.segment<3>(6 * map.node_of(i + 1));
  return out;
}

void static_shapes(Reproduction& r, const Meshed& m, const reduce::NodeMap& map) {
  for (const char* name : {"camry-body-40.h5", "camry-body-all.h5"}) {
    const Standing s = standing(shipped_model(std::string("camry/") + name));
    const VecX full = full_shape(m, map, s.load);
    const double error = (s.moved - full).norm() / full.norm();
    const std::string what = fmt::format(
        "{}: shape of the standing car at the interfaces (up to {:.3f} mm) against the full model", name,
        1e3 * full.cwiseAbs().maxCoeff());
    if (name == std::string("camry-body-all.h5"))
      r.expect(what, "-", percent(error), "< 1 %", error < 0.01);
    else
      r.note(what, "-", percent(error));
  }
}

/// What the car does on a body: one line of the comparison.
struct Drive {
  double deviation_m = 0;  ///< of the double lane change's end from that of the rigid car
  Spectrum rear_dome;
  double step_us = 0;
};
Drive drive(const Reproduction& r, Body kind, const std::string& body_file, const Drive* rigid) {
  Drive out;
  const std::vector<std::string> with = {"parts.car.body=" + body_file};
  {
    const LoadedScenario car = load_camry("double-lane-change-open-loop.yaml", kind, with);
    io::SimulationSpec s = car.spec.simulation;
    if (r.quick()) {
      s.end_s = 1.5;
      s.step_s = kQuickStep_s;
    }
    s.outputs = {"car/position/y"};
    const RecordedRun run = record_run(*car.model, s);
    out.deviation_m = run["car/position/y"].back() - (rigid != nullptr ? rigid->deviation_m : 0);
    out.step_us = run.summary.step_us.p50_us;
  }
  const LoadedScenario car = load_camry("washboard-flexible.yaml", kind, with);
  io::SimulationSpec s = car.spec.simulation;
  s.end_s = r.quick() ? 2 : 4.5;
  if (r.quick()) s.step_s = kQuickStep_s;
  s.output_step_s = 0.002;
  s.outputs = {"RL/dome/z"};
  out.rear_dome = welch(record_run(*car.model, s)["RL/dome/z"], 0.002, 2);
  return out;
}

std::string write_body(const Reproduction& r, const std::string& name, const Meshed& m, Basis basis,
                       int boundary, int modes) {
  const reduce::NodeMap map(m.fe);
  const std::string path = std::filesystem::absolute(r.file(name + ".h5")).string();
  io::write_sid(reduce::reduce_body(m.fe, map, options(basis, boundary, modes)).sid, path);
  return path;
}

/// Both kinds of basis with more and more modes; the shapes of all interfaces must not need them below 30 Hz.
void number_of_modes(Reproduction& r, const Meshed& m, const Drive& rigid) {
  const auto compare = [&](int boundary, const std::vector<int>& modes, bool bound) {
    std::vector<std::pair<int, Drive>> drives;
    for (const int n : modes) {
      r.say(fmt::format("car on shapes of {} nodes and {} modes", boundary, n));
      const std::string name = fmt::format("body-{}-{}", boundary, n);
      drives.emplace_back(
          3 * boundary + n,
          drive(r, Body::flexible, write_body(r, name, m, Basis::attachment, boundary, n), &rigid));
    }
    const auto& [largest, most] = drives.back();
    r.note(fmt::format("shapes of {} nodes, {} coordinates: lateral deviation of the double lane change",
                       boundary, largest),
           "-", fmt::format("{:.5f} m", most.deviation_m));
    for (const auto& [n, d] : drives) {
      if (n == largest) continue;
      const double level = std::max(std::abs(level_difference_dB(d.rear_dome, most.rear_dome, 11, 20)),
                                    std::abs(level_difference_dB(d.rear_dome, most.rear_dome, 20, 30))),
                   path = std::abs(d.deviation_m - most.deviation_m);
      const std::string what = fmt::format(
                            "{} coordinates against {}: rear left dome 11-20 and 20-30 Hz, lateral deviation",
                            n, largest),
                        text = fmt::format("{:.3f} dB, {:.3g} m", level, path);
      if (bound)
        r.expect(what, "-", text, "< 0.2 dB, < 1 mm", level < 0.2 && path < 1e-3);
      else
        r.note(what, "-", text);
    }
  };
  if (!r.quick()) compare(kDomes, {18, 28, 48, 88}, false);
  compare(kInterfaces, r.quick() ? std::vector<int>{20, 30} : std::vector<int>{30, 40, 60, 100}, true);
}

void cheaper_bodies(Reproduction& r, const Meshed& shells, const Drive& rigid) {
  const MassProperties mass = mass_properties(shells.fe);
  const body::Stiffness stiffness = body::static_stiffness(shells.body, shells.fe);
  r.expect("shell body: torsional stiffness between the domes", "10 to 25 kNm/deg for sedans",
           fmt::format("{:.2f} kNm/deg", stiffness.torsion_kNm_per_deg()), "10 to 25",
           stiffness.torsion_kNm_per_deg() > 10 && stiffness.torsion_kNm_per_deg() < 25);
  const auto line = [&](const std::string& name, const Meshed* m, const std::string& file, Body kind,
                        int coordinates) {
    r.say(fmt::format("car on {}", name));
    const Drive d = drive(r, kind, file, &rigid);
    std::string torsion = "-";
    if (m != nullptr) {
      const body::BodyModes modes = body::named_modes(m->body, m->fe, std::min(8, coordinates));
      const body::NamedMode* first = body::first_of(modes, body::ModeKind::torsion);
      if (first == nullptr && !modes.elastic.empty()) first = &modes.elastic[0];
      torsion = fmt::format("{:.1f} Hz", first->frequency_Hz);
    }
    r.note(fmt::format(
               "{}: coordinates, torsional mode, lateral deviation, rear left dome 20-30 Hz against rigid, "
               "median step",
               name),
           "-",
           fmt::format("{}, {}, {:.4f} m, {:+.1f} dB, {:.0f} us", coordinates, torsion, d.deviation_m,
                       level_difference_dB(d.rear_dome, rigid.rear_dome, 20, 30), d.step_us));
  };
  const std::string shipped = shipped_model("camry/camry-body-40.h5");
  if (!r.quick()) line("rigid", nullptr, shipped, Body::rigid, 0);
  const Meshed halves(body::two_halves(shells.body, mass, stiffness));
  line("two halves", &halves, write_body(r, "two-halves", halves, Basis::modal, kDomes, 1), Body::flexible,
       1);
  body::BeamFit fit;
  const Meshed beams(body::beam_frame(shells.body, mass, stiffness, &fit));
  r.note("beam frame: factors on all beams and on the diagonals that fit torsion and bending", "-",
         fmt::format("{:.3g}, {:.3g}", fit.all, fit.panels));
  line("beam frame", &beams, write_body(r, "beam-frame", beams, Basis::attachment, kDomes, 12),
       Body::flexible, 24);
  if (r.quick()) return;
  line("shells", &shells, shipped, Body::flexible, 40);
  line("shells, shapes of all interfaces", &shells, shipped_model("camry/camry-body-all.h5"), Body::flexible,
       90);
}

}  // namespace

void reproduce_car_body(Reproduction& r) {
  const Meshed shells(body::make_body({}));
  const reduce::NodeMap map(shells.fe);
  static_shapes(r, shells, map);
  if (!r.quick()) reductions(r, shells, map);
  const Drive rigid = drive(r, Body::rigid, shipped_model("camry/camry-body-40.h5"), nullptr);
  number_of_modes(r, shells, rigid);
  cheaper_bodies(r, shells, rigid);
}

}  // namespace monocoque

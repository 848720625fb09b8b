#include <cmath>
#include <fstream>
#include <numbers>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/mesh_loading.h"
#include "apps/options.h"
#include "core/error_kinds.h"
#include "fe/rigid_body.h"
#include "io/body/sid.h"
#include "reduce/body_shapes.h"
#include "reduce/geometric_stiffness.h"
#include "reduce/report.h"
#include "reduce/stress_recovery.h"

namespace monocoque {

namespace {

struct ReduceOptions : PrintOptions {
  MeshOptions mesh;
  std::vector<std::string> boundary;  ///< ids, each with :components, e.g. 12:123456
  std::vector<std::string> interfaces;
  int modes = 20;
  double frequency_limit_Hz = 0;
  std::string basis = "craig-bampton";  ///< or modal, attachment, krylov
  std::string frame = "buckens";        ///< or tangent:ID, fixed:ID,ID,...
  double error_bound = 0, band_Hz = 0;
  std::vector<int> numbers;
  double damping = 0, rayleigh_alpha_per_s = 0, rayleigh_beta_s = 0;
  std::vector<double> origin_m;
  double memory_GiB = 0;
  bool geometric_stiffening = false;
  std::vector<std::string> stress;  ///< node ids, or all-interfaces
  std::string stress_surface = "top";
  std::string shapes;  ///< file of the shapes of all nodes; empty: none
  std::string report, output;
};

reduce::FrameChoice frame_from(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  reduce::FrameChoice frame;
  if (kind == "tangent") {
    frame.kind = reduce::FrameKind::tangent;
  } else if (kind == "fixed") {
    frame.kind = reduce::FrameKind::fixed;
  } else if (kind != "buckens") {
    throw Error("--frame", fmt::format("'{}' is not known", text),
                suggestion(kind, {"buckens", "tangent", "fixed"}) + " (buckens, tangent:ID, fixed:ID,ID,ID)");
  }
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    frame.nodes.push_back(node_id(rest.substr(0, comma)));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return frame;
}

void choose_basis(const std::string& basis, reduce::ReduceOptions& o) {
  using reduce::DynamicModes;
  using reduce::StaticModes;
  if (basis == "modal") {
    o.statics = StaticModes::none;
    o.dynamics = DynamicModes::free;
  } else if (basis == "attachment") {
    o.statics = StaticModes::attachment;
    o.dynamics = DynamicModes::free;
  } else if (basis == "krylov") {
    o.statics = StaticModes::none;
    o.dynamics = DynamicModes::krylov;
  }
}

reduce::ReduceOptions options_from(const ReduceOptions& c) {
  reduce::ReduceOptions o;
  o.name = std::filesystem::path(c.output).stem().string();
  for (const std::string& text : c.boundary) {
    const NodeChoice choice = node_choice(text, 7);
    o.boundary.push_back({choice.id, choice.components});
  }
  for (const std::string& text : c.interfaces) o.interface_nodes.push_back(node_id(text));
  choose_basis(c.basis, o);
  o.modes = c.modes;
  o.frequency_limit_Hz = c.frequency_limit_Hz;
  o.numbers = c.numbers;
  o.error_bound = c.error_bound;
  o.band_Hz = c.band_Hz;
  o.frame = frame_from(c.frame);
  o.damping.ratio = c.damping;
  o.damping.alpha_per_s = c.rayleigh_alpha_per_s;
  o.damping.beta_s = c.rayleigh_beta_s;
  if (c.origin_m.size() == 3) o.origin_m = Vec3(c.origin_m[0], c.origin_m[1], c.origin_m[2]);
  o.memory_limit_bytes = c.memory_GiB * 1024 * 1024 * 1024;
  o.log = log_to_stderr(c.quiet);
  return o;
}

void write_report(const ReduceOptions& c, const LoadedMesh& loaded, const reduce::NodeMap& map,
                  const reduce::ReducedBody& body, const reduce::ReduceOptions& o) {
  reduce::ReportOptions r;
  r.band_Hz = c.band_Hz;
  r.max_inputs = static_cast<int>(body.boundary_components.size() + 3 * body.interface_nodes.size());
  r.log = o.log;
  r.memory_limit_bytes = o.memory_limit_bytes;
  const reduce::AccuracyReport report = reduce::accuracy_report(loaded.system, map, body, o, r);
  std::ofstream file(c.report);
  file << fmt::format("{} reduced to {} elastic coordinates\nmass of the mesh's elements: {:.9g} kg\n\n",
                      c.mesh.path, body.sid.nq, loaded.system.mesh_mass_kg)
       << report.text();
  if (!file) throw SystemError(Place{c.report, 0}, "", "cannot be written", "");
}

void add_stiffening(const LoadedMesh& loaded, const reduce::NodeMap& map, const reduce::ReduceOptions& o,
                    reduce::ReducedBody& body) {
  reduce::StiffeningOptions s;
  s.support = o.frame;
  reduce::add_geometric_stiffening(loaded.system, map, body.Phi, o.origin_m,
                                   reduce::axial_stiffness(loaded.system, loaded.mesh), s, body.sid);
  const auto carries = [](const io::FeElement& e) {
    return e.kind == io::ElementKind::rod2 || e.kind == io::ElementKind::beam2;
  };
  const auto& elements = loaded.mesh.elements;
  if (!std::all_of(elements.begin(), elements.end(), carries))
    body.notes.emplace_back(
        "geometric stiffening counts rods and two-node beams only, not the other elements");
}

Surface surface_from(const ReduceOptions& c) {
  return c.stress_surface == "bottom" ? Surface::bottom : Surface::top;
}

/// Modal stresses of the nodes asked for; a node named by its id must have some.
void add_stress(const ReduceOptions& c, const LoadedMesh& loaded, const reduce::NodeMap& map,
                const reduce::ReduceOptions& o, reduce::ReducedBody& body) {
  std::vector<int> nodes;
  const bool all = c.stress.size() == 1 && c.stress[0] == "all-interfaces";
  if (all) {
    nodes = body.boundary;
    nodes.insert(nodes.end(), body.interface_nodes.begin(), body.interface_nodes.end());
  } else {
    for (const std::string& text : c.stress) nodes.push_back(map.node_of(node_id(text)));
  }
  const std::vector<int> without = reduce::add_modal_stress(loaded.mesh, loaded.system, map, body.Phi,
                                                            o.origin_m, nodes, surface_from(c), body.sid);
  for (const int n : without) {
    const long id = loaded.system.node_ids[static_cast<std::size_t>(n)];
    if (!all)
      throw Error(fmt::format("node {}", id), "has no stress: no shell or solid element is attached to it",
                  "name a node of such an element");
    body.notes.push_back(
        fmt::format("node {} gets no stress: no shell or solid element is attached to it", id));
  }
}

/// A mesh in several pieces fails in many ways: whichever it is, the pieces are told.
reduce::ReducedBody reduced(const LoadedMesh& loaded, const reduce::NodeMap& map,
                            const reduce::ReduceOptions& o) {
  try {
    return reduce::reduce_body(loaded.system, map, o);
  } catch (const Error&) {
    const std::string parts = loaded.assembled ? "" : explain_parts(connected_parts(loaded.mesh));
    if (!parts.empty())
      fmt::print(stderr, "{}: {}; connect them, or take one with --only-properties\n", loaded.mesh.file,
                 parts);
    throw;
  }
}

void refuse_without_elements(const ReduceOptions& c) {
  if (c.mesh.stiffness.empty()) return;
  for (const auto& [given, name] :
       {std::pair{!c.stress.empty(), "--stress"}, std::pair{!c.shapes.empty(), "--shapes"},
        std::pair{c.geometric_stiffening, "--geometric-stiffening"}})
    if (given)
      throw Error(name, "needs elements, and --matrices has none", "give the mesh itself, or leave it out");
}

int execute(const ReduceOptions& c) {
  refuse_without_elements(c);
  const reduce::ReduceOptions o = options_from(c);
  const LoadedMesh loaded = load_mesh(c.mesh, false, c.quiet);
  const reduce::NodeMap map(loaded.system);
  reduce::ReducedBody body = about_file(loaded.mesh.file, [&] {
    reduce::ReducedBody made = reduced(loaded, map, o);
    if (!c.stress.empty()) add_stress(c, loaded, map, o, made);
    return made;
  });
  if (c.geometric_stiffening) add_stiffening(loaded, map, o, body);
  writing([&] { io::write_sid(body.sid, c.output); });
  if (!c.shapes.empty())
    writing([&] {
      io::write_body_shapes(
          reduce::body_shapes(loaded.mesh, loaded.system, body, o.origin_m, surface_from(c)), c.shapes);
    });
  for (const std::string& note : body.notes) fmt::print(stderr, "{}\n", note);
  if (!c.report.empty()) write_report(c, loaded, map, body, o);
  const double first = std::sqrt(std::max(body.basis.omega2[0], 0.0)) / (2 * std::numbers::pi);
  const double last =
      std::sqrt(std::max(body.basis.omega2[body.basis.omega2.size() - 1], 0.0)) / (2 * std::numbers::pi);
  if (c.json) {
    const nlohmann::ordered_json json = {{"sid", c.output},
                                         {"unknowns", loaded.system.size()},
                                         {"elastic_coordinates", body.sid.nq},
                                         {"static_modes", body.static_count},
                                         {"dynamic_modes", body.dynamic_count},
                                         {"nodes", body.sid.nodes.size()},
                                         {"mass_kg", json_number(body.sid.mass_kg)},
                                         {"first_Hz", json_number(first)},
                                         {"last_Hz", json_number(last)},
                                         {"seconds", json_number(body.total_s)}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}: {} elastic coordinates from {} unknowns ({} static, {} dynamic shapes), {} nodes\n",
             c.output, body.sid.nq, loaded.system.size(), body.static_count, body.dynamic_count,
             body.sid.nodes.size());
  fmt::print("mass {:.6g} kg, frequencies {:.4g} to {:.4g} Hz, {:.1f} s\n", body.sid.mass_kg, first, last,
             body.total_s);
  return 0;
}

void declare(CLI::App& app, ReduceOptions& o) {
  add_mesh(app, o.mesh);
  app.add_option("--boundary", o.boundary, "node ids with static modes, each ID or ID:123456")
      ->delimiter(',');
  app.add_option("--interface", o.interfaces, "further node ids to keep")->delimiter(',');
  app.add_option("--modes", o.modes, "dynamic modes")->check(CLI::NonNegativeNumber);
  app.add_option("--frequency-limit", o.frequency_limit_Hz, "only modes up to here, Hz")
      ->check(CLI::PositiveNumber);
  app.add_option("--basis", o.basis, "static and dynamic shapes")
      ->check(CLI::IsMember({"craig-bampton", "modal", "attachment", "krylov"}));
  app.add_option("--frame", o.frame, "buckens, tangent:ID or fixed:ID,ID,...");
  app.add_option("--numbers", o.numbers, "elastic coordinates to keep, from 1")->delimiter(',');
  app.add_option("--error", o.error_bound, "drop coordinates within this relative error")
      ->check(CLI::PositiveNumber);
  app.add_option("--band", o.band_Hz, "of --error and of the report, Hz")->check(CLI::PositiveNumber);
  app.add_option("--damping", o.damping, "ratio of every mode")->check(CLI::Range(0.0, 1.0));
  app.add_option("--rayleigh-alpha", o.rayleigh_alpha_per_s, "mass-proportional damping, 1/s");
  app.add_option("--rayleigh-beta", o.rayleigh_beta_s, "stiffness-proportional damping, s");
  app.add_option("--origin", o.origin_m, "of the body's frame in mesh axes, m")->delimiter(',')->expected(3);
  app.add_flag("--geometric-stiffening", o.geometric_stiffening,
               "with the stiffness due to axial forces in rods and beams");
  app.add_option("--stress", o.stress, "node ids whose modal stresses go into the body, or all-interfaces")
      ->delimiter(',');
  app.add_option("--stress-surface", o.stress_surface, "of shells")->check(CLI::IsMember({"top", "bottom"}));
  app.add_option("--memory", o.memory_GiB, "refuse to need more than this, GiB");
  app.add_option("--shapes", o.shapes,
                 "surface, shapes and modal stresses of all nodes (HDF5), for pictures of runs");
  app.add_option("--report", o.report, "accuracy against the full model, text file");
  add_output(app, o.output, "file of the body: .sid (text) or .h5 (HDF5)");
  app.get_option("-o")->required();
  add_print(app, o);
}

}  // namespace

Command reduce_command() {
  return make_command("reduce", "finite-element mesh to a flexible body (SID or HDF5)", declare, execute);
}

}  // namespace monocoque

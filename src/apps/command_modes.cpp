#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/modes_options.h"
#include "apps/options.h"
#include "core/decompositions.h"
#include "core/error.h"
#include "fe/rigid_body.h"
#include "reduce/modes.h"

namespace monocoque {

namespace {

void print_json(const LoadedMesh& loaded, const reduce::Modes& modes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array(), parts = list;
  for (const MeshPart& p : connected_parts(loaded.mesh))
    parts.push_back({{"nodes", p.nodes}, {"elements", p.elements}, {"example_node", p.example_node}});
  for (Eigen::Index i = 0; i < modes.omega2.size(); ++i)
    list.push_back({{"mode", i + 1},
                    {"frequency_Hz", json_number(modes.frequency_Hz(i))},
                    {"rigid", i < modes.rigid},
                    {"residual", json_number(modes.residual[i])}});
  const nlohmann::ordered_json json = {{"mesh", loaded.mesh.file},
                                       {"unknowns", loaded.system.size()},
                                       {"connected_parts", parts},
                                       {"mass_kg", json_number(loaded.system.mesh_mass_kg)},
                                       {"rigid_modes", modes.rigid},
                                       {"complete", modes.complete},
                                       {"modes", list}};
  fmt::print("{}\n", json.dump(2));
}

enum class Input { mesh, body, model };

/// By the ending, and where that says nothing by the first lines.
Input input_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending == ".yaml" || ending == ".yml") return Input::model;
  if (ending == ".sid" || ending == ".sid_fem" || ending == ".h5" || ending == ".hdf5") return Input::body;
  for (const char* known : {".nas", ".bdf", ".dat", ".nastran", ".inp", ".k", ".key", ".dyn"})
    if (ending == known) return Input::mesh;
  std::ifstream file(path, std::ios::binary);
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (head.find("No. nodes, No. modes") != std::string::npos) return Input::body;
  if (head.find("\nmonocoque:") != std::string::npos || head.starts_with("monocoque:")) return Input::model;
  return Input::mesh;
}

/// Options of meshes that a body or a model cannot follow are not passed over in silence.
void refuse_mesh_options(const ModesOptions& o, const char* what) {
  const auto refuse = [&](bool given, const char* name) {
    if (given)
      throw Error(name, fmt::format("is given, but {} is {}", o.mesh.path, what),
                  "it is for meshes; leave it out");
  };
  refuse(!o.held.empty(), "--held");
  refuse(o.supports, "--supports");
  refuse(o.mesh.units != MeshOptions{}.units, "--units");
}

/// All six components unless some are named; of those not named one by one, the node's own.
void hold(const reduce::NodeMap& map, const std::string& text, reduce::ModeOptions& m) {
  const NodeChoice choice = node_choice(text, io::kAllSix);
  const bool named = text.find(':') != std::string::npos;
  const int node = map.node_of(choice.id);
  const std::size_t before = m.held.size();
  for (int c = 0; c < 6; ++c) {
    if (!(choice.components & (1U << static_cast<unsigned>(c)))) continue;
    if (map.exists({node, c}))
      m.held.push_back({node, c});
    else if (named)
      throw Error(fmt::format("node {}", choice.id), fmt::format("component {} has no stiffness", c + 1),
                  c < 3 ? "choose a node that elements are attached to"
                        : "hold translations only (:123), or join the node to others by RBE2 or RBE3");
  }
  if (m.held.size() == before)
    throw Error(fmt::format("node {}", choice.id), "cannot be held: nothing with stiffness is attached to it",
                "choose a node of an element, or attach it by RBE2 or RBE3");
}

/// Where mechanisms of a mesh in one piece move: zero modes without their rigid part, largest nodes.
std::string where_it_moves(const LoadedMesh& loaded, const reduce::NodeMap& map, const reduce::Modes& modes) {
  const FeSystem& fe = loaded.system;
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : fe.positions) centre += p / fe.nodes();
  const MatX S = map.rigid_motions(centre), MS = fe.M * S;
  const MatX zero = modes.shapes.leftCols(modes.rigid);
  const MatX loose = fe.to_nodes * MatX(zero - S * (S.transpose() * MS).ldlt().solve(MS.transpose() * zero));
  std::vector<std::pair<double, long>> size;
  for (int n = 0; n < fe.nodes(); ++n)
    size.emplace_back(loose.middleRows(6 * n, 3).squaredNorm(), fe.node_ids[static_cast<std::size_t>(n)]);
  const std::size_t shown = std::min<std::size_t>(5, size.size());
  std::partial_sort(size.begin(), size.begin() + static_cast<std::ptrdiff_t>(shown), size.end(),
                    std::greater<>());
  std::string text =
      "the parts hang together, so a mechanism or nearly no stiffness is left; it moves most at nodes";
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("{} {}", i > 0 ? "," : "", size[i].second);
  return text;
}

std::string explain_zeros(const LoadedMesh& loaded, const reduce::NodeMap& map, const reduce::Modes& modes) {
  const std::string parts = loaded.assembled ? "" : explain_parts(connected_parts(loaded.mesh));
  const bool all = modes.rigid == modes.omega2.size();
  return fmt::format("{}{} modes of zero frequency, a body in one piece has six: {}", all ? "at least " : "",
                     modes.rigid,
                     parts.empty() ? where_it_moves(loaded, map, modes)
                                   : parts + "; connect them, or take one with --only-properties");
}

int modes_of_mesh(const ModesOptions& o) {
  const LoadedMesh loaded = load_mesh(o.mesh, o.supports, o.quiet);
  const reduce::NodeMap map(loaded.system);
  reduce::ModeOptions m;
  m.count = o.modes.value_or(20);
  m.frequency_limit_Hz = o.frequency_limit_Hz;
  m.log = log_to_stderr(o.quiet);
  m.refuse_mechanisms = false;  // here they are what the user looks for
  const reduce::Modes modes = about_file(loaded.mesh.file, [&] {
    for (const std::string& text : o.held) hold(map, text, m);
    return reduce::eigenmodes(loaded.system, map, m);
  });
  if (o.json) {
    print_json(loaded, modes);
  } else {
    fmt::print("mode      frequency [Hz]   residual\n");
    for (Eigen::Index i = 0; i < modes.omega2.size(); ++i)
      fmt::print("{:4}  {:18.6f}  {:9.1e}{}\n", i + 1, modes.frequency_Hz(i), modes.residual[i],
                 i < modes.rigid ? "  rigid" : "");
  }
  if (!modes.complete)
    fmt::print(stderr, "there are more modes below {:.6g} Hz; raise --modes\n", o.frequency_limit_Hz);
  if (modes.rigid > 6) {
    fmt::print(stderr, "{}: {}\n", loaded.mesh.file, explain_zeros(loaded, map, modes));
    return kAnswerIsNo;
  }
  return kSuccess;
}

int execute(const ModesOptions& o) {
  const Input input = o.mesh.stiffness.empty() ? input_of(o.mesh.path) : Input::mesh;
  const auto models_only = [&](bool given, const char* name) {
    if (given && input != Input::model)
      throw Error(name, fmt::format("is given, but {} is no model", o.mesh.path),
                  "it is for models; leave it out");
  };
  models_only(!o.overrides.empty(), "--set");
  models_only(o.state.at_s.has_value(), "--at");
  models_only(!o.state.turning_with.empty(), "--turning-with");
  models_only(o.state.equilibrium, "--equilibrium");
  models_only(!o.output.empty(), "-o");
  models_only(!o.plot.empty(), "--plot");
  if (input == Input::mesh) return modes_of_mesh(o);
  refuse_mesh_options(o, input == Input::body ? "a reduced body" : "a model");
  return input == Input::body ? modes_of_body(o) : modes_of_model(o);
}

void declare(CLI::App& app, ModesOptions& o) {
  add_mesh(app, o.mesh);
  app.add_option("--held", o.held, "node ids held, each ID or ID:123456")->delimiter(',');
  app.add_option("--modes", o.modes, "elastic modes")->check(CLI::PositiveNumber);
  app.add_option("--frequency-limit", o.frequency_limit_Hz, "only modes up to here, Hz")
      ->check(CLI::PositiveNumber);
  add_set(app, o.overrides);
  add_state(app, o.state);
  app.add_flag("--supports", o.supports, "with the supports of the mesh");
  add_results(app, o, "result file (HDF5) with the shapes, for the viewer; models only",
              "folder for eigenvalues.svg; models only");
}

}  // namespace

Command modes_command() {
  return make_command("modes", "natural frequencies of a mesh, of a reduced body (SID) or of a model (YAML)",
                      declare, execute);
}

}  // namespace monocoque

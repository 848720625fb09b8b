#include "apps/mesh_loading.h"

#include <cstdio>

#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "fe/assemble.h"
#include "fe/assembled_system.h"
#include "fe/subset.h"
#include "io/mesh/assembled.h"

namespace monocoque {

namespace {

double factor(const std::map<std::string, double>& known, const std::string& name, const std::string& all) {
  if (const auto it = known.find(name); it != known.end()) return it->second;
  throw Error("--units", fmt::format("'{}' in '{}' is not known", name, all),
              "length-mass-time of m cm mm in ft, kg t g lb, s ms; for example mm-t-s");
}

}  // namespace

void add_mesh(CLI::App& app, MeshOptions& o) {
  app.add_option("mesh,--nodes", o.path,
                 "mesh: Nastran (.bdf .nas .dat), Abaqus (.inp), LS-DYNA (.k); with --matrices: positions of "
                 "the nodes, a mesh or lines node, x, y, z (.csv .txt)")
      ->required();
  app.add_option("--units", o.units, "of the mesh, length-mass-time, e.g. mm-t-s");
  app.add_option("--mass", o.mass, "consistent or lumped; with --matrices: file of the mass matrix");
  app.add_option("--matrices", o.stiffness,
                 "assembled stiffness matrix (Matrix Market, CalculiX .sti); needs --mass and --map");
  app.add_option("--map", o.rows, "rows of the matrices (CalculiX .dof, or lines row, node, component)");
  app.add_option("--shared-rigid-nodes", o.shared_rigid_nodes,
                 "node that two rigid elements claim: error, or first (it follows the first one)")
      ->check(CLI::IsMember({"error", "first"}));
  app.add_option("--only-properties", o.only_properties, "elements of these property ids, e.g. 1,2,5-9")
      ->delimiter(',');
  app.add_option("--only-elements", o.only_elements, "elements of these kinds, e.g. shell4,shell3")
      ->delimiter(',');
  app.add_flag("--lenient", o.lenient, "unknown cards that carry mass or stiffness are only listed");
}

io::FeUnits units_from(const std::string& text) {
  static const std::map<std::string, double> lengths = {
      {"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"in", 0.0254}, {"ft", 0.3048}};
  static const std::map<std::string, double> masses = {
      {"kg", 1}, {"t", 1e3}, {"g", 1e-3}, {"lb", 0.45359237}};
  static const std::map<std::string, double> times = {{"s", 1}, {"ms", 1e-3}};
  std::array<std::string, 3> part;
  std::size_t i = 0;
  for (const char c : text) {
    if (c != '-')
      part[i] += c;
    else if (++i == 3)
      break;
  }
  if (i != 2)
    throw Error("--units", fmt::format("'{}' is not of the form length-mass-time", text), "e.g. mm-t-s");
  io::FeUnits u;
  u.length_m = factor(lengths, part[0], text);
  u.mass_kg = factor(masses, part[1], text);
  u.time_s = factor(times, part[2], text);
  return u;
}

long node_id(const std::string& text) {
  long id = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (status != std::errc() || end != text.data() + text.size() || text.empty())
    throw Error("node", fmt::format("'{}' is no node id", text),
                "ids are whole numbers, separated by commas");
  return id;
}

NodeChoice node_choice(const std::string& text, std::uint8_t default_components) {
  NodeChoice choice;
  const std::size_t colon = text.find(':');
  choice.id = node_id(text.substr(0, colon));
  choice.components = default_components;
  if (colon == std::string::npos) return choice;
  unsigned bits = 0;
  for (const char c : text.substr(colon + 1)) {
    if (c < '1' || c > '6')
      throw Error(fmt::format("node {}", choice.id), fmt::format("component '{}' in '{}'", c, text),
                  "components are digits 1 to 6: translations 123, rotations 456");
    bits |= 1U << static_cast<unsigned>(c - '1');
  }
  if (bits == 0)
    throw Error(fmt::format("node {}", choice.id), "no components after the colon", "e.g. 12:123");
  choice.components = static_cast<std::uint8_t>(bits);
  return choice;
}

reduce::Log log_to_stderr(bool quiet) {
  if (quiet) return {};
  return [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
}

namespace {

void require_matrix_options(const MeshOptions& o) {
  const auto need = [](bool given, const char* option, const char* remedy) {
    if (!given) throw Error(option, "is missing: --matrices needs it", remedy);
  };
  need(!o.rows.empty(), "--map", "give the meaning of the rows, e.g. --map beam.dof");
  need(o.mass != MeshOptions{}.mass && o.mass != "lumped", "--mass",
       "give the mass matrix, e.g. --mass beam.mas");
  if (!o.only_properties.empty() || !o.only_elements.empty())
    throw Error("--matrices", "has no elements to choose from",
                "leave out --only-properties and --only-elements");
}

LoadedMesh load_matrices(const MeshOptions& o) {
  require_matrix_options(o);
  LoadedMesh loaded;
  loaded.assembled = true;
  loaded.mesh.file = o.stiffness;
  loaded.system =
      system_of(io::read_assembled({o.stiffness, o.mass, o.rows, o.path}, units_from(o.units)), o.stiffness);
  return loaded;
}

LoadedMesh load_elements(const MeshOptions& o, bool use_supports) {
  if (o.mass != "consistent" && o.mass != "lumped")
    throw Error("--mass", fmt::format("'{}' is neither consistent nor lumped", o.mass),
                "a file of the mass matrix belongs to --matrices");
  if (!o.rows.empty())
    throw Error("--map", "is given without --matrices", "give the stiffness matrix, or leave it out");
  io::FeReadOptions read;
  read.units = units_from(o.units);
  read.lenient = o.lenient;
  SubsetChoice choice;
  choice.properties = id_ranges(o.only_properties);
  choice.kinds = element_kinds(o.only_elements);
  LoadedMesh loaded;
  loaded.mesh = subset(io::read_fe_mesh(o.path, read), choice);
  AssembleOptions assembly;
  assembly.use_supports = use_supports;
  assembly.first_rigid_wins = o.shared_rigid_nodes == "first";
  loaded.system =
      assemble(loaded.mesh, o.mass == "lumped" ? MassKind::lumped : MassKind::consistent, assembly);
  return loaded;
}

}  // namespace

LoadedMesh load_mesh(const MeshOptions& o, bool use_supports, bool quiet) {
  LoadedMesh loaded = o.stiffness.empty() ? load_elements(o, use_supports) : load_matrices(o);
  if (quiet) return loaded;
  const std::string& file = loaded.assembled ? o.stiffness : o.path;
  for (const io::UnknownCard& card : loaded.mesh.unknown)
    fmt::print(stderr, "{}: {} x {} not understood (first in line {})\n", file, card.count, card.name,
               card.first_line);
  for (const std::string& note : loaded.mesh.notes) fmt::print(stderr, "{}: {}\n", file, note);
  for (const std::string& note : loaded.system.notes) fmt::print(stderr, "{}: {}\n", file, note);
  fmt::print(
      stderr, "{}: {} nodes, {}, {} unknowns, {:.6g} kg\n", file, loaded.system.nodes(),
      loaded.assembled ? "assembled matrices" : fmt::format("{} elements", loaded.mesh.elements.size()),
      loaded.system.size(), loaded.system.mesh_mass_kg);
  return loaded;
}

}  // namespace monocoque

#include "apps/mesh_loading.h"

#include <cstdio>

#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "core/error.h"
#include "fe/assemble.h"

namespace monocoque {

namespace {

double factor(const std::map<std::string, double>& known, const std::string& name, const std::string& all) {
  if (const auto it = known.find(name); it != known.end()) return it->second;
  throw Error("--units", fmt::format("'{}' in '{}' is not known", name, all),
              "length-mass-time of m cm mm in ft, kg t g lb, s ms; for example mm-t-s");
}

}  // namespace

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

LoadedMesh load_mesh(const MeshOptions& options, bool use_supports, bool quiet) {
  io::FeReadOptions read;
  read.units = units_from(options.units);
  read.lenient = options.lenient;
  LoadedMesh loaded;
  loaded.mesh = io::read_fe_mesh(options.path, read);
  AssembleOptions assembly;
  assembly.use_supports = use_supports;
  loaded.system =
      assemble(loaded.mesh, options.mass == "lumped" ? MassKind::lumped : MassKind::consistent, assembly);
  if (quiet) return loaded;
  for (const io::UnknownCard& card : loaded.mesh.unknown)
    fmt::print(stderr, "{}: {} x {} not understood (first in line {})\n", options.path, card.count, card.name,
               card.first_line);
  for (const std::string& note : loaded.mesh.notes) fmt::print(stderr, "{}: {}\n", options.path, note);
  for (const std::string& note : loaded.system.notes) fmt::print(stderr, "{}: {}\n", options.path, note);
  fmt::print(stderr, "{}: {} nodes, {} elements, {} unknowns, {:.6g} kg\n", options.path,
             loaded.mesh.nodes.size(), loaded.mesh.elements.size(), loaded.system.size(),
             loaded.system.mesh_mass_kg);
  return loaded;
}

}  // namespace monocoque

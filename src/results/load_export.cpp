#include "results/load_export.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "results/channel_book.h"

namespace monocoque {

namespace {

constexpr const char* kComponentNames[6] = {"force/x",  "force/y",  "force/z",
                                            "torque/x", "torque/y", "torque/z"};

/// "17/force/x" behind "PART/node_".
bool node_channel(const std::string& text, long& id, int& component) {
  const char* end = text.data() + text.size();
  const auto [p, status] = std::from_chars(text.data(), end, id);
  if (status != std::errc() || p == end || *p != '/') return false;
  const std::string rest(p + 1, end);
  for (component = 0; component < 6; ++component)
    if (rest == kComponentNames[component]) return true;
  return false;
}

/// SI to the units of the receiving model.
struct LoadFactors {
  double time, component[6], stress;
  explicit LoadFactors(const io::FeUnits& u) {
    const double force = u.mass_kg * u.length_m / (u.time_s * u.time_s);
    time = 1 / u.time_s;
    for (int i = 0; i < 6; ++i) component[i] = 1 / (i < 3 ? force : force * u.length_m);
    stress = u.length_m * u.length_m / force;
  }
};

double time_at(const RunData& run, const PartLoads& loads, const LoadExportOptions& o, Eigen::Index row) {
  return run.time[row] - (o.from_zero ? run.time[loads.rows.front()] : 0);
}

bool always_zero(const RunData& run, const PartLoads& loads, Eigen::Index column) {
  for (const Eigen::Index r : loads.rows)
    if (run.data(r, column) != 0) return false;
  return true;
}

struct LoadComponent {
  const NodeHistory* node;
  int component;
};

std::vector<LoadComponent> loaded_components(const RunData& run, const PartLoads& loads) {
  std::vector<LoadComponent> out;
  for (const NodeHistory& n : loads.nodes)
    for (int c = 0; c < 6; ++c)
      if (n.columns[c] >= 0 && !always_zero(run, loads, n.columns[c])) out.push_back({&n, c});
  if (out.empty()) throw Error("loads", fmt::format("all loads on part '{}' are zero", loads.part), "");
  return out;
}

std::string units_text(const io::FeUnits& u) {
  return fmt::format("length {:g} m, mass {:g} kg, time {:g} s", u.length_m, u.mass_kg, u.time_s);
}

}  // namespace

std::string number_of_width(double value, int width) {
  for (int digits = 17; digits > 0; --digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    const std::size_t e = text.find('e');
    if (text.find('.') == std::string::npos) text.insert(e == std::string::npos ? text.size() : e, 1, '.');
    if (static_cast<int>(text.size()) <= width) return text;
  }
  throw Error("loads", fmt::format("{} does not fit into {} characters", value, width), "");
}

PartLoads part_loads(const RunData& run, const std::string& part, const LoadExportOptions& o) {
  PartLoads out;
  out.part = part;
  std::map<long, NodeHistory> nodes;
  std::set<std::string> parts;
  for (std::size_t k = 0; k < run.channels.size(); ++k) {
    const std::string& path = run.channels[k].path;
    const auto column = static_cast<Eigen::Index>(k);
    long id = 0;
    int component = 0;
    if (const std::size_t place = path.rfind("/node_");
        place != std::string::npos && node_channel(path.substr(place + 6), id, component)) {
      const std::string owner = path.substr(0, place);
      parts.insert(owner);
      if (owner == part) {
        nodes[id].id = id;
        nodes[id].columns[component] = column;
      }
    }
    const std::string folder = folder_of(path);
    if (path.compare(0, part.size() + 1, part + "/") == 0 && ends_with(folder, "/stress")) {
      const std::string owner = folder_of(folder);
      if (owner.size() > part.size())
        out.stresses.push_back({owner.substr(part.size() + 1), leaf_of(path), column});
    }
  }
  const std::vector<std::string> names(parts.begin(), parts.end());
  if (nodes.empty())
    throw Error("loads", fmt::format("the run has no loads on nodes of a part '{}'", part),
                names.empty() ? "only flexible parts have them; let `outputs` record PART/node_*"
                              : fmt::format("there are: {}", fmt::join(names, ", ")));
  for (const long id : o.nodes)
    if (nodes.count(id) == 0) {
      std::vector<long> known;
      for (const auto& [known_id, node] : nodes) known.push_back(known_id);
      throw Error("loads", fmt::format("part '{}' has no loads on node {}", part, id),
                  fmt::format("there are: {}", fmt::join(known, ", ")));
    }
  for (const auto& [id, node] : nodes)
    if (o.nodes.empty() || std::find(o.nodes.begin(), o.nodes.end(), id) != o.nodes.end())
      out.nodes.push_back(node);
  for (Eigen::Index r = 0; r < run.time.size(); ++r) {
    const double t = run.time[r], slack = 1e-9 * (1 + std::abs(t));
    if (t < o.from_s - slack || t > o.to_s + slack) continue;
    if (!out.rows.empty() && !(t > run.time[out.rows.back()])) out.rows.pop_back();
    out.rows.push_back(r);
  }
  if (out.rows.size() < 2)
    throw Error("loads", fmt::format("{} instants lie within the time asked for", out.rows.size()),
                "change --from and --to");
  return out;
}

void write_loads_csv(const RunData& run, const PartLoads& loads, const LoadExportOptions& o,
                     std::ostream& out) {
  const LoadFactors factors(o.units);
  std::string line = "time";
  for (const NodeHistory& n : loads.nodes)
    for (int c = 0; c < 6; ++c)
      if (n.columns[c] >= 0) line += fmt::format(",node_{}/{}", n.id, kComponentNames[c]);
  for (const StressHistory& s : loads.stresses) line += fmt::format(",{}/stress/{}", s.marker, s.component);
  out << line << '\n';
  for (const Eigen::Index r : loads.rows) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{:.12g}", factors.time * time_at(run, loads, o, r));
    for (const NodeHistory& n : loads.nodes)
      for (int c = 0; c < 6; ++c)
        if (n.columns[c] >= 0)
          fmt::format_to(std::back_inserter(line), ",{:.10g}",
                         factors.component[c] * run.data(r, n.columns[c]));
    for (const StressHistory& s : loads.stresses)
      fmt::format_to(std::back_inserter(line), ",{:.10g}", factors.stress * run.data(r, s.column));
    out << line << '\n';
  }
}

void write_loads_nastran(const RunData& run, const PartLoads& loads, const LoadExportOptions& o,
                         std::ostream& out) {
  const LoadFactors factors(o.units);
  const std::vector<LoadComponent> list = loaded_components(run, loads);
  if (o.first_id < 1 || o.first_id + static_cast<long>(list.size()) > 99999999)
    throw Error("loads", fmt::format("set numbers from {} on do not fit into eight digits", o.first_id), "");
  out << fmt::format("$ Loads on part {} of run '{}', model '{}'; {}\n", loads.part, run.info.scenario,
                     run.info.model, units_text(o.units));
  out << fmt::format("$ Select with DLOAD = {} in case control (transient response). The body is free.\n",
                     o.first_id);
  std::string line = fmt::format("{:<8}{:>8}{:>8}", "DLOAD", o.first_id, "1.");
  std::size_t fields = 2;
  for (std::size_t k = 0; k < list.size(); ++k) {
    for (const std::string& field :
         {std::string("1."), std::to_string(o.first_id + 1 + static_cast<long>(k))}) {
      if (fields == 8) {
        out << line << '\n';
        line = fmt::format("{:<8}", "+");
        fields = 0;
      }
      line += fmt::format("{:>8}", field);
      ++fields;
    }
  }
  out << line << '\n';
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto& [node, c] = list[k];
    const long id = o.first_id + 1 + static_cast<long>(k);
    out << fmt::format("$ node {} {}\n", node->id, kComponentNames[c]);
    out << fmt::format("{:<8}{:>8}{:>8}{:>8}{:>8}{:>8}\n", "TLOAD1", id, id, "", "LOAD", id);
    out << fmt::format("{:<8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n", c < 3 ? "FORCE" : "MOMENT", id, node->id,
                       0, "1.", c % 3 == 0 ? "1." : "0.", c % 3 == 1 ? "1." : "0.", c % 3 == 2 ? "1." : "0.");
    // Large fields: a logical line of eight is two lines of four; the rest of the head is empty.
    out << fmt::format("{:<8}{:>16}\n{:<8}\n", "TABLED1*", id, "*");
    line = fmt::format("{:<8}", "*");
    int numbers = 0;
    const auto put = [&](const std::string& field) {
      if (numbers == 4) {
        out << line << '\n';
        line = fmt::format("{:<8}", "*");
        numbers = 0;
      }
      line += fmt::format("{:>16}", field);
      ++numbers;
    };
    for (const Eigen::Index r : loads.rows) {
      put(number_of_width(factors.time * time_at(run, loads, o, r), 16));
      put(number_of_width(factors.component[c] * run.data(r, node->columns[c]), 16));
    }
    put("ENDT");
    out << line << '\n';
  }
}

void write_loads_abaqus(const RunData& run, const PartLoads& loads, const LoadExportOptions& o,
                        std::ostream& out) {
  const LoadFactors factors(o.units);
  const std::vector<LoadComponent> list = loaded_components(run, loads);
  out << fmt::format("** Loads on part {} of run '{}', model '{}'; {}\n", loads.part, run.info.scenario,
                     run.info.model, units_text(o.units));
  out << "** *INCLUDE this file inside of a step. The body is free.\n";
  for (const auto& [node, c] : list) {
    const std::string name = fmt::format("N{}_{}", node->id, c + 1);
    out << fmt::format("*AMPLITUDE, NAME={}, TIME=TOTAL TIME\n", name);
    // Four pairs a line; CalculiX reads 132 characters.
    std::string line;
    int pairs = 0;
    for (const Eigen::Index r : loads.rows) {
      if (pairs == 4) {
        out << line << '\n';
        line.clear();
        pairs = 0;
      }
      line += fmt::format("{}{}, {}", pairs > 0 ? ", " : "",
                          number_of_width(factors.time * time_at(run, loads, o, r), 14),
                          number_of_width(factors.component[c] * run.data(r, node->columns[c]), 14));
      ++pairs;
    }
    out << line << '\n';
    out << fmt::format("*CLOAD, AMPLITUDE={}\n{}, {}, 1.\n", name, node->id, c + 1);
  }
}

}  // namespace monocoque

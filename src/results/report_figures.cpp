#include "results/report_figures.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "results/channel_book.h"

namespace monocoque {

namespace {

using Kind = ReportCurve::Kind;

constexpr std::size_t kMainParts = 6, kCurves = 8;

std::vector<std::string> vector_paths(const std::string& base) {
  return {base + "/x", base + "/y", base + "/z"};
}

bool zero_vector(const ChannelBook& book, const std::string& base) {
  const auto paths = vector_paths(base);
  return std::all_of(paths.begin(), paths.end(), [&](const std::string& p) { return book.zero(p); });
}

std::vector<std::string> quaternion_paths(const std::string& part) {
  std::vector<std::string> out;
  for (int i = 0; i < 4; ++i) out.push_back(fmt::format("{}/orientation/q{}", part, i));
  return out;
}

/// Parts at the top of the model, or all where there are none.
std::vector<std::string> main_parts(const ChannelBook& book) {
  std::vector<std::string> parts, top;
  for (const std::string& owner : book.owners("position")) {
    // A sensor of that name would lack the velocity.
    if (!book.has_vector(owner + "/velocity") || !book.has_vector(owner + "/acceleration")) continue;
    parts.push_back(owner);
    if (owner.find('/') == std::string::npos) top.push_back(owner);
  }
  auto& out = top.empty() ? parts : top;
  if (out.size() > kMainParts) out.resize(kMainParts);
  return out;
}

/// Largest value of OWNER/quantity over some owners.
double size_of(const ChannelBook& book, const std::vector<std::string>& owners, const std::string& quantity) {
  double out = 0;
  for (const std::string& owner : owners)
    if (const std::string base = path_of(owner, quantity); book.has_vector(base))
      for (const std::string& path : vector_paths(base))
        out = std::max(out, book.values(path).cwiseAbs().maxCoeff());
  return out;
}

/// One figure, unless all of it is zero, or rounding beside the size of its kind.
void add_vector(ChannelBook& book, const std::string& title, const std::string& base, double size,
                ReportSection& section) {
  if (!book.has_vector(base)) return;
  ReportFigure figure{title, "t in s", book.unit(base + "/x"), {}};
  bool zero = true;
  for (const char* axis : {"x", "y", "z"}) {
    const std::string path = base + "/" + axis;
    figure.curves.push_back({axis, {path}});
    zero = zero && book.values(path).cwiseAbs().maxCoeff() <= 1e-7 * size;
    book.use(path);
  }
  if (!zero) section.figures.push_back(std::move(figure));
}

ReportSection paths(ChannelBook& book, const std::vector<std::string>& parts) {
  ReportSection section{"Path", "", {}};
  if (parts.empty()) return section;
  // The plane in which most happens.
  const char* axes[] = {"x", "y", "z"};
  double range[3] = {};
  for (int a = 0; a < 3; ++a)
    for (const std::string& part : parts)
      range[a] = std::max(range[a], book.range(part + "/position/" + axes[a]));
  const int least = static_cast<int>(std::min_element(range, range + 3) - range);
  const int u = least == 0 ? 1 : 0, v = least == 2 ? 1 : 2;
  const double small = std::min(range[u], range[v]), large = std::max(range[u], range[v]);
  if (large > 0) {
    const bool equal = small > 0.01 * large;
    ReportFigure figure{fmt::format("Paths of the parts{}{}", least == 2 ? ", from above" : "",
                                    equal ? "" : " (scales differ)"),
                        fmt::format("{} in m", axes[u]),
                        fmt::format("{} in m", axes[v]),
                        {},
                        false,
                        equal};
    for (const std::string& part : parts)
      figure.curves.push_back(
          {part, {part + "/position/" + axes[u], part + "/position/" + axes[v]}, Kind::path});
    section.figures.push_back(std::move(figure));
  }
  const double size = size_of(book, parts, "position");
  for (const std::string& part : parts)
    add_vector(book, part + ": position", part + "/position", size, section);
  return section;
}

ReportSection vectors(ChannelBook& book, const std::string& title, const std::vector<std::string>& parts,
                      const std::vector<std::string>& quantities) {
  ReportSection section{title, "", {}};
  for (const std::string& part : parts)
    for (const std::string& q : quantities) {
      std::string words = q;
      std::replace(words.begin(), words.end(), '_', ' ');
      add_vector(book, fmt::format("{}: {}", part, words), path_of(part, q), size_of(book, parts, q),
                 section);
    }
  return section;
}

ReportSection attitudes(ChannelBook& book, const std::vector<std::string>& parts) {
  ReportSection section{"Attitude", "Yaw about z first, then pitch about y, then roll about x.", {}};
  for (const std::string& part : parts) {
    const auto quaternion = quaternion_paths(part);
    if (!std::all_of(quaternion.begin(), quaternion.end(), [&](const auto& p) { return book.has(p); }))
      continue;
    for (const std::string& path : quaternion) book.use(path);
    if (std::all_of(quaternion.begin(), quaternion.end(), [&](const auto& p) { return book.range(p) == 0; }))
      continue;
    // About one axis only: its angle, since roll, pitch and yaw jump beyond a right angle of pitch.
    std::vector<std::size_t> moving;
    for (const std::size_t i : {1U, 2U, 3U})
      if (book.values(quaternion[i]).cwiseAbs().maxCoeff() > 1e-5) moving.push_back(i);
    if (moving.size() == 1) {
      const char* axes[] = {"x", "y", "z"};
      section.figures.push_back({part + ": attitude",
                                 "t in s",
                                 "deg",
                                 {{fmt::format("turn about {}", axes[moving[0] - 1]),
                                   {quaternion[0], quaternion[moving[0]]},
                                   Kind::turn}}});
      continue;
    }
    section.figures.push_back({part + ": attitude",
                               "t in s",
                               "deg",
                               {{"roll", quaternion, Kind::roll},
                                {"pitch", quaternion, Kind::pitch},
                                {"yaw", quaternion, Kind::yaw}}});
  }
  return section;
}

/// Curves of the same quantity: those whose owners share their last name in one figure (FL/spring,
/// FR/spring), the others together; at most kCurves in each.
struct Candidate {
  std::string owner, unit;
  ReportCurve curve;
};

void add_grouped(const std::vector<Candidate>& list, const std::string& suffix, ReportSection& section) {
  std::map<std::string, int> shared;
  for (const Candidate& c : list)
    if (c.owner.find('/') != std::string::npos) ++shared[leaf_of(c.owner)];
  struct Group {
    std::string title, unit;
    std::vector<ReportCurve> curves;
  };
  std::vector<Group> groups;
  for (const Candidate& c : list) {
    const auto it = shared.find(leaf_of(c.owner));
    const bool together = it != shared.end() && it->second > 1 && c.owner.find('/') != std::string::npos;
    const std::string title = (together ? leaf_of(c.owner) + (suffix.empty() ? "" : ": ") : "") + suffix;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return g.title == title && g.unit == c.unit && g.curves.size() < kCurves;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), {title, c.unit, {}});
    group->curves.push_back(c.curve);
    group->curves.back().name = together ? folder_of(c.owner) : c.owner;
  }
  for (Group& g : groups) {
    if (g.title.empty()) g.title = g.curves.size() == 1 ? g.curves[0].name : "in " + g.unit;
    section.figures.push_back({g.title, "t in s", g.unit, std::move(g.curves)});
  }
}

void add_scalar(ChannelBook& book, const std::string& path, const std::string& owner,
                std::vector<Candidate>& list) {
  book.use(path);
  if (!book.zero(path)) list.push_back({owner, book.unit(path), {"", {path}}});
}

ReportSection tires(ChannelBook& book) {
  ReportSection section{"Tires", "Forces and slips in the axes of the contact: x ahead, y to the left.", {}};
  std::vector<std::string> owners;
  for (const Channel& c : book.channels())
    if (ends_with(c.path, "/slip_angle") && book.has(folder_of(c.path) + "/load"))
      owners.push_back(folder_of(c.path));
  for (const char* q : {"load", "longitudinal_force", "lateral_force", "aligning_moment", "slip",
                        "slip_angle", "camber", "spin", "radius", "friction", "on_road"}) {
    std::vector<Candidate> list;
    for (const std::string& owner : owners) {
      const std::string path = owner + "/" + q;
      if (!book.has(path)) continue;
      if (std::string(q) == "on_road" || std::string(q) == "friction") {
        book.use(path);
        if (book.range(path) == 0) continue;
      }
      add_scalar(book, path, owner, list);
    }
    std::string words = q;
    std::replace(words.begin(), words.end(), '_', ' ');
    add_grouped(list, words, section);
  }
  for (const std::string& owner : owners)
    for (const char* q : {"/force", "/torque"})
      for (const std::string& path : vector_paths(owner + q)) book.use(path);
  return section;
}

/// Lengths of the vectors OWNER/quantity; where that is zero all the time, of OWNER/instead.
ReportSection lengths(ChannelBook& book, const std::string& title, const std::string& text,
                      const std::string& quantity, const std::string& instead) {
  ReportSection section{title, text, {}};
  std::vector<Candidate> list, other;
  for (const std::string& owner : book.owners(quantity)) {
    const std::string first = path_of(owner, quantity), second = path_of(owner, instead);
    if (book.used(first + "/x")) continue;
    const bool has_second = !instead.empty() && book.has_vector(second);
    for (const std::string& path : vector_paths(first)) book.use(path);
    if (has_second)
      for (const std::string& path : vector_paths(second)) book.use(path);
    if (!zero_vector(book, first))
      list.push_back({owner, book.unit(first + "/x"), {"", vector_paths(first), Kind::length}});
    else if (has_second && !zero_vector(book, second))
      other.push_back({owner, book.unit(second + "/x"), {"", vector_paths(second), Kind::length}});
  }
  add_grouped(list, leaf_of(quantity), section);
  add_grouped(other, leaf_of(instead), section);
  return section;
}

ReportSection flexible(ChannelBook& book) {
  ReportSection section{"Deformation", "", {}};
  std::vector<Candidate> list;
  for (const Channel& c : book.channels()) {
    const std::string folder = folder_of(c.path);
    if (leaf_of(folder) != "elastic") continue;
    book.use(c.path);
    const std::string title = folder_of(folder) + ": elastic coordinates";
    if (section.figures.empty() || section.figures.back().title != title)
      section.figures.push_back({title, "t in s", c.unit, {}});
    if (auto& curves = section.figures.back().curves; curves.size() < kCurves && !book.zero(c.path))
      curves.push_back({leaf_of(c.path), {c.path}});
  }
  for (const std::string& owner : book.owners("deformation")) {
    for (const std::string& path : vector_paths(owner + "/deformation")) book.use(path);
    for (const std::string& path : vector_paths(owner + "/deformation_angle")) book.use(path);
    if (!zero_vector(book, owner + "/deformation"))
      list.push_back({owner, "m", {"", vector_paths(owner + "/deformation"), Kind::length}});
  }
  add_grouped(list, "deformation", section);
  list.clear();
  for (const Channel& c : book.channels())
    if (leaf_of(folder_of(c.path)) == "stress") {
      book.use(c.path);
      if (leaf_of(c.path) == "von_mises")
        list.push_back({folder_of(folder_of(c.path)), c.unit, {"", {c.path}}});
    }
  add_grouped(list, "stress, von Mises", section);
  return section;
}

/// What is left: sensors of several values each in a figure, single values by their names and units.
struct Rest {
  ReportSection lengths{"Deflections and lengths", "", {}}, rotors{"Rotors", "", {}},
      sensors{"Sensors", "", {}}, controllers{"Controllers", "", {}};
};

Rest rest(ChannelBook& book) {
  Rest out;
  std::vector<Candidate> metres, scalars, outputs, speeds;
  std::map<std::string, std::vector<std::string>> several;
  std::vector<std::string> order;
  const std::set<std::string> components = {"x", "y", "z", "roll", "pitch", "yaw"};
  const auto all_parts = book.owners("acceleration");
  const auto of_a_part = [&](const std::string& path) {
    for (const std::string& part : all_parts)
      if (path.size() > part.size() + 1 && path.compare(0, part.size() + 1, part + "/") == 0 &&
          book.has_vector(part + "/position"))
        return part;
    return std::string{};
  };
  for (const Channel& c : book.channels()) {
    if (book.used(c.path) || folder_of(c.path) == "energy" || folder_of(c.path) == "drift") continue;
    const std::string leaf = leaf_of(c.path), folder = folder_of(c.path), part = of_a_part(c.path);
    if (!part.empty()) {  // of parts that are not shown: only the speeds of their rotors
      if (leaf == "speed") add_scalar(book, c.path, folder, speeds);
      continue;
    }
    if (components.count(leaf) > 0 && !folder.empty()) {
      if (several[folder].empty()) order.push_back(folder);
      several[folder].push_back(c.path);
    } else if (leaf == "output" && c.unit == "1") {
      add_scalar(book, c.path, folder, outputs);
    } else {
      add_scalar(book, c.path, c.path, c.unit == "m" ? metres : scalars);
    }
  }
  for (const std::string& folder : order) {
    ReportFigure figure{folder, "t in s", book.unit(several[folder][0]), {}};
    for (const std::string& path : several[folder])
      if (!book.zero(path)) figure.curves.push_back({leaf_of(path), {path}});
    if (!figure.curves.empty()) out.sensors.figures.push_back(std::move(figure));
  }
  add_grouped(metres, "", out.lengths);
  add_grouped(scalars, "", out.sensors);
  add_grouped(outputs, "output", out.controllers);
  add_grouped(speeds, "speed", out.rotors);
  return out;
}

}  // namespace

std::vector<ReportSection> report_sections(const RunData& run) {
  ChannelBook book(run);
  const std::vector<std::string> parts = main_parts(book);
  // Each takes its channels from the book; what follows takes what is left.
  ReportSection path = paths(book, parts);
  ReportSection velocities = vectors(book, "Velocities", parts, {"velocity", "angular_velocity"});
  ReportSection attitude = attitudes(book, parts);
  ReportSection accelerations =
      vectors(book, "Accelerations", parts, {"acceleration", "angular_acceleration"});
  ReportSection tire = tires(book), deformation = flexible(book);
  ReportSection reactions = lengths(book, "Reactions of the joints", "Lengths of the vectors.",
                                    "reaction/force", "reaction/torque");
  ReportSection forces = lengths(book, "Forces", "Lengths of the vectors.", "force", "torque");
  Rest others = rest(book);
  std::vector<ReportSection> out;
  for (ReportSection* s :
       {&path, &velocities, &attitude, &others.lengths, &tire, &accelerations, &deformation, &others.rotors,
        &forces, &reactions, &others.sensors, &others.controllers})
    out.push_back(std::move(*s));
  std::erase_if(out, [](const ReportSection& s) { return s.figures.empty(); });
  return out;
}

std::vector<ReportFigure> audit_figures(const RunData& run) {
  const ChannelBook book(run);
  std::vector<ReportFigure> out;
  ReportFigure energies{"Energies", "t in s", "J", {}};
  for (const char* name : {"kinetic", "gravity", "elastic", "total", "dissipated", "supplied"}) {
    const std::string path = std::string("energy/") + name;
    if (book.has(path) && !book.zero(path)) energies.curves.push_back({name, {path}});
  }
  if (!energies.curves.empty()) out.push_back(std::move(energies));
  if (energy_audit(run))
    out.push_back({"Energy left over",
                   "t in s",
                   "J",
                   {{"E - E(0) - supplied + dissipated",
                     {"energy/total", "energy/supplied", "energy/dissipated"},
                     Kind::balance}}});
  ReportFigure drift{"Drift of the constraints", "t in s", "m, rad (per s)", {}, true};
  for (const char* name : {"position", "velocity"}) {
    const std::string path = std::string("drift/") + name;
    if (book.has(path) && !book.zero(path)) drift.curves.push_back({name, {path}});
  }
  if (!drift.curves.empty()) out.push_back(std::move(drift));
  return out;
}

}  // namespace monocoque

#include "body/skeleton.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "body/stock.h"
#include "core/error.h"

namespace monocoque::body {

namespace {

/// Parts of which the car has one on each side.
constexpr std::array<std::string_view, 7> kPairs = {"sill",  "rail",       "side",   "shotgun",
                                                    "tower", "wheelhouse", "quarter"};

int position(std::vector<std::string>& list, const std::string& name) {
  const auto it = std::find(list.begin(), list.end(), name);
  if (it != list.end()) return static_cast<int>(it - list.begin());
  list.push_back(name);
  return static_cast<int>(list.size()) - 1;
}

}  // namespace

std::string Skeleton::point(const std::string& name, double x, double y, double z) {
  const auto add = [this](const std::string& n, const Vec3& p) {
    if (!index_.emplace(n, static_cast<int>(points.size())).second)
      throw Error("body", fmt::format("point '{}' is made twice", n));
    names.push_back(n);
    points.push_back(p);
  };
  add(name, Vec3(x, y, z));
  if (y > 0) add(name + "*", Vec3(x, -y, z));
  return name;
}

int Skeleton::index(std::string_view name) const {
  const auto it = index_.find(name);
  if (it == index_.end()) throw Error("body", fmt::format("there is no point '{}'", name));
  return it->second;
}

std::string Skeleton::mirrored(const std::string& name) const {
  if (at(name).y() == 0) return name;
  return name.back() == '*' ? name.substr(0, name.size() - 1) : name + "*";
}

int Skeleton::part(const std::string& name, bool glass) {
  const int i = position(parts, name);
  part_is_glass.resize(parts.size(), glass);
  return i;
}

int Skeleton::tag(const std::string& name) {
  return name.empty() ? -1 : position(tags, name);
}

void Skeleton::patch(const std::string& part_name, std::string_view sheet_name, std::string_view zone_name,
                     const Names& corners, const std::string& tag_name) {
  Patch p;
  p.corners = static_cast<int>(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) p.point[i] = index(corners[i]);
  p.sheet = sheet_index(sheet_name);
  p.part = part(part_name, sheets()[static_cast<std::size_t>(p.sheet)].stock == Stock::glass);
  p.zone = zone_index(zone_name);
  p.tag = tag(tag_name);
  patches.push_back(p);
}

void Skeleton::sheet(const std::string& part, std::string_view sheet, std::string_view zone,
                     const Names& corners, const std::string& tag) {
  patch(part, sheet, zone, corners, tag);
  const bool pair = std::find(kPairs.begin(), kPairs.end(), part) != kPairs.end();
  Names image;
  for (auto it = corners.rbegin(); it != corners.rend(); ++it) image.push_back(mirrored(*it));
  patch(pair ? part + "*" : part, sheet, zone, image, tag.empty() ? "" : tag + "*");
}

void Skeleton::curve(const Names& through) {
  std::vector<int> line, image;
  for (const std::string& n : through) {
    line.push_back(index(n));
    image.push_back(index(mirrored(n)));
  }
  curves.push_back(line);
  if (image != line) curves.push_back(image);
}

void Skeleton::box(const std::string& part, std::string_view sheet_name, std::string_view zone,
                   const std::vector<Names>& sections) {
  for (std::size_t k = 0; k + 1 < sections.size(); ++k) {
    const Names &s = sections[k], &t = sections[k + 1];
    for (std::size_t i = 0; i < s.size(); ++i) {
      const std::size_t j = (i + 1) % s.size();
      sheet(part, sheet_name, zone, {s[i], t[i], t[j], s[j]});
    }
  }
}

void Skeleton::ring(const std::string& part, std::string_view sheet_name, std::string_view zone,
                    const Names& outer, const Names& inner, const std::string& tag) {
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t l = (k + 1) % 4;
    sheet(part, sheet_name, zone, {outer[k], outer[l], inner[l], inner[k]});
  }
  sheet(part, sheet_name, zone, inner, tag);
}

void Skeleton::beam(std::string_view section, const Names& through) {
  const int s = section_index(section);
  for (std::size_t k = 0; k + 1 < through.size(); ++k) {
    const Beam own{s, index(through[k]), index(through[k + 1])};
    const Beam image{s, index(mirrored(through[k])), index(mirrored(through[k + 1]))};
    beams.push_back(own);
    if (image.a != own.a || image.b != own.b) beams.push_back(image);
  }
}

void Skeleton::bridge(std::string_view section, const std::string& point) {
  beams.push_back({section_index(section), index(point), index(mirrored(point))});
}

void Skeleton::spider(const std::string& point, const Names& targets) {
  spiders.push_back({index(point), targets});
  if (mirrored(point) == point) return;
  Names image;
  for (const std::string& t : targets) {
    const std::size_t dash = t.find('-');
    if (t[0] == '#')
      image.push_back(t + "*");
    else if (dash == std::string::npos)
      image.push_back(mirrored(t));
    else
      image.push_back(mirrored(t.substr(0, dash)) + "-" + mirrored(t.substr(dash + 1)));
  }
  spiders.push_back({index(mirrored(point)), image});
}

void Skeleton::hang(std::string_view zone, const Names& at) {
  std::vector<int>& list = hung[zone_index(zone)];
  for (const std::string& n : at) {
    list.push_back(index(n));
    if (mirrored(n) != n) list.push_back(index(mirrored(n)));
  }
}

Target target_of(const Skeleton& skeleton, std::string_view text) {
  Target t;
  const std::size_t dash = text.find('-');
  if (text[0] == '#') {
    t.kind = Target::Kind::tag;
    const auto it = std::find(skeleton.tags.begin(), skeleton.tags.end(), text);
    if (it == skeleton.tags.end()) throw Error("body", fmt::format("there is no sheet '{}'", text));
    t.a = static_cast<int>(it - skeleton.tags.begin());
  } else if (dash != std::string_view::npos) {
    t.kind = Target::Kind::edge;
    t.a = skeleton.index(text.substr(0, dash));
    t.b = skeleton.index(text.substr(dash + 1));
  } else {
    t.a = skeleton.index(text);
  }
  return t;
}

}  // namespace monocoque::body

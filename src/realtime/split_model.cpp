#include "realtime/split_model.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "results/recorder.h"

namespace monocoque::realtime {

namespace {

constexpr int kShared = -1;

class Splitter {
 public:
  Splitter(const io::ModelSpec& spec, const std::vector<SplitGroup>& groups) : spec_(spec), groups_(groups) {}

  SplitModel split() {
    if (groups_.size() < 2) throw Error("split", "fewer than two groups of parts", "name front and rear");
    assign_parts();
    for (const io::InteractSpec& e : spec_.interacts) assign(e);
    SplitModel out;
    for (const io::PartSpec& p : spec_.parts)
      if (p.kind != io::PartKind::ground && group_of_part_.at(p.name) == kShared)
        out.shared.push_back(p.name);
    if (out.shared.empty())
      throw Error("split", "the groups share no part, so nothing couples them",
                  "leave the part that joins them out of all groups");
    for (std::size_t g = 0; g < groups_.size(); ++g) out.models.push_back(half(static_cast<int>(g)));
    return out;
  }

 private:
  void assign_parts() {
    for (const io::PartSpec& p : spec_.parts) group_of_part_[p.name] = kShared;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const std::string& pattern : groups_[g].parts) {
        bool found = false;
        for (const io::PartSpec& p : spec_.parts) {
          if (p.kind == io::PartKind::ground || !matches(pattern, p.name)) continue;
          found = true;
          int& group = group_of_part_[p.name];
          if (group != kShared && group != static_cast<int>(g))
            throw Error(p.place, fmt::format("part '{}'", p.name),
                        fmt::format("it is in group '{}' and in '{}'", name(group), groups_[g].name),
                        "a part belongs to one group, or to none and is shared");
          group = static_cast<int>(g);
        }
        if (!found)
          throw Error("split", fmt::format("group '{}': no part is named '{}'", groups_[g].name, pattern),
                      suggestion(pattern, part_names()));
      }
  }

  /// Ends and elements it refers to; the latter may stand later in the file, but not in a circle.
  void assign(const io::InteractSpec& e) {
    int group = kShared;
    const auto take = [&](int other) {
      if (other == kShared) return;
      if (group != kShared && group != other)
        throw Error(e.place, fmt::format("{} '{}'", e.type, e.name),
                    fmt::format("it joins group '{}' with group '{}'", name(group), name(other)),
                    "give its parts to one group, or to none: a part of no group is shared");
      group = other;
    };
    for (const io::EndSpec& end : e.ends)
      if (const auto it = group_of_part_.find(end.part); it != group_of_part_.end()) take(it->second);
    for (const std::string& target : e.targets) {
      const auto it = std::find_if(spec_.interacts.begin(), spec_.interacts.end(),
                                   [&](const io::InteractSpec& o) { return o.name == target; });
      if (it == spec_.interacts.end() || it->name == e.name) continue;
      if (group_of_interact_.find(target) == group_of_interact_.end()) assign(*it);
      take(group_of_interact_.at(target));
    }
    group_of_interact_[e.name] = group;
  }

  bool keeps(const io::InteractSpec& e, int g) const {
    const int group = group_of_interact_.at(e.name);
    if (group != kShared) return group == g;
    // A sensor of a joint that only the first group has cannot be in the others.
    return g == 0 || (e.group == io::Group::sensor && e.targets.empty());
  }

  io::ModelSpec half(int g) const {
    io::ModelSpec out = spec_;
    out.name = fmt::format("{} ({})", spec_.name, name(g));
    out.nominal = {};
    if (g != 0) out.lane = {};
    std::erase_if(out.parts, [&](const io::PartSpec& p) {
      const int group = group_of_part_.at(p.name);
      return group != kShared && group != g;
    });
    std::erase_if(out.interacts, [&](const io::InteractSpec& e) { return !keeps(e, g); });
    std::set<std::string> used;
    for (const io::InteractSpec& e : out.interacts)
      for (const auto& [field, entry] : e.parameters.entries) used.insert(entry.signal.name);
    std::erase_if(out.controllers, [&](const io::ControllerSpec& c) {
      const auto gives = [&](const io::SignalSpec& s) {
        return s.controller == c.name && used.contains(s.name);
      };
      return !used.contains(c.name) && std::none_of(out.signals.begin(), out.signals.end(), gives);
    });
    std::erase_if(out.signals, [&](const io::SignalSpec& s) {
      return !s.controller.empty() &&
             std::none_of(out.controllers.begin(), out.controllers.end(),
                          [&](const io::ControllerSpec& c) { return c.name == s.controller; });
    });
    return out;
  }

  const std::string& name(int group) const { return groups_[static_cast<std::size_t>(group)].name; }
  std::vector<std::string> part_names() const {
    std::vector<std::string> names;
    for (const io::PartSpec& p : spec_.parts) names.push_back(p.name);
    return names;
  }

  const io::ModelSpec& spec_;
  const std::vector<SplitGroup>& groups_;
  std::map<std::string, int> group_of_part_, group_of_interact_;
};

}  // namespace

SplitModel split_model(const io::ModelSpec& spec, const std::vector<SplitGroup>& groups) {
  return Splitter(spec, groups).split();
}

}  // namespace monocoque::realtime

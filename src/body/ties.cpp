#include "body/ties.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "body/stock.h"
#include "core/error.h"

namespace monocoque::body {

namespace {

class Tying {
 public:
  Tying(Grid& grid, double bond_scale) : grid_(grid), bond_(kBond * bond_scale) {
    claimed_.resize(grid.nodes.size());
  }

  void spiders() {
    for (const Spider& s : grid_.skeleton().spiders)
      hold(grid_.at_point(s.point).front(), s.targets,
           grid_.skeleton().names[static_cast<std::size_t>(s.point)]);
  }

  void interface_points() {
    for (const Interface& i : interfaces()) {
      std::istringstream words{std::string(i.targets)};
      Names targets;
      for (std::string w; words >> w;) targets.push_back(w);
      const int node = static_cast<int>(grid_.nodes.size());
      grid_.nodes.push_back(reference_centre() + Vec3(i.x, i.y, i.z));
      out_.interface_nodes.push_back(node);
      hold(node, targets, std::string(i.name));
    }
  }

  void beads_and_welds(int step) {
    const Skeleton& s = grid_.skeleton();
    std::vector<double> bead_at_point(s.points.size());
    for (const EdgeGrid& e : grid_.edges) {
      if (!bonded(e)) continue;
      const std::vector<double> l = grid_.lengths(e);
      bead_at_point[static_cast<std::size_t>(e.a)] += 0.5 * l.front();
      bead_at_point[static_cast<std::size_t>(e.b)] += 0.5 * l.back();
    }
    for (std::size_t p = 0; p < s.points.size(); ++p)
      join(grid_.at_point(static_cast<int>(p)), bead_at_point[p], true);
    for (const EdgeGrid& e : grid_.edges) {
      const std::vector<double> l = bonded(e) ? grid_.lengths(e) : std::vector<double>();
      for (int i = 1; i < e.divisions; ++i) {
        const auto k = static_cast<std::size_t>(i);
        join(grid_.at_edge(e, i), l.empty() ? 0 : 0.5 * (l[k - 1] + l[k]), i % step == 0);
      }
    }
  }

  Ties take() { return std::move(out_); }

 private:
  bool claimed(int node) const {
    return static_cast<std::size_t>(node) < claimed_.size() && claimed_[static_cast<std::size_t>(node)];
  }

  bool bonded(const EdgeGrid& e) const {
    const std::vector<bool>& glass = grid_.skeleton().part_is_glass;
    const auto is_glass = [&](int p) -> bool { return glass[static_cast<std::size_t>(p)]; };
    return std::any_of(e.parts.begin(), e.parts.end(), is_glass) &&
           !std::all_of(e.parts.begin(), e.parts.end(), is_glass);
  }

  void hold(int independent, const Names& targets, const std::string& name) {
    std::vector<int> found;
    for (const std::string& text : targets) {
      const Target t = target_of(grid_.skeleton(), text);
      if (t.kind == Target::Kind::tag) {
        const std::vector<int>& list = grid_.at_tag[static_cast<std::size_t>(t.a)];
        found.insert(found.end(), list.begin(), list.end());
      } else if (t.kind == Target::Kind::point) {
        found.push_back(grid_.at_point(t.a).front());
      } else {
        const EdgeGrid& e = grid_.edges[static_cast<std::size_t>(grid_.edge_between(t.a, t.b))];
        for (int i = 0; i <= e.divisions; ++i)
          for (const int n : grid_.at_edge(e, i)) found.push_back(n);
      }
    }
    Rigid r;
    r.independent = independent;
    for (const int n : found)
      for (const int m : grid_.beside(n))
        if (m != independent) r.dependent.push_back(m);
    std::sort(r.dependent.begin(), r.dependent.end());
    r.dependent.erase(std::unique(r.dependent.begin(), r.dependent.end()), r.dependent.end());
    for (const int n : r.dependent) {
      if (claimed(n))
        throw Error("body", fmt::format("the spider of '{}' holds a node that another one holds", name));
      claimed_[static_cast<std::size_t>(n)] = true;
    }
    out_.rigid.push_back(std::move(r));
  }

  /// The nodes of one place: glass to body by the bead, the parts of the body by a weld.
  void join(const std::vector<int>& place, double bead_m, bool weld) {
    std::vector<int> body, glass;
    for (const int n : place) (grid_.is_glass(n) ? glass : body).push_back(n);
    if (!body.empty())
      for (const int g : glass) out_.beads.push_back({g, body[0], bond_ * bead_m});
    if (body.size() < 2 || !weld) return;
    const auto held = std::count_if(body.begin(), body.end(), [this](int n) { return claimed(n); });
    if (held == static_cast<std::ptrdiff_t>(body.size())) return;
    if (held > 0) throw Error("body", "a spider holds one of several parts at a place only");
    out_.rigid.push_back({body[0], {body.begin() + 1, body.end()}, true});
  }

  Grid& grid_;
  double bond_;
  std::vector<bool> claimed_;
  Ties out_;
};

}  // namespace

Ties tie(Grid& grid, double size_m, double pitch_m, double bond_scale) {
  Tying t(grid, bond_scale);
  t.spiders();
  t.interface_points();
  t.beads_and_welds(std::max(1, static_cast<int>(std::nearbyint(pitch_m / size_m))));
  return t.take();
}

}  // namespace monocoque::body

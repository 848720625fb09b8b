#include "body/grid.h"
#include "core/index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace monocoque::body {

namespace {

constexpr int kBeamPart = -2, kSharedPart = -1;
/// A web or flange wider than this gets two elements at least: one alone is far too stiff.
constexpr double kOneElement_m = 0.12;
/// Beams are exact in bending; finer ones would only cost.
constexpr double kLeastBar_m = 0.05;

/// Direction at b of the parabola through three points, per unit of chord length.
Vec3 tangent(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double l = (b - a).norm(), r = (c - b).norm();
  return ((b - a) / l * r + (c - b) / r * l) / (l + r);
}

int whole(double x) {
  return static_cast<int>(std::nearbyint(x));
}

/// Points p and q in the order of their names.
std::pair<int, int> ordered(const Skeleton& s, int p, int q) {
  return s.names[at(p)] < s.names[at(q)] ? std::pair(p, q) : std::pair(q, p);
}

/// The edges of a skeleton in classes of equal division.
class Classes {
 public:
  int find(int e) {
    while (up_[at(e)] != e) e = up_[at(e)] = up_[at(up_[at(e)])];
    return e;
  }
  int add() {
    up_.push_back(static_cast<int>(up_.size()));
    return up_.back();
  }
  void join(int e, int f) { up_[at(find(e))] = find(f); }

 private:
  std::vector<int> up_;
};

}  // namespace

Grid::Grid(const Skeleton& skeleton, const GridOptions& options)
    : skeleton_(skeleton), shared_(options.shared_nodes) {
  at_point_.resize(skeleton.points.size());
  part_at_point_.resize(skeleton.points.size());
  at_tag.resize(skeleton.tags.size());
  find_edges();
  divide(options.size_m);
  find_tangents();
  for (const Patch& p : skeleton.patches) fill(p);
  for (const Beam& b : skeleton.beams) fill_beam(b, options.size_m);
  for (std::vector<int>& list : at_tag) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

void Grid::find_edges() {
  for (const Patch& p : skeleton_.patches)
    for (int i = 0; i < p.corners; ++i) {
      const auto pair = ordered(skeleton_, p.point[at(i)], p.point[at((i + 1) % p.corners)]);
      const auto [it, fresh] = edge_index_.emplace(pair, static_cast<int>(edges.size()));
      if (fresh) {
        edges.emplace_back();
        edges.back().a = pair.first;
        edges.back().b = pair.second;
      }
      edges[at(it->second)].parts.push_back(p.part);
    }
}

int Grid::edge_between(int p, int q) const {
  const auto it = edge_index_.find(ordered(skeleton_, p, q));
  return it == edge_index_.end() ? -1 : it->second;
}

double Grid::chord(int p, int q) const {
  return (skeleton_.points[at(p)] - skeleton_.points[at(q)]).norm();
}

void Grid::divide(double size) {
  Classes classes;
  for (std::size_t i = 0; i < edges.size(); ++i) classes.add();
  std::vector<int> three_sided;
  for (const Patch& p : skeleton_.patches) {
    std::array<int, 4> e{};
    for (int i = 0; i < p.corners; ++i)
      e[at(i)] = edge_between(p.point[at(i)], p.point[at((i + 1) % p.corners)]);
    if (p.corners == 4) {
      classes.join(e[0], e[2]);
      classes.join(e[1], e[3]);
    } else {
      classes.join(e[1], e[0]);
      classes.join(e[2], e[0]);
      three_sided.push_back(e[0]);
    }
  }
  struct Size {
    double longest = 0, sum = 0;
    int count = 0;
    bool even = false;
  };
  std::vector<Size> sizes(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Size& s = sizes[at(classes.find(static_cast<int>(i)))];
    const double l = chord(edges[i].a, edges[i].b);
    s.longest = std::max(s.longest, l);
    s.sum += l;
    ++s.count;
  }
  for (const int e : three_sided) sizes[at(classes.find(e))].even = true;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Size& s = sizes[at(classes.find(static_cast<int>(i)))];
    const double reference = 0.5 * (s.longest + s.sum / s.count);
    edges[i].divisions = s.even ? 2 * std::max(1, whole(reference / size / 2))
                                : std::max(reference > kOneElement_m ? 2 : 1, whole(reference / size));
  }
}

/// Cubic pieces, Catmull and Rom with unequal chords; the ends are bent by half.
void Grid::find_tangents() {
  for (const std::vector<int>& c : skeleton_.curves) {
    const std::size_t last = c.size() - 1;
    const auto p = [&](std::size_t i) -> const Vec3& { return skeleton_.points[at(c[i])]; };
    for (std::size_t i = 0; i < last; ++i) {
      const double l = (p(i + 1) - p(i)).norm();
      const auto direction = [&](std::size_t j) -> Vec3 {
        if (j == 0) return p(1) - p(0);
        if (j == last) return p(last) - p(last - 1);
        return l * tangent(p(j - 1), p(j), p(j + 1));
      };
      Vec3 from = direction(i), to = direction(i + 1);
      if (i == 0 && last > 1) from = 1.5 * (p(1) - p(0)) - 0.5 * to;
      if (i + 1 == last && last > 1) to = 1.5 * (p(last) - p(last - 1)) - 0.5 * from;
      tangents_[{c[i], c[i + 1]}] = {from, to};
    }
  }
}

Vec3 Grid::on_curve(int p, int q, double t) const {
  const Vec3 &a = skeleton_.points[at(p)], &b = skeleton_.points[at(q)];
  Vec3 from, to;
  if (const auto it = tangents_.find({p, q}); it != tangents_.end()) {
    from = it->second.first;
    to = it->second.second;
  } else if (const auto back = tangents_.find({q, p}); back != tangents_.end()) {
    from = -back->second.second;
    to = -back->second.first;
  } else {
    return a + t * (b - a);
  }
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * from + (3 * t2 - 2 * t3) * b + (t3 - t2) * to;
}

std::vector<double> Grid::lengths(const EdgeGrid& edge) const {
  std::vector<double> out;
  Vec3 last = on_curve(edge.a, edge.b, 0);
  for (int i = 1; i <= edge.divisions; ++i) {
    const Vec3 next = on_curve(edge.a, edge.b, static_cast<double>(i) / edge.divisions);
    out.push_back((next - last).norm());
    last = next;
  }
  return out;
}

int Grid::key(int part) const {
  return part >= 0 && shared_ && !skeleton_.part_is_glass[at(part)] ? kSharedPart : part;
}

int Grid::add(const Vec3& p, NodePlace place, bool glass) {
  nodes.push_back(p);
  places_.push_back(place);
  glass_.push_back(glass);
  return static_cast<int>(nodes.size()) - 1;
}

int Grid::node_at_point(int point, int part) {
  std::vector<int>&list = at_point_[at(point)], &parts = part_at_point_[at(point)];
  for (std::size_t i = 0; i < list.size(); ++i)
    if (parts[i] == key(part)) return list[i];
  list.push_back(
      add(skeleton_.points[at(point)], {-1, point}, part >= 0 && skeleton_.part_is_glass[at(part)]));
  parts.push_back(key(part));
  return list.back();
}

Grid::Line Grid::line(int p, int q, int part) {
  const int index = edge_between(p, q);
  EdgeGrid& edge = edges[at(index)];
  const int n = edge.divisions;
  Line out{node_at_point(p, part)};
  auto known =
      std::find_if(edge.lines.begin(), edge.lines.end(), [&](const auto& l) { return l.first == key(part); });
  const bool forward = p == edge.a;
  if (known == edge.lines.end()) {
    Line inside(at(n - 1));
    for (int i = 1; i < n; ++i) {
      const int from_a = forward ? i : n - i;
      inside[at(from_a - 1)] =
          add(on_curve(p, q, static_cast<double>(i) / n), {index, from_a}, skeleton_.part_is_glass[at(part)]);
    }
    edge.lines.emplace_back(key(part), std::move(inside));
    known = std::prev(edge.lines.end());
  }
  if (forward)
    out.insert(out.end(), known->second.begin(), known->second.end());
  else
    out.insert(out.end(), known->second.rbegin(), known->second.rend());
  out.push_back(node_at_point(q, part));
  return out;
}

std::vector<int> Grid::at_edge(const EdgeGrid& edge, int i) const {
  if (i == 0) return at_point(edge.a);
  if (i == edge.divisions) return at_point(edge.b);
  std::vector<int> out;
  for (const auto& [part, nodes_of_part] : edge.lines) out.push_back(nodes_of_part[at(i - 1)]);
  return out;
}

std::vector<int> Grid::beside(int node) const {
  const NodePlace& place = places_[at(node)];
  if (place.edge >= 0) return at_edge(edges[at(place.edge)], place.index);
  if (place.index >= 0) return at_point(place.index);
  return {node};
}

/// Grid of nodes between four lines: bottom and top from left to right, left and right upwards.
std::vector<Grid::Line> Grid::coons(const Line& bottom, const Line& right, const Line& top,
                                    const Line& left) {
  const int n = static_cast<int>(bottom.size()) - 1, m = static_cast<int>(left.size()) - 1;
  std::vector<Line> grid(at(n + 1), Line(at(m + 1)));
  grid.front() = left;
  grid.back() = right;
  for (int i = 0; i <= n; ++i) {
    grid[at(i)].front() = bottom[at(i)];
    grid[at(i)].back() = top[at(i)];
  }
  const auto x = [this](int node) -> const Vec3& { return nodes[at(node)]; };
  for (int i = 1; i < n; ++i) {
    const double u = static_cast<double>(i) / n;
    for (int j = 1; j < m; ++j) {
      const double v = static_cast<double>(j) / m;
      const Vec3 p = (1 - v) * x(bottom[at(i)]) + v * x(top[at(i)]) + (1 - u) * x(left[at(j)]) +
                     u * x(right[at(j)]) -
                     ((1 - u) * (1 - v) * x(bottom.front()) + u * (1 - v) * x(bottom.back()) +
                      (1 - u) * v * x(top.front()) + u * v * x(top.back()));
      grid[at(i)][at(j)] = add(p, {}, false);
    }
  }
  return grid;
}

std::vector<std::vector<Grid::Line>> Grid::fill_four(const Patch& p) {
  const auto& [a, b, c, d] = p.point;
  const Line bottom = line(a, b, p.part), right = line(b, c, p.part), top = line(d, c, p.part),
             left = line(a, d, p.part);
  return {coons(bottom, right, top, left)};
}

/// Three quadrilaterals around the middle.
std::vector<std::vector<Grid::Line>> Grid::fill_three(const Patch& p) {
  std::array<Line, 3> side, spoke;
  for (std::size_t i = 0; i < 3; ++i) side[i] = line(p.point[i], p.point[(i + 1) % 3], p.part);
  const std::size_t half = (side[0].size() - 1) / 2;
  Vec3 middle = Vec3::Zero();
  for (const Line& s : side) middle += nodes[at(s[half])] / 3;
  const int centre = add(middle, {}, false);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 from = nodes[at(side[i][half])];
    spoke[i] = {side[i][half]};
    for (std::size_t j = 1; j < half; ++j)
      spoke[i].push_back(
          add(from + (middle - from) * static_cast<double>(j) / static_cast<double>(half), {}, false));
    spoke[i].push_back(centre);
  }
  std::vector<std::vector<Line>> grids;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t before = (i + 2) % 3;
    const auto count = static_cast<std::ptrdiff_t>(half) + 1;
    const Line bottom(side[i].begin(), side[i].begin() + count);
    const Line left(side[before].rbegin(), side[before].rbegin() + count);
    grids.push_back(coons(bottom, spoke[i], spoke[before], left));
  }
  return grids;
}

void Grid::fill(const Patch& p) {
  for (const std::vector<Line>& grid : p.corners == 4 ? fill_four(p) : fill_three(p)) {
    for (std::size_t i = 0; i + 1 < grid.size(); ++i)
      for (std::size_t j = 0; j + 1 < grid[i].size(); ++j)
        quads.push_back({{grid[i][j], grid[i + 1][j], grid[i + 1][j + 1], grid[i][j + 1]}, p.sheet, p.zone});
    if (p.tag < 0) continue;
    for (const Line& l : grid) at_tag[at(p.tag)].insert(at_tag[at(p.tag)].end(), l.begin(), l.end());
  }
}

/// Along the edge of a sheet the beam takes the nodes there.
void Grid::fill_beam(const Beam& beam, double size) {
  Line ids;
  if (const int e = edge_between(beam.a, beam.b); e >= 0) {
    int part = -1;
    for (const int p : edges[at(e)].parts)
      if (part < 0 && !skeleton_.part_is_glass[at(p)]) part = p;
    ids = line(beam.a, beam.b, part);
  } else {
    const int n = std::max(1, whole(chord(beam.a, beam.b) / std::max(size, kLeastBar_m)));
    const auto end = [this](int point) {
      return at_point(point).empty() ? node_at_point(point, kBeamPart) : at_point(point).front();
    };
    const Vec3 &a = skeleton_.points[at(beam.a)], &b = skeleton_.points[at(beam.b)];
    ids.push_back(end(beam.a));
    for (int i = 1; i < n; ++i) ids.push_back(add(a + (b - a) * static_cast<double>(i) / n, {}, false));
    ids.push_back(end(beam.b));
  }
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) bars.push_back({ids[i], ids[i + 1], beam.section});
}

}  // namespace monocoque::body

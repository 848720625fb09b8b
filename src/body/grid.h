#pragma once
// The mesh of a skeleton: quadrilaterals on the sheets, bars on the beams, nodes. Opposite edges of a
// four-sided sheet (all three of a three-sided one) get the same number of elements, so that the mesh
// conforms at any size: edges that are tied in this way form classes, found by union and find. Where parts
// meet each has nodes of its own (they are welded later), or they share them.

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "body/skeleton.h"

namespace monocoque::body {

struct GridOptions {
  double size_m = 0.2;
  bool shared_nodes = false;  ///< parts share nodes where they meet (glass never does)
};

struct Quad {
  std::array<int, 4> node{};
  int sheet = 0, zone = 0;
};

struct Bar {
  int a = 0, b = 0, section = 0;
};

/// A line of nodes along an edge, one per part, without the end points.
struct EdgeGrid {
  int a = 0, b = 0;  ///< points, in the order of their names
  int divisions = 1;
  std::vector<int> parts;                               ///< in the order of the sheets
  std::vector<std::pair<int, std::vector<int>>> lines;  ///< part, nodes from a to b
};

class Grid {
 public:
  Grid(const Skeleton& skeleton, const GridOptions& options);

  const Skeleton& skeleton() const { return skeleton_; }
  std::vector<Vec3> nodes;
  std::vector<Quad> quads;
  std::vector<Bar> bars;
  std::vector<EdgeGrid> edges;
  std::vector<std::vector<int>> at_tag;  ///< nodes per tag of the skeleton, sorted

  /// All nodes at a point, one per part that meets there; a beam's own where no sheet ends.
  const std::vector<int>& at_point(int point) const { return at_point_[static_cast<std::size_t>(point)]; }
  /// Those at the division i of an edge, counted from its point a.
  std::vector<int> at_edge(const EdgeGrid& edge, int i) const;
  /// All nodes at the place of this node, itself among them.
  std::vector<int> beside(int node) const;
  /// -1: no edge of a sheet.
  int edge_between(int p, int q) const;
  bool is_glass(int node) const { return glass_[static_cast<std::size_t>(node)]; }
  /// Lengths of the elements along an edge.
  std::vector<double> lengths(const EdgeGrid& edge) const;

 private:
  struct NodePlace {
    int edge = -1, index = -1;  ///< edge -1: index is a point, or -1 inside a sheet
  };
  using Line = std::vector<int>;

  void find_edges();
  void divide(double size);
  void find_tangents();
  Vec3 on_curve(int p, int q, double t) const;
  double chord(int p, int q) const;
  int key(int part) const;
  int add(const Vec3& p, NodePlace place, bool glass);
  int node_at_point(int point, int part);
  Line line(int p, int q, int part);
  std::vector<Line> coons(const Line& bottom, const Line& right, const Line& top, const Line& left);
  std::vector<std::vector<Line>> fill_four(const Patch& patch);
  std::vector<std::vector<Line>> fill_three(const Patch& patch);
  void fill(const Patch& patch);
  void fill_beam(const Beam& beam, double size);

  const Skeleton& skeleton_;
  bool shared_;
  std::map<std::pair<int, int>, int> edge_index_;
  std::map<std::pair<int, int>, std::pair<Vec3, Vec3>> tangents_;
  std::vector<std::vector<int>> at_point_;       ///< nodes
  std::vector<std::vector<int>> part_at_point_;  ///< and their parts
  std::vector<NodePlace> places_;
  std::vector<bool> glass_;
};

}  // namespace monocoque::body

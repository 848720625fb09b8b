#include "fe/assemble.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/index.h"
#include "fe/items.h"
#include "fe/rigid.h"
#include "fe/unknowns.h"

namespace monocoque {
namespace fe {
namespace {

/// Matrix whose pattern is full between all unknowns of neighbouring nodes; values are added by node blocks.
class BlockPattern {
 public:
  /// nodes_of_item: compressed lists of the nodes (owners of unknowns) that each item couples.
  BlockPattern(const Unknowns& unknowns, const std::vector<int>& item_begin,
               const std::vector<int>& item_nodes)
      : unknowns_(unknowns), nodes_(static_cast<int>(unknowns.first.size()) - 1) {
    const int items = static_cast<int>(item_begin.size()) - 1;
    std::vector<int> begin(at(nodes_) + 1, 0), of_node(item_nodes.size());
    for (const int n : item_nodes) ++begin[at(n) + 1];
    for (int n = 0; n < nodes_; ++n) begin[at(n) + 1] += begin[at(n)];
    std::vector<int> fill(begin.begin(), begin.end() - 1);
    for (int i = 0; i < items; ++i) {
      for (int k = item_begin[at(i)]; k < item_begin[at(i) + 1]; ++k)
        of_node[at(fill[at(item_nodes[at(k)])]++)] = i;
    }
    std::vector<int> mark(at(nodes_), -1);
    begin_.assign(1, 0);
    for (int n = 0; n < nodes_; ++n) {
      const std::size_t start = neighbour_.size();
      if (count(n) > 0) add(n, n, mark);
      for (int k = begin[at(n)]; k < begin[at(n) + 1]; ++k) {
        const int i = of_node[at(k)];
        for (int l = item_begin[at(i)]; l < item_begin[at(i) + 1]; ++l) add(item_nodes[at(l)], n, mark);
      }
      std::sort(neighbour_.begin() + static_cast<std::ptrdiff_t>(start), neighbour_.end());
      begin_.push_back(static_cast<int>(neighbour_.size()));
    }
    offset_.resize(neighbour_.size());
    for (int n = 0; n < nodes_; ++n) {
      int sum = 0;
      for (int k = begin_[at(n)]; k < begin_[at(n) + 1]; ++k) {
        offset_[at(k)] = sum;
        sum += count(neighbour_[at(k)]);
      }
    }
  }

  SparseMatrix zeros() const {
    SparseMatrix A(unknowns_.size(), unknowns_.size());
    long total = 0;
    for (int n = 0; n < nodes_; ++n) total += static_cast<long>(length(n)) * count(n);
    A.resizeNonZeros(total);
    int position = 0;
    for (int n = 0; n < nodes_; ++n) {
      for (int u = unknowns_.first[at(n)]; u < unknowns_.first[at(n) + 1]; ++u) {
        A.outerIndexPtr()[u] = position;
        for (int k = begin_[at(n)]; k < begin_[at(n) + 1]; ++k) {
          const int m = neighbour_[at(k)];
          for (int v = unknowns_.first[at(m)]; v < unknowns_.first[at(m) + 1]; ++v)
            A.innerIndexPtr()[position++] = v;
        }
      }
    }
    A.outerIndexPtr()[unknowns_.size()] = position;
    std::fill_n(A.valuePtr(), total, 0.0);
    return A;
  }

  /// Where the rows of node m begin in the columns of node n, from the beginning of the column.
  int offset(int m, int n) const {
    const auto first = neighbour_.begin() + begin_[at(n)], last = neighbour_.begin() + begin_[at(n) + 1];
    return offset_[static_cast<std::size_t>(std::lower_bound(first, last, m) - neighbour_.begin())];
  }

 private:
  int count(int n) const { return unknowns_.first[at(n) + 1] - unknowns_.first[at(n)]; }
  int length(int n) const {
    const int last = begin_[at(n) + 1] - 1;
    return last < begin_[at(n)] ? 0 : offset_[at(last)] + count(neighbour_[at(last)]);
  }
  void add(int m, int n, std::vector<int>& mark) {
    if (mark[at(m)] == n) return;
    mark[at(m)] = n;
    neighbour_.push_back(m);
  }

  const Unknowns& unknowns_;
  int nodes_;
  std::vector<int> begin_, neighbour_, offset_;
};

/// The unknowns that an item couples and its matrices in them.
struct Reduced {
  std::vector<int> unknowns;
  MatX P;  ///< item components from unknowns; not used when plain
  bool plain = true;
  std::vector<int> local;  ///< plain: item component of each unknown
};

void reduce_item(const Unknowns& u, const Item& item, Reduced& out) {
  out.unknowns.clear();
  out.local.clear();
  out.plain = true;
  for (int k = 0; k < item.size; ++k) {
    int entries = 0;
    for (RowMatrix::InnerIterator it(u.to_nodes, item.dofs[k]); it; ++it, ++entries) {
      out.unknowns.push_back(static_cast<int>(it.col()));
      out.local.push_back(k);
      if (it.value() != 1) out.plain = false;
    }
    if (entries > 1) out.plain = false;
  }
  if (out.plain) {
    // Two components that follow the same unknown need the general way.
    std::vector<int> sorted = out.unknowns;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return;
    out.plain = false;
  }
  std::sort(out.unknowns.begin(), out.unknowns.end());
  out.unknowns.erase(std::unique(out.unknowns.begin(), out.unknowns.end()), out.unknowns.end());
  out.P.setZero(item.size, static_cast<Eigen::Index>(out.unknowns.size()));
  for (int k = 0; k < item.size; ++k) {
    for (RowMatrix::InnerIterator it(u.to_nodes, item.dofs[k]); it; ++it) {
      const auto where =
          std::lower_bound(out.unknowns.begin(), out.unknowns.end(), static_cast<int>(it.col()));
      out.P(k, where - out.unknowns.begin()) = it.value();
    }
  }
}

void scatter(const Unknowns& u, const BlockPattern& pattern, const std::vector<int>& unknowns, const MatX& A,
             SparseMatrix& out) {
  const std::size_t n = unknowns.size();
  for (std::size_t c = 0; c < n; ++c) {
    const int column = unknowns[c], node = u.list[at(column)].node;
    double* values = out.valuePtr() + out.outerIndexPtr()[column];
    int last = -1, offset = 0;
    for (std::size_t r = 0; r < n; ++r) {
      const int row_node = u.list[at(unknowns[r])].node;
      if (row_node != last) {
        offset = pattern.offset(row_node, node) - u.first[at(row_node)];
        last = row_node;
      }
      values[offset + unknowns[r]] += A(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
    }
  }
}

MatX in_unknowns(const Reduced& r, const ElementMatrix& A) {
  if (!r.plain) return r.P.transpose() * A * r.P;
  const Eigen::Index n = static_cast<Eigen::Index>(r.local.size());
  MatX out(n, n);
  for (Eigen::Index c = 0; c < n; ++c) {
    for (Eigen::Index i = 0; i < n; ++i)
      out(i, c) = A(r.local[static_cast<std::size_t>(i)], r.local[static_cast<std::size_t>(c)]);
  }
  return out;
}

/// Nodes that own the unknowns of each item, compressed.
void list_item_nodes(const Unknowns& u, const Items& items, std::vector<int>& begin,
                     std::vector<int>& nodes) {
  Item item;
  begin.assign(1, 0);
  for (int i = 0; i < items.size(); ++i) {
    items.dofs(i, item);
    const std::size_t start = nodes.size();
    int last = -1;
    for (int k = 0; k < item.size; ++k) {
      for (RowMatrix::InnerIterator it(u.to_nodes, item.dofs[k]); it; ++it) {
        const int n = u.list[at(static_cast<int>(it.col()))].node;
        if (n != last) nodes.push_back(n);
        last = n;
      }
    }
    const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(start);
    std::sort(first, nodes.end());
    nodes.erase(std::unique(first, nodes.end()), nodes.end());
    begin.push_back(static_cast<int>(nodes.size()));
  }
}

/// Mass that moves along x when all nodes do.
double moving_mass(const Item& item) {
  double sum = 0;
  for (int j = 0; j < item.size; ++j) {
    for (int i = 0; i < item.size; ++i) {
      if (item.dofs[i] % 6 == 0 && item.dofs[j] % 6 == 0) sum += item.matrices.M(i, j);
    }
  }
  return sum;
}

void add_items(const io::FeMesh& mesh, const Items& items, const Unknowns& unknowns, FeSystem& system,
               Diagnostics& diagnostics) {
  std::vector<int> begin, nodes;
  list_item_nodes(unknowns, items, begin, nodes);
  const BlockPattern pattern(unknowns, begin, nodes);
  system.K = pattern.zeros();
  system.M = pattern.zeros();
  Item item;
  Reduced reduced;
  for (int i = 0; i < items.size(); ++i) {
    if (const Fault fault = items.compute(i, item)) {
      report(mesh, i, fault, diagnostics);
      continue;
    }
    system.mesh_mass_kg += moving_mass(item);
    reduce_item(unknowns, item, reduced);
    scatter(unknowns, pattern, reduced.unknowns, in_unknowns(reduced, item.matrices.K), system.K);
    scatter(unknowns, pattern, reduced.unknowns, in_unknowns(reduced, item.matrices.M), system.M);
  }
  system.M.prune([](int, int, double v) { return v != 0; });
}

}  // namespace
}  // namespace fe

FeSystem assemble(const io::FeMesh& mesh, MassKind mass, const AssembleOptions& options) {
  FeSystem system;
  Diagnostics diagnostics;
  fe::check_mesh(mesh, system.notes, diagnostics);
  diagnostics.throw_if_errors();
  const fe::Items items(mesh, mass, options);
  std::vector<char> exists(6 * mesh.nodes.size(), 0);
  fe::Item item;
  for (int i = 0; i < items.size(); ++i) {
    items.dofs(i, item);
    for (int k = 0; k < item.size; ++k) exists[static_cast<std::size_t>(item.dofs[k])] = 1;
  }
  const fe::Dependencies rigid = fe::resolve_rigid(mesh, options, exists, system.notes, diagnostics);
  diagnostics.throw_if_errors();
  fe::Unknowns unknowns = fe::find_unknowns(mesh, items, rigid, exists, system.notes);
  fe::add_items(mesh, items, unknowns, system, diagnostics);
  diagnostics.throw_if_errors();
  if (!std::isfinite(system.K.sum()) || !std::isfinite(system.M.sum())) {
    throw Error(Place{mesh.file, 0}, "mesh", "its matrices contain values that are no numbers",
                "look for properties with extreme values");
  }
  system.to_nodes = unknowns.to_nodes;
  system.unknowns = std::move(unknowns.list);
  system.stiff = std::move(unknowns.stiff);
  for (const io::FeNode& n : mesh.nodes) {
    system.node_ids.push_back(n.id);
    system.positions.push_back(n.p);
  }
  return system;
}

}  // namespace monocoque

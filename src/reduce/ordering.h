#pragma once
// Compression of a matrix's graph: columns with the same pattern (the unknowns of one node) become one
// vertex.

#include <vector>

#include "fe/fe_system.h"

namespace monocoque::reduce {

struct CompressedGraph {
  std::vector<std::vector<int>> members;  ///< unknowns of each vertex
  std::vector<int> begin, neighbours;     ///< compressed columns, both triangles, no diagonal
  int size() const { return static_cast<int>(members.size()); }
};

/// A with both triangles and full diagonal stored.
CompressedGraph compress(const SparseMatrix& A);

}  // namespace monocoque::reduce

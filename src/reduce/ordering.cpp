#include "reduce/ordering.h"

#include <cstdint>

#include <algorithm>
#include <unordered_map>

namespace monocoque::reduce {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  return x;
}

bool same_pattern(const SparseMatrix& A, int a, int b) {
  const auto *outer = A.outerIndexPtr(), *inner = A.innerIndexPtr();
  return outer[a + 1] - outer[a] == outer[b + 1] - outer[b] &&
         std::equal(inner + outer[a], inner + outer[a + 1], inner + outer[b]);
}

}  // namespace

CompressedGraph compress(const SparseMatrix& A) {
  CompressedGraph g;
  const int n = static_cast<int>(A.cols());
  const auto *outer = A.outerIndexPtr(), *inner = A.innerIndexPtr();
  std::vector<int> vertex_of(static_cast<std::size_t>(n));
  std::unordered_map<std::uint64_t, std::vector<int>> vertices;  // by hash of the pattern
  vertices.reserve(static_cast<std::size_t>(n) / 3);
  for (int j = 0; j < n; ++j) {
    std::uint64_t hash = 0;
    for (int k = outer[j]; k < outer[j + 1]; ++k) hash += mix(static_cast<std::uint64_t>(inner[k]) + 1);
    int found = -1;
    for (const int v : vertices[hash])
      if (same_pattern(A, g.members[static_cast<std::size_t>(v)].front(), j)) found = v;
    if (found < 0) {
      found = g.size();
      g.members.emplace_back();
      vertices[hash].push_back(found);
    }
    g.members[static_cast<std::size_t>(found)].push_back(j);
    vertex_of[static_cast<std::size_t>(j)] = found;
  }
  std::vector<int> seen(g.members.size(), -1);
  g.begin.push_back(0);
  for (int v = 0; v < g.size(); ++v) {
    const int j = g.members[static_cast<std::size_t>(v)].front();
    for (int k = outer[j]; k < outer[j + 1]; ++k) {
      const int u = vertex_of[static_cast<std::size_t>(inner[k])];
      if (u == v || seen[static_cast<std::size_t>(u)] == v) continue;
      seen[static_cast<std::size_t>(u)] = v;
      g.neighbours.push_back(u);
    }
    std::sort(g.neighbours.begin() + g.begin.back(), g.neighbours.end());
    g.begin.push_back(static_cast<int>(g.neighbours.size()));
  }
  return g;
}

}  // namespace monocoque::reduce

#pragma once
// Saddle-point matrices of a chain of bodies: per body a 6 x 6 mass block and a joint of r rows on its
// neighbour, blocks in the order body, joint, body, joint, ... or all bodies first.

#include <random>
#include <vector>

#include "core/block_matrix.h"

namespace monocoque::test {

struct Chain {
  int bodies, rows;
  BlockPattern pattern;
  Chain(int bodies_, int rows_, bool dense) : bodies(bodies_), rows(rows_), pattern(sizes(bodies_, rows_)) {
    for (int b = 0; b < bodies; ++b)
      for (const int c : {b - 1, b}) {
        if (c < 0) continue;
        pattern.couple(joint(b), c);
        pattern.couple(c, joint(b));
      }
    pattern.finish(dense);
  }
  int joint(int b) const { return bodies + b; }
  static std::vector<int> sizes(int bodies, int rows) {
    std::vector<int> s(static_cast<std::size_t>(bodies), 6);
    s.insert(s.end(), static_cast<std::size_t>(bodies), rows);
    return s;
  }
  /// [M / h^2, G^T; G, 0] with random well-conditioned blocks; the same seed gives the same matrix.
  void fill(BlockMatrix& A, unsigned seed, double mass_scale = 1) const {
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    const auto random = [&](int m, int n) { return MatX(MatX::NullaryExpr(m, n, [&] { return u(gen); })); };
    A.set_zero();
    for (int b = 0; b < bodies; ++b) {
      const MatX X = random(6, 6);
      A.add(pattern.handle(b, b), MatX(X * X.transpose() + MatX::Identity(6, 6)), mass_scale);
      for (const int c : {b - 1, b}) {
        if (c < 0) continue;
        const MatX G = random(rows, 6);
        A.add(pattern.handle(joint(b), c), G);
        A.add(pattern.handle(c, joint(b)), MatX(G.transpose()));
      }
    }
  }
};

}  // namespace monocoque::test

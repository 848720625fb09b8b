#pragma once
// Straight rods as Ritz models: mass on the x axis, shapes given as functions of x, integrals by Gauss points
// that serve as mass points.

#include <functional>
#include <vector>

#include "integrate/lumped_body.h"

namespace monocoque::test {

struct LineShape {
  std::function<Vec3(double)> displacement, angle;  ///< at x, per unit coordinate
};

/// Gauss-Legendre points of order 5 on `cells` equal pieces of [0, length].
inline LumpedBody line_body(double length, double mass, const std::vector<LineShape>& shapes, int cells) {
  constexpr double at[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                            0.9061798459386640};
  constexpr double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                0.4786286704993665, 0.2369268850561891};
  LumpedBody body;
  body.nq = static_cast<int>(shapes.size());
  const double cell = length / cells;
  for (int i = 0; i < cells; ++i)
    for (int k = 0; k < 5; ++k) {
      const double x = cell * (i + 0.5 * (1 + at[k]));
      LumpedNode n{Vec3(x, 0, 0), mass / cells * 0.5 * weight[k], Mat3::Zero(), Mat3X(3, body.nq),
                   Mat3X::Zero(3, body.nq)};
      for (int l = 0; l < body.nq; ++l) n.Phi.col(l) = shapes[static_cast<std::size_t>(l)].displacement(x);
      body.nodes.push_back(n);
    }
  return body;
}

/// A node without mass of the SID, at x.
inline io::SidNode line_node(const LumpedBody& body, const std::vector<LineShape>& shapes, double x,
                             long id) {
  LumpedNode n{Vec3(x, 0, 0), 0, Mat3::Zero(), Mat3X(3, body.nq), Mat3X(3, body.nq)};
  for (int l = 0; l < body.nq; ++l) {
    n.Phi.col(l) = shapes[static_cast<std::size_t>(l)].displacement(x);
    n.Psi.col(l) = shapes[static_cast<std::size_t>(l)].angle(x);
  }
  return body.node(n, id);
}

}  // namespace monocoque::test

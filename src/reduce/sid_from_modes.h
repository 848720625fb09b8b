#pragma once
// Standard Input Data of a body from shapes of its finite-element model, for any mass matrix M.
//
// The velocities of all unknowns in body axes are y_dot = S_t v + S_r(q) w + Phi q_dot with the rigid
// translations S_t and S_r(q) = S_r0 + sum_l S_rl q_l: S_r0 moves a node by w x R and turns it by w, S_rl
// moves it by w x phi_l. T = y_dot^T M y_dot / 2 is then a quadratic form in (v, w, q_dot) whose blocks are
// the SID's; Hamel's equations give its quadratic velocity terms. Derivation: docs/theory/reduction.md. Exact
// to second order in q for lumped masses; rotary inertia of nodes counts with the angular velocity w + Psi
// q_dot.

#include <string>
#include <vector>

#include "io/body/sid.h"
#include "reduce/node_map.h"

namespace monocoque::reduce {

struct SidInput {
  std::string name = "body";
  MatX Phi;                        ///< unknowns x nq
  MatX Ke, De;                     ///< nq x nq; De empty: none
  std::vector<std::string> names;  ///< of the shapes; empty: "Mode 1" ...
  std::vector<int> retained;       ///< indices of the nodes that the SID keeps
  Vec3 origin_m = Vec3::Zero();    ///< of the body's frame in mesh axes
  bool second_order = true;        ///< J to second, Gr to first order; Oe is of first order anyway
};

io::Sid sid_from_modes(const FeSystem& fe, const NodeMap& map, const SidInput& input);

/// A node's position, shapes and orientation in the SID.
io::SidNode sid_node(const FeSystem& fe, const NodeMap& map, const MatX& Phi, int node, const Vec3& origin_m);

}  // namespace monocoque::reduce

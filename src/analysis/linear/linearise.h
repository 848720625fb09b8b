#pragma once
// A model linearised at a state: the exact derivative of its equations of motion on the constraint manifold.
//
// Small motions xi (world axes: dp, dtheta with exp(dtheta) R, then dq of flexible parts; xi' = their rates)
// and inner states c of forces obey
//   M xi'' + D xi' + K xi + G^T dlambda + ... = 0,   G xi = 0 (holonomic),   G xi' + H xi = 0.
// With an orthonormal basis Q of the motions that the constraints allow, xi = Q p, xi' = Q v + Z p:
//   M_r v' + D_r v + K_r p + L_r c = 0,  p' = v,  c' = C_p p + C_v v + C_c c.
// (Nonholonomic joints leave fewer velocities than positions: Q_v, and p' = Q^T Q_v v + Q^T Z p.)
// Multipliers and algebraic variables follow instantly and are eliminated; signals and controllers keep
// their values. M_r, D_r, K_r hold the accelerations and multipliers of the state itself, so the state need
// not be an equilibrium; the eigenvalues then describe how neighbouring motions part from this one at first.
// States in motion: the basis is carried parallel to itself in world axes. This is exact at rest and in
// steady straight motion (wheels may spin). In a steady turn it is carried by the turning frame, Q' = W Q
// with W = skew(frame rate) on translations and rotations; then p' = Q^T (xi' - W xi), v' = Q_v^T (xi'' - W
// xi').

#include <string>
#include <vector>

#include "analysis/linear/eigen.h"
#include "dynamics/workspace.h"
#include "solve/linear_solver.h"

namespace monocoque::analysis {

struct Linearisation {
  MatX M, D, K;  ///< nz x nz
  MatX G, H;     ///< all constraint rows, redundant ones zero; derivative of G z by xi
  MatX Q, Q_v;   ///< nz x np, nz x nv
  MatX Z;        ///< nz x np
  MatX M_r, D_r, K_r, L_r;
  MatX A;                                ///< of (p, v, c)
  std::vector<std::string> coordinates;  ///< of xi: "bob/x", "bob/turn y", "beam/q3"
  std::vector<std::string> inner;        ///< of c: the label of the force and a number
  std::vector<int> part_of;              ///< per coordinate: index of its part
  VecX z_dot;
  Vec3 frame_rate = Vec3::Zero();  ///< angular velocity with which the basis is carried, world axes
  double largest_speed = 0, largest_acceleration = 0;  ///< of the state, over all coordinates
  bool at_rest() const { return largest_speed < 1e-9; }
  /// Forces balance: no part accelerates by more than a millionth of g (or of rad/s^2 of that size).
  bool in_equilibrium() const { return at_rest() && largest_acceleration < 1e-5; }
  int positions() const { return static_cast<int>(Q.cols()); }
  int velocities() const { return static_cast<int>(Q_v.cols()); }
  bool holonomic() const { return positions() == velocities(); }
  bool turns() const { return frame_rate != Vec3::Zero(); }
  bool second_order() const { return holonomic() && inner.empty() && !turns(); }
  /// v' and p' of a motion that has these increments of coordinates, rates and accelerations.
  VecX velocity_rate(const Model& model, const VecX& rate, const VecX& acceleration) const;
  VecX position_rate(const Model& model, const VecX& xi, const VecX& rate) const;
};

/// At a consistent state (integrate/consistent.h, which also masks redundant rows in ws). Solves for the
/// accelerations and stores multipliers and algebraic variables in s. Throws Error for singular equations.
/// `frame_rate`: of the frame in which the motion is steady; zero: world axes.
Linearisation linearise(Workspace& ws, State& s, LinearSolverKind kind = LinearSolverKind::automatic,
                        const Vec3& frame_rate = Vec3::Zero());

/// Columns of velocities or increments of all parts, rotations from the axes of their parts to world axes,
/// and back; and skew(w) times the rotations, by which rates in body axes and in world axes differ.
void to_world_axes(const Workspace& ws, MatX& rows);
void to_body_axes(const Workspace& ws, MatX& rows);
MatX turning(const Workspace& ws, const MatX& rows);

struct ModelMode {
  Eigenvalue value;
  VecXc xi;          ///< motion of all coordinates
  std::string part;  ///< with the greatest share of the kinetic energy; empty: nothing moves
  double share = 0;  ///< of it
  /// Rates of all coordinates; where nothing moves any more (s = 0) the motion itself, by which it is judged.
  VecXc rate(const Linearisation& l) const;
};
std::vector<ModelMode> modes_of(const Model& model, const Linearisation& l);

}  // namespace monocoque::analysis

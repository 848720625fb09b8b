#pragma once
// Kinematics of parts and markers, in stages. For a marker at r (world axes) from the centre of mass:
//   p = p_C + r          v = v_C + w x r        a = v_C_dot + (R w_B_dot) x r + w x (w x r)
//   T = [E, -r~ R; 0, R] (never written out; dissertation 2.138, 2.139 for a rigid body in the mixed frame)

#include "dynamics/workspace.h"

namespace monocoque {

/// Signals at time t (held at the left side of an event while a step ends there) and controller outputs.
void update_signals(Workspace& ws, double t, const VecX& r);
/// Which markers a stage computes. With `joints` the inertia of flexible parts stays as it was, too: enough
/// for projections onto the constraints.
enum class MarkerSet { elements, joints };
void update_positions(Workspace& ws, const VecX& x, MarkerSet set = MarkerSet::elements);
void update_velocities(Workspace& ws, const VecX& z, MarkerSet set = MarkerSet::elements);
void update_accelerations(Workspace& ws, const VecX& z_dot);

}  // namespace monocoque

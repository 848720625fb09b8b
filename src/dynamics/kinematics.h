#pragma once
// Kinematics of parts and markers, in stages. For a marker at r (world axes) from the centre of mass:
//   p = p_C + r          v = v_C + w x r        a = v_C_dot + (R w_B_dot) x r + w x (w x r)
//   T = [E, -r~ R; 0, R] (dissertation 2.138, 2.139 for a rigid body in the mixed frame)

#include "dynamics/workspace.h"

namespace monocoque {

/// Signals at time t (held at the left side of an event while a step ends there) and controller outputs.
void update_signals(Workspace& ws, double t, const VecX& r);
void update_positions(Workspace& ws, const VecX& x);
void update_velocities(Workspace& ws, const VecX& z);
void update_accelerations(Workspace& ws, const VecX& z_dot);

}  // namespace monocoque

#pragma once
// Applied and gyroscopic forces: f(x, z, c, w, lambda, t) in M z_dot = f - G^T lambda, with the rates of the
// inner states and the residuals of the algebraic variables; energies of the whole model.

#include "dynamics/workspace.h"

namespace monocoque {

/// Gravity, gyroscopic and elastic forces of one moving part: its rows of f without elements.
void part_forces(Workspace& ws, const State& s, std::size_t part, VecRef out);

/// Fills ws.f, ws.c_dot, ws.b. Needs positions, velocities, signals; with forces that read reactions also
/// update_constraints (for W). All markers' accelerations are left alone.
void update_forces(Workspace& ws, const State& s, PortForces ports = PortForces::added);

/// out += factor M z_dot at the current positions.
void add_mass_times(const Workspace& ws, const VecX& z_dot, double factor, VecX& out);

struct EnergyBalance {
  double kinetic = 0, gravity = 0, elastic = 0;  ///< J
  double dissipated_power = 0;                   ///< W, taken out by forces
  double supplied_power = 0;                     ///< W, brought in by actuators and driven joints
};
/// Needs update_forces at this state, and lambda for the power of driven joints.
EnergyBalance energy_balance(Workspace& ws, const State& s);

/// First values of inner and algebraic variables from the elements' own rules.
void start_force_states(Workspace& ws, State& s);

}  // namespace monocoque

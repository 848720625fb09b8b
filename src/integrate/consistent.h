#pragma once
// Consistent initial values (Arnold eq. 22): positions by Gauss-Newton with the smallest change from the
// given ones, then velocities, then z_dot and lambda; coordinates fixed by the user are not moved. Redundant
// constraint rows are found at the assembled position and masked in the workspace.

#include <string>
#include <vector>

#include "dynamics/workspace.h"
#include "solve/linear_solver.h"
#include "solve/rank_analysis.h"

namespace monocoque {

struct RedundantRow {
  int row = -1;
  std::string label;
  std::vector<std::string> depends_on;  ///< labels of the joints of the rows it repeats
};

struct ConsistencyReport {
  int position_iterations = 0;
  double position_residual = 0, velocity_residual = 0;
  double position_change = 0;  ///< largest movement of a coordinate by the assembly
  int rank = 0;                ///< of all constraint rows
  int degrees_of_freedom = 0;
  std::vector<RedundantRow> redundant;
};

/// Makes `s` consistent and sets ws.active. Throws Error: a mechanism that does not close (which joint, by
/// how much), contradictory drives, a singular configuration.
ConsistencyReport make_consistent(Workspace& ws, State& s, LinearSolverKind kind);

/// Memory of joints and inner states of forces as these positions and velocities have them, without a search.
void start_inner_states(Workspace& ws, State& s);

/// Rank analysis of the constraints at a position; `active_only` treats the rows taken out before as zero.
RankReport rank_at(Workspace& ws, const State& s, bool active_only = false);
/// Chooses anew, at this position, which redundant rows are taken out; returns how many.
int select_rows(Workspace& ws, const State& s);

/// Joint or force whose signal has no finite value at t, with its place; an empty label when all are finite.
struct BadSignal {
  std::string label;
  Place place;
};
BadSignal non_finite_signal(const Model& model, double t);

}  // namespace monocoque

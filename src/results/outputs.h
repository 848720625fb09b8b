#pragma once
// The channels of a model and their values at a state. Everything is measured at the instant itself:
// accelerations and reactions come from the acceleration system, not from the integrator.
//   PART/position/x ...            of the part frame, world axes; PART/orientation/q0..q3
//   PART/velocity, /angular_velocity, /acceleration, /angular_acceleration: world axes
//   PART/node_ID/force, /torque    load of all joints and forces on a node of a flexible part, in axes of the
//                                  part's frame, moments about the node
//   JOINT/reaction/force, /torque and FORCE/force, /torque: wrench on the second marker (`to`), world axes
//   SENSOR or SENSOR/x; CONTROLLER/output
//   lane/vehicle/x, y, heading     of the outline's frame, for a model with a lane
//   lane/station, lane/offset      along the driver's path, and from it to the left
//   lane/clearance                 to the nearest cone
//   energy/...; drift/position, drift/velocity
// visit_channels in outputs.cpp is the one list of them: path, unit and value stand together.

#include <string>
#include <vector>

#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/workspace.h"
#include "results/node_loads.h"
#include "results/recorder.h"
#include "solve/acceleration_system.h"

namespace monocoque {

/// Work done since the start, by quadrature over the recorded instants.
struct WorkAudit {
  double dissipated = 0, supplied = 0;
  double initial_energy = 0, largest_energy = 0, largest_error = 0;
  /// largest_error: of energy - initial - supplied + dissipated; largest_energy: of kinetic plus elastic.
  void add(double t, const EnergyBalance& e);

 private:
  int points_ = 0;
  double t_[2] = {}, dissipation_[2] = {}, supply_[2] = {};
};

class OutputSet {
 public:
  /// Channels whose path matches one of the patterns (empty: all). Throws Error when a pattern matches
  /// nothing.
  OutputSet(const Model& model, const std::vector<std::string>& patterns, LinearSolverKind kind,
            const Place& place = {});

  const std::vector<Channel>& channels() const { return selected_; }
  /// Full evaluation at s (multipliers are recomputed in a copy), audit, and the values of the channels.
  void fill(Workspace& ws, const State& s, WorkAudit& audit, double* row);
  /// Values of all sensors at s into `values` (nsensor entries).
  /// Without accelerations: only sensors that need none, at a fraction of the cost.
  void measure_sensors(Workspace& ws, const State& s, bool accelerations, double* values);

  std::string linear_solver() const { return system_.solver().name(); }
  double position_drift() const { return position_drift_.value; }
  int position_drift_row() const { return position_drift_.row; }
  double velocity_drift() const { return velocity_drift_.value; }
  const VecX& z_dot() const { return z_dot_; }

 private:
  void evaluate_at(Workspace& ws, const State& s);
  void read_sensors(Workspace& ws, bool accelerations, double* values) const;

  const Model& model_;
  AccelerationSystem system_;
  NodeLoads node_loads_;
  std::vector<Channel> selected_;
  std::vector<int> index_;  ///< of the selected channels among all
  State state_;
  VecX z_dot_, sensors_, all_;
  LargestResidual position_drift_, velocity_drift_;
};

}  // namespace monocoque

#pragma once
// A run: consistent start, steps, time events, discrete controllers, outputs, audit. Used by the command
// line, the tests and everything that drives a model later.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/error_kinds.h"
#include "integrate/consistent.h"
#include "integrate/integrator.h"
#include "results/outputs.h"

namespace monocoque {

struct StepTimes {
  double mean_us = 0, p50_us = 0, p99_us = 0, max_us = 0;
};

/// What a run with a lane has to say of it.
struct LaneSummary {
  bool present = false;
  std::vector<ConeHit> hits;  ///< in the order of their times
  Clearance smallest;         ///< of the whole run, every accepted step
  double smallest_t_s = 0;
  bool entered = false;  ///< the front of the outline has passed the begin of the lane
  double entry_t_s = 0, entry_speed_m_per_s = 0;
};

struct RunSummary {
  std::string model, scenario, solver, constraints, stabilisation, linear_solver;
  double step_s = 0;
  long steps = 0;
  double simulated_s = 0;
  double wall_s = 0;        ///< of the steps alone
  double total_wall_s = 0;  ///< with outputs, controllers and files
  StepTimes step_us;
  double position_drift = 0, velocity_drift = 0, energy_error = 0;
  double energy_error_J = 0;  ///< the same, not divided by the largest energy
  std::vector<std::pair<Channel, double>> final_values;
  IntegratorCounts counts;
  LaneSummary lane;
  bool interrupted = false;
};

struct RunHooks {
  /// Row of channel values at each output instant; may be empty.
  std::function<void(double t, const double* row)> record;
  /// At the same instants, after it: the state and what outputs have computed from it.
  std::function<void(const State&, const Workspace&)> motion;
  std::function<void()> stepped;           ///< after every accepted step, before its outputs and events
  std::function<void(double t)> progress;  ///< called at most five times a second
  std::function<bool()> interrupted;       ///< true ends the run and keeps what there is
};

class Simulation {
 public:
  /// Builds workspace, consistent start and integrator; throws Error with the reason.
  Simulation(const Model& model, const io::SimulationSpec& settings);

  const std::vector<Channel>& channels() const { return outputs_.channels(); }
  const ConsistencyReport& consistency() const { return consistency_; }
  const io::SimulationSpec& settings() const { return settings_; }
  State& state() { return state_; }
  Workspace& workspace() { return workspace_; }
  Integrator& integrator() { return *integrator_; }

  /// To the end of the settings. A failed step throws Error after everything before it was recorded.
  RunSummary run(const RunHooks& hooks = {});

  /// One step to time t (at most to the next event) without outputs: for benchmarks and tests of the hot
  /// path.
  StepStatus step_to(double t);

  /// For those who pace the steps themselves: to time t as run() goes there, through events and samples of
  /// controllers on the way, without outputs and lane. Throws where run() throws, but for a failed step.
  StepStatus advance(double t);
  /// Goes on from another state, that of a run before or of the same model built otherwise: made consistent
  /// with the least movement, at its own time.
  void restart(const State& s);
  /// Values of the channels at the present state.
  void measure(double* row) { outputs_.fill(workspace_, state_, audit_, row); }
  /// What a status of advance() means.
  NumericError failure(StepStatus status);

 private:
  StepStatus step_through(double t);
  double time_tolerance(double t) const;
  template <class Step, class Accepted>
  StepStatus march(double t, Step&& step, Accepted&& accepted);
  void sample_controllers(double t);
  void handle_event(double t);
  double next_event(double t) const;
  void pass_singularity(double t, StepStatus& status);
  struct OpenRows {
    double kept = 0, left_out = 0;
    int worst = -1;  ///< row left out that is open the most
  };
  OpenRows open_rows();
  void renew_redundant_rows();
  void check_left_out_rows();
  void project_and_restart();
  void output(double t, const RunHooks& hooks, RunSummary& summary);
  void watch_lane(LaneSummary& lane);

  const Model& model_;
  io::SimulationSpec settings_;
  const IntegratorType& type_;
  Workspace workspace_;
  State state_;
  OutputSet outputs_;
  ConsistencyReport consistency_;
  std::unique_ptr<Integrator> integrator_;
  AccelerationSystem projector_;
  bool controllers_drive_joints_ = false;
  bool controllers_need_accelerations_ = false;
  double reference_condition_ = 0;  ///< of the system with the redundant rows left out
  double grid_step_;                ///< of a run: of the method, or of the outputs if that chooses its own
  std::vector<long> samples_;       ///< per controller: how often it was sampled
  VecX sensor_values_, row_, inputs_;
  WorkAudit audit_;
  std::unique_ptr<ConeWatch> cones_;  ///< with a lane
  State before_;                      ///< the step: kept to repeat one that met a singular position
  bool rows_provisional_ = false;     ///< more rows are taken out than at the start, for a step or two
};

}  // namespace monocoque

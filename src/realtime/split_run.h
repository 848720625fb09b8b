#pragma once
// Co-simulation of the groups of a divided model (split_model.h), one thread each.
//
// Every group integrates its own copy of the shared parts. Their equations of motion hold in each copy,
//   M z_dot = f_own + Q_1 + ... + Q_N,   Q_i = what the elements of group i do to the shared parts,
// generalized forces in the axes of z, elastic coordinates included. Q_i of the own group is in the group's
// system of equations, with all its derivatives; the others are known functions of time within a step:
// polynomials through the last values exchanged, order 0, 1 or 2 (docs/front-rear.md has stability and
// error).
//
//   step to t_n   ->  Q_i(t_n) at the accepted state  ->  publish, barrier, read  ->  next step
//
// One barrier per step of the settings; a group that needs shorter steps (events) does them in between. The
// result does not depend on the timing of the threads: repeated runs agree bit by bit.

#include <array>
#include <chrono>
#include <memory>

#include "integrate/implicit_step.h"
#include "integrate/simulation.h"
#include "realtime/spin_barrier.h"
#include "realtime/split_model.h"

namespace monocoque::realtime {

struct SplitSettings {
  int extrapolation = 1;  ///< order in time: 0, 1, 2
  int rounds = 2;  ///< of exchange after a step, each corrects it (LateForce); 0: one exchange, no correction
  std::vector<std::vector<std::string>> outputs;  ///< per group, patterns; empty: as in the run's settings
};

struct SplitSummary {
  std::vector<RunSummary> groups;
  double wall_us = 0;            ///< median from barrier to barrier: step, exchange, waiting, outputs
  std::vector<double> work_us;   ///< per group: median without the waiting
  std::vector<double> share_us;  ///< per group: median of computing Q and the exchange within work_us
  bool interrupted = false;
};

class SplitRun {
 public:
  /// Consistent start of all groups: accelerations, multipliers and the Q_i fit together.
  SplitRun(const io::ModelSpec& spec, const std::vector<SplitGroup>& groups,
           const io::SimulationSpec& settings, const SplitSettings& split = {});

  std::size_t size() const { return halves_.size(); }
  Simulation& simulation(std::size_t i) { return *halves_[i]->simulation; }
  const Model& model(std::size_t i) const { return *halves_[i]->model; }

  /// To the end of the settings; hooks per group, called by the group's thread (none: no hooks).
  SplitSummary run(const std::vector<RunHooks>& hooks = {});

 private:
  struct Rows {
    std::size_t part;
    int z_start, size;
  };
  struct Half {
    std::unique_ptr<const Model> model;
    std::unique_ptr<Simulation> simulation;
    std::vector<Rows> rows;       ///< of the shared parts, in the same order in all groups
    LateForce* late = nullptr;    ///< the integrator, if it can take in forces after its step
    bool corrects = false;        ///< it has done so; a first step of bdf2 cannot
    VecX total, own;              ///< scratch
    VecX missing;                 ///< force of the last step that it could not
    VecX pull;                    ///< of the copies of the shared parts towards each other
    std::array<VecX, 2> frames;   ///< places and velocities of the shared parts, as `sent`
    std::array<VecX, 3> history;  ///< sum of the others' Q: now and the two instants before
    std::array<VecX, 2> sent;     ///< Q by parity of the step: read by the others while the next is computed
    long steps = 0, meetings = 0;
    std::chrono::steady_clock::time_point done;  ///< with the last exchange
    std::vector<float> wall, work, share;        ///< us
  };

  void start();
  void own_forces(Half& half, VecX& out);
  void read_others(std::size_t i, std::size_t slot);
  void correct(Half& half);
  void show_frames(const Half& half, VecX& out) const;
  void pull_together(std::size_t i, std::size_t slot);
  void set_external(Half& half);
  void exchange(std::size_t i);

  io::SimulationSpec settings_;
  SplitSettings split_;
  std::vector<std::unique_ptr<Half>> halves_;
  int shared_size_ = 0;
  std::unique_ptr<SpinBarrier> barrier_;
};

}  // namespace monocoque::realtime

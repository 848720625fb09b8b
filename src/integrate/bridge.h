#pragma once
// Carries a solution across a singular position, where constraint rows become dependent for an instant (a
// parallelogram in line). There an implicit method with error control is caught: rounding, divided by the
// smallest singular value, exceeds a tight tolerance, and smaller steps only come nearer. A few large
// explicit steps with projection pass over the place, and because they hold the constraints to rounding they
// stay on their branch.

#include <algorithm>

#include "integrate/explicit_methods.h"

namespace monocoque {

class Bridge {
 public:
  Bridge(Workspace& ws, const io::SimulationSpec& settings);
  /// Steps of Runge-Kutta 4 from s, not beyond t, each accurate to the tolerances (step doubling), until the
  /// system is as well conditioned as it usually is.
  StepStatus cross(State& s, double t);
  /// All of the way from s to t in equal steps, where cross() begins too near the place: of 4, 8, ... 64
  /// steps those that agree best with twice as many. Refused when even these differ by more than rounding
  /// there explains.
  StepStatus leap(State& s, double t);
  /// Tells the condition at an ordinary place.
  void note_condition(double reciprocal) { best_ = std::max(best_, reciprocal); }

 private:
  double error(const State& a, const State& b) const;
  bool equal_steps(const State& from, double t, int count, State& out);

  const io::SimulationSpec settings_;
  ExplicitMethod method_;
  State whole_, halves_, best_leap_;
  double step_, best_ = 0;
};

}  // namespace monocoque

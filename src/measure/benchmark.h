#pragma once
// What measurements of cost and accuracy are made of: the cost of a step, growth with the size, quantiles,
// the deviation of one spectrum from another.

#include <string>
#include <vector>

#include "core/spectrum.h"
#include "integrate/simulation.h"
#include "measure/stop_watch.h"

namespace monocoque::measure {

/// Slope of log y over log x by least squares: y grows as x^p. Throws Error for less than two points.
double growth_exponent(const std::vector<double>& x, const std::vector<double>& y);

/// Smallest value that at least the share q of all values does not exceed; sorts. 0 for no values.
double quantile(std::vector<double>& values, double q);

/// Largest |10 log10(a / b)| of the lines between two frequencies, both included. Infinite when a line of one
/// is zero. Throws Error when the lines lie elsewhere.
struct LineDeviation {
  double dB = 0, frequency_Hz = 0;
};
LineDeviation largest_line_deviation(const Spectrum& a, const Spectrum& b, double from_Hz, double to_Hz);

/// The same steps from the same state several times; the cheapest run counts.
struct StepCost {
  Times per_step;
  int states = 0, constraints = 0, unknowns = 0;
  double factorisations = 0;  ///< per step
  bool repeats = true;        ///< all runs ended in the same state, bit by bit
  State last;
};
struct CostOptions {
  int steps = 1000, runs = 9;
  int ahead = 20;  ///< steps before: past the first factorisation, which orders the matrix
};
/// Steps without outputs, controllers and events. Throws Error when a step fails.
StepCost step_cost(const Model& model, io::SimulationSpec settings, const CostOptions& options = {});

/// Thread CPU time and wall time of a whole run without outputs; controllers and events take part.
Times run_cost(const Model& model, io::SimulationSpec settings, int runs);

/// `count` steps of the settings' length from where the simulation stands. Throws Error when one fails.
void make_steps(Simulation& simulation, int count);

/// CPU time of one call in s: the best of `runs`, each of `count` calls.
template <class Work>
double best_cpu_s(int runs, int count, Work&& work) {
  double best = 0;
  for (int run = 0; run < runs; ++run) {
    const StopWatch watch;
    for (int i = 0; i < count; ++i) work();
    const double spent = watch.elapsed().cpu_s / count;
    if (run == 0 || spent < best) best = spent;
  }
  return best;
}

}  // namespace monocoque::measure

#pragma once
// A linearised model with inputs u and outputs y, by name:
//   x' = A x + B0 u + B1 u' + B2 u'',   y = C x + D0 u + D1 u' + D2 u''
// x = (p, v, c) of linearise.h. A joint that a signal moves needs the signal's rate and second derivative, a
// tire the rate of the road. A is analytic; the columns of the inputs and the rows of the outputs are central
// differences of the accelerations and channels, which have no tangents of their own; the same differences
// check A. With an input that moves a joint the positions are xi = Q p + Y u, Y the smallest motion that the
// joint asks for.

#include "analysis/linear/linear_inputs.h"
#include "analysis/linear/linearise.h"
#include "results/outputs.h"

namespace monocoque::analysis {

struct LinearSystem {
  MatX A, B0, B1, B2, C, D0, D1, D2;
  std::vector<LinearInput> inputs;
  std::vector<Channel> outputs;
  double deviation = 0;  ///< largest difference between A and its differences, of the largest entry
};

/// At the state of the linearisation. `outputs` names the channels.
LinearSystem linear_system(Workspace& ws, const State& s, const Linearisation& l,
                           const std::vector<LinearInput>& inputs, OutputSet& outputs);

/// The same in states with names (coordinates of parts that determine all others, and their rates), and with
/// B alone: x = x~ + (B1 + A B2) u + B2 u' leaves rates of u only in y, where an output is a speed or an
/// acceleration that the input prescribes.
struct StateSpace {
  MatX A, B, C, D, D_rate, D_acceleration;
  MatX M, D_r, K, L, F;  ///< M p'' + D_r p' + K p + L c = F u for holonomic models, p the first states;
                         ///< exact where B1 = B2 = 0
  std::vector<std::string> states;
  int positions = 0, velocities = 0;
};
StateSpace state_space(const Linearisation& l, const LinearSystem& system);

/// Transfer functions from all inputs to all outputs: the state matrix is brought to Hessenberg form once,
/// then each frequency costs n^2.
class FrequencyResponse {
 public:
  explicit FrequencyResponse(const LinearSystem& system);
  /// outputs x inputs; s = i omega on the axis of frequencies. Infinite at a pole.
  Eigen::MatrixXcd at(std::complex<double> s) const;

 private:
  MatX H_, B0_, B1_, B2_, C_, D0_, D1_, D2_;
};

}  // namespace monocoque::analysis

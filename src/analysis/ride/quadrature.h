#pragma once
// Adaptive integration of a smooth, non-negative function with the Gauss-Kronrod rule (7 and 15 points) of
// Boost.Math, halving where the two differ most, as QUADPACK's QAG does. Boost halves each piece by itself
// until that piece is accurate: measured on resonance curves (one to four Lorentz peaks of width 1e-3, 1e-6
// and 1e-9) it calls the function 1.2 to 2 times as often.

#include <functional>
#include <vector>

namespace monocoque::analysis {

/// Over the range of the cuts (rising), to a relative accuracy. The function is not asked at the cuts.
double integrate_adaptively(const std::function<double(double)>& f, const std::vector<double>& cuts,
                            double tolerance, int most_pieces = 5000);

}  // namespace monocoque::analysis

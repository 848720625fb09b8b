#pragma once
// Adaptive integration of a smooth, non-negative function (Gauss and Kronrod, 7 and 15 points), halving where
// the two differ most.

#include <functional>
#include <vector>

namespace monocoque::analysis {

/// Over the range of the cuts (rising), to a relative accuracy. The function is not asked at the cuts.
double integrate_adaptively(const std::function<double(double)>& f, const std::vector<double>& cuts,
                            double tolerance, int most_pieces = 5000);

}  // namespace monocoque::analysis

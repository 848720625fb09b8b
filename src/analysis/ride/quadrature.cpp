#include "analysis/ride/quadrature.h"

#include <cmath>
#include <queue>

namespace monocoque::analysis {

namespace {

/// Nodes and weights of Kronrod's rule with 15 points; every second one is Gauss's with 7.
constexpr double kNodes[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                              0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                              0.586087235467691130294144435693139, 0.405845151377397166906606412076961,
                              0.207784955007898467600689403773245, 0};
constexpr double kKronrod[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
constexpr double kGauss[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                              0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

struct Piece {
  double from, to, value, error;
  bool operator<(const Piece& other) const { return error < other.error; }
};

Piece measure(const std::function<double(double)>& f, double from, double to) {
  const double middle = (from + to) / 2, half = (to - from) / 2;
  double kronrod = 0, gauss = 0;
  for (int i = 0; i < 8; ++i) {
    const double value = i == 7 ? f(middle) : f(middle - half * kNodes[i]) + f(middle + half * kNodes[i]);
    kronrod += kKronrod[i] * value;
    if (i % 2 == 1) gauss += kGauss[i / 2] * value;
  }
  return {from, to, half * kronrod, std::abs(half * (kronrod - gauss))};
}

}  // namespace

double integrate_adaptively(const std::function<double(double)>& f, const std::vector<double>& cuts,
                            double tolerance, int most_pieces) {
  std::priority_queue<Piece> pieces;
  double total = 0, error = 0;
  const auto add = [&](const Piece& p) {
    total += p.value;
    error += p.error;
    pieces.push(p);
  };
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i] > cuts[i - 1]) add(measure(f, cuts[i - 1], cuts[i]));
  while (!pieces.empty() && error > tolerance * std::abs(total) &&
         static_cast<int>(pieces.size()) < most_pieces) {
    const Piece worst = pieces.top();
    pieces.pop();
    total -= worst.value;
    error -= worst.error;
    const double middle = (worst.from + worst.to) / 2;
    add(measure(f, worst.from, middle));
    add(measure(f, middle, worst.to));
  }
  // Summed anew: the running sums carry the rounding of every change.
  total = 0;
  for (; !pieces.empty(); pieces.pop()) total += pieces.top().value;
  return total;
}

}  // namespace monocoque::analysis

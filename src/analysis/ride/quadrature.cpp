#include "analysis/ride/quadrature.h"

#include <cmath>
#include <queue>

#include <boost/math/quadrature/gauss_kronrod.hpp>

namespace monocoque::analysis {

namespace {

struct Piece {
  double from, to, value, error;
  bool operator<(const Piece& other) const { return error < other.error; }
};

Piece measure(const std::function<double(double)>& f, double from, double to) {
  const double middle = (from + to) / 2, half = (to - from) / 2;
  double error = 0;
  const double value = boost::math::quadrature::gauss_kronrod<double, 15>::integrate(
      [&](double x) { return f(middle + half * x); }, -1.0, 1.0, 0, 0.0, &error);
  return {from, to, half * value, half * error};
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

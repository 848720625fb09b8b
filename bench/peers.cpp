// Monocoque beside Simbody and MuJoCo at equal accuracy: for every tool the coarsest step (or tolerance)
// whose error of the final place stays below the target, also at the next finer one, and what it costs.
//   bench_peers [TARGET_M]      default 1e-4

#include "peers.h"

#include <cmath>
#include <cstdlib>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace monocoque::bench {
namespace {

constexpr double kEnd = 1.0, kFinerBy = 1.25;
constexpr int kRuns = 7;

double distance(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

/// Angle of the four-bar's rods from the vertical: 5/3 phi'' = 2 g sin phi, in steps far below need.
std::array<double, 2> four_bar_exact(double end_s) {
  const auto rate = [](double phi) { return 1.2 * kGravity * std::sin(phi); };
  const int steps = 100000;
  const double h = end_s / steps;
  double phi = 0, w = 1;
  for (int i = 0; i < steps; ++i) {
    const double p1 = w, w1 = rate(phi), p2 = w + h / 2 * w1, w2 = rate(phi + h / 2 * p1),
                 p3 = w + h / 2 * w2, w3 = rate(phi + h / 2 * p2), p4 = w + h * w3, w4 = rate(phi + h * p3);
    phi += h / 6 * (p1 + 2 * p2 + 2 * p3 + p4);
    w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  return {std::sin(phi), std::cos(phi)};
}

struct Found {
  Outcome best;
  double fineness = 0, error = std::numeric_limits<double>::infinity();
  bool reached = false;
};

Found search(const Tool& tool, Problem problem, const std::array<double, 2>& exact, double target) {
  Found found;
  const double first = tool.fixed_step ? 10 : 1e2, last = tool.fixed_step ? 5e4 : 1e12;
  const double finer = tool.fixed_step ? kFinerBy : 2;
  double previous = std::numeric_limits<double>::infinity(), previous_fineness = 0;
  for (double fineness = first; fineness < last; fineness *= finer) {
    const Outcome o = tool.run(problem, kEnd, fineness);
    const double error = o.finished ? distance(o.point, exact) : std::numeric_limits<double>::infinity();
    if (error < found.error) {
      found.best = o;
      found.error = error;
      found.fineness = fineness;
    }
    if (error <= target && previous <= target) {
      found = {tool.run(problem, kEnd, previous_fineness), previous_fineness, previous, true};
      break;
    }
    previous = error;
    previous_fineness = fineness;
  }
  if (!std::isfinite(found.error)) return found;
  for (int i = 1; i < kRuns; ++i)
    found.best.cpu_s = std::min(found.best.cpu_s, tool.run(problem, kEnd, found.fineness).cpu_s);
  return found;
}

void compare(const char* title, Problem problem, const std::array<double, 2>& exact, double target) {
  fmt::print(
      "\n### {}\n\n| tool | method | error [m] | steps | us per step | CPU per simulated second [ms] | ratio "
      "to "
      "Monocoque rk4 |\n|---|---|--:|--:|--:|--:|--:|\n",
      title);
  double own = 0;
  for (const auto& list : {own_tools(), simbody_tools(), mujoco_tools()})
    for (const Tool& tool : list) {
      const Found f = search(tool, problem, exact, target);
      const double cpu = f.best.cpu_s;
      if (own == 0) own = cpu;
      fmt::print("| {} | {} | {:.1e}{} | {} | {:.2f} | {:.3f} | {:.2f} |\n", tool.name, tool.method, f.error,
                 f.reached ? "" : " (target not reached)", f.best.steps,
                 1e6 * cpu / static_cast<double>(std::max(1L, f.best.steps)), 1e3 * cpu / kEnd, cpu / own);
      std::fflush(stdout);
    }
}

}  // namespace
}  // namespace monocoque::bench

int main(int argc, char** argv) {
  using namespace monocoque::bench;
  const double target = argc > 1 ? std::atof(argv[1]) : 1e-4;
  try {
    const auto published = four_bar_exact(10);
    if (distance(published, {0.478385057754, 0.878150178795}) > 1e-9) {
      fmt::print(stderr, "the exact solution of the four-bar differs from the published one\n");
      return 1;
    }
    fmt::print("Final place at t = {} s within {} m.\n", kEnd, target);
    compare("Four-bar mechanism", Problem::four_bar, four_bar_exact(kEnd), target);
    // Our rk4 and Simbody's with error control must agree before either is called the reference.
    const auto own = own_tools()[0].run(Problem::chain, kEnd, 40000).point;
    const auto other = simbody_tools()[1].run(Problem::chain, kEnd, 1e11).point;
    fmt::print(
        "\nReference of the chain: tip at ({:.9f}, {:.9f}); Monocoque and Simbody agree to {:.1e} m.\n",
        own[0], own[1], distance(own, other));
    if (distance(own, other) > 0.01 * target) return 1;
    compare("Chain of 20 links", Problem::chain, own, target);
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}

#pragma once
// Two mechanisms that every tool gets as the same numbers, and what a run of a tool reports.
//   four-bar: three uniform rods of 1 kg and 1 m, ground hinges at (0, 0) and (1, 0), gravity in -y; the top
//   B0 of the first rod starts at (0, 1) with velocity (1, 0). It passes the flat position, where it is
//   singular. chain: 20 rods in a row along x, hinges about one axis, released horizontally under gravity.
// Both move in the x-y plane; the result is the place of B0 or of the tip.

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace monocoque::bench {

enum class Problem { four_bar, chain };

inline constexpr int kChainLinks = 20;
inline constexpr double kLinkLength = 0.1, kLinkMass = 0.1, kGravity = 9.81;

struct Outcome {
  std::array<double, 2> point{};
  double cpu_s = 0;
  long steps = 0;
  bool finished = false;
};

/// A tool with a method: `fineness` is the number of steps of a fixed-step method or 1 / tolerance.
struct Tool {
  std::string name, method;
  bool fixed_step = true;
  std::function<Outcome(Problem problem, double end_s, double fineness)> run;
};

std::vector<Tool> own_tools();
std::vector<Tool> simbody_tools();
std::vector<Tool> mujoco_tools();

}  // namespace monocoque::bench

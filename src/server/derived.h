#pragma once
// Channels computed from others: the arithmetic of model files with channels in brackets, the time t, and
// derivative(...) and integral(...) of whatever stands inside, e.g.
//   integral([engine/power]) / 3.6e6      hypot of two: sqrt([a]^2 + [b]^2)
// derivative: difference of the neighbours over theirs in time; integral: trapezoids from the run's start on.

#include <memory>
#include <string>
#include <vector>

#include "core/formula.h"
#include "results/recorder.h"

namespace monocoque::server {

struct Derived {
  enum class Kind { channel, derivative, integral };
  struct Input {
    Kind kind = Kind::channel;
    std::size_t channel = 0;               ///< of kind channel
    std::shared_ptr<const Derived> inner;  ///< of the others
  };
  std::shared_ptr<const Formula> formula;
  std::vector<Input> inputs;  ///< by the numbers of the formula's variables
};

/// Throws Error that tells the column of the text, counted from 1.
std::shared_ptr<const Derived> parse_derived(const std::string& text, const std::vector<Channel>& channels);

void differentiate(const std::vector<double>& time, std::vector<double>& values);
void integrate(const std::vector<double>& time, std::vector<double>& values);

}  // namespace monocoque::server

#pragma once
// How long computations speak while they work: one finished line per call, no newline at its end.

#include <functional>
#include <string>

namespace monocoque::reduce {

using Log = std::function<void(const std::string&)>;

inline void say(const Log& log, const std::string& line) {
  if (log) log(line);
}

}  // namespace monocoque::reduce

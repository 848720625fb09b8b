#pragma once
// The exit statuses of all commands. `monocoque --help` and README.md print the same list.

#include <exception>

namespace monocoque {

enum ExitStatus : int {
  kSuccess = 0,
  kAnswerIsNo = 1,    ///< all went well and the answer is no: runs differ, a bound is missed
  kUsage = 2,         ///< an option or an argument
  kInput = 3,         ///< a model or another file is missing, unreadable or wrong
  kNumerics = 4,      ///< the computation failed: no convergence, no equilibrium
  kSystem = 5,        ///< what the machine refuses: a file that cannot be written, a port in use, memory
  kInterrupted = 130  ///< Ctrl-C, as shells say it
};

/// What --help says about them.
const char* exit_status_help();

/// Of a command that ended with this exception.
int exit_status_of(const std::exception& e);

}  // namespace monocoque

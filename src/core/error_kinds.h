#pragma once
// Errors that are not the input's fault, so that a program can answer with another exit status. A plain Error
// says that the input (model, file, name) is missing or wrong.

#include "core/error.h"

namespace monocoque {

/// The command line asks for something that does not exist or does not fit together.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A valid problem whose computation failed: no convergence, no equilibrium, numbers that are not finite.
class NumericError : public Error {
 public:
  using Error::Error;
};

/// What the machine refuses: a file that cannot be written, a port in use, memory.
class SystemError : public Error {
 public:
  using Error::Error;
};

/// Throws other diagnostics as an error of the same kind as `e`.
[[noreturn]] inline void rethrow_with(const Error& e, std::vector<Diagnostic> list) {
  if (dynamic_cast<const UsageError*>(&e) != nullptr) throw UsageError(std::move(list));
  if (dynamic_cast<const NumericError*>(&e) != nullptr) throw NumericError(std::move(list));
  if (dynamic_cast<const SystemError*>(&e) != nullptr) throw SystemError(std::move(list));
  throw Error(std::move(list));
}

}  // namespace monocoque

#include "apps/exit_status.h"

#include <algorithm>

#include "apps/common.h"
#include "core/error_kinds.h"

namespace monocoque {

namespace {

/// An error whose place or element is an option, and no place in a file.
bool names_option(const Diagnostic& d) {
  return d.place.known() ? d.place.file.starts_with("-") : d.element.starts_with("-");
}

}  // namespace

const char* exit_status_help() {
  return "Exit status: 0 success; 1 the answer is no (runs differ, a bound is missed); 2 usage; 3 input is\n"
         "missing or wrong; 4 the computation failed; 5 the system refused (a file cannot be written, a "
         "port\n"
         "is in use); 130 interrupted.";
}

int exit_status_of(const std::exception& e) {
  if (interrupt_requested()) return kInterrupted;
  if (dynamic_cast<const UsageError*>(&e) != nullptr) return kUsage;
  if (dynamic_cast<const NumericError*>(&e) != nullptr) return kNumerics;
  if (dynamic_cast<const SystemError*>(&e) != nullptr) return kSystem;
  const auto* error = dynamic_cast<const Error*>(&e);
  if (error == nullptr) return kSystem;  // of the standard library: memory, files, threads
  const std::vector<Diagnostic>& list = error->diagnostics();
  return !list.empty() && std::all_of(list.begin(), list.end(), names_option) ? kUsage : kInput;
}

}  // namespace monocoque

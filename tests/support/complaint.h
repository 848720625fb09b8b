#pragma once

#include <string>

#include "core/error.h"

namespace monocoque::test {

/// Text of the Error that `act` throws; empty without one.
template <class Act>
std::string complaint(const Act& act) {
  try {
    act();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace monocoque::test

#pragma once
// Where the reference files are; a test that needs one is skipped where they are not.

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/paths.h"

namespace monocoque::io::test {

inline std::string reference(const std::string& name) {
  const char* given = std::getenv("MONOCOQUE_REFERENCE");
  return (given ? std::string(given) : source_dir() + "/../shared/reference") + "/" + name;
}

}  // namespace monocoque::io::test

#define MONOCOQUE_NEEDS(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here"

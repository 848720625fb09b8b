#pragma once
// Reference data of other programs. Looked for in tests/reference, then in the folder that the environment
// variable MONOCOQUE_REFERENCE names, then in ../shared/reference beside the project. A file may lie there as
// NAME.gz; the test then gets an unpacked copy that goes with the process.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace monocoque::test {

/// Path of `name`, say "fe/uca.nas"; empty where it is in none of the folders.
std::string find_reference(const std::string& name);

/// The same, but where there is none the path that a message shall name.
std::string reference(const std::string& name);

/// MONOCOQUE_REQUIRE_REFERENCE=1: data that are absent fail the test instead of skipping it.
bool reference_required();

}  // namespace monocoque::test

/// First lines of a test that needs reference("..."): skipped where the file is not there, with the reason.
#define MONOCOQUE_NEEDS(path)                                                                               \
  if (!std::filesystem::exists(path)) {                                                                     \
    if (monocoque::test::reference_required()) FAIL() << path << " is absent";                              \
    GTEST_SKIP() << "not compared: " << path << " is absent (MONOCOQUE_REFERENCE may name another folder)"; \
  }                                                                                                         \
  static_assert(true)

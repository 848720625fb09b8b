#pragma once
// Reads meshes from text in the tests.

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "io/mesh/mesh_readers.h"

namespace monocoque::io::test {

inline FeMesh nastran(const std::string& text, const FeReadOptions& options = {}) {
  return read_nastran_text(text, "a.nas", options);
}
inline FeMesh abaqus(const std::string& text, const FeReadOptions& options = {}) {
  return read_abaqus_text(text, "a.inp", options);
}
inline FeMesh lsdyna(const std::string& text, const FeReadOptions& options = {}) {
  return read_lsdyna_text(text, "a.k", options);
}

template <class Read>
std::string mistakes_of(const Read& read, const std::string& text) {
  try {
    read(text, FeReadOptions{});
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// Nodes of element i by id.
inline std::vector<long> corners(const FeMesh& m, std::size_t i) {
  std::vector<long> ids;
  for (int k = 0; k < node_count(m.elements[i].kind); ++k)
    ids.push_back(m.nodes[static_cast<std::size_t>(m.nodes_of(m.elements[i])[k])].id);
  return ids;
}

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace monocoque::io::test

#define EXPECT_SAYS(text, part) EXPECT_TRUE(says(text, part)) << "not said: " << (part) << "\nin: " << (text)

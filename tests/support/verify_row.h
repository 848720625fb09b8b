#pragma once
// One line per comparison with a reference; scripts/verification makes the tables of docs/verification.md
// from the lines of all test programs.

#include <string>

#include <fmt/format.h>

namespace monocoque::test {

/// Values as text with their units; no text may contain '|'. Error: relative unless the remark says
/// otherwise.
inline void verify_row(const std::string& section, const std::string& case_name, const std::string& quantity,
                       const std::string& ours, const std::string& reference, double error,
                       const std::string& remark = "") {
  fmt::print("VERIFY | {} | {} | {} | {} | {} | {:.1e} | {} |\n", section, case_name, quantity, ours,
             reference, error, remark);
}

/// A sentence above the table of the section.
inline void verify_note(const std::string& section, const std::string& text) {
  fmt::print("VERIFY_NOTE | {} | {}\n", section, text);
}

}  // namespace monocoque::test

#pragma once
// Runs the real program in a folder of its own and keeps what it prints.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>

namespace monocoque::test {

struct Outcome {
  int status = -1;  ///< exit status, or 128 + signal
  std::string out, err;
};

std::string read_text(const std::filesystem::path& path);

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Program : public testing::Test {
 protected:
  Program();
  ~Program() override;

  /// Writes a file into the folder and returns its name; programs run with the folder as working directory.
  std::string write(const std::string& name, const std::string& text) const;
  Outcome run(const std::vector<std::string>& arguments) const;
  pid_t start(const std::vector<std::string>& arguments) const;
  Outcome finish(pid_t child) const;
  /// Waits until the program has flushed something into a file; false after ten seconds.
  bool wait_for_size(const std::string& name, std::uintmax_t bytes) const;

  static std::string example(const std::string& name);
  std::filesystem::path folder_;
};

}  // namespace monocoque::test

#pragma once
// Files that include files: where they lie, circles, and limits on depth, number and bytes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace monocoque::io {

class IncludeStack {
 public:
  struct Opened {
    std::string path, text;
    std::string problem, remedy;  ///< of a file that cannot be included: "it closes a circle of files"
    bool good() const { return problem.empty(); }
  };

  explicit IncludeStack(std::string first) : open_({std::move(first)}) {}
  /// The file `path` as seen from `including`; close() follows when its text has been read.
  Opened open(std::string_view path, const std::string& including);
  void close() { open_.pop_back(); }

 private:
  std::vector<std::string> open_;
  std::uintmax_t bytes_ = 0;
  int files_ = 1;
};

}  // namespace monocoque::io

#pragma once
// Text put together line by line, for the writers of files.

#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace monocoque::io {

class LineWriter {
 protected:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_.push_back('\n');
  }
  fmt::memory_buffer out_;
};

}  // namespace monocoque::io

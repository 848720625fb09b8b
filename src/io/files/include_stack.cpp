#include "io/files/include_stack.h"

#include <algorithm>

#include "core/error.h"
#include "io/files/text_source.h"

namespace monocoque::io {

namespace {
constexpr std::size_t kDeepest = 20;
constexpr int kMostFiles = 10000;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{8} << 30;
}  // namespace

IncludeStack::Opened IncludeStack::open(std::string_view path, const std::string& including) {
  Opened o;
  o.path = beside(including, path);
  const auto refuse = [&](const char* problem, const char* remedy) {
    o.problem = problem;
    o.remedy = remedy;
    return o;
  };
  if (std::find(open_.begin(), open_.end(), o.path) != open_.end())
    return refuse("it closes a circle of files", "remove one of the includes");
  if (open_.size() > kDeepest) return refuse("it is included too deep", "include files flatter");
  if (++files_ > kMostFiles) return refuse("it is one of too many files", "join some of them");
  try {
    o.text = read_text_file(o.path);
  } catch (const Error& e) {
    return refuse(e.diagnostics().front().problem.c_str(), "");
  }
  bytes_ += o.text.size();
  if (bytes_ > kMostBytes) return refuse("it brings the files beyond 8 GiB", "divide the model");
  open_.push_back(o.path);
  return o;
}

}  // namespace monocoque::io

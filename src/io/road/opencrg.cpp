#include "io/road/opencrg.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/road/opencrg_reader.h"

namespace monocoque::io {

namespace crg {

namespace {

constexpr std::size_t kMaxDepth = 8, kMaxWarnings = 20;
constexpr double kSmallestStep = 1e-6, kLargestStep = 1e4;

void check_increment(const Draft& draft) {
  const CrgFile& road = draft.road;
  if (!road.header.increment)
    refuse(road.file, 0, "REFERENCE_LINE_INCREMENT is missing in $ROAD_CRG",
           "a road needs the distance of its cross sections");
  const double step = *road.header.increment;
  if (!(step >= kSmallestStep && step <= kLargestStep))
    refuse(road.file, draft.increment_line,
           fmt::format("REFERENCE_LINE_INCREMENT is {} m, it must be within {} and {}", step, kSmallestStep,
                       kLargestStep),
           "it is the distance of the cross sections in m");
}

/// $NAME up to the next slash stands for an environment variable.
std::string expand(const std::string& path, const std::string& file, int line) {
  const std::size_t at = path.find('$');
  if (at == std::string::npos) return path;
  const std::size_t end = std::min(path.find('/', at), path.size());
  const std::string name = path.substr(at + 1, end - at - 1);
  const char* value = std::getenv(name.c_str());
  if (!value)
    refuse(file, line, fmt::format("'{}' names the environment variable {}, which is not set", path, name),
           "set it, or write the path");
  return path.substr(0, at) + value + path.substr(end);
}

std::string included_path(const Draft& draft) {
  const std::string written = expand(draft.reference, draft.road.file, draft.reference_line);
  std::string path = beside(draft.road.file, written);
  std::error_code code;
  // The standard means the folder of the process; beside the file is what a collection of roads wants.
  if (!std::filesystem::exists(path, code) && std::filesystem::exists(written, code)) path = written;
  if (!std::filesystem::is_regular_file(path, code))
    refuse(draft.road.file, draft.reference_line,
           fmt::format("$ROAD_CRG_FILE names '{}', there is no such file ({})", draft.reference, path),
           "give the path from this file, or an absolute one");
  return path;
}

CrgFile read(std::string_view text, const std::string& file, std::vector<std::string>& chain);

CrgFile read_reference(Draft& draft, std::vector<std::string>& chain) {
  const std::string path = included_path(draft);
  std::error_code code;
  const std::string identity = std::filesystem::weakly_canonical(path, code).string();
  if (std::find(chain.begin(), chain.end(), identity) != chain.end())
    refuse(draft.road.file, draft.reference_line,
           fmt::format("$ROAD_CRG_FILE names '{}', which leads back to itself", draft.reference),
           "the last file of the chain must hold the data");
  if (chain.size() >= kMaxDepth)
    refuse(draft.road.file, draft.reference_line,
           fmt::format("more than {} files refer to one another", kMaxDepth), "name the data file directly");
  chain.push_back(identity);
  CrgFile road = read(read_text_file(path), path, chain);
  // A section here, even an empty one, replaces that of the file referred to.
  if (draft.has_options) road.options = draft.road.options;
  if (draft.road.modifiers) road.modifiers = draft.road.modifiers;
  for (const Diagnostic& d : draft.road.warnings) road.warnings.push_back(d);
  return road;
}

CrgFile read(std::string_view text, const std::string& file, std::vector<std::string>& chain) {
  Draft draft = read_header(text, file);
  if (!draft.reference.empty()) return read_reference(draft, chain);
  if (!draft.data_at)
    refuse(file, 0, "the line $$ that divides header and data is missing",
           "the file is cut, is no OpenCRG file, or lacks $ROAD_CRG_FILE");
  check_increment(draft);
  arrange_columns(draft);
  read_data(text, draft);
  check_road(draft);
  return std::move(draft.road);
}

/// The heights of one cross section: all missing is against the standard and useless.
void check_heights(const CrgFile& road) {
  const std::size_t nv = road.v.size();
  std::size_t empty = 0, first_empty = 0;
  for (std::size_t i = 0; i < road.rows; ++i) {
    const double* z = &road.z[i * nv];
    if (std::all_of(z, z + nv, [](double h) { return std::isnan(h); }) && empty++ == 0) first_empty = i;
  }
  if (empty == 0) return;
  const std::string what =
      empty == road.rows
          ? "no cross section has a height, all numbers are missing"
          : fmt::format("{} of {} cross sections have no height at all, the first is number {}", empty,
                        road.rows, first_empty + 1);
  refuse(road.file, 0, what, "each cross section needs at least one number");
}

}  // namespace

void refuse(const std::string& file, int line, std::string problem, std::string remedy) {
  throw Error(Place{file, line}, "", std::move(problem), std::move(remedy));
}

void warn(CrgFile& road, int line, std::string problem) {
  if (road.warnings.size() >= kMaxWarnings) return;
  road.warnings.push_back({{road.file, line}, "", std::move(problem), "", Severity::warning});
}

void check_road(const Draft& draft) {
  const CrgFile& road = draft.road;
  check_heights(road);
  if (road.x.empty()) return;
  double shortest = INFINITY, longest = 0;
  for (std::size_t i = 1; i < road.rows; ++i) {
    const double s = std::hypot(road.x[i] - road.x[i - 1], road.y[i] - road.y[i - 1]);
    shortest = std::min(shortest, s);
    longest = std::max(longest, s);
  }
  // The bound of the standard's own tools.
  if (!(shortest >= kSmallestStep) || longest - shortest > 0.03 * shortest)
    refuse(
        road.file, 0,
        fmt::format(
            "the points of the reference line are {} to {} m apart, they must be equally spaced within 3 %",
            shortest, longest),
        "give headings (reference line phi) instead");
}

}  // namespace crg

CrgFile read_crg_text(std::string_view text, const std::string& file) {
  std::error_code code;
  std::vector<std::string> chain{std::filesystem::weakly_canonical(file, code).string()};
  return crg::read(text, file, chain);
}

CrgFile read_crg(const std::string& path) {
  return read_crg_text(read_text_file(path), path);
}

}  // namespace monocoque::io

#include <algorithm>
#include <iterator>
#include <ostream>

#include <fmt/format.h>

#include "core/error.h"
#include "results/channel_book.h"
#include "results/csv.h"
#include "results/recorder.h"

namespace monocoque {

namespace {

/// A field with separators or quotes inside is quoted (RFC 4180).
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace

std::vector<Eigen::Index> chosen_channels(const RunData& run, const std::vector<std::string>& patterns) {
  std::vector<bool> take(run.channels.size(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool found = false;
    for (std::size_t k = 0; k < run.channels.size(); ++k)
      if (matches(pattern, run.channels[k].path)) take[k] = found = true;
    if (found) continue;
    std::vector<std::string> names;
    for (const Channel& c : run.channels) names.push_back(c.path);
    throw Error("results", fmt::format("no channel matches '{}'", pattern), suggestion(pattern, names));
  }
  std::vector<Eigen::Index> out;
  for (std::size_t k = 0; k < take.size(); ++k)
    if (take[k]) out.push_back(static_cast<Eigen::Index>(k));
  return out;
}

bool matches(const std::string& pattern, const std::string& path) {
  // Greedy with one point of return: after a mismatch only the last star can take one character more.
  std::size_t p = 0, s = 0, star = std::string::npos, resume = 0;
  while (s < path.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = s;
    } else if (p < pattern.size() && pattern[p] == path[s]) {
      ++p;
      ++s;
    } else if (star != std::string::npos) {
      p = star + 1;
      s = ++resume;
    } else {
      return false;
    }
  }
  return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(),
                     [](char c) { return c == '*'; });
}

std::string csv_header(const std::vector<Channel>& channels) {
  std::string line = "time [s]";
  for (const Channel& c : channels) line += ',' + field(fmt::format("{} [{}]", c.path, c.unit));
  return line + '\n';
}

void export_csv(const RunData& run, const std::vector<std::string>& patterns, std::ostream& out, int digits) {
  const std::vector<Eigen::Index> columns = chosen_channels(run, patterns);
  const int precision = std::clamp(digits, 1, 17);
  std::vector<Channel> channels;
  for (const Eigen::Index k : columns) channels.push_back(run.channels[static_cast<std::size_t>(k)]);
  std::string line = csv_header(channels);
  out << line;
  for (Eigen::Index i = 0; i < run.time.size(); ++i) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{:.{}g}", run.time[i], precision);
    for (const Eigen::Index k : columns)
      fmt::format_to(std::back_inserter(line), ",{:.{}g}", run.data(i, k), precision);
    line += '\n';
    out << line;
  }
  out.flush();
  if (!out)
    throw Error("export", "the table cannot be written", "check the disk and the permissions of the target");
}

}  // namespace monocoque

#include "core/error.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace monocoque {

namespace {

std::string join(const std::vector<Diagnostic>& list) {
  std::string out;
  for (const Diagnostic& d : list) {
    if (!out.empty()) out += '\n';
    out += d.text();
  }
  return out;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  // Optimal string alignment: a swap of neighbours counts once, the commonest typing mistake.
  const std::size_t n = a.size(), m = b.size();
  std::vector<std::size_t> before(m + 1), last(m + 1), now(m + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= n; ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= m; ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    last = now;
  }
  return last[m];
}

}  // namespace

std::string Diagnostic::text() const {
  std::string out;
  if (place.known()) {
    out += place.file;
    if (place.line > 0) out += fmt::format(":{}", place.line);
    out += ": ";
  }
  if (severity == Severity::warning) out += "warning: ";
  if (!element.empty()) out += element + ": ";
  out += problem;
  if (!remedy.empty()) out += "; " + remedy;
  return out;
}

void Diagnostics::add(Diagnostic d) {
  if (d.severity == Severity::error) ++errors_;
  list_.push_back(std::move(d));
}

void Diagnostics::error(Place place, std::string element, std::string problem, std::string remedy) {
  add({std::move(place), std::move(element), std::move(problem), std::move(remedy), Severity::error});
}

void Diagnostics::warning(Place place, std::string element, std::string problem, std::string remedy) {
  add({std::move(place), std::move(element), std::move(problem), std::move(remedy), Severity::warning});
}

std::string Diagnostics::text() const {
  std::vector<Diagnostic> sorted = list_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.place.file != b.place.file ? a.place.file < b.place.file : a.place.line < b.place.line;
  });
  return join(sorted);
}

void Diagnostics::throw_if_errors() const {
  if (!has_errors()) return;
  std::vector<Diagnostic> errors;
  for (const Diagnostic& d : list_)
    if (d.severity == Severity::error) errors.push_back(d);
  throw Error(std::move(errors));
}

Error::Error(Diagnostic d) : std::runtime_error(d.text()), list_{std::move(d)} {}
Error::Error(std::vector<Diagnostic> list) : std::runtime_error(join(list)), list_(std::move(list)) {}
Error::Error(std::string element, std::string problem, std::string remedy)
    : Error(Diagnostic{{}, std::move(element), std::move(problem), std::move(remedy), Severity::error}) {}

Error::Error(Place place, std::string element, std::string problem, std::string remedy)
    : Error(Diagnostic{std::move(place), std::move(element), std::move(problem), std::move(remedy),
                       Severity::error}) {}

std::string closest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  if (word.size() > 200) return best;
  for (const std::string& candidate : candidates) {
    // A key without its unit ("mass" for "mass_kg") is the likeliest slip of all.
    if (word.size() >= 3 && candidate.rfind(word + "_", 0) == 0) return candidate;
    const std::size_t d = edit_distance(word, candidate);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string best = closest(word, candidates);
  return best.empty() ? std::string{} : fmt::format("did you mean '{}'?", best);
}

}  // namespace monocoque

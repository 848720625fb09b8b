#pragma once
// One kind of complaint for the whole program: place, element, what is wrong (value and rule), remedy.
//   sedan.yaml:142: bushing 'FL_rear' (arm - subframe): stiffness_N_per_m[2] is -1200, it must be >= 0
// Readers collect Diagnostics and report all of them at once; everything else throws Error with one.

#include <stdexcept>
#include <string>
#include <vector>

namespace monocoque {

/// Where in which file. line is 1-based; 0 means "the file as a whole"; an empty file means "no file".
struct Place {
  std::string file;
  int line = 0;
  bool known() const { return !file.empty(); }
};

enum class Severity { error, warning };

struct Diagnostic {
  Place place;
  std::string element;  ///< kind and name, e.g. "bushing 'FL_rear' (arm - subframe)"; may be empty
  std::string problem;  ///< value and rule, e.g. "mass_kg is -1, it must be >= 0"
  std::string remedy;   ///< what to do; may be empty
  Severity severity = Severity::error;
  std::string text() const;
};

/// Collects diagnostics so that a reader can report every mistake at once.
class Diagnostics {
 public:
  void add(Diagnostic d);
  void error(Place place, std::string element, std::string problem, std::string remedy = {});
  void warning(Place place, std::string element, std::string problem, std::string remedy = {});
  bool has_errors() const { return errors_ > 0; }
  int error_count() const { return errors_; }
  const std::vector<Diagnostic>& list() const { return list_; }
  /// All messages, one per line, in order of file and line.
  std::string text() const;
  /// Throws Error with everything collected when there is at least one error.
  void throw_if_errors() const;

 private:
  std::vector<Diagnostic> list_;
  int errors_ = 0;
};

/// Anything that stops the work. what() is the full text of all its diagnostics.
class Error : public std::runtime_error {
 public:
  explicit Error(Diagnostic d);
  explicit Error(std::vector<Diagnostic> list);
  Error(std::string element, std::string problem, std::string remedy = {});
  Error(Place place, std::string element, std::string problem, std::string remedy);
  const std::vector<Diagnostic>& diagnostics() const { return list_; }

 private:
  std::vector<Diagnostic> list_;
};

/// The candidate closest to a misspelt word (edit distance at most a third of its length), or "".
std::string closest(const std::string& word, const std::vector<std::string>& candidates);
/// "did you mean 'mass_kg'?" or "" when nothing is close.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace monocoque

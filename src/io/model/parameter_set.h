#pragma once
// The values of one element's fields after reading: complete (defaults filled in), of the declared kind,
// finite and within their rule. Elements take their parameters from here and need no further checks of form.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/time_function.h"
#include "core/types.h"
#include "io/model/field.h"

namespace monocoque::io {

/// A signal field: either a function of time of its own or the name of a signal or controller.
struct SignalSource {
  TimeFunction function;
  std::string name;  ///< non-empty: taken from the signal or controller of that name
};

class ParameterSet {
 public:
  double number(const std::string& field) const;
  int integer(const std::string& field) const;
  bool boolean(const std::string& field) const;
  const std::string& text(const std::string& field) const;          ///< text, choice, reference
  Vec3 vec3(const std::string& field) const;                        ///< vector of size 3
  const std::vector<double>& list(const std::string& field) const;  ///< vector, list
  /// x values then y values of a table
  const std::array<std::vector<double>, 2>& table(const std::string& field) const;
  const SignalSource& signal(const std::string& field) const;
  bool has(const std::string& field) const;
  Place place(const std::string& field) const;

  struct Entry {
    Place place;
    double number = 0;
    std::string text;
    std::vector<double> list;
    std::array<std::vector<double>, 2> table;
    SignalSource signal;
  };
  std::map<std::string, Entry> entries;
};

/// Reads one field from YAML text (for defaults and examples); parameters are looked up nowhere.
ParameterSet::Entry parse_field(const Field& field, const std::string& yaml_text);
/// A set made from the examples (or, where there is none, the defaults) of a type: for the generic tests.
ParameterSet example_parameters(const TypeInfo& type);

}  // namespace monocoque::io

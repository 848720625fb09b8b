#pragma once
// Nodes to numbers, lists, signals: one reading function per kind, with complaints that give value and rule.
// Internal to io.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/model/document.h"
#include "io/model/field.h"
#include "io/model/parameter_set.h"
#include "io/model/scope.h"

namespace monocoque::io {

/// What a complaint is about: the element and the key.
struct Where {
  std::string element, key;
};

/// Finds the full names that signals and references mean. Without one, any name is taken as it is.
struct Names {
  std::function<std::optional<std::string>(const std::string&)> signal, reference;
  std::function<std::vector<std::string>()> signals, references;  ///< candidates for suggestions
};

/// A plain number or a formula of the parameters in scope; always finite.
std::optional<double> read_number(Context& context, const Scope& scope, const Node& node, const Where& where);
/// Checks a number against a rule; complains and answers false when it is broken.
bool obeys(Context& context, Rule rule, double value, const Place& place, const Where& where);
/// A list of numbers; size 0 means any length from one on.
std::optional<std::vector<double>> read_numbers(Context& context, const Scope& scope, const Node& node,
                                                const Where& where, std::size_t size, Rule rule = Rule::any);
/// Pairs [x, y] with x strictly increasing, at least `least` of them.
std::optional<std::array<std::vector<double>, 2>> read_pairs(Context& context, const Scope& scope,
                                                             const Node& node, const Where& where,
                                                             std::size_t least, Rule rule);
/// A formula of t and of parameters.
std::optional<TimeFunction> read_time_formula(Context& context, const Scope& scope, const Node& node,
                                              const Where& where);
/// One word or text.
std::optional<std::string> read_text(Context& context, const Node& node, const Where& where);
/// A list of words, each one of `choices` unless that is empty.
std::optional<std::vector<std::string>> read_words(Context& context, const Node& node, const Where& where,
                                                   const std::vector<std::string>& choices);
/// Any field, as declared.
std::optional<ParameterSet::Entry> read_field(Context& context, const Scope& scope, const Field& field,
                                              const Node& node, const std::string& element,
                                              const Names& names);
/// The entry of a field's default, or nothing when it is "~". Throws Error when the declaration is wrong.
std::optional<ParameterSet::Entry> default_entry(const Field& field);

/// "it must be one of a, b, c" or a suggestion when one of them is close.
std::string expected_one_of(const std::string& word, const std::vector<std::string>& choices);

}  // namespace monocoque::io

#include "io/model/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/formula.h"

namespace monocoque::io {

namespace {

std::string lower(std::string s) {
  for (char& c : s)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return s;
}

/// The ways YAML and C spell infinity and not-a-number.
bool is_not_finite_word(const std::string& text) {
  std::string s = lower(text);
  if (!s.empty() && (s[0] == '+' || s[0] == '-')) s.erase(0, 1);
  return s == ".inf" || s == ".nan" || s == "inf" || s == "nan" || s == "infinity";
}

void complain(Context& c, const Node& node, const Where& where, const std::string& rule,
              const std::string& remedy = {}) {
  c.error(node.place(), where.element, fmt::format("{} is {}, {}", where.key, describe(node), rule), remedy);
}

/// Parses a formula, with a complaint for every failure that has not been reported before.
std::shared_ptr<const Formula> read_formula(Context& c, const Scope& scope, const Node& node,
                                            const Where& where, bool allow_time) {
  const auto lookup = [&](const std::string& name) { return scope.value(name); };
  const Formula::Result result = Formula::parse(node.text, lookup, allow_time);
  if (result.formula) return result.formula;
  if (!result.unknown.empty() && scope.failed(result.unknown)) return nullptr;
  std::string remedy;
  if (!result.unknown.empty()) remedy = suggestion(result.unknown, scope.names());
  c.error(node.place(), where.element,
          fmt::format("{} is '{}': {}", where.key, shorten(node.text), result.error), remedy);
  return nullptr;
}

std::optional<double> plain_number(const std::string& text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<SignalSource> read_signal(Context& c, const Scope& scope, const Field& field, const Node& node,
                                        const Where& where, const Names& names) {
  if (!node.is_scalar()) {
    complain(c, node, where, "it must be a number, a formula of t, or the name of a signal or controller");
    return std::nullopt;
  }
  if (names.signal)
    if (const auto full = names.signal(node.text)) return SignalSource{{}, *full};
  // A lone word that is no parameter can only be meant as the name of a signal.
  const bool word = is_identifier(node.text) && !Formula::names_in(node.text).empty();
  if (word && !scope.value(node.text)) {
    if (scope.failed(node.text)) return std::nullopt;
    if (!names.signal) return SignalSource{{}, node.text};
    auto candidates = names.signals();
    for (const std::string& p : scope.names()) candidates.push_back(p);
    c.error(node.place(), where.element,
            fmt::format("{} is '{}', no signal, controller or parameter has this name", where.key,
                        shorten(node.text)),
            suggestion(node.text, candidates));
    return std::nullopt;
  }
  if (is_not_finite_word(node.text)) {
    complain(c, node, where, "it must be a finite number");
    return std::nullopt;
  }
  const auto f = read_formula(c, scope, node, where, true);
  if (!f) return std::nullopt;
  if (!f->depends_on_time()) {
    const double value = f->at(0).value;
    if (!std::isfinite(value)) complain(c, node, where, "it must be a finite number");
    if (!std::isfinite(value) || !obeys(c, field.rule, value, node.place(), where)) return std::nullopt;
  }
  return SignalSource{TimeFunction::formula(f), {}};
}

std::optional<std::string> read_reference(Context& c, const Node& node, const Where& where,
                                          const Names& names) {
  auto text = read_text(c, node, where);
  if (!text || text->empty() || !names.reference) return text;
  if (auto full = names.reference(*text)) return full;
  c.error(node.place(), where.element,
          fmt::format("{} is '{}', nothing has this name", where.key, shorten(*text)),
          suggestion(*text, names.references()));
  return std::nullopt;
}

std::optional<double> read_integer(Context& c, const Scope& scope, const Node& node, const Where& where) {
  const auto x = read_number(c, scope, node, where);
  if (!x) return x;
  if (*x == std::floor(*x) && std::fabs(*x) <= std::numeric_limits<int>::max()) return x;
  complain(c, node, where, "it must be a whole number");
  return std::nullopt;
}

}  // namespace

std::string expected_one_of(const std::string& word, const std::vector<std::string>& choices) {
  const std::string hint = suggestion(word, choices);
  return hint.empty() ? fmt::format("use one of {}", fmt::join(choices, ", ")) : hint;
}

bool obeys(Context& context, Rule rule, double value, const Place& place, const Where& where) {
  const char* broken = nullptr;
  if (rule == Rule::positive && !(value > 0)) broken = "it must be > 0";
  if (rule == Rule::non_negative && !(value >= 0)) broken = "it must be >= 0";
  if (rule == Rule::nonzero && value == 0) broken = "it must not be 0";
  if (rule == Rule::fraction && !(value >= 0 && value <= 1)) broken = "it must be between 0 and 1";
  if (broken) context.error(place, where.element, fmt::format("{} is {:g}, {}", where.key, value, broken));
  return !broken;
}

std::optional<double> read_number(Context& context, const Scope& scope, const Node& node,
                                  const Where& where) {
  if (!node.is_scalar()) {
    complain(context, node, where, "it must be a number");
    return std::nullopt;
  }
  if (const auto value = plain_number(node.text)) return value;
  if (is_not_finite_word(node.text)) {
    complain(context, node, where, "it must be a finite number");
    return std::nullopt;
  }
  const auto f = read_formula(context, scope, node, where, false);
  if (!f) return std::nullopt;
  const double value = f->at(0).value;
  if (std::isfinite(value)) return value;
  context.error(node.place(), where.element,
                fmt::format("{} is '{}', its value {} is not finite", where.key, shorten(node.text), value));
  return std::nullopt;
}

std::optional<std::vector<double>> read_numbers(Context& context, const Scope& scope, const Node& node,
                                                const Where& where, std::size_t size, Rule rule) {
  if (!node.is_list() || node.items.empty() || (size > 0 && node.items.size() != size)) {
    complain(
        context, node, where,
        size > 0 ? fmt::format("it must be a list of {} numbers", size) : "it must be a list of numbers");
    return std::nullopt;
  }
  std::vector<double> values;
  bool good = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Where item{where.element, fmt::format("{}[{}]", where.key, i)};
    const auto value = read_number(context, scope, *node.items[i], item);
    good = value && obeys(context, rule, *value, node.items[i]->place(), item) && good;
    values.push_back(value.value_or(0));
  }
  if (!good) return std::nullopt;
  return values;
}

std::optional<std::array<std::vector<double>, 2>> read_pairs(Context& context, const Scope& scope,
                                                             const Node& node, const Where& where,
                                                             std::size_t least, Rule rule) {
  if (!node.is_list() || node.items.size() < least) {
    complain(context, node, where, fmt::format("it must be a list of at least {} pairs [x, y]", least));
    return std::nullopt;
  }
  std::array<std::vector<double>, 2> table;
  bool good = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Where item{where.element, fmt::format("{}[{}]", where.key, i)};
    const auto pair = read_numbers(context, scope, *node.items[i], item, 2);
    good = pair &&
           obeys(context, rule, (*pair)[1], node.items[i]->place(), {where.element, item.key + "[1]"}) &&
           good;
    if (!pair) continue;
    if (!table[0].empty() && !((*pair)[0] > table[0].back())) {
      good = false;
      context.error(node.items[i]->place(), where.element,
                    fmt::format("{}[0] is {:g} after {:g}, it must increase from pair to pair", item.key,
                                (*pair)[0], table[0].back()));
    }
    table[0].push_back((*pair)[0]);
    table[1].push_back((*pair)[1]);
  }
  if (!good) return std::nullopt;
  return table;
}

std::optional<TimeFunction> read_time_formula(Context& context, const Scope& scope, const Node& node,
                                              const Where& where) {
  if (!node.is_scalar()) {
    complain(context, node, where, "it must be a formula of t");
    return std::nullopt;
  }
  const auto f = read_formula(context, scope, node, where, true);
  if (!f) return std::nullopt;
  return TimeFunction::formula(f);
}

std::optional<std::string> read_text(Context& context, const Node& node, const Where& where) {
  if (node.is_scalar()) return node.text;
  complain(context, node, where, "it must be text");
  return std::nullopt;
}

std::optional<std::vector<std::string>> read_words(Context& context, const Node& node, const Where& where,
                                                   const std::vector<std::string>& choices) {
  if (!node.is_list()) {
    complain(context, node, where, "it must be a list of names");
    return std::nullopt;
  }
  std::vector<std::string> words;
  bool good = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Where item{where.element, fmt::format("{}[{}]", where.key, i)};
    const auto word = read_text(context, *node.items[i], item);
    if (word && !choices.empty() && std::find(choices.begin(), choices.end(), *word) == choices.end()) {
      context.error(node.items[i]->place(), where.element,
                    fmt::format("{} is '{}'", item.key, shorten(*word)), expected_one_of(*word, choices));
      good = false;
    }
    good = word && good;
    words.push_back(word.value_or(""));
  }
  if (!good) return std::nullopt;
  return words;
}

std::optional<ParameterSet::Entry> read_field(Context& c, const Scope& scope, const Field& field,
                                              const Node& node, const std::string& element,
                                              const Names& names) {
  const Where where{element, field.name};
  ParameterSet::Entry entry;
  entry.place = node.place();
  const auto keep = [&](auto&& value, auto& target) {
    if (value) target = std::move(*value);
    return value.has_value();
  };
  bool good = false;
  switch (field.kind) {
    case FieldKind::number:
      good = keep(read_number(c, scope, node, where), entry.number) &&
             obeys(c, field.rule, entry.number, entry.place, where);
      break;
    case FieldKind::integer:
      good = keep(read_integer(c, scope, node, where), entry.number) &&
             obeys(c, field.rule, entry.number, entry.place, where);
      break;
    case FieldKind::boolean:
      good = node.is_scalar() && (node.text == "true" || node.text == "false");
      if (!good) complain(c, node, where, "it must be true or false");
      entry.number = node.text == "true" ? 1 : 0;
      break;
    case FieldKind::text:
      good = keep(read_text(c, node, where), entry.text);
      break;
    case FieldKind::choice: {
      good = keep(read_text(c, node, where), entry.text);
      if (good && std::find(field.choices.begin(), field.choices.end(), entry.text) == field.choices.end()) {
        good = false;
        c.error(entry.place, element, fmt::format("{} is '{}'", field.name, shorten(entry.text)),
                expected_one_of(entry.text, field.choices));
      }
      break;
    }
    case FieldKind::vector:
      good = keep(read_numbers(c, scope, node, where, static_cast<std::size_t>(field.size), field.rule),
                  entry.list);
      break;
    case FieldKind::list:
      good = keep(read_numbers(c, scope, node, where, 0, field.rule), entry.list);
      break;
    case FieldKind::table:
      good = keep(read_pairs(c, scope, node, where, 2, field.rule), entry.table);
      break;
    case FieldKind::signal:
      good = keep(read_signal(c, scope, field, node, where, names), entry.signal);
      break;
    case FieldKind::reference:
      good = keep(read_reference(c, node, where, names), entry.text);
      break;
  }
  if (!good) return std::nullopt;
  return entry;
}

std::optional<ParameterSet::Entry> default_entry(const Field& field) {
  if (field.default_text == "~") return std::nullopt;
  // An empty list is a fine default: nothing given.
  if (field.default_text == "[]") return ParameterSet::Entry{};
  return parse_field(field, field.default_text);
}

}  // namespace monocoque::io

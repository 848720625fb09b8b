#include "server/derived.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::server {

namespace {

constexpr int deepest = 8;

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Place of the parenthesis that closes the one at `open`; channels in brackets may hold parentheses.
std::size_t closing(const std::string& text, std::size_t open, std::size_t column) {
  int depth = 0;
  bool bracket = false;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '[') bracket = true;
    if (text[i] == ']') bracket = false;
    if (bracket) continue;
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  throw Error("derived channel",
              fmt::format("the parenthesis at character {} is not closed", column + open + 1));
}

/// Columns in messages of the formula, moved to where the piece stands in the whole text.
std::string moved(const std::string& message, std::size_t column) {
  const std::string mark = "character ";
  const std::size_t at = message.find(mark);
  if (at == std::string::npos || column == 0) return message;
  std::size_t end = at + mark.size();
  std::size_t number = 0;
  while (end < message.size() && std::isdigit(static_cast<unsigned char>(message[end])) != 0)
    number = 10 * number + static_cast<std::size_t>(message[end++] - '0');
  return message.substr(0, at + mark.size()) + std::to_string(number + column) + message.substr(end);
}

std::shared_ptr<const Derived> parse_piece(const std::string& whole, std::size_t column,
                                           const std::vector<Channel>& channels, int depth) {
  if (depth > deepest)
    throw Error("derived channel", fmt::format("it is nested deeper than {} levels", deepest));
  auto out = std::make_shared<Derived>();
  std::string text = whole;
  // Each derivative(...) becomes a variable of the same length, so that columns stay as they are.
  bool bracket = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') bracket = true;
    if (text[i] == ']') bracket = false;
    if (bracket || (i > 0 && in_name(text[i - 1]))) continue;
    for (const auto& [name, kind] : {std::pair{"derivative", Derived::Kind::derivative},
                                     std::pair{"integral", Derived::Kind::integral}}) {
      const std::string word = name;
      if (text.compare(i, word.size(), word) != 0) continue;
      std::size_t open = i + word.size();
      while (open < text.size() && text[open] == ' ') ++open;
      if (open >= text.size() || text[open] != '(') continue;
      const std::size_t close = closing(text, open, column);
      Derived::Input input;
      input.kind = kind;
      input.inner =
          parse_piece(text.substr(open + 1, close - open - 1), column + open + 1, channels, depth + 1);
      std::string variable = fmt::format("[#{}", out->inputs.size());
      out->inputs.push_back(std::move(input));
      variable.resize(close - i, ' ');
      text.replace(i, close - i + 1, variable + "]");
      i = close;
      break;
    }
  }
  const std::size_t calculus = out->inputs.size();
  const auto variables = [&](const std::string& name) -> std::optional<std::size_t> {
    if (!name.empty() && name[0] == '#') {
      const std::size_t number = std::strtoul(name.c_str() + 1, nullptr, 10);
      if (number < calculus) return number;
      return std::nullopt;
    }
    for (std::size_t k = 0; k < channels.size(); ++k) {
      if (channels[k].path != name) continue;
      for (std::size_t n = calculus; n < out->inputs.size(); ++n)
        if (out->inputs[n].channel == k) return n;
      out->inputs.push_back({Derived::Kind::channel, k, nullptr});
      return out->inputs.size() - 1;
    }
    return std::nullopt;
  };
  const Formula::Result result = Formula::parse(text, {}, true, variables);
  if (!result.formula) {
    std::vector<std::string> names;
    for (const Channel& c : channels) names.push_back(c.path);
    throw Error("derived channel", moved(result.error, column),
                result.unknown.empty() ? "" : suggestion(result.unknown, names));
  }
  out->formula = result.formula;
  return out;
}

}  // namespace

std::shared_ptr<const Derived> parse_derived(const std::string& text, const std::vector<Channel>& channels) {
  if (text.size() > 4096) throw Error("derived channel", "it has more than 4096 characters");
  return parse_piece(text, 0, channels, 0);
}

void differentiate(const std::vector<double>& time, std::vector<double>& values) {
  const std::size_t n = values.size();
  double before = n > 0 ? values[0] : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t last = i > 0 ? i - 1 : 0, next = std::min(i + 1, n - 1);
    const double here = values[i], span = time[next] - time[last];
    values[i] = span > 0 ? (values[next] - before) / span : std::numeric_limits<double>::quiet_NaN();
    before = here;
  }
}

void integrate(const std::vector<double>& time, std::vector<double>& values) {
  double sum = 0, before = values.empty() ? 0 : values[0];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double here = values[i];
    if (i > 0) sum += 0.5 * (before + here) * (time[i] - time[i - 1]);
    values[i] = sum;
    before = here;
  }
}

}  // namespace monocoque::server

#include "results/derived_channel.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque {

namespace {

using Kind = DerivedChannel::Kind;

constexpr int kMaxDepth = 8;
constexpr const char* kDelimiters = " \t\n()[],";

[[noreturn]] void complain(const std::string& problem, const std::string& remedy = {}) {
  throw Error("channel", problem, remedy);
}

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string trimmed(const std::string& text) {
  const std::size_t a = text.find_first_not_of(" \t\n"), b = text.find_last_not_of(" \t\n");
  return a == std::string::npos ? "" : text.substr(a, b - a + 1);
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
  complain(fmt::format("the parenthesis at character {} is not closed", column + open + 1));
}

std::optional<std::size_t> find_channel(const std::vector<Channel>& channels, const std::string& path) {
  const auto at =
      std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.path == path; });
  if (at == channels.end()) return std::nullopt;
  return static_cast<std::size_t>(at - channels.begin());
}

/// One level of an expression: calls of calculus and channels become variables [#n] of a formula.
class LevelParser {
 public:
  /// `column`: where the text begins in the whole expression.
  LevelParser(std::string text, std::size_t column, const std::vector<Channel>& channels, int depth)
      : text_(std::move(text)), column_(column), channels_(channels), depth_(depth) {
    if (depth > kMaxDepth) complain(fmt::format("it is nested deeper than {} levels", kMaxDepth));
  }

  std::shared_ptr<const DerivedChannel> parse() {
    if (const auto channel = find_channel(channels_, trimmed(text_))) {
      add_variable(channel_input(*channel), 0);
    } else {
      replace_names();
    }
    const auto variables = [this](const std::string& name) -> std::optional<std::size_t> {
      if (name.empty() || name[0] != '#') return std::nullopt;
      const std::size_t number = std::strtoul(name.c_str() + 1, nullptr, 10);
      return number < out_->inputs.size() ? std::optional(number) : std::nullopt;
    };
    const Formula::Result result = Formula::parse(formula_, {}, true, variables);
    if (!result.formula) refuse(result);
    out_->formula = result.formula;
    out_->unit = unit_of_sum();
    return out_;
  }

 private:
  DerivedChannel::Input channel_input(std::size_t k) const {
    return {Kind::channel, {k, 0, 0}, nullptr, channels_[k].unit};
  }

  /// Copies the text to the formula, with variables in place of calls and channels.
  void replace_names() {
    for (std::size_t i = 0; i < text_.size();) {
      const std::size_t next = text_[i] == '[' ? bracket(i) : word(i);
      if (next == i)
        copy(i++);
      else
        i = next;
    }
  }

  /// A channel in brackets; returns the place behind it.
  std::size_t bracket(std::size_t i) {
    const std::size_t end = text_.find(']', i);
    if (end == std::string::npos) return i;
    const std::string name = text_.substr(i + 1, end - i - 1);
    const auto channel = find_channel(channels_, name);
    if (!channel)
      complain(fmt::format("there is no '{}' (character {})", name, column_ + i + 2),
               suggestion(name, channel_names()));
    add_variable(channel_input(*channel), i);
    return end + 1;
  }

  /// A call of calculus or a channel without brackets; returns the place behind it, or i when it is neither.
  std::size_t word(std::size_t i) {
    if (i > 0 && in_name(text_[i - 1])) return i;
    if (const std::size_t next = call(i); next != i) return next;
    if (i > 0 && std::string_view(kDelimiters).find(text_[i - 1]) == std::string_view::npos) return i;
    const std::string name = bare_name(i);
    const std::vector<std::string>& reserved = Formula::reserved_names();
    if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) return i;
    const auto channel = find_channel(channels_, name);
    if (!channel) return i;
    add_variable(channel_input(*channel), i);
    return i + name.size();
  }

  std::size_t call(std::size_t i) {
    std::size_t end = i;
    while (end < text_.size() && in_name(text_[end])) ++end;
    const std::string_view name = std::string_view(text_).substr(i, end - i);
    std::size_t open = end;
    while (open < text_.size() && text_[open] == ' ') ++open;
    if (open >= text_.size() || text_[open] != '(') return i;
    DerivedChannel::Input input;
    if (name == "derivative" || name == "rate")
      input.kind = Kind::derivative;
    else if (name == "integral")
      input.kind = Kind::integral;
    else if (name == "norm")
      input.kind = Kind::norm;
    else
      return i;
    const std::size_t close = closing(text_, open, column_);
    const std::string inside = text_.substr(open + 1, close - open - 1);
    if (input.kind == Kind::norm) {
      set_vector(input, inside);
    } else {
      input.inner = LevelParser(inside, column_ + open + 1, channels_, depth_ + 1).parse();
      const std::string& unit = input.inner->unit;
      const bool rate = input.kind == Kind::derivative;
      if (unit == "1")
        input.unit = rate ? "1/s" : "s";
      else if (!unit.empty())
        input.unit = unit + (rate ? "/s" : "*s");
    }
    add_variable(std::move(input), i);
    return close + 1;
  }

  void set_vector(DerivedChannel::Input& input, const std::string& inside) const {
    std::string base = trimmed(inside);
    if (base.size() > 1 && base.front() == '[' && base.back() == ']') base = base.substr(1, base.size() - 2);
    std::size_t k = 0;
    for (const char* axis : {"/x", "/y", "/z"}) {
      const auto channel = find_channel(channels_, base + axis);
      if (!channel) complain(fmt::format("'norm({0})': there are no channels {0}/x, y and z", base));
      input.channels[k++] = *channel;
    }
    input.unit = channels_[input.channels[0]].unit;
  }

  /// From here to the next delimiter.
  std::string bare_name(std::size_t i) const {
    const std::size_t end = text_.find_first_of(kDelimiters, i);
    return text_.substr(i, end == std::string::npos ? end : end - i);
  }

  void copy(std::size_t i) {
    formula_ += text_[i];
    origin_.push_back(i);
  }
  void add_variable(DerivedChannel::Input input, std::size_t i) {
    formula_ += fmt::format("[#{}]", out_->inputs.size());
    origin_.resize(formula_.size(), i);
    out_->inputs.push_back(std::move(input));
  }

  /// The common unit of a sum or difference of variables; empty when the formula is anything else.
  std::string unit_of_sum() const {
    std::string unit;
    std::size_t terms = 0;
    bool term_wanted = true;
    for (std::size_t i = 0; i < formula_.size(); ++i) {
      const char c = formula_[i];
      if (c == ' ' || c == '\t' || c == '\n') continue;
      if (term_wanted ? c != '[' : c != '+' && c != '-') return {};
      if (term_wanted) {
        const std::size_t number = std::strtoul(formula_.c_str() + i + 2, nullptr, 10);
        const std::string& own = out_->inputs[number].unit;
        if (own.empty()) return {};
        if (terms++ == 0) unit = own;
        if (own != unit)
          complain(fmt::format("'{}': the units {} and {} do not go together", trimmed(text_), unit, own));
        i = formula_.find(']', i);
      }
      term_wanted = !term_wanted;
    }
    return unit;
  }

  [[noreturn]] void refuse(const Formula::Result& result) const {
    // Columns in the formula's message become those of the whole expression.
    const std::string mark = "character ";
    const std::size_t at = result.error.find(mark);
    if (at == std::string::npos) complain(result.error);
    std::size_t end = at + mark.size(), number = 0;
    while (end < result.error.size() && std::isdigit(static_cast<unsigned char>(result.error[end])) != 0)
      number = 10 * number + static_cast<std::size_t>(result.error[end++] - '0');
    const std::size_t place = number >= 1 && number <= origin_.size() ? origin_[number - 1] : text_.size();
    const std::string name = bare_name(place);
    if (!result.unknown.empty() && name.find_first_of("*^+") == std::string::npos)
      complain(fmt::format("there is no channel '{}' (character {})", name, column_ + place + 1),
               suggestion(name, channel_names()));
    complain(result.error.substr(0, at + mark.size()) + std::to_string(column_ + place + 1) +
             result.error.substr(end));
  }

  std::vector<std::string> channel_names() const {
    std::vector<std::string> names;
    for (const Channel& c : channels_) names.push_back(c.path);
    return names;
  }

  const std::string text_;
  const std::size_t column_;
  const std::vector<Channel>& channels_;
  const int depth_;
  std::string formula_;
  std::vector<std::size_t> origin_;  ///< of each character of the formula, in the text
  std::shared_ptr<DerivedChannel> out_ = std::make_shared<DerivedChannel>();
};

void differentiate(std::span<const double> time, std::vector<double>& values) {
  const std::size_t n = values.size();
  double before = n > 0 ? values[0] : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t last = i > 0 ? i - 1 : 0, next = std::min(i + 1, n - 1);
    const double here = values[i], span = time[next] - time[last];
    values[i] = span > 0 ? (values[next] - before) / span : std::numeric_limits<double>::quiet_NaN();
    before = here;
  }
}

void integrate(std::span<const double> time, std::vector<double>& values) {
  double sum = 0, before = values.empty() ? 0 : values[0];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double here = values[i];
    if (i > 0) sum += 0.5 * (before + here) * (time[i] - time[i - 1]);
    values[i] = sum;
    before = here;
  }
}

}  // namespace

std::vector<std::size_t> DerivedChannel::channels() const {
  std::vector<std::size_t> out;
  for (const Input& in : inputs) {
    if (in.inner)
      for (const std::size_t k : in.inner->channels()) out.push_back(k);
    else
      out.insert(out.end(), in.channels.begin(), in.channels.begin() + (in.kind == Kind::norm ? 3 : 1));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::shared_ptr<const DerivedChannel> parse_derived_channel(const std::string& text,
                                                            const std::vector<Channel>& channels) {
  if (text.size() > 4096) complain("it has more than 4096 characters");
  return LevelParser(text, 0, channels, 0).parse();
}

std::vector<double> evaluate(const DerivedChannel& derived, std::span<const double> time,
                             std::size_t block_rows, const ChannelSamples& samples) {
  const std::size_t n = time.size(), inputs = derived.inputs.size();
  std::vector<std::vector<double>> computed(inputs);
  for (std::size_t k = 0; k < inputs; ++k) {
    const DerivedChannel::Input& in = derived.inputs[k];
    if (!in.inner) continue;
    computed[k] = evaluate(*in.inner, time, block_rows, samples);
    if (in.kind == Kind::derivative)
      differentiate(time, computed[k]);
    else
      integrate(time, computed[k]);
  }
  std::vector<double> out(n), variables(inputs);
  std::vector<std::array<const double*, 3>> source(inputs);
  for (std::size_t first = 0; first < n; first += block_rows) {
    const std::size_t count = std::min(block_rows, n - first);
    for (std::size_t k = 0; k < inputs; ++k) {
      const DerivedChannel::Input& in = derived.inputs[k];
      if (in.inner)
        source[k][0] = computed[k].data() + first;
      else
        for (std::size_t c = 0; c < (in.kind == Kind::norm ? 3U : 1U); ++c)
          source[k][c] = samples(in.channels[c], first);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < inputs; ++k)
        variables[k] = derived.inputs[k].kind == Kind::norm
                           ? std::hypot(source[k][0][i], source[k][1][i], source[k][2][i])
                           : source[k][0][i];
      out[first + i] = derived.formula->value(time[first + i], variables.data());
    }
  }
  return out;
}

}  // namespace monocoque

#include "core/formula.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/error.h"
#include "core/formula_operations.h"

namespace monocoque {

namespace {

constexpr std::size_t max_length = 4096;
constexpr int max_nesting = 64;
constexpr int max_stack = 64;

using Op = Formula::Op;

struct Function {
  const char* name;
  Op op;
  int arguments;
};
constexpr std::array<Function, 17> functions{{{"sin", Op::sin, 1},
                                              {"cos", Op::cos, 1},
                                              {"tan", Op::tan, 1},
                                              {"asin", Op::asin, 1},
                                              {"acos", Op::acos, 1},
                                              {"atan", Op::atan, 1},
                                              {"atan2", Op::atan2, 2},
                                              {"sqrt", Op::sqrt, 1},
                                              {"exp", Op::exp, 1},
                                              {"log", Op::log, 1},
                                              {"abs", Op::abs, 1},
                                              {"min", Op::min, 2},
                                              {"max", Op::max, 2},
                                              {"sign", Op::sign, 1},
                                              {"deg", Op::deg, 1},
                                              {"step", Op::step, 1},
                                              {"ramp", Op::ramp, 1}}};

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

/// Recursive descent, one function per level of precedence; writes the program in postfix order.
class FormulaParser {
 public:
  FormulaParser(const std::string& text, const Formula::Lookup& lookup, bool allow_time,
                const Formula::Variables& variables)
      : text_(text),
        lookup_(lookup),
        variables_(variables),
        allow_time_(allow_time),
        formula_(std::make_shared<Formula>()) {}

  Formula::Result run() {
    if (text_.size() > max_length) {
      fail(fmt::format("the formula has {} characters, at most {} are allowed", text_.size(), max_length));
    } else {
      sum();
      skip();
      if (error_.empty() && at_ < text_.size()) fail_here("expected an operator");
    }
    if (!error_.empty()) return {nullptr, error_, unknown_};
    auto& events = formula_->events_;
    std::sort(events.begin(), events.end());
    events.erase(std::unique(events.begin(), events.end()), events.end());
    formula_->text_ = text_;
    return {formula_, {}, {}};
  }

 private:
  /// offset + slope t while that is what the expression is; this finds the instants of step and ramp.
  struct Part {
    bool affine = true;
    double offset = 0, slope = 0;
    bool constant() const { return affine && slope == 0; }
  };

  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }
  void fail_here(const std::string& what) {
    fail(at_ < text_.size() ? fmt::format("{} at character {} ('{}')", what, at_ + 1, text_[at_])
                            : fmt::format("{} at the end", what));
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Part constant(double value) {
    push({Op::constant, value});
    return {true, value, 0};
  }
  void push(Formula::Instruction instruction) {
    if (++depth_ > max_stack)
      fail(fmt::format("the formula needs more than {} intermediate values", max_stack));
    formula_->program_.push_back(instruction);
  }
  /// A result known at once replaces the instructions that would compute it.
  Part fold(std::size_t operands, double value) {
    formula_->program_.resize(formula_->program_.size() - operands);
    depth_ -= static_cast<int>(operands);
    return constant(value);
  }
  void add_event(bool affine, double offset, double slope) {
    if (affine && slope != 0 && std::isfinite(offset / slope))
      formula_->events_.push_back(-offset / slope + 0.0);
  }

  Part apply(Op op, const Part& a) {
    if (a.constant()) return fold(1, unary(op, {a.offset, 0, 0}).value);
    if (op == Op::step || op == Op::ramp || op == Op::abs || op == Op::sign)
      add_event(a.affine, a.offset, a.slope);
    formula_->program_.push_back({op, 0});
    if (a.affine && op == Op::negate) return {true, -a.offset, -a.slope};
    if (a.affine && op == Op::deg) {
      constexpr double k = std::numbers::pi / 180;
      return {true, k * a.offset, k * a.slope};
    }
    return {false, 0, 0};
  }

  Part apply(Op op, const Part& a, const Part& b) {
    if (a.constant() && b.constant()) return fold(2, binary(op, {a.offset, 0, 0}, {b.offset, 0, 0}).value);
    const bool both = a.affine && b.affine;
    if (op == Op::min || op == Op::max) add_event(both, a.offset - b.offset, a.slope - b.slope);
    formula_->program_.push_back({op, 0});
    --depth_;
    if (both && op == Op::add) return {true, a.offset + b.offset, a.slope + b.slope};
    if (both && op == Op::subtract) return {true, a.offset - b.offset, a.slope - b.slope};
    if (both && op == Op::multiply && a.constant()) return {true, a.offset * b.offset, a.offset * b.slope};
    if (both && op == Op::multiply && b.constant()) return {true, a.offset * b.offset, a.slope * b.offset};
    if (both && op == Op::divide && b.constant()) return {true, a.offset / b.offset, a.slope / b.offset};
    return {false, 0, 0};
  }

  Part sum() {
    Part left = term();
    while (error_.empty()) {
      if (take('+'))
        left = apply_binary(Op::add, left, term());
      else if (take('-'))
        left = apply_binary(Op::subtract, left, term());
      else
        break;
    }
    return left;
  }
  Part term() {
    Part left = sign();
    while (error_.empty()) {
      if (take('*'))
        left = apply_binary(Op::multiply, left, sign());
      else if (take('/'))
        left = apply_binary(Op::divide, left, sign());
      else
        break;
    }
    return left;
  }
  Part apply_binary(Op op, const Part& a, const Part& b) { return error_.empty() ? apply(op, a, b) : Part{}; }

  Part sign() {
    if (!enter()) return {};
    Part p;
    if (take('-')) {
      p = sign();
      if (error_.empty()) p = apply(Op::negate, p);
    } else if (take('+')) {
      p = sign();
    } else {
      p = primary();
      // Right associative, and binding tighter than the sign: -2^2 = -4, 2^3^2 = 2^9, 2^-1 = 0.5.
      if (error_.empty() && take('^')) p = apply_binary(Op::power, p, sign());
    }
    --nesting_;
    return p;
  }
  bool enter() {
    if (++nesting_ > max_nesting)
      fail(fmt::format("the formula is nested deeper than {} levels", max_nesting));
    return error_.empty();
  }

  Part primary() {
    if (take('(')) {
      const Part p = sum();
      if (error_.empty() && !take(')')) fail_here("expected ')'");
      return p;
    }
    skip();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    if (at_ < text_.size() && starts_name(text_[at_])) return name();
    if (variables_ && at_ < text_.size() && text_[at_] == '[') return variable();
    fail_here("expected a number, a name or '('");
    return {};
  }

  Part number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (code == std::errc::result_out_of_range) {
      fail_here("a number outside the range of double precision");
    } else if (code != std::errc{}) {
      fail_here("expected a number");
    }
    if (!error_.empty()) return {};
    at_ += static_cast<std::size_t>(end - begin);
    return constant(value);
  }

  Part variable() {
    const std::size_t begin = at_ + 1, end = text_.find(']', begin);
    if (end == std::string::npos) {
      fail(fmt::format("the bracket at character {} is not closed", begin));
      return {};
    }
    const std::string word = text_.substr(begin, end - begin);
    const auto number = variables_(word);
    if (!number) {
      fail(fmt::format("there is no '{}' (character {})", word, begin + 1));
      unknown_ = word;
      return {};
    }
    at_ = end + 1;
    push({Op::variable, static_cast<double>(*number)});
    return {false, 0, 0};
  }

  Part name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    if (take('(')) return call(word, begin);
    if (word == "pi") return constant(std::numbers::pi);
    if (word == "t") {
      if (!allow_time_) {
        fail(fmt::format("the time t is not allowed here, only parameters (character {})", begin + 1));
        return {};
      }
      formula_->depends_on_time_ = true;
      push({Op::time, 0});
      return {true, 0, 1};
    }
    if (const auto value = lookup_ ? lookup_(word) : std::nullopt) return constant(*value);
    fail(fmt::format("unknown parameter '{}' at character {}", word, begin + 1));
    if (unknown_.empty()) unknown_ = word;
    return {};
  }

  Part call(const std::string& word, std::size_t begin) {
    const auto* f =
        std::find_if(functions.begin(), functions.end(), [&](const Function& x) { return word == x.name; });
    if (f == functions.end()) {
      std::vector<std::string> names;
      for (const Function& x : functions) names.emplace_back(x.name);
      const std::string hint = suggestion(word, names);
      fail(fmt::format("unknown function '{}' at character {}{}{}", word, begin + 1, hint.empty() ? "" : ", ",
                       hint));
      return {};
    }
    const Part a = sum();
    if (!error_.empty()) return {};
    Part result;
    if (f->arguments == 2) {
      if (!take(',')) {
        fail(fmt::format("{} needs two arguments, separated by a comma", word));
        return {};
      }
      const Part b = sum();
      result = apply_binary(f->op, a, b);
    } else {
      result = apply(f->op, a);
    }
    if (error_.empty() && !take(')')) fail_here(fmt::format("expected ')' after the argument of {}", word));
    return result;
  }

  const std::string& text_;
  const Formula::Lookup& lookup_;
  const Formula::Variables& variables_;
  const bool allow_time_;
  std::shared_ptr<Formula> formula_;
  std::size_t at_ = 0;
  int nesting_ = 0, depth_ = 0;
  std::string error_, unknown_;
};

Formula::Result Formula::parse(const std::string& text, const Lookup& lookup, bool allow_time,
                               const Variables& variables) {
  return FormulaParser(text, lookup, allow_time, variables).run();
}

const std::vector<std::string>& Formula::reserved_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"t", "pi"};
    for (const Function& f : functions) list.emplace_back(f.name);
    return list;
  }();
  return names;
}

std::vector<std::string> Formula::names_in(const std::string& text) {
  std::vector<std::string> names;
  const auto& reserved = reserved_names();
  for (std::size_t i = 0; i < text.size() && text.size() <= max_length;) {
    std::size_t end = i;
    // Digits first, so that the exponent of 1e3 is not taken for a name.
    const bool number = is_digit(text[i]) || text[i] == '.';
    while (end < text.size() &&
           (starts_name(text[end]) || is_digit(text[end]) || (number && text[end] == '.')))
      ++end;
    const std::string word = text.substr(i, end - i);
    if (!number && !word.empty() && std::find(reserved.begin(), reserved.end(), word) == reserved.end())
      names.push_back(word);
    i = std::max(end, i + 1);
  }
  return names;
}

Taylor2 Formula::at(double t) const noexcept {
  return run(t, nullptr);
}

double Formula::value(double t, const double* variables) const noexcept {
  return run(t, variables).value;
}

Taylor2 Formula::run(double t, const double* variables) const noexcept {
  std::array<Taylor2, max_stack + 1> stack;
  std::size_t top = 0;  // number of values held
  for (const Instruction& i : program_) {
    if (i.op == Op::constant) {
      stack[top++] = {i.value, 0, 0};
    } else if (i.op == Op::time) {
      stack[top++] = {t, 1, 0};
    } else if (i.op == Op::variable) {
      stack[top++] = {variables[static_cast<std::size_t>(i.value)], 0, 0};
    } else if (is_binary(i.op)) {
      --top;
      stack[top - 1] = binary(i.op, stack[top - 1], stack[top]);
    } else {
      stack[top - 1] = unary(i.op, stack[top - 1]);
    }
  }
  return top > 0 ? stack[0] : Taylor2{};
}

}  // namespace monocoque

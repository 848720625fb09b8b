#pragma once
// Arithmetic of the model file: + - * / ^ ( ), named parameters, pi, functions, and (where allowed) the time
// t. Compiled once to a flat program; evaluation carries two time derivatives, allocates nothing, throws
// nothing.
//
// Functions: sin cos tan asin acos atan atan2 sqrt exp log abs min max sign, deg (degrees to radians),
// and of time: step(t - t0) = 0 before, 1 from t0 on; ramp(t - t0) = max(0, t - t0). Where t0 is constant,
// step and ramp report t0 as an event time.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/time_function.h"

namespace monocoque {

class Formula {
 public:
  /// Value of a named parameter, or nothing when there is none of that name.
  using Lookup = std::function<std::optional<double>(const std::string&)>;
  /// Number of a variable, which stands in the text as [name]; or nothing when there is none of that name.
  using Variables = std::function<std::optional<std::size_t>(const std::string&)>;

  struct Result {
    std::shared_ptr<const Formula> formula;  ///< null on error
    std::string error;                       ///< what is wrong, at which character; empty on success
    std::string unknown;                     ///< the name that was not found, for a suggestion
  };
  /// Nesting and length are bounded (hostile input): at most 4096 characters and 64 levels.
  static Result parse(const std::string& text, const Lookup& lookup, bool allow_time,
                      const Variables& variables = {});

  /// Names with a meaning of their own (t, pi, functions): no parameter may be called so.
  static const std::vector<std::string>& reserved_names();
  /// The names a text mentions apart from the reserved ones, without checking its grammar.
  static std::vector<std::string> names_in(const std::string& text);

  Taylor2 at(double t) const noexcept;
  /// With the values of the variables, by their numbers.
  double value(double t, const double* variables) const noexcept;
  bool depends_on_time() const { return depends_on_time_; }
  const std::vector<double>& event_times() const { return events_; }
  const std::string& text() const { return text_; }

  enum class Op : unsigned char {
    constant,
    time,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sqrt,
    exp,
    log,
    abs,
    min,
    max,
    sign,
    deg,
    step,
    ramp,
    variable
  };
  struct Instruction {
    Op op;
    double value;
  };

 private:
  Taylor2 run(double t, const double* variables) const noexcept;
  std::vector<Instruction> program_;
  std::vector<double> events_;
  std::string text_;
  bool depends_on_time_ = false;
  friend class FormulaParser;
};

}  // namespace monocoque

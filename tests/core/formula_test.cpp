// Formulas and functions of time: values, derivatives against central differences, events, errors.

#include "core/formula.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/time_function.h"

namespace monocoque {
namespace {

std::optional<double> parameters(const std::string& name) {
  if (name == "a") return 2.5;
  if (name == "length_m") return 1.25;
  return std::nullopt;
}

double value(const std::string& text) {
  const auto r = Formula::parse(text, parameters, true);
  return r.formula ? r.formula->at(0.7).value : std::nan("");
}

TEST(Formula, Values) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("1 - 2 - 3"), -4);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("+.5e1"), 5);
  EXPECT_EQ(value("a*length_m"), 3.125);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("deg(180)"), std::numbers::pi);
  EXPECT_EQ(value("max(1, min(5, 3))"), 3);
  EXPECT_EQ(value("sign(-3) + abs(-2)"), 1);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1)"), 0.75 * std::numbers::pi);
  EXPECT_EQ(value("step(t - 0.7) + step(t - 0.8)"), 1);
  EXPECT_NEAR(value("ramp(t - 0.2)"), 0.5, 1e-15);
}

class Derivative : public testing::TestWithParam<const char*> {};

TEST_P(Derivative, AgreesWithCentralDifferences) {
  const auto r = Formula::parse(GetParam(), parameters, true);
  ASSERT_TRUE(r.formula) << r.error;
  EXPECT_TRUE(r.formula->depends_on_time());
  const double t = 0.61, h = 1e-4;
  const auto f = [&](double x) { return r.formula->at(x).value; };
  const Taylor2 y = r.formula->at(t);
  EXPECT_NEAR(y.rate, (f(t + h) - f(t - h)) / (2 * h), 1e-6 * (1 + std::fabs(y.rate)));
  EXPECT_NEAR(y.acceleration, (f(t + h) - 2 * f(t) + f(t - h)) / (h * h),
              2e-6 * (10 + std::fabs(y.acceleration)));
}

INSTANTIATE_TEST_SUITE_P(All, Derivative,
                         testing::Values("sin(a*t)", "cos(t^2)", "tan(t)", "asin(t/2)", "acos(t/3)",
                                         "atan(2*t)", "atan2(sin(t), 1 + t)", "sqrt(1 + t)", "exp(-t)",
                                         "log(2 + t)", "abs(t - 1)", "min(t, t^2)", "max(t^3, 1/t)",
                                         "deg(t^2)", "t^2.5", "t^t", "2^t", "-t^3", "(1 + t)/(2 - t)",
                                         "ramp(t - 0.2)^2", "step(t - 0.2)*t^2",
                                         "sin(t)*cos(3*t) - t/(1 + t*t)", "t^0*t^1"));

TEST(Formula, DerivativesOfPowersAtZero) {
  const auto r = Formula::parse("t^2 + t^1 + t^0", nullptr, true);
  const Taylor2 y = r.formula->at(0);
  EXPECT_EQ(y.value, 1);
  EXPECT_EQ(y.rate, 1);
  EXPECT_EQ(y.acceleration, 2);
}

TEST(Formula, EventsAreTheRootsOfAffineArguments) {
  const auto events = [](const char* text) {
    return Formula::parse(text, parameters, true).formula->event_times();
  };
  EXPECT_EQ(events("step(t - 3) + ramp(2*t - a*2)"), (std::vector<double>{2.5, 3}));
  EXPECT_EQ(events("step(t - 1)*step(t - 1)"), std::vector<double>{1});
  EXPECT_EQ(events("step(1 - (t + t)/4)"), std::vector<double>{2});
  EXPECT_EQ(events("abs(4 - t) + max(t, 7)"), (std::vector<double>{4, 7}));
  EXPECT_TRUE(events("step(sin(t)) + step(2) + t").empty());
}

TEST(Formula, ErrorsSayWhatAndWhere) {
  const auto error = [](const std::string& text, bool time = true) {
    const auto r = Formula::parse(text, parameters, time);
    EXPECT_FALSE(r.formula);
    return r.error;
  };
  EXPECT_EQ(error("1 + "), "expected a number, a name or '(' at the end");
  EXPECT_EQ(error("1 + b"), "unknown parameter 'b' at character 5");
  EXPECT_EQ(Formula::parse("1 + b", parameters, true).unknown, "b");
  EXPECT_EQ(error("(1 + 2"), "expected ')' at the end");
  EXPECT_EQ(error("1 2"), "expected an operator at character 3 ('2')");
  EXPECT_EQ(error("sqr(2)"), "unknown function 'sqr' at character 1, did you mean 'sqrt'?");
  EXPECT_EQ(error("max(2)"), "max needs two arguments, separated by a comma");
  EXPECT_EQ(error("sin(2, 3)"), "expected ')' after the argument of sin at character 6 (',')");
  EXPECT_EQ(error("2*t", false), "the time t is not allowed here, only parameters (character 3)");
  EXPECT_EQ(error("1e999"), "a number outside the range of double precision at character 1 ('1')");
  EXPECT_EQ(error(std::string(100, '(')), "the formula is nested deeper than 64 levels");
  EXPECT_EQ(error(std::string(100, '-') + "1"), "the formula is nested deeper than 64 levels");
  EXPECT_EQ(error(std::string(5000, '1')), "the formula has 5000 characters, at most 4096 are allowed");
  EXPECT_EQ(error(""), "expected a number, a name or '(' at the end");
}

TEST(Formula, LongButFlatIsFine) {
  std::string text = "t";
  for (int i = 0; i < 1000; ++i) text += "+1*t";
  const auto r = Formula::parse(text, nullptr, true);
  ASSERT_TRUE(r.formula) << r.error;
  EXPECT_EQ(r.formula->at(1).value, 1001);
}

TEST(Formula, NamesInText) {
  EXPECT_EQ(Formula::names_in("a*sin(b_2) + 1e3 - 2.5e-3*t*pi + c"),
            (std::vector<std::string>{"a", "b_2", "c"}));
}

TEST(TimeFunction, LinearHoldAndOutside) {
  using Kind = TimeFunction::Interpolation;
  const auto line = TimeFunction::table({0, 1, 3}, {1, 2, 0}, Kind::linear);
  EXPECT_EQ(line.at(-1).value, 1);
  EXPECT_EQ(line.at(2).value, 1);
  EXPECT_EQ(line.at(2).rate, -1);
  EXPECT_EQ(line.at(4).value, 0);
  EXPECT_EQ(line.event_times(), (std::vector<double>{0, 1, 3}));
  const auto hold = TimeFunction::table({0, 1, 3}, {1, 2, 0}, Kind::hold);
  EXPECT_EQ(hold.at(0.999).value, 1);
  EXPECT_EQ(hold.at(1).value, 2);
  EXPECT_EQ(hold.event_times(), (std::vector<double>{1, 3}));
  EXPECT_EQ(TimeFunction::table({2}, {5}, Kind::cubic).at(0).value, 5);
  EXPECT_EQ(TimeFunction().at(3).value, 0);
  EXPECT_THROW(TimeFunction::table({1, 1}, {0, 0}, Kind::linear), Error);
  EXPECT_THROW(TimeFunction::table({}, {}, Kind::linear), Error);
}

TEST(TimeFunction, NaturalSplineIsSmoothAndExactAtKnots) {
  const std::vector<double> t{0, 0.5, 1.3, 2, 3.1}, y{1, -2, 0.5, 4, 3};
  const auto f = TimeFunction::table(t, y, TimeFunction::Interpolation::cubic);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(f.at(t[i]).value, y[i], 1e-12);
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    const Taylor2 left = f.at(t[i] - 1e-9), right = f.at(t[i] + 1e-9);
    EXPECT_NEAR(left.rate, right.rate, 1e-6);
    EXPECT_NEAR(left.acceleration, right.acceleration, 1e-5);
  }
  EXPECT_NEAR(f.at(0).acceleration, 0, 1e-12);
  EXPECT_NEAR(f.at(3.1 - 1e-12).acceleration, 0, 1e-8);
  const double h = 1e-4, s = 1.7;
  EXPECT_NEAR(f.at(s).rate, (f.at(s + h).value - f.at(s - h).value) / (2 * h), 1e-6);
  EXPECT_NEAR(f.at(s).acceleration, (f.at(s + h).rate - f.at(s - h).rate) / (2 * h), 1e-6);
}

TEST(Formula, VariablesStandInBrackets) {
  const Formula::Variables variables = [](const std::string& name) -> std::optional<std::size_t> {
    if (name == "car/velocity x") return 1;
    if (name == "a") return 0;
    return std::nullopt;
  };
  const auto f = Formula::parse("2*[a] + [car/velocity x]^2 - t", {}, true, variables);
  ASSERT_TRUE(f.formula) << f.error;
  const double values[] = {1.5, -3};
  EXPECT_DOUBLE_EQ(f.formula->value(0.25, values), 2 * 1.5 + 9 - 0.25);
  EXPECT_EQ(Formula::parse("1 + [b]", {}, true, variables).error, "there is no 'b' (character 6)");
  EXPECT_EQ(Formula::parse("1 + [b]", {}, true, variables).unknown, "b");
  EXPECT_EQ(Formula::parse("1 + [a", {}, true, variables).error, "the bracket at character 5 is not closed");
  // Model files have no variables.
  EXPECT_FALSE(Formula::parse("[a]", {}, true).formula);
}

}  // namespace
}  // namespace monocoque

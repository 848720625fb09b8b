// The language of derived channels: both ways to write a channel, calculus, units, messages.

#include "results/derived_channel.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"

namespace monocoque {
namespace {

const std::vector<Channel> kChannels = {{"car/velocity/x", "m/s"}, {"p/force/x", "N"},
                                        {"p/force/y", "N"},        {"p/force/z", "N"},
                                        {"front-axle/load", "N"},  {"ratio", "1"}};

double value_of(std::size_t channel, double t) {
  return static_cast<double>(channel + 1) * (1 + t);
}

std::vector<double> values(const std::string& text) {
  std::vector<double> time;
  for (int i = 0; i < 11; ++i) time.push_back(0.1 * i);
  std::vector<std::vector<double>> columns(kChannels.size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (const double t : time) columns[k].push_back(value_of(k, t));
  // Blocks of three rows: the last one is not full.
  return evaluate(*parse_derived_channel(text, kChannels), time, 3,
                  [&](std::size_t channel, std::size_t first) { return columns[channel].data() + first; });
}

std::string unit(const std::string& text) {
  return parse_derived_channel(text, kChannels)->unit;
}

std::string error_of(const std::string& text) {
  try {
    parse_derived_channel(text, kChannels);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(DerivedChannel, BracketsMayBeLeftOut) {
  for (const char* text :
       {"p/force/x", " p/force/x ", "[p/force/x]", "(p/force/x)", "rate(integral(p/force/x))"})
    EXPECT_NEAR(values(text)[5], 3, 1e-12) << text;
  EXPECT_EQ(values("front-axle/load - p/force/x"), values("[front-axle/load] - [p/force/x]"));
  EXPECT_EQ(values("max(p/force/x, front-axle/load)"), values("front-axle/load"));
  EXPECT_NEAR(values("[p/force/x]/[p/force/y] + 2*t")[10], 2.0 / 3 + 2, 1e-12);
}

TEST(DerivedChannel, Calculus) {
  EXPECT_NEAR(values("norm(p/force)")[0], std::sqrt(29), 1e-12);
  EXPECT_EQ(values("norm([p/force]) * 2")[3], 2 * values("norm(p/force)")[3]);
  EXPECT_NEAR(values("rate(car/velocity/x)")[4], 1, 1e-12);
  EXPECT_EQ(values("rate(car/velocity/x)"), values("derivative([car/velocity/x])"));
  EXPECT_NEAR(values("integral(car/velocity/x)")[10], 1.5, 1e-12);
  EXPECT_EQ(parse_derived_channel("norm(p/force) * integral(ratio)", kChannels)->channels(),
            (std::vector<std::size_t>{1, 2, 3, 5}));
}

TEST(DerivedChannel, Units) {
  EXPECT_EQ(unit("p/force/x"), "N");
  EXPECT_EQ(unit("rate(p/force/x - p/force/y)"), "N/s");
  EXPECT_EQ(unit("integral(ratio)"), "s");
  EXPECT_EQ(unit("norm(p/force) + [p/force/x]"), "N");
  EXPECT_EQ(unit("[p/force/x] * [car/velocity/x]"), "");
  EXPECT_EQ(error_of("p/force/x - ratio"),
            "channel: 'p/force/x - ratio': the units N and 1 do not go together");
}

TEST(DerivedChannel, Mistakes) {
  EXPECT_EQ(error_of("rate(p/forse/x)"),
            "channel: there is no channel 'p/forse/x' (character 6); did you mean 'p/force/x'?");
  EXPECT_EQ(error_of("2 * [ratjo]"), "channel: there is no 'ratjo' (character 6); did you mean 'ratio'?");
  EXPECT_EQ(error_of("norm(p)"), "channel: 'norm(p)': there are no channels p/x, y and z");
  EXPECT_NE(error_of("integral(ratio").find("character 9 is not closed"), std::string::npos);
  EXPECT_NE(error_of(""), "no error");
  EXPECT_NE(error_of("[#0]"), "no error");
}

}  // namespace
}  // namespace monocoque

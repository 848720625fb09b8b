// Values from outside: held or followed by a servo, within limits.

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "elements/controllers/external.h"
#include "elements/registry.h"
#include "support/complaint.h"

namespace monocoque {
namespace {

ExternalInput external(const std::vector<std::pair<std::string, std::string>>& values) {
  for (const ElementType<Controller>& t : controller_types()) {
    if (t.info.name != "external") continue;
    io::ParameterSet p;
    for (const io::Field& field : t.info.fields) {
      std::string text = field.default_text;
      for (const auto& [name, value] : values)
        if (name == field.name) text = value;
      p.entries[field.name] = io::parse_field(field, text);
    }
    return ExternalInput(p);
  }
  throw Error("test", "there is no type external", "");
}

std::vector<double> started(const ExternalInput& e) {
  std::vector<double> r(static_cast<std::size_t>(e.state_count()));
  e.start(r.data());
  return r;
}

TEST(External, HoldsTheLastValueWithinItsLimits) {
  const ExternalInput e = external({{"initial", "3"}, {"minimum", "-5"}, {"maximum", "8"}});
  EXPECT_TRUE(e.output_jumps());
  std::vector<double> r = started(e);
  EXPECT_EQ(e.output(7, r.data()).value, 3);
  EXPECT_TRUE(e.set(1, 6.5, r.data()));
  e.sample(1.1, nullptr, r.data());
  EXPECT_EQ(e.output(1.2, r.data()).value, 6.5);
  EXPECT_EQ(e.output(1.2, r.data()).rate, 0);
  EXPECT_FALSE(e.set(2, 9, r.data()));
  EXPECT_EQ(e.output(2, r.data()).value, 8);
  EXPECT_FALSE(e.set(2, -INFINITY, r.data()));
  EXPECT_EQ(e.output(2, r.data()).value, -5);
  EXPECT_FALSE(e.set(2, NAN, r.data()));
  EXPECT_EQ(e.output(2, r.data()).value, -5);
}

TEST(External, ServoIsContinuousInValueAndRateAndDoesNotOvershoot) {
  const ExternalInput e =
      external({{"servo_rad_per_s", "50"}, {"most_rate_per_s", "2"}, {"sample_s", "0.001"}});
  EXPECT_FALSE(e.output_jumps());
  std::vector<double> r = started(e);
  Taylor2 last = e.output(0, r.data());
  for (int j = 0; j < 1000; ++j) {
    const double t = 1e-3 * j;
    if (j == 10) e.set(t, 0.7, r.data());
    e.sample(t, nullptr, r.data());
    e.sample(t, nullptr, r.data());  // at the same instant: nothing more happens
    const Taylor2 now = e.output(t, r.data());
    EXPECT_NEAR(now.value, last.value, 1e-15);
    EXPECT_NEAR(now.rate, last.rate, 1e-13);
    EXPECT_LE(now.rate, 2 + 1e-12);
    EXPECT_LE(now.value, 0.7 + 1e-12);
    // Derivatives against differences within the interval.
    const Taylor2 a = e.output(t + 4e-4, r.data()), b = e.output(t + 6e-4, r.data());
    EXPECT_NEAR((b.value - a.value) / 2e-4, e.output(t + 5e-4, r.data()).rate, 1e-9);
    EXPECT_NEAR((b.rate - a.rate) / 2e-4, now.acceleration, 1e-8);
    last = e.output(t + 1e-3, r.data());
  }
  EXPECT_NEAR(last.value, 0.7, 1e-9);
}

TEST(External, RefusesValuesThatContradictEachOther) {
  using test::complaint;
  EXPECT_NE(complaint([] {
              external({{"minimum", "2"}, {"maximum", "1"}});
            }).find("exchange"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              external({{"initial", "5"}, {"maximum", "1"}});
            }).find("must lie between"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              external({{"servo_rad_per_s", "600"}});
            }).find("shorter sample_s"),
            std::string::npos);
}

}  // namespace
}  // namespace monocoque

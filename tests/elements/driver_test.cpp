// The driver: a smooth rack, limits, and the law of preview against its closed form.

#include <cmath>

#include <gtest/gtest.h>

#include "elements/controllers/driver.h"
#include "elements/lanes/lane_types.h"

namespace monocoque {
namespace {

io::ParameterSet driver_parameters(const std::vector<std::pair<std::string, std::string>>& values) {
  for (const ElementType<Controller>& t : controller_types()) {
    if (t.info.name != "driver") continue;
    io::ParameterSet p;
    for (const io::Field& field : t.info.fields) {
      std::string text = field.default_text.empty() ? field.example : field.default_text;
      for (const auto& [name, value] : values)
        if (name == field.name) text = value;
      p.entries[field.name] = io::parse_field(field, text);
    }
    return p;
  }
  return {};
}

/// A straight lane along x.
Lane straight() {
  Lane lane;
  lane.path = DriverPath::through({{0, 0}, {1000, 0}});
  return lane;
}

TEST(Driver, RackIsAContinuousParabolaWithinItsLimits) {
  const Lane lane = straight();
  DriverController driver(driver_parameters({{"most_travel_m", "0.03"}, {"most_rate_m_per_s", "0.2"}}));
  driver.use_lane(lane);
  EXPECT_FALSE(driver.output_jumps());
  std::vector<double> r(static_cast<std::size_t>(driver.state_count()));
  driver.start(r.data());
  double highest = 0, fastest = 0;
  for (int j = 0; j < 200; ++j) {
    const double t = 0.01 * j;
    // Far off the path, on the other side from 1 s on: the wanted rack jumps between its limits.
    const double sensors[] = {10 + t, j < 100 ? 5.0 : -5.0, 0, 10, 0, 0};
    const Taylor2 before = driver.output(t, r.data());
    driver.sample(t, sensors, r.data());
    const Taylor2 after = driver.output(t, r.data());
    EXPECT_NEAR(before.value, after.value, 1e-16);
    EXPECT_NEAR(before.rate, after.rate, 1e-15);
    const double h = 1e-4;
    const Taylor2 a = driver.output(t + 0.005 - h, r.data()), m = driver.output(t + 0.005, r.data()),
                  b = driver.output(t + 0.005 + h, r.data());
    EXPECT_NEAR((b.value - a.value) / (2 * h), m.rate, 1e-11);
    EXPECT_NEAR((b.rate - a.rate) / (2 * h), m.acceleration, 1e-9);
    highest = std::max(highest, std::abs(m.value));
    fastest = std::max(fastest, std::abs(m.rate));
  }
  EXPECT_LE(highest, 0.03 * (1 + 1e-12));  // the servo does not overshoot
  EXPECT_GT(highest, 0.0299);
  EXPECT_LE(fastest, 0.2 * (1 + 1e-12));
  EXPECT_GT(fastest, 0.19);
}

/// A point that moves with the curvature the rack asks for: the error must decay like
/// exp(-s/l) (cos(s/l) + sin(s/l)), the closed form of e'' + 2/l e' + 2/l^2 e = 0.
TEST(Driver, ErrorDecaysAsThePreviewSays) {
  const Lane lane = straight();
  // Servo of 2/w = 5 ms: 0.05 m of the preview's 8 m.
  DriverController driver(driver_parameters({{"sample_s", "0.001"},
                                             {"servo_rad_per_s", "400"},
                                             {"preview_s", "0.8"},
                                             {"lead_s", "0"},
                                             {"gain", "1"},
                                             {"delay_s", "0"},
                                             {"wheelbase_m", "2.79"},
                                             {"understeer_s2_per_m", "0"},
                                             {"rack_m_per_rad", "0.13"},
                                             {"most_rate_m_per_s", "100"}}));
  driver.use_lane(lane);
  std::vector<double> r(static_cast<std::size_t>(driver.state_count()));
  driver.start(r.data());
  const double v = 10, h = 0.001, l = 8, start = 0.05;
  double x = 0, y = start, heading = 0, worst = 0;
  for (int j = 0; j < 3000; ++j) {
    const double t = h * j;
    const double sensors[] = {x, y, heading, v, 0, 0};
    driver.sample(t, sensors, r.data());
    const double curvature = -driver.output(t + 0.5 * h, r.data()).value / (0.13 * 2.79);
    x += h * v * std::cos(heading + 0.5 * h * v * curvature);
    y += h * v * std::sin(heading + 0.5 * h * v * curvature);
    heading += h * v * curvature;
    const double s = v * (t + h) / l;
    worst = std::max(worst, std::abs(y / start - std::exp(-s) * (std::cos(s) + std::sin(s))));
  }
  EXPECT_LT(worst, 0.01);  // servo and sample: 0.055 m of 8 m
}

TEST(Driver, DelayShiftsTheRack) {
  const Lane lane = straight();
  DriverController now(driver_parameters({{"delay_s", "0"}})), late(driver_parameters({{"delay_s", "0.05"}}));
  now.use_lane(lane);
  late.use_lane(lane);
  EXPECT_EQ(late.state_count(), now.state_count() + 5);
  std::vector<double> a(static_cast<std::size_t>(now.state_count())), b(a.size() + 5);
  now.start(a.data());
  late.start(b.data());
  std::vector<double> first, second;
  for (int j = 0; j < 100; ++j) {
    const double t = 0.01 * j, sensors[] = {12 * t, std::sin(3 * t), 0.1 * t, 12, 0.2, 0.1};
    first.push_back(now.output(t, a.data()).value);
    second.push_back(late.output(t, b.data()).value);
    now.sample(t, sensors, a.data());
    late.sample(t, sensors, b.data());
  }
  for (std::size_t j = 5; j < first.size(); ++j) EXPECT_NEAR(second[j], first[j - 5], 1e-12);
}

/// The states are all there is: a copy of them goes on in the same way, bit by bit.
TEST(Driver, GoesOnFromItsSavedStates) {
  const Lane lane = straight();
  DriverController one(driver_parameters({{"delay_s", "0.05"}})),
      other(driver_parameters({{"delay_s", "0.05"}}));
  one.use_lane(lane);
  other.use_lane(lane);
  std::vector<double> r(static_cast<std::size_t>(one.state_count())), saved;
  one.start(r.data());
  const auto sample = [](const DriverController& d, int j, std::vector<double>& states) {
    const double t = 0.01 * j, sensors[] = {12 * t, std::sin(3 * t), 0.1 * t, 12, 0.2, 0.1};
    d.sample(t, sensors, states.data());
  };
  for (int j = 0; j < 100; ++j) {
    if (j == 40) saved = r;
    sample(one, j, r);
  }
  for (int j = 40; j < 100; ++j) sample(other, j, saved);
  EXPECT_EQ(saved, r);
  const Taylor2 a = one.output(0.9937, r.data()), b = other.output(0.9937, saved.data());
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.rate, b.rate);
}

TEST(Driver, ContradictionsAreRefused) {
  EXPECT_THROW(DriverController(driver_parameters({{"delay_s", "0.013"}})), Error);
  EXPECT_THROW(DriverController(driver_parameters({{"servo_rad_per_s", "90"}})), Error);
}

}  // namespace
}  // namespace monocoque

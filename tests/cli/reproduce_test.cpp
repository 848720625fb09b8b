// The experiments in their short form: every stated bound must be met, the plots must be there.

#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

class Reproduce : public Program {
 protected:
  void expect_met(const std::string& name, const std::vector<std::string>& plots) const {
    const Outcome o = run({"reproduce", name, "--quick", "--json", "-o", "here"});
    ASSERT_EQ(o.status, 0) << o.out << o.err;
    const auto json = nlohmann::json::parse(o.out);
    EXPECT_TRUE(json["met"].get<bool>());
    for (const std::string& plot : plots)
      EXPECT_NE(read_text(folder_ / "here" / (plot + ".svg")).find("</svg>"), std::string::npos) << plot;
    EXPECT_NE(read_text(folder_ / "here" / "table.md").find(name), std::string::npos);
  }
};

TEST_F(Reproduce, DoublePendulum) {
  expect_met("double-pendulum", {"trajectories", "elastic-coordinates"});
}
TEST_F(Reproduce, RollingWheel) {
  expect_met("rolling-wheel", {"place-own-axes", "kinematic-matrix"});
}
TEST_F(Reproduce, SliderCrank) {
  expect_met("slider-crank", {"mid-rod-deflection"});
}

#ifdef NDEBUG  // half a minute of the flexible car is ten with sanitizers
TEST_F(Reproduce, DoubleLaneChange) {
  expect_met("double-lane-change", {"trajectories", "elastic-coordinates", "dome-loads", "deformed-body"});
}
TEST_F(Reproduce, Washboard) {
  expect_met("washboard",
             {"dome-RL", "psd-car", "psd-dome-RL", "elastic-coordinates", "stress", "deformed-body"});
}
#endif

TEST_F(Reproduce, AnUnknownNameGetsASuggestion) {
  const Outcome o = run({"reproduce", "slider-krank"});
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(o.err.find("did you mean 'slider-crank'?"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace monocoque::test

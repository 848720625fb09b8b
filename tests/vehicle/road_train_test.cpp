// The road train beside statics: loads of the axles by moments about the couplings; it drives straight ahead.

#include <cmath>

#include <gtest/gtest.h>

#include "support/recorded_run.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

TEST(RoadTrain, AxleLoadsAreThoseOfStaticsAndItStaysStraight) {
  Loaded train = load_model("vehicles/road-train.yaml");
  io::SimulationSpec& s = train.spec.simulation;
  s.end_s = 0.5;
  s.output_step_s = 0.1;
  s.outputs = {"T*/*_tire/load", "T*/place/y", "place/y"};
  const RecordedRun run(train.spec);
  const auto last = [&](const std::string& path) { return run.value(run.size() - 1, path); };
  // Body 600 kg, its centre 0.15 m ahead of an axle 3.4 m behind the coupling, the next coupling 0.6 m
  // farther.
  const double body = 600 * 9.81, wheels = 2 * 35 * 9.81;
  double on_tail = 0, worst = 0;
  for (int i = 3; i >= 1; --i) {
    const double on_axle = (body * (3.4 - 0.15) + on_tail * (3.4 + 0.6)) / 3.4;
    on_tail += body - on_axle;
    const double load =
        last(fmt::format("T{}/left_tire/load", i)) + last(fmt::format("T{}/right_tire/load", i));
    worst = std::max(worst, std::abs(load / (on_axle + wheels) - 1));
    EXPECT_LT(std::abs(last(fmt::format("T{}/place/y", i))), 1e-6);
  }
  EXPECT_LT(worst, 1e-6);
  EXPECT_LT(std::abs(last("place/y")), 1e-6);
  verify_row("Vehicles", "road train of three trailers", "axle loads", "run of 0.5 s",
             "moments about the couplings", worst);
}

}  // namespace
}  // namespace monocoque::test

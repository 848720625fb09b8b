// Our results against time histories of MSC Adams: every quantity of every case, over 5 s. Error: largest
// |ours - Adams| by largest |Adams| (vectors by their norm, quaternions up to sign); where Adams' value is
// zero but for rounding, largest |ours|. Conventions: history.h.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "adams/history.h"
#include "support/paths.h"
#include "support/reference_files.h"
#include "support/verify_row.h"

namespace monocoque::test {
namespace {

constexpr const char* kAdamsSection = "Single joints and springs against MSC Adams";

struct Case {
  const char *model, *stem;
  Vec3 point, axis;  ///< of the joint; the axis only where it slides
  bool has_joint;
  std::array<double, kQuantities> bounds;  ///< what is observed plus about 15 %, in the order of Quantity
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.model;
}

const double kHalf = std::sqrt(0.5);
const Vec3 kOrigin(0, 0, 0), kRaised(1, 2, 3), kNone(0, 0, 0);

const std::vector<Case> kCases = {
    {"cylindrical_01",
     "cylindrical_joint/Cylindrical_Case01",
     kOrigin,
     Vec3(0, 0, 1),
     true,
     {4.4e-6, 1.2e-6, 1e-15, 1e-15, 1e-15, 1e-15, 1e-15, 1e-15}},
    {"cylindrical_02",
     "cylindrical_joint/Cylindrical_Case02",
     kOrigin,
     Vec3(0, 1, 0),
     true,
     {3.6e-6, 1.3e-6, 3.7e-5, 1.2e-6, 1.9e-6, 1.4e-4, 2.5e-5, 1e-11}},
    {"cylindrical_03",
     "cylindrical_joint/Cylindrical_Case03",
     kRaised,
     Vec3(0, kHalf, kHalf),
     true,
     {9.2e-7, 2.2e-6, 7.9e-5, 1.1e-6, 3.2e-6, 2.8e-4, 5.9e-5, 5.2e-5}},
    {"revolute_01",
     "revolute_joint/Revolute_Case01",
     kOrigin,
     kNone,
     true,
     {3.6e-6, 1.3e-6, 4.4e-5, 1.2e-6, 1.9e-6, 1.4e-4, 2.9e-5, 1e-11}},
    {"revolute_02",
     "revolute_joint/Revolute_Case02",
     kRaised,
     kNone,
     true,
     {2e-6, 2e-6, 1.1e-4, 1.1e-6, 3.2e-6, 2.5e-4, 6.5e-5, 1.8e-4}},
    {"spherical_01",
     "spherical_joint/Spherical_Case01",
     kOrigin,
     kNone,
     true,
     {5.3e-4, 4.9e-4, 8e-4, 2.7e-4, 3.8e-4, 5.6e-4, 5.3e-4, 1e-15}},
    {"spherical_02",
     "spherical_joint/Spherical_Case02",
     kRaised,
     kNone,
     true,
     {1.7e-6, 1.3e-6, 4.3e-5, 1.1e-6, 1.9e-6, 1.8e-4, 2.9e-5, 1e-15}},
    {"rotspring_01",
     "rotspring_force/RotSpring_Case01",
     kOrigin,
     kNone,
     true,
     {8.3e-7, 1.2e-5, 9.4e-5, 3.8e-7, 1.2e-5, 1.7e-4, 5.7e-5, 5.2e-6}},
    {"rotspring_02",
     "rotspring_force/RotSpring_Case02",
     kOrigin,
     kNone,
     true,
     {5.6e-7, 2.5e-6, 3.3e-4, 2.8e-7, 2.3e-6, 2.1e-4, 2.2e-4, 1.3e-6}},
    {"transpring_01",
     "transpring_force/TranSpring_Case01",
     kOrigin,
     kNone,
     false,
     {3.4e-6, 2.1e-6, 5.9e-7, 1e-15, 1e-15, 1e-15, 3.4e-6, 1e-15}},
    {"transpring_02",
     "transpring_force/TranSpring_Case02",
     kOrigin,
     kNone,
     false,
     {3.5e-7, 1.3e-7, 3.8e-7, 1e-15, 1e-15, 1e-15, 2.8e-7, 1e-15}},
};

io::ScenarioSpec scenario(const Case& c) {
  return read_file(source_dir() + "/models/adams/" + c.model + ".yaml");
}

History ours(const Case& c) {
  return history_of(RecordedRun(scenario(c)));
}

/// The same model by a method that has nothing in common with IDA but the equations.
History ours_by_runge_kutta(const Case& c) {
  io::ScenarioSpec spec = scenario(c);
  spec.simulation.solver = "rk4";
  spec.simulation.step_s = 5e-4;
  spec.simulation.step_given = true;
  return history_of(RecordedRun(spec));
}

void print_notes() {
  static bool printed = false;
  if (printed) return;
  printed = true;
  verify_note(
      kAdamsSection,
      "Models in `models/adams`, 5 s, 501 instants; columns show the largest value of either side, the error "
      "is the largest difference at any instant. The Adams files have 6 or 7 digits. Adams' Rforce and "
      "Rtorque "
      "are the wrench on the I marker (on the ground) about its origin, in global axes; Quat turns axes of "
      "the "
      "centre-of-mass marker into global axes, scalar first.");
  verify_note(
      kAdamsSection,
      "Our numbers are from IDA with tolerance 1e-10; the second method is RK4 with 0.5 ms. Errors above "
      "1e-4 "
      "are traced in Adams' own file, which shows at least a quarter of them: either its accelerations "
      "scatter from sample to sample "
      "(fourth differences), or its energy drifts and the phase with it.");
}

class Adams : public testing::TestWithParam<Case> {};

TEST_P(Adams, AgreesInAllQuantities) {
  const Case& c = GetParam();
  for (int q = 0; q < kQuantities; ++q) MONOCOQUE_NEEDS(adams_file(c.stem, static_cast<Quantity>(q)));
  print_notes();
  const History adams = read_adams(c.stem), mine = ours(c), check = ours_by_runge_kutta(c);
  ASSERT_EQ(mine.t.size(), adams.t.size());
  for (std::size_t i = 0; i < adams.t.size(); ++i) ASSERT_NEAR(mine.t[i], adams.t[i], 1e-9);

  const OwnAccuracy their = own_accuracy(adams, c.point, c.axis, c.has_joint);
  const OwnAccuracy ours_own = own_accuracy(mine, c.point, c.axis, c.has_joint);
  for (int k = 0; k < kQuantities; ++k) {
    const auto q = static_cast<Quantity>(k);
    const double error = deviation(mine, adams, q, 5), early = deviation(mine, adams, q, 0.5);
    const double own = deviation(check, mine, q, 5);
    const double noise = scatter(adams, q);
    std::string remark = fmt::format("first 0.5 s {:.0e}; our two methods differ by {:.0e}", early, own);
    if (largest(adams.values[q]) < 1e-9) remark = "absolute: zero but for rounding";
    if (error > 1e-4) {
      // Adams' own file must show at least a quarter of it, by one of the two.
      const bool uneven = noise > 0.25 * error, drifts = their.energy > 0.25 * error;
      remark += uneven ? fmt::format("; uneven in Adams' file by at least {:.0e} (ours {:.0e})", noise,
                                     scatter(mine, q))
                       : fmt::format("; Adams' phase: its energy drifts by {:.0e}", their.energy);
      EXPECT_TRUE(drifts || uneven) << kNames[q] << ": unexplained";
    }
    verify_row(kAdamsSection, c.model, kNames[q],
               fmt::format("{:.6g} {}", largest(mine.values[q]), kUnits[q]),
               fmt::format("{:.6g} {}", largest(adams.values[q]), kUnits[q]), error, remark);
    EXPECT_LE(error, c.bounds[q]) << kNames[q];
    // The difference must be Adams', not ours.
    EXPECT_LE(own, std::max(0.1 * error, 1e-9)) << kNames[q];
  }
  EXPECT_LE(ours_own.gap, 1e-9);
  EXPECT_LE(ours_own.energy, 1e-5);  // of the quadrature between samples; our own audit is far smaller
  if (c.has_joint)
    verify_row(kAdamsSection, c.model, "gap of the joint", fmt::format("{:.1e} m", ours_own.gap),
               fmt::format("{:.1e} m", their.gap), their.gap, "of Adams' own data, absolute");
  verify_row(kAdamsSection, c.model, "energy balance", fmt::format("{:.1e}", ours_own.energy),
             fmt::format("{:.1e}", their.energy), their.energy, "of Adams' own data");
}

INSTANTIATE_TEST_SUITE_P(Cases, Adams, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.model); });

}  // namespace
}  // namespace monocoque::test

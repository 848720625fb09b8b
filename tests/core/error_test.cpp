#include "core/error.h"

#include <gtest/gtest.h>

namespace monocoque {
namespace {

TEST(ErrorText, PlaceElementProblemRemedy) {
  Diagnostic d;
  d.place.file = "sedan.yaml";
  d.place.line = 142;
  d.element = "bushing 'FL_rear' (arm - subframe)";
  d.problem = "stiffness_N_per_m[2] is -1200, it must be >= 0";
  const std::string core =
      "bushing 'FL_rear' (arm - subframe): stiffness_N_per_m[2] is -1200, it must be >= 0";
  EXPECT_EQ(d.text(), "sedan.yaml:142: " + core);
  d.remedy = "give its magnitude";
  d.place.line = 0;
  EXPECT_EQ(d.text(), "sedan.yaml: " + core + "; give its magnitude");
  d.severity = Severity::warning;
  d.place = {};
  d.element.clear();
  EXPECT_EQ(d.text(), "warning: stiffness_N_per_m[2] is -1200, it must be >= 0; give its magnitude");
  EXPECT_FALSE(d.place.known());
}

TEST(ErrorText, OneLineErrors) {
  const Error e("joint 'hip'", "has no marker", "add one");
  EXPECT_STREQ(e.what(), "joint 'hip': has no marker; add one");
  ASSERT_EQ(e.diagnostics().size(), 1u);
  EXPECT_EQ(e.diagnostics()[0].element, "joint 'hip'");
}

TEST(Diagnostics, CollectsAndSortsByPlace) {
  Diagnostics all;
  EXPECT_NO_THROW(all.throw_if_errors());
  all.warning({"b.yaml", 1}, "", "odd");
  EXPECT_FALSE(all.has_errors());
  EXPECT_NO_THROW(all.throw_if_errors());
  all.error({"b.yaml", 9}, "part 'x'", "late");
  all.error({"b.yaml", 2}, "part 'y'", "early", "move it");
  all.error({"a.yaml", 50}, "", "first file");
  EXPECT_EQ(all.error_count(), 3);
  EXPECT_EQ(all.list().size(), 4u);
  EXPECT_EQ(all.text(),
            "a.yaml:50: first file\nb.yaml:1: warning: odd\nb.yaml:2: part 'y': early; move it\nb.yaml:9: "
            "part 'x': late");
  try {
    all.throw_if_errors();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.diagnostics().size(), 3u);  // warnings do not stop the work
    EXPECT_EQ(std::string(e.what()).find("odd"), std::string::npos);
  }
}

TEST(Suggestion, NearestName) {
  const std::vector<std::string> names = {"mass_kg", "position_m", "stiffness_N_per_m", "axis"};
  EXPECT_EQ(closest("mas_kg", names), "mass_kg");
  EXPECT_EQ(closest("amss_kg", names), "mass_kg");  // a swap counts once
  EXPECT_EQ(closest("mass", names), "mass_kg");     // the unit was left out
  EXPECT_EQ(closest("axsi", names), "axis");
  EXPECT_EQ(closest("colour", names), "");
  EXPECT_EQ(closest("", names), "");
  EXPECT_EQ(closest("mass_kg", {}), "");
  EXPECT_EQ(closest(std::string(100000, 'a'), names), "");
  EXPECT_EQ(suggestion("stifness_N_per_m", names), "did you mean 'stiffness_N_per_m'?");
  EXPECT_EQ(suggestion("zzzz", names), "");
}

}  // namespace
}  // namespace monocoque

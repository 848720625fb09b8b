// What holds for every tire law of the registry: exact derivatives, finite answers to any input, mirror
// symmetry, nothing without load, no allocation.

#include <cmath>

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "elements/tires/magic_formula.h"
#include "elements/tires/tire_law_types.h"
#include "solve/malloc_count.h"
#include "support/paths.h"

namespace monocoque {
namespace {

struct Named {
  std::string name;
  std::unique_ptr<TireLaw> law;
};

/// Every registered law from its examples, and the Magic Formula with each file and option.
std::vector<Named> all_laws() {
  std::vector<Named> list;
  const std::string root = source_dir() + "/";
  for (const auto& type : tire_law_types()) {
    io::ParameterSet p = io::example_parameters(type.info);
    if (p.has("file")) p.entries["file"].text = root + p.text("file");
    list.push_back({type.info.name, type.make(p)});
  }
  using Options = MagicFormulaOptions;
  for (const char* file : {"touring", "sport", "van"})
    for (const auto angle : {Options::SlipAngle::tangent, Options::SlipAngle::angle})
      for (const auto low : {Options::LowSpeed::off, Options::LowSpeed::shifts, Options::LowSpeed::slips})
        for (const bool limits : {true, false})
          for (const bool turn : {true, false}) {
            const Options o{angle, limits, low, turn};
            const std::string name = std::string(file) +
                                     (angle == Options::SlipAngle::angle ? " angle" : "") +
                                     (limits ? " limits" : "") + (turn ? " turn" : "") + " low " +
                                     std::to_string(static_cast<int>(low));
            list.push_back({name, std::make_unique<MagicFormula>(
                                      io::read_tir(root + "models/tires/" + file + ".tir"), o)});
          }
  return list;
}

std::array<double*, kTireInputs> members(TireInput& in) {
  return {&in.Fz, &in.kappa, &in.tan_alpha, &in.gamma, &in.turn_slip, &in.Vx, &in.pressure, &in.mu};
}
std::array<double, kTireOutputs> numbers(const TireForces& f) {
  return {f.Fx, f.Fy, f.Mx, f.My, f.Mz};
}
constexpr const char* kInputs[] = {"Fz", "kappa", "tan_alpha", "gamma", "turn_slip", "Vx", "pressure", "mu"};
constexpr const char* kOutputs[] = {"Fx", "Fy", "Mx", "My", "Mz"};

TireInput generic_input(std::mt19937& dice, bool slow) {
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(dice); };
  TireInput in;
  in.Fz = between(0, 1) < 0.2 ? between(5, 90) : between(300, 9000);
  in.kappa = between(-0.9, 0.9) * between(0.01, 1);
  in.tan_alpha = between(-1.2, 1.2) * between(0.01, 1);
  in.gamma = between(-0.12, 0.12);
  in.turn_slip = between(-0.2, 0.2);
  in.Vx = slow ? between(-0.9, 0.9) : (between(-1, 3) < 0 ? -1 : 1) * between(1.5, 40);
  in.pressure = between(160000, 320000);
  in.mu = between(0.3, 1.2);
  return in;
}

TEST(TireLaws, DerivativesAreThoseOfCentralDifferences) {
  // Typical sizes of inputs and outputs; they set the step and the tolerance.
  constexpr double in_size[] = {4000, 0.1, 0.1, 0.1, 0.1, 5, 200000, 1};
  constexpr double out_size[] = {4000, 4000, 100, 40, 100};
  for (const Named& n : all_laws()) {
    std::mt19937 dice(7);
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
      TireInput in = generic_input(dice, i % 3 == 0);
      TireForces f;
      TireJacobian by;
      n.law->forces(in, f, by);
      for (int c = 0; c < kTireInputs; ++c) {
        const auto j = static_cast<std::size_t>(c);
        const double x = *members(in)[j], h = 1e-6 * in_size[c];
        // Two steps: where they disagree a kink (|gamma|, a limit) lies between, and nothing can be said.
        std::array<std::array<double, kTireOutputs>, 2> slopes{};
        for (int k = 0; k < 2; ++k) {
          const double step = k == 0 ? h : 0.5 * h;
          TireForces plus, minus;
          *members(in)[j] = x + step;
          n.law->forces(in, plus);
          *members(in)[j] = x - step;
          n.law->forces(in, minus);
          *members(in)[j] = x;
          for (std::size_t r = 0; r < kTireOutputs; ++r)
            slopes[static_cast<std::size_t>(k)][r] = (numbers(plus)[r] - numbers(minus)[r]) / (2 * step);
        }
        for (int r = 0; r < kTireOutputs; ++r) {
          const auto q = static_cast<std::size_t>(r);
          const double scale = std::max(std::abs(slopes[0][q]), out_size[r] / in_size[c]);
          if (std::abs(slopes[0][q] - slopes[1][q]) > 1e-5 * scale) continue;
          ++compared;
          // Rounding eps / h of the difference quotient is 1e-10, truncation h^2 f''' below 1e-6.
          EXPECT_NEAR(by(r, c), slopes[0][q], 2e-6 * scale)
              << n.name << ": d" << kOutputs[r] << "/d" << kInputs[c] << " Fz " << in.Fz << " kappa "
              << in.kappa << " tan_alpha " << in.tan_alpha << " gamma " << in.gamma << " Vx " << in.Vx;
        }
      }
      TireForces plain;
      n.law->forces(in, plain);
      for (std::size_t r = 0; r < kTireOutputs; ++r)
        EXPECT_NEAR(numbers(plain)[r], numbers(f)[r], 1e-10 * out_size[r]) << n.name;
      EXPECT_EQ(plain.flags, f.flags);
    }
    EXPECT_GT(compared, 60 * kTireInputs * kTireOutputs * 9 / 10) << n.name;
  }
}

TEST(TireLaws, AnyInputHasAFiniteAnswer) {
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const std::array<std::vector<double>, kTireInputs> values = {{
      {-100, 0, tiny, 1e-8, 1, 4000, 1e7, huge},
      {-huge, -3, -1, 0, 1e-12, 2},
      {-huge, -1e16, 0, 1, 1e3},
      {-huge, -1.5707963, 0, 0.1},
      {0, 0.3, -huge},
      {0, tiny, -0.5, 1, 30, -huge, huge},
      {-1, 0, 2e5, huge},
      {0, 1, huge, -1},
  }};
  for (const Named& n : all_laws()) {
    std::mt19937 dice(3);
    for (int i = 0; i < 4000; ++i) {
      TireInput in;
      for (std::size_t j = 0; j < kTireInputs; ++j) *members(in)[j] = values[j][dice() % values[j].size()];
      TireForces f, plain;
      TireJacobian by;
      n.law->forces(in, f, by);
      n.law->forces(in, plain);
      ASSERT_TRUE(by.allFinite()) << n.name << " Fz " << in.Fz << " kappa " << in.kappa << " tan "
                                  << in.tan_alpha << " gamma " << in.gamma << " Vx " << in.Vx << " p "
                                  << in.pressure;
      for (std::size_t r = 0; r < kTireOutputs; ++r) {
        ASSERT_TRUE(std::isfinite(numbers(f)[r]) && std::isfinite(numbers(plain)[r])) << n.name;
        if (!(in.Fz > 0)) {
          ASSERT_EQ(numbers(f)[r], 0) << n.name;
        }
      }
      // Coefficients of a real tire never overflow within the bounds of the inputs.
      ASSERT_EQ(f.flags & kTireNotFinite, 0u)
          << n.name << " Fz " << in.Fz << " kappa " << in.kappa << " tan " << in.tan_alpha << " gamma "
          << in.gamma << " turn " << in.turn_slip << " Vx " << in.Vx << " p " << in.pressure << " mu "
          << in.mu;
    }
    for (const double x : {-huge, -1.0, 0.0, tiny, 0.01, 10.0, huge}) {
      TireVerticalDerivatives v;
      EXPECT_TRUE(std::isfinite(n.law->vertical({x, -x, x, -x, x, x, x}, v))) << n.name;
      for (double d : v) EXPECT_TRUE(std::isfinite(d)) << n.name << " " << x;
      TireRollingDerivatives e;
      EXPECT_TRUE(std::isfinite(n.law->effective_radius({x, x, x, x}, e))) << n.name;
      for (double d : e) EXPECT_TRUE(std::isfinite(d)) << n.name << " " << x;
      const TireRelaxation s = n.law->relaxation(x, -x, x);
      EXPECT_TRUE(std::isfinite(s.longitudinal) && std::isfinite(s.lateral)) << n.name;
      EXPECT_GE(std::min(s.longitudinal, s.lateral), 0) << n.name;
      const TireSlip slip = n.law->slip(x, -x, x);
      EXPECT_TRUE(std::isfinite(slip.kappa) && std::isfinite(slip.tan_alpha)) << n.name;
    }
  }
}

TEST(TireLaws, AMirroredTireIsTheMirrorImage) {
  for (const Named& n : all_laws()) {
    std::mt19937 dice(11);
    for (int i = 0; i < 20; ++i) {
      const TireInput in = generic_input(dice, i % 2 == 0);
      TireInput image = in;
      image.tan_alpha = -in.tan_alpha;
      image.gamma = -in.gamma;
      image.turn_slip = -in.turn_slip;
      TireForces f, g;
      TireJacobian by, by_image;
      const bool before = n.law->mirrored();
      n.law->forces(in, f, by);
      const double load = n.law->vertical({0.02, 0.1, 40, 1000, 900, 0.05, 2e5});
      n.law->set_mirrored(!before);
      n.law->forces(image, g, by_image);
      EXPECT_EQ(load, n.law->vertical({0.02, 0.1, 40, 1000, -900, -0.05, 2e5})) << n.name;
      n.law->set_mirrored(before);
      const double in_sign[] = {1, 1, -1, -1, -1, 1, 1, 1}, out_sign[] = {1, -1, -1, 1, -1};
      for (int r = 0; r < kTireOutputs; ++r) {
        EXPECT_EQ(numbers(f)[static_cast<std::size_t>(r)],
                  out_sign[r] * numbers(g)[static_cast<std::size_t>(r)]);
        for (int c = 0; c < kTireInputs; ++c) EXPECT_EQ(by(r, c), out_sign[r] * in_sign[c] * by_image(r, c));
      }
    }
  }
}

TEST(TireLaws, ForcesAndMomentsVanishWithTheLoad) {
  for (const Named& n : all_laws()) {
    std::mt19937 dice(5);
    for (int i = 0; i < 20; ++i) {
      TireInput in = generic_input(dice, i % 2 == 0);
      in.Fz = 1e-7;
      TireForces f;
      n.law->forces(in, f);
      for (double x : numbers(f)) EXPECT_LT(std::abs(x), 1e-6) << n.name;
    }
  }
}

TEST(TireLaws, TheLoadLawIsSmoothInContactAndNeverPulls) {
  for (const Named& n : all_laws()) {
    std::mt19937 dice(2);
    const auto between = [&](double a, double b) {
      return std::uniform_real_distribution<double>(a, b)(dice);
    };
    EXPECT_EQ(n.law->vertical({-0.05, 0, 50, 0, 0, 0, 0}), 0) << n.name;
    EXPECT_EQ(n.law->vertical({0.01, -100, 50, 0, 0, 0, 0}), 0) << n.name;
    const double sizes[] = {0.02, 1, 50, 4000, 4000, 0.1, 2e5};
    for (int i = 0; i < 40; ++i) {
      std::array<double, kTireVerticalInputs> x = {
          between(0.005, 0.04), between(-0.2, 0.2), between(5, 90),     between(-4e3, 4e3),
          between(-4e3, 4e3),   between(-0.1, 0.1), between(1.7e5, 3e5)};
      const auto load = [&] { return n.law->vertical({x[0], x[1], x[2], x[3], x[4], x[5], x[6]}); };
      TireVerticalDerivatives by;
      const double Fz = n.law->vertical({x[0], x[1], x[2], x[3], x[4], x[5], x[6]}, by);
      EXPECT_NEAR(Fz, load(), 1e-9 * 5000);
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double at = x[j], h = 1e-6 * sizes[j];
        x[j] = at + h;
        const double plus = load();
        x[j] = at - h;
        const double minus = load();
        x[j] = at;
        EXPECT_NEAR(by[j], (plus - minus) / (2 * h), 1e-5 * 4000 / sizes[j]) << n.name << " input " << j;
      }
      // Rolling radius and relaxation in the same states.
      TireRollingDerivatives r;
      std::array<double, kTireRollingInputs> y = {between(500, 8000), between(0.28, 0.31), x[2], x[6]};
      n.law->effective_radius({y[0], y[1], y[2], y[3]}, r);
      const double roll_sizes[] = {4000, 0.3, 50, 2e5};
      for (std::size_t j = 0; j < y.size(); ++j) {
        const double at = y[j], h = 1e-6 * roll_sizes[j];
        y[j] = at + h;
        const double plus = n.law->effective_radius({y[0], y[1], y[2], y[3]});
        y[j] = at - h;
        const double minus = n.law->effective_radius({y[0], y[1], y[2], y[3]});
        y[j] = at;
        EXPECT_NEAR(r[j], (plus - minus) / (2 * h), 1e-6 / roll_sizes[j]) << n.name << " rolling input " << j;
      }
      const TireRelaxation s = n.law->relaxation(y[0], x[5], x[6]);
      const double h = 1e-3, g = 1e-7;
      const TireRelaxation a = n.law->relaxation(y[0] + h, x[5], x[6]),
                           b = n.law->relaxation(y[0] - h, x[5], x[6]);
      EXPECT_NEAR(s.longitudinal_by[0], (a.longitudinal - b.longitudinal) / (2 * h), 1e-9) << n.name;
      EXPECT_NEAR(s.lateral_by[0], (a.lateral - b.lateral) / (2 * h), 1e-9) << n.name;
      const TireRelaxation c = n.law->relaxation(y[0], x[5] + g, x[6]),
                           d = n.law->relaxation(y[0], x[5] - g, x[6]);
      EXPECT_NEAR(s.lateral_by[1], (c.lateral - d.lateral) / (2 * g), 1e-6) << n.name;
    }
  }
}

TEST(TireLaws, EvaluationAllocatesNothing) {
  if (!test::malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  for (const Named& n : all_laws()) {
    std::mt19937 dice(1);
    TireInput in = generic_input(dice, false);
    TireForces f;
    TireJacobian by;
    TireVerticalDerivatives v;
    TireRollingDerivatives r;
    const long before = test::malloc_count();
    n.law->forces(in, f);
    n.law->forces(in, f, by);
    n.law->vertical({0.02, 0.1, 40, 1000, 900, 0.05, 2e5}, v);
    n.law->effective_radius({4000, 0.3, 40, 2e5}, r);
    n.law->relaxation(4000, 0.02);
    n.law->slip(10, -0.2, 0.3);
    EXPECT_EQ(test::malloc_count(), before) << n.name;
  }
}

}  // namespace
}  // namespace monocoque

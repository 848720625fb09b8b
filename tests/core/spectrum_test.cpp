// Welch's spectra: closed forms, and the numbers of scipy.signal.welch (SciPy 1.10, same window and overlap).

#include "core/spectrum.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/verify_row.h"

namespace monocoque {
namespace {

/// x_i = 3 + sin(0.37 i) + 0.5 cos(1.1 i + 0.3) (i mod 7), 100 samples a second.
std::vector<double> signal(int n) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(3 + std::sin(0.37 * i) + 0.5 * std::cos(1.1 * i + 0.3) * (i % 7));
  return x;
}

TEST(Spectrum, AgreesWithScipy) {
  const Spectrum s = welch(signal(700), 0.01, 2);
  ASSERT_EQ(s.density.size(), 101U);
  double worst = 0;
  for (const auto& [k, density] : {std::pair{0, 0.0006243159479587171}, std::pair{1, 0.0002724342213366321},
                                   std::pair{12, 0.6252756664026387}, std::pair{35, 1.499618393808672}}) {
    EXPECT_DOUBLE_EQ(s.frequency_Hz[static_cast<std::size_t>(k)], 0.5 * k);
    EXPECT_NEAR(s.density[static_cast<std::size_t>(k)], density, 1e-10 * density);
    worst = std::max(worst, std::abs(s.density[static_cast<std::size_t>(k)] / density - 1));
  }
  // Shorter than a window: one piece of its own length.
  const Spectrum one = welch(signal(150), 0.01, 2);
  EXPECT_DOUBLE_EQ(one.frequency_Hz[9], 6);
  EXPECT_NEAR(one.density[9], 0.4808264476400688, 1e-10);
  test::verify_row("Signals", "power spectral density of a sum of waves", "four frequencies", "-",
                   "SciPy 1.10", worst, "scipy.signal.welch, nperseg 200, relative");
}

TEST(Spectrum, PowerOfAWaveIsHalfItsSquare) {
  std::vector<double> x;
  for (int i = 0; i < 4000; ++i) x.push_back(2.5 * std::cos(2 * std::numbers::pi * 12.3 * i / 500.0) + 7);
  const Spectrum s = welch(x, 1 / 500.0, 2);
  EXPECT_NEAR(s.power(0, 250), 2.5 * 2.5 / 2, 2e-3);
  EXPECT_NEAR(s.power(11, 14), 2.5 * 2.5 / 2, 2e-3);
  EXPECT_LT(s.power(20, 250), 1e-6);
}

TEST(Spectrum, RefusesWhatHasNone) {
  EXPECT_THROW(welch({1, 2, 3}, 0.01, 1), Error);
  std::vector<double> x(100, 0.0);
  x[50] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(welch(x, 0.01, 1), Error);
}

}  // namespace
}  // namespace monocoque

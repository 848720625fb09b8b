// The random road against the formulas of its header: spectrum by Welch's method, coherence of two tracks.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "elements/roads/fft.h"
#include "elements/roads/random_road.h"
#include "road_support.h"

namespace monocoque {
namespace {

using namespace road_test;
constexpr std::size_t kSegment = 2048;
constexpr double kStep = 0.05;  // of sampling; a segment is 102.4 m long

using Spectrum = std::vector<ComplexNumber>;

/// Segments of a profile at y, overlapping by half, under a Hann window.
std::vector<Spectrum> segments(const Road& road, double length, double y) {
  std::vector<Spectrum> list;
  const FourierSum transform(kSegment);
  for (double begin = 0; begin + kSegment * kStep <= length + 1e-9; begin += kSegment / 2 * kStep) {
    Spectrum s(kSegment);
    for (std::size_t i = 0; i < kSegment; ++i) {
      const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / kSegment);
      s[i].re = window * at(road, begin + kStep * static_cast<double>(i), y).z;
    }
    transform.apply(s.data());
    list.push_back(std::move(s));
  }
  return list;
}

/// Cross spectra of two tracks over bands of a third of an octave, one-sided densities.
struct Bands {
  std::vector<double> n, a, b, re, im, expected;
};

/// `lines` pairs of tracks, each `apart`, spread over the width.
Bands cross_spectra(const RandomRoad& road, double apart, int lines) {
  const double dn = 1 / (kSegment * kStep),
               density = 2 * kStep / (0.375 * kSegment);  // 0.375: mean square of Hann
  std::vector<double> a(kSegment / 2), b(a), re(a), im(a);
  double count = 0;
  for (int l = 0; l < lines; ++l) {
    const double y = road.period_y() * l / lines;
    const auto left = segments(road, road.period_x(), y), right = segments(road, road.period_x(), y + apart);
    for (std::size_t s = 0; s < left.size(); ++s, ++count)
      for (std::size_t k = 0; k < kSegment / 2; ++k) {
        const ComplexNumber f = left[s][k], g = right[s][k];
        a[k] += f.re * f.re + f.im * f.im;
        b[k] += g.re * g.re + g.im * g.im;
        re[k] += f.re * g.re + f.im * g.im;
        im[k] += f.im * g.re - f.re * g.im;
      }
  }
  Bands bands;
  for (double n = 0.04; n < 2.5; n *= std::cbrt(2.0)) {
    const auto first = static_cast<std::size_t>(std::ceil(n / dn)),
               last = static_cast<std::size_t>(n * std::cbrt(2.0) / dn);
    double sums[4] = {}, expected = 0;
    for (std::size_t k = first; k <= last; ++k) {
      sums[0] += a[k], sums[1] += b[k], sums[2] += re[k], sums[3] += im[k];
      expected += road.roughness_m3() * std::pow(static_cast<double>(k) * dn / 0.1, -2);
    }
    const double per = static_cast<double>(last - first + 1);
    bands.n.push_back(n * std::pow(2.0, 1.0 / 6));
    bands.a.push_back(sums[0] * density / (count * per));
    bands.b.push_back(sums[1] * density / (count * per));
    bands.re.push_back(sums[2] * density / (count * per));
    bands.im.push_back(sums[3] * density / (count * per));
    bands.expected.push_back(expected / per);
  }
  return bands;
}

RandomRoad random_road(const std::map<std::string, std::string>& given) {
  return RandomRoad(parameters("random", given));
}

// ISO 8608, annex on the classification of roads, displacement spectra (geometric means): A 16, B 64, ...
// each four times the one before, in 1e-6 m^3; the limits of a class are half and double of it.
TEST(RandomRoad, HasTheRoughnessOfTheClassesOfIso8608) {
  const double expected[] = {16e-6, 64e-6, 256e-6, 1024e-6, 4096e-6, 16384e-6, 65536e-6, 262144e-6};
  for (int i = 0; i < 8; ++i)
    EXPECT_DOUBLE_EQ(RandomRoad::class_roughness(static_cast<char>('A' + i)), expected[i]);
}

TEST(RandomRoad, HasTheSpectrumOfItsClass) {
  const RandomRoad road = random_road({{"class", "C"}, {"seed", "3"}});
  const Bands bands = cross_spectra(road, 1.5, 32);
  double mean = 0;
  for (std::size_t i = 0; i < bands.n.size(); ++i) {
    const double ratio = bands.a[i] / bands.expected[i];
    mean += ratio / static_cast<double>(bands.n.size());
    // Two bins and few independent tracks in the lowest bands: one sigma is 20 %. Far inside the class in any
    // case.
    EXPECT_NEAR(ratio, 1, bands.n[i] < 0.15 ? 0.3 : 0.08) << bands.n[i];
    EXPECT_GT(ratio, 0.5) << "below class C at " << bands.n[i];
    EXPECT_LT(ratio, 2) << "above class C at " << bands.n[i];
  }
  EXPECT_NEAR(mean, 1, 0.04);
}

TEST(RandomRoad, HasTheCoherenceOfIsotropy) {
  for (const double w : {0.5, 1.5}) {
    SCOPED_TRACE(w);
    double worst = 0;
    Bands sum = cross_spectra(random_road({{"seed", "11"}}), w, 32);
    for (const char* seed : {"12", "13", "14"}) {
      const Bands more = cross_spectra(random_road({{"seed", seed}}), w, 32);
      for (std::size_t i = 0; i < sum.n.size(); ++i) {
        sum.a[i] += more.a[i], sum.b[i] += more.b[i], sum.re[i] += more.re[i], sum.im[i] += more.im[i];
      }
    }
    for (std::size_t i = 0; i < sum.n.size(); ++i) {
      const double k = 2 * std::numbers::pi * sum.n[i] * w, expected = k * std::cyl_bessel_k(1, k);
      const double measured = sum.re[i] / std::sqrt(sum.a[i] * sum.b[i]);
      // Limits: finite width (no waves across between 0 and 2 pi / 16 m), reach of the waves across, sample.
      EXPECT_NEAR(measured, expected, 0.03) << sum.n[i];
      EXPECT_NEAR(sum.im[i] / sum.a[i], 0, 0.12) << sum.n[i];
      worst = std::max(worst, std::abs(measured - expected));
    }
    RecordProperty("worst", std::to_string(worst));
  }
}

TEST(RandomRoad, IsAsRoughAcrossAsAlong) {
  const RandomRoad road = random_road({{"seed", "5"}});
  double along = 0, across = 0;
  for (int i = 0; i < 40000; ++i) {
    const RoadSample s = at(road, 0.377 * i, 0.131 * i);
    along += s.z_x * s.z_x;
    across += s.z_y * s.z_y;
  }
  // Waves across reach 1.5 times further than those along, which are cut at the shortest wavelength.
  EXPECT_NEAR(across / along, 1.0, 0.35);
}

TEST(RandomRoad, RepeatsItselfAndDependsOnTheSeed) {
  const RandomRoad a = random_road({{"seed", "1"}}), b = random_road({{"seed", "1"}}),
                   c = random_road({{"seed", "2"}});
  double same = 0, other = 0;
  for (int i = 0; i < 500; ++i) {
    const double x = 0.31 * i, y = 0.017 * i;
    EXPECT_NEAR(at(a, x, y).z, at(a, x + a.period_x(), y - 2 * a.period_y()).z, 1e-9);
    EXPECT_EQ(at(a, x, y).z, at(b, x, y).z);
    same += at(a, x, y).z * at(a, x, y).z;
    other += at(a, x, y).z * at(c, x, y).z;
  }
  EXPECT_LT(std::abs(other), 0.6 * same);
}

// The same numbers on every platform: rounding of sin and cos aside, these digits stay.
TEST(RandomRoad, KeepsItsNumbers) {
  const RandomRoad road = random_road({{"class", "A"}, {"seed", "42"}, {"length_m", "100"}});
  EXPECT_NEAR(at(road, 1.234, 0.567).z, 0.00243876045, 1e-9);
}

TEST(RandomRoad, BeginsFlatIfWanted) {
  const RandomRoad road = random_road({{"start_m", "10"}, {"fade_m", "4"}});
  EXPECT_EQ(at(road, 9.9, 0.3).z, 0);
  EXPECT_NE(at(road, 14.1, 0.3).z, 0);
}

TEST(RandomRoad, RefusesWhatCannotBe) {
  EXPECT_THROW(random_road({{"longest_wavelength_m", "0.1"}}), Error);
  EXPECT_THROW(random_road({{"longest_wavelength_m", "900"}}), Error);
  EXPECT_THROW(random_road({{"shortest_wavelength_m", "1e-5"}}), Error);
}

}  // namespace
}  // namespace monocoque

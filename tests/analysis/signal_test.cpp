// Spectra, filters and resampling against SciPy (reference/signals.py wrote its numbers) and closed forms.

#include "analysis/signals/signal.h"

#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/signals/filter.h"
#include "core/error.h"
#include "core/spectrum.h"
#include "support/paths.h"
#include "support/verify_row.h"

namespace monocoque::analysis {
namespace {

using Json = nlohmann::json;
constexpr double kSample_s = 0.01;

const Json& scipy_numbers() {
  static const Json json = [] {
    std::ifstream file(source_dir() + "/tests/analysis/reference/signals.json");
    return Json::parse(file);
  }();
  return json;
}

/// The signals of reference/signals.py.
std::vector<double> input_signal() {
  std::vector<double> x;
  for (int i = 0; i < 1200; ++i)
    x.push_back(3 + std::sin(0.37 * i) + 0.5 * std::cos(1.1 * i + 0.3) * (i % 7));
  return x;
}

std::vector<double> output_signal(const std::vector<double>& x) {
  std::vector<double> y = filtered({{0.2, 0.5, -0.1, -0.6, 0.3}}, x);
  for (int i = 0; i < 1200; ++i) y[static_cast<std::size_t>(i)] += 0.2 * std::sin(0.9 * i + 0.001 * i * i);
  return y;
}

double difference(const std::vector<double>& ours, const Json& theirs, const Json& places) {
  double worst = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double a = ours[places[k].get<std::size_t>()], b = theirs[k];
    worst = std::max(worst, std::abs(a - b) / (1e-3 + std::abs(b)));
  }
  return worst;
}

double difference(const std::vector<std::complex<double>>& ours, const Json& theirs, const Json& places) {
  double worst = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::complex<double> b(theirs["re"][k], theirs["im"][k]);
    worst = std::max(worst, std::abs(ours[places[k].get<std::size_t>()] - b) / (1e-3 + std::abs(b)));
  }
  return worst;
}

TEST(Signals, FrequencyResponseAgreesWithScipy) {
  const Json& s = scipy_numbers()["spectra"];
  const Json& bins = scipy_numbers()["bins"];
  const std::vector<double> x = input_signal(), y = output_signal(x);
  const MeasuredResponse r = frequency_response(x, y, kSample_s, 2.56);
  double worst = 0;
  for (const double d :
       {difference(r.frequency_Hz, s["frequency"], bins), difference(r.input_density, s["input"], bins),
        difference(r.output_density, s["output"], bins), difference(r.cross_density, s["cross"], bins),
        difference(r.coherence, s["coherence"], bins), difference(r.h1, s["h1"], bins),
        difference(r.h2, s["h2"], bins), difference(welch(x, kSample_s, 2.56).density, s["input"], bins)})
    worst = std::max(worst, d);
  EXPECT_LT(worst, 1e-9);  // rounding; the bin at 0 Hz is what removing the mean leaves
  test::verify_row("Signals", "spectra, cross spectra, H1, H2 and coherence of two signals",
                   "seven frequencies", "-", "SciPy", worst,
                   "scipy.signal.welch, csd, coherence; nperseg 256");
}

TEST(Signals, FiltersAgreeWithScipy) {
  const std::vector<double> x = input_signal();
  const Json& frequencies = scipy_numbers()["frequencies"];
  const Json& samples = scipy_numbers()["samples"];
  double response = 0, forward = 0, both = 0;
  for (const Json& f : scipy_numbers()["filters"]) {
    const std::string name = f["band"];
    const FilterBand band = name == "low"    ? FilterBand::low
                            : name == "high" ? FilterBand::high
                                             : FilterBand::band;
    const double first = f["corners"].front(), last = f["corners"].back();
    const DigitalFilter filter = butterworth(band, f["order"], first, last, kSample_s);
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
      const std::complex<double> theirs(f["response"]["re"][k], f["response"]["im"][k]);
      response = std::max(response, std::abs(filter_response(filter, frequencies[k], kSample_s) - theirs));
    }
    forward = std::max(forward, difference(filtered(filter, x), f["forward"], samples));
    both = std::max(both, difference(filtered_zero_phase(filter, x), f["zero_phase"], samples));
  }
  EXPECT_LT(response, 1e-12);
  EXPECT_LT(forward, 1e-9);
  EXPECT_LT(both, 1e-8);  // the poles of a corner at 0.2 Hz are within 0.01 of 1
  test::verify_row("Signals", "eight Butterworth filters, response", "largest difference", "-", "SciPy",
                   response, "scipy.signal.butter, absolute");
  test::verify_row("Signals", "eight Butterworth filters, filtered signal", "largest difference", "-",
                   "SciPy", std::max(forward, both), "scipy.signal.sosfilt, sosfiltfilt");
}

TEST(Signals, ZeroPhaseLetsConstantsAndRampsPass) {
  std::vector<double> ramp;
  for (int i = 0; i < 300; ++i) ramp.push_back(2 + 0.1 * i);
  const DigitalFilter filter = butterworth(FilterBand::low, 4, 0, 5, kSample_s);
  const auto y = filtered_zero_phase(filter, ramp);
  for (std::size_t i = 100; i < 200; ++i) EXPECT_NEAR(y[i], ramp[i], 1e-6);  // away from the ends
  for (const double v : filtered_zero_phase(filter, std::vector<double>(100, 7.0))) EXPECT_NEAR(v, 7, 1e-9);
}

TEST(Signals, FiltersOutsideOfTheirRangeAreRefused) {
  EXPECT_THROW(butterworth(FilterBand::low, 4, 0, 50, kSample_s), Error);
  EXPECT_THROW(butterworth(FilterBand::high, 4, 0, 10, kSample_s), Error);
  EXPECT_THROW(butterworth(FilterBand::band, 4, 10, 5, kSample_s), Error);
  EXPECT_THROW(butterworth(FilterBand::low, 0, 0, 5, kSample_s), Error);
}

TEST(Signals, UnevenTimesBecomeEven) {
  std::vector<double> t, y;
  for (int i = 0; i <= 1000; ++i) {
    t.push_back(0.01 * i + (i % 3 == 0 ? 0.002 : 0));
    y.push_back(std::sin(2 * t.back()));
  }
  EXPECT_FALSE(sampling_of(t).even());
  const SampledSignal s = resampled(t, y, 0.01);
  ASSERT_EQ(s.values.size(), 1000U);
  for (std::size_t i = 0; i < s.values.size(); ++i)
    EXPECT_NEAR(s.values[i], std::sin(2 * s.time_s(i)), 1e-6);  // third derivative 8, step 0.012
  // An instant of an event stands twice; the last value counts, and the row stays even.
  const SampledSignal twice = resampled({0, 0.1, 0.2, 0.2, 0.3}, {0, 1, 2, 7, 8});
  EXPECT_EQ(twice.values, (std::vector<double>{0, 1, 7, 8}));
  EXPECT_THROW(resampled({0, 1, 0.5}, {0, 0, 0}), Error);
  EXPECT_THROW(resampled({0, 0}, {0, 0}), Error);
}

TEST(Signals, CoarserStepsDoNotFold) {
  // 1 Hz stays, 45 Hz would appear at 5 Hz.
  std::vector<double> t, y;
  for (int i = 0; i < 4000; ++i) {
    t.push_back(0.001 * i);
    y.push_back(std::sin(2 * std::numbers::pi * t.back()) + std::sin(90 * std::numbers::pi * t.back()));
  }
  const SampledSignal s = resampled(t, y, 0.02);
  ASSERT_EQ(s.values.size(), 200U);
  for (std::size_t i = 20; i < 180; ++i)
    EXPECT_NEAR(s.values[i], std::sin(2 * std::numbers::pi * s.time_s(i)), 1e-3);
}

TEST(Signals, StatisticsOfAWave) {
  std::vector<double> x;
  for (int i = 0; i < 1000; ++i) x.push_back(3 + 2 * std::sin(2 * std::numbers::pi * i / 100));
  const SignalStatistics s = statistics_of(x);
  EXPECT_NEAR(s.mean, 3, 1e-12);
  EXPECT_NEAR(s.deviation, std::sqrt(2), 1e-12);
  EXPECT_NEAR(s.rms, std::sqrt(11), 1e-12);
  EXPECT_NEAR(s.crest_factor, std::sqrt(2), 1e-12);
}

}  // namespace
}  // namespace monocoque::analysis

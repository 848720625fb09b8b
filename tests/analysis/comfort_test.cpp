// Weightings of ISO 2631-1 against its tables, weighted histories against SciPy, measures against closed
// forms.

#include "analysis/signals/comfort.h"

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/paths.h"
#include "support/verify_row.h"

namespace monocoque::analysis {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

/// Tables 3 and 4 of ISO 2631-1:1997: factors times 1000 at the nominal centres of third octaves, from 0.1 Hz
/// (Wf: 0.02 Hz) upwards, from public transcriptions of the standard, not from the standard itself
/// (docs/comfort.md). Two values are off its formula and left out, see below.
struct Tabulated {
  Weighting weighting;
  std::vector<double> factors;
};
const std::vector<Tabulated>& standard_tables() {
  static const std::vector<Tabulated> tables{
      {Weighting::Wk, {31.2, 48.6, 79.0, 121, 182,  263,  352,  418,  459,  477,  482, 484, 494,
                       531,  631,  804,  967, 1039, 1054, 1036, 988,  902,  768,  636, 513, 405,
                       314,  246,  186,  132, 88.7, 54.0, 28.5, 15.2, 7.90, 3.98, 1.95}},
      {Weighting::Wd, {62.4, 97.3, 158,  243,  365,  530,  713,  853,  944,  992,  1011, 1008, 968,
                       890,  776,  642,  512,  409,  323,  253,  212,  161,  125,  100,  80.0, 63.2,
                       49.4, 38.8, 29.5, 21.1, 14.1, 8.63, 4.55, 2.43, 1.26, 0.64, 0.31}},
      {Weighting::Wc, {62.4, 97.2, 158,  243, 364, 527, 708, 843, 929, 972, 991, 1000, 1007, 1012, 1017,
                       1022, 1024, 1013, 974, 891, 776, 647, 512, 409, 325, 256, 199,  156,  118,  84.4}},
      {Weighting::We, {62.5, 97.5, 159, 245, 368, 536, 723,  862,  939,  941,  880,  772,  632,  512,  409,
                       323,  253,  202, 160, 125, 100, 80.1, 62.5, 50.0, 39.9, 31.6, 24.7, 19.4, 14.8, 10.5}},
      {Weighting::Wj, {31.0, 48.3, 78.5, 120, 181,  262,  351,  417,  458,  478,  484,  485, 483, 482, 489,
                       524,  528,  793,  946, 1017, 1030, 1026, 1018, 1012, 1007, 1001, 991, 972, 931, 843}},
      {Weighting::Wf, {24.2, 37.7, 59.7, 97.1, 157,  267,  461,  695,  895,  1006, 992,  854,
                       619,  384,  224,  116,  53.0, 23.5, 9.98, 3.77, 1.55, 0.64, 0.25, 0.097}}};
  return tables;
}

/// 0.02 Hz is number 3, 0.1 Hz number 10.
double nominal_centre(std::size_t number) {
  static const double decade[] = {1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8};
  return decade[number % 10] * std::pow(10.0, static_cast<double>(number / 10) - 2);
}

TEST(Comfort, WeightingsAgreeWithTheTablesOfTheStandard) {
  for (const auto& [weighting, factors] : standard_tables()) {
    double worst = 0;
    int compared = 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const double f = nominal_centre(i + (weighting == Weighting::Wf ? 3 : 10));
      const double ours = 1000 * std::abs(weighting_response(weighting, f));
      const double dB = std::abs(20 * std::log10(ours / factors[i]));
      // The one source of Wj has 528 where the formula gives 628: off by 1.5 dB, beyond the tolerance.
      if (weighting == Weighting::Wj && factors[i] == 528) continue;
      EXPECT_LT(dB, 1) << weighting_name(weighting) << " at " << f;  // the standard's tolerance
      // The printed 212 of Wd at 10 Hz does not lie on the standard's own formula (202): 0.43 dB.
      if (weighting == Weighting::Wd && factors[i] == 212) continue;
      // Otherwise what the digits printed allow, with a unit of the last one.
      EXPECT_LT(dB, factors[i] < 1 ? 0.08 : 0.04) << weighting_name(weighting) << " at " << f;
      worst = std::max(worst, dB);
      ++compared;
    }
    test::verify_row("Comfort", weighting_name(weighting) + " at the centres of third octaves",
                     fmt::format("{} factors", compared), "weighting_response",
                     "transcriptions of ISO 2631-1, tables 3 and 4", worst, "dB; the standard allows 1 dB");
  }
}

TEST(Comfort, WeightingsAgreeWithAnotherImplementation) {
  std::ifstream file(source_dir() + "/tests/analysis/reference/weightings.csv");
  constexpr Weighting columns[] = {Weighting::Wk, Weighting::Wd, Weighting::Wc,
                                   Weighting::We, Weighting::Wf, Weighting::Wj};
  double worst = 0, last = 0;
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 'f') continue;
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    // The frequency is printed to six digits, which is too few for the steep ends: 10^(n/10).
    const double f = last = std::pow(10, std::round(10 * std::log10(std::stod(field))) / 10);
    for (const Weighting w : columns) {
      ASSERT_TRUE(std::getline(fields, field, ','));
      const double theirs = std::stod(field), ours = std::abs(weighting_response(w, f));
      EXPECT_NEAR(ours, theirs, 6e-7) << weighting_name(w) << " at " << f;  // six decimals
      worst = std::max(worst, std::abs(ours - theirs));
      ++compared;
    }
  }
  EXPECT_EQ(compared, 6 * 44);
  EXPECT_NEAR(last, 398.107, 1e-3);
  test::verify_row("Comfort", "six weightings, 0.02 to 400 Hz", fmt::format("{} magnitudes", compared),
                   "weighting_response", "another implementation", worst, "absolute; printed to 1e-6");
}

/// Teeth from 0 to 1, -1 and back to 0, bursts of `teeth` every 10 s from 1 s on (0: without end), 1 kHz.
SampledSignal sawtooth(int teeth) {
  SampledSignal s{0, 1e-3, {}};
  const double period = kTwoPi / 100;
  for (int i = 0; i < 60000; ++i) {
    const double t = 1e-3 * i, since = teeth > 0 ? std::fmod(t - 1, 10) : t;
    const double tooth = std::fmod(since / period + 0.5, 1);
    const bool on = teeth == 0 || (t >= 1 && since < teeth * period);
    s.values.push_back(on ? 2 * tooth - 1 : 0);
  }
  return s;
}

TEST(Comfort, BurstsOfTheInstrumentStandard) {
  // ISO 8041: weighted rms over 60 s of bursts of 1, 2, 4, 8, 16 teeth and of an endless row, 100 rad/s; the
  // standard allows 10 %. Numbers as in the unit test of Chrono's filters.
  const std::vector<std::pair<Weighting, std::vector<double>>> standard{
      {Weighting::Wk, {0.0299, 0.0411, 0.0577, 0.0814, 0.115, 0.362}},
      {Weighting::Wd, {0.00669, 0.00906, 0.0116, 0.0148, 0.0197, 0.059}}};
  constexpr int teeth[] = {1, 2, 4, 8, 16, 0};
  double worst = 0;
  for (const auto& [weighting, values] : standard)
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double rms = weighted_measures(sawtooth(teeth[i]), weighting).rms;
      EXPECT_NEAR(rms / values[i], 1, 0.03) << weighting_name(weighting) << " " << teeth[i];
      worst = std::max(worst, std::abs(rms / values[i] - 1));
    }
  test::verify_row("Comfort", "bursts of saw teeth, Wk and Wd", "weighted rms of 12 histories",
                   "digital filters", "ISO 8041", worst, "relative; the standard allows 10 %");
}

TEST(Comfort, FactorsAndWordsOfTheStandard) {
  struct Rule {
    ContactPlace place;
    ContactAxis axis;
    Weighting weighting;
    double k;
  };
  using P = ContactPlace;
  using A = ContactAxis;
  for (const Rule& r : {Rule{P::seat, A::x, Weighting::Wd, 1}, Rule{P::seat, A::y, Weighting::Wd, 1},
                        Rule{P::seat, A::z, Weighting::Wk, 1}, Rule{P::seat, A::rx, Weighting::We, 0.63},
                        Rule{P::seat, A::ry, Weighting::We, 0.4}, Rule{P::seat, A::rz, Weighting::We, 0.2},
                        Rule{P::back, A::x, Weighting::Wc, 0.8}, Rule{P::back, A::y, Weighting::Wd, 0.5},
                        Rule{P::back, A::z, Weighting::Wd, 0.4}, Rule{P::feet, A::x, Weighting::Wk, 0.25},
                        Rule{P::feet, A::y, Weighting::Wk, 0.25}, Rule{P::feet, A::z, Weighting::Wk, 0.4}}) {
    const auto rule = comfort_rule(r.place, r.axis);
    ASSERT_TRUE(rule);
    EXPECT_EQ(rule->weighting, r.weighting);
    EXPECT_EQ(rule->k, r.k);
  }
  // Annex C: ranges that overlap, m/s^2.
  const std::vector<std::tuple<std::string, double, double>> words{
      {"not uncomfortable", 0, 0.315},   {"a little uncomfortable", 0.315, 0.63},
      {"fairly uncomfortable", 0.5, 1},  {"uncomfortable", 0.8, 1.6},
      {"very uncomfortable", 1.25, 2.5}, {"extremely uncomfortable", 2, 1e9}};
  for (double a = 0.0051; a < 4; a += 0.01) {
    std::vector<std::string> expected;
    for (const auto& [word, low, high] : words)
      if (a > low && a < high) expected.push_back(word);
    EXPECT_EQ(comfort_words(a), expected) << a;
  }
}

TEST(Comfort, ReferenceValuesOfTheInstrumentStandard) {
  // ISO 8041, values at 100 rad/s.
  for (const auto& [weighting, value] : {std::pair{Weighting::Wc, 0.5145}, std::pair{Weighting::Wd, 0.1261},
                                         std::pair{Weighting::We, 0.06287}, std::pair{Weighting::Wj, 1.019}})
    EXPECT_NEAR(std::abs(weighting_response(weighting, 100 / kTwoPi)) / value, 1, 6e-4)  // four digits
        << weighting_name(weighting);
}

TEST(Comfort, DigitalFiltersStayWithinTheToleranceAtAnyRate) {
  for (const Weighting w : kWeightings) {
    for (const double rate : {50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 400.0})
      EXPECT_LT(weighting_filter_error_dB(w, 1 / rate), 1) << weighting_name(w) << " at " << rate;
    EXPECT_LT(weighting_filter_error_dB(w, 1 / 500.0), 0.26) << weighting_name(w);
    EXPECT_LT(weighting_filter_error_dB(w, 1 / 1000.0), 0.08) << weighting_name(w);
  }
  EXPECT_THROW(weighting_filter(Weighting::Wk, 1), Error);
  EXPECT_THROW(weighting_of("Wx"), Error);
}

/// As in reference/signals.py.
SampledSignal five_waves() {
  SampledSignal s{0, 1e-3, {}};
  for (int i = 0; i < 40000; ++i) {
    const double t = 1e-3 * i;
    s.values.push_back(std::sin(kTwoPi * 1.3 * t) + 0.8 * std::sin(kTwoPi * 5.1 * t + 1) +
                       0.6 * std::sin(kTwoPi * 17 * t + 2) + 0.4 * std::sin(kTwoPi * 43 * t + 3) +
                       0.5 * std::sin(kTwoPi * 0.2 * t + 0.5));
  }
  return s;
}

TEST(Comfort, WeightedHistoriesAgreeWithScipy) {
  std::ifstream file(source_dir() + "/tests/analysis/reference/signals.json");
  const auto reference = nlohmann::json::parse(file)["weighted_rms"];
  const SampledSignal a = five_waves();
  double worst = 0;
  for (const Weighting w : kWeightings) {
    const WeightedMeasures m = weighted_measures(a, w, {10, 40});
    const double rms = reference[weighting_name(w)]["rms"], vdv = reference[weighting_name(w)]["vdv"];
    EXPECT_NEAR(m.rms / rms, 1, 2e-3) << weighting_name(w);  // 0.02 dB
    EXPECT_NEAR(m.vdv / vdv, 1, 5e-3) << weighting_name(w);
    worst = std::max({worst, std::abs(m.rms / rms - 1), std::abs(m.vdv / vdv - 1)});
  }
  test::verify_row("Comfort", "weighted rms and VDV of five waves, six weightings", "largest difference", "-",
                   "SciPy", worst, "scipy.signal.lsim of the analogue transfer functions, 1 kHz");
}

TEST(Comfort, HistoryAndSpectrumGiveTheSameRms) {
  // Whole periods: the spectrum of one long window has all the power.
  const SampledSignal a = five_waves();
  const Spectrum s = welch(a.values, a.sample_s, 20);
  for (const Weighting w : {Weighting::Wk, Weighting::Wd, Weighting::We}) {
    double sum = 0;
    for (const auto& [f, amplitude] : {std::pair{1.3, 1.0}, std::pair{5.1, 0.8}, std::pair{17.0, 0.6},
                                       std::pair{43.0, 0.4}, std::pair{0.2, 0.5}})
      sum += 0.5 * std::norm(amplitude * weighting_response(w, f));
    EXPECT_NEAR(weighted_rms(s, w), std::sqrt(sum), 0.005 * std::sqrt(sum));
    EXPECT_NEAR(weighted_measures(a, w, {15, 40}).rms, std::sqrt(sum), 0.005 * std::sqrt(sum));
  }
  const ComfortAxis axis = evaluate_axis(ContactPlace::seat, ContactAxis::z, s);
  EXPECT_NEAR(axis.measures.rms, weighted_rms(s, Weighting::Wk), 1e-12);
  EXPECT_NEAR(axis.unweighted_rms, std::sqrt(0.5 * (1 + 0.64 + 0.36 + 0.16 + 0.25)), 0.01);
}

TEST(Comfort, MeasuresOfAWave) {
  // Steady 5 Hz: crest sqrt 2, VDV = A |H| (3/8 T)^(1/4), MTVV = rms.
  SampledSignal a{0, 1e-3, {}};
  for (int i = 0; i < 60000; ++i) a.values.push_back(9.81 + 2 * std::sin(kTwoPi * 5e-3 * i));
  const double amplitude = 2 * std::abs(weighting_response(Weighting::Wk, 5));
  const WeightedMeasures m = weighted_measures(a, Weighting::Wk, {10, 59.9995});
  EXPECT_NEAR(m.rms, amplitude / std::sqrt(2), 1e-3 * amplitude);
  EXPECT_NEAR(m.crest_factor, std::sqrt(2), 1e-3);
  EXPECT_NEAR(m.mtvv, m.rms, 1e-6);
  EXPECT_NEAR(m.duration_s, 50, 1e-9);
  EXPECT_NEAR(m.vdv, amplitude * std::pow(0.375 * 50, 0.25), 1e-3 * m.vdv);
  EXPECT_FALSE(m.shocks());
  // One bump in a minute of rest.
  SampledSignal bump{0, 1e-3, std::vector<double>(60000, 0.0)};
  for (std::size_t i = 0; i < 100; ++i)
    bump.values[30000 + i] = 5 * std::sin(kTwoPi * 0.005 * static_cast<double>(i));
  EXPECT_TRUE(weighted_measures(bump, Weighting::Wk).shocks());
  EXPECT_THROW(weighted_measures(a, Weighting::Wk, {70, 80}), Error);
}

TEST(Comfort, TotalAndWords) {
  std::vector<ComfortAxis> axes;
  for (const auto& [place, axis, rms] : {std::tuple{ContactPlace::seat, ContactAxis::x, 0.3},
                                         std::tuple{ContactPlace::seat, ContactAxis::z, 0.4},
                                         std::tuple{ContactPlace::feet, ContactAxis::z, 1.0}}) {
    const AxisRule rule = *comfort_rule(place, axis);
    ComfortAxis a{place, axis, rule.weighting, rule.k, 0, 0, {}};
    a.measures.rms = rms;
    axes.push_back(a);
  }
  EXPECT_NEAR(vibration_total_value(axes, ContactPlace::seat), 0.5, 1e-12);
  EXPECT_NEAR(vibration_total_value(axes), std::sqrt(0.25 + 0.16), 1e-12);
  EXPECT_EQ(comfort_words(0.1), std::vector<std::string>{"not uncomfortable"});
  EXPECT_EQ(comfort_words(0.55),
            (std::vector<std::string>{"a little uncomfortable", "fairly uncomfortable"}));
  EXPECT_EQ(comfort_words(9), std::vector<std::string>{"extremely uncomfortable"});
  EXPECT_FALSE(comfort_rule(ContactPlace::feet, ContactAxis::rx));
  EXPECT_THROW(evaluate_axis(ContactPlace::back, ContactAxis::rz, five_waves()), Error);
}

TEST(Comfort, DoseOfMotionSickness) {
  // 0.2 Hz for 20 minutes with 1 m/s^2.
  SampledSignal a{0, 0.05, {}};
  for (int i = 0; i < 24000; ++i) a.values.push_back(std::sin(kTwoPi * 0.2 * 0.05 * i));
  const MotionSickness m = motion_sickness(a);
  const double rms = std::abs(weighting_response(Weighting::Wf, 0.2)) / std::sqrt(2);
  EXPECT_NEAR(m.weighted_rms, rms, 0.01 * rms);
  EXPECT_NEAR(m.dose, rms * std::sqrt(1200), 0.01 * m.dose);
  EXPECT_NEAR(m.percent, m.dose / 3, 1e-12);
}

}  // namespace
}  // namespace monocoque::analysis

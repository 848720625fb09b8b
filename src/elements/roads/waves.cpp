// Sequences of waves: washboard of separate bumps, and a sine whose wavelength changes.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "elements/roads/profile_road.h"

namespace monocoque {

namespace {

/// Segments of equal cosine bumps. Within a segment the bumps begin v/f apart, so that a wheel at speed v is
/// excited with the frequency f of the segment; between the end of a segment's last bump and the next segment
/// lies gap_m.
class WashboardRoad final : public ProfileRoad {
 public:
  explicit WashboardRoad(const io::ParameterSet& p)
      : ProfileRoad(p),
        height_(p.number("height_m")),
        length_(p.number("length_m")),
        bumps_(p.integer("bumps_per_segment")) {
    if (bumps_ < 1)
      fields::refuse(p, "bumps_per_segment",
                     fmt::format("bumps_per_segment is {}, it must be at least 1", bumps_), "");
    double at = 0;
    for (const double f : p.list("frequencies_Hz")) {
      const double spacing = p.number("speed_m_per_s") / f;
      if (spacing < length_)
        fields::refuse(
            p, "frequencies_Hz",
            fmt::format("{} Hz puts the bumps {:.4g} m apart, each is {} m long", f, spacing, length_),
            "lower the frequency, raise the speed or shorten the bumps");
      segments_.push_back({at, spacing});
      at += spacing * (bumps_ - 1) + length_ + p.number("gap_m");
    }
  }
  double shortest_wavelength_m() const override { return length_; }
  std::string description() const override {
    return fmt::format("washboard, {} segments of {} bumps", segments_.size(), bumps_);
  }

 private:
  struct Segment {
    double begin, spacing;
  };
  Curve profile(double s) const noexcept override {
    const auto next = std::upper_bound(segments_.begin(), segments_.end(), s,
                                       [](double x, const Segment& g) { return x < g.begin; });
    if (next == segments_.begin()) return {};
    const Segment& segment = *(next - 1);
    const double number = std::floor((s - segment.begin) / segment.spacing);
    const double r = s - segment.begin - number * segment.spacing;
    if (!(number < bumps_ && r > 0 && r < length_)) return {};
    const double k = 2 * std::numbers::pi / length_, c = std::cos(k * r);
    return {0.5 * height_ * (1 - c), 0.5 * height_ * k * std::sin(k * r), 0.5 * height_ * k * k * c};
  }
  double height_, length_;
  int bumps_;
  std::vector<Segment> segments_;
};

/// z = A sin(phi(s)) on 0 < s < L, phi' / 2 pi = wave number from 1/l_0 to 1/l_1, linear or by equal ratios,
/// faded in and out over fade_m.
class SineSweepRoad final : public ProfileRoad {
 public:
  explicit SineSweepRoad(const io::ParameterSet& p)
      : ProfileRoad(p),
        amplitude_(p.number("amplitude_m")),
        length_(p.number("length_m")),
        fade_(p.number("fade_m")),
        n_0_(1 / p.number("wavelength_from_m")),
        n_1_(1 / p.number("wavelength_to_m")),
        logarithmic_(p.text("law") == "logarithmic" && n_0_ != n_1_) {
    if (2 * fade_ > length_)
      fields::refuse(p, "fade_m", fmt::format("fade_m is {}, the sweep is {} m long", fade_, length_),
                     "make it at most half of length_m");
  }
  double shortest_wavelength_m() const override { return 1 / std::max(n_0_, n_1_); }
  std::string description() const override {
    return fmt::format("sine sweep, wavelength {:.4g} to {:.4g} m, amplitude {} m", 1 / n_0_, 1 / n_1_,
                       amplitude_);
  }

 private:
  Curve profile(double s) const noexcept override {
    if (!(s > 0 && s < length_)) return {};
    const double t = s / length_;
    double phase, n, n_rate;
    if (logarithmic_) {
      const double ratio = std::log(n_1_ / n_0_);
      n = n_0_ * std::exp(ratio * t);
      phase = (n - n_0_) * length_ / ratio;
      n_rate = n * ratio / length_;
    } else {
      n = n_0_ + (n_1_ - n_0_) * t;
      phase = 0.5 * (n_0_ + n) * s;
      n_rate = (n_1_ - n_0_) / length_;
    }
    const double k = 2 * std::numbers::pi * n, y = std::sin(2 * std::numbers::pi * phase),
                 c = std::cos(2 * std::numbers::pi * phase);
    const Curve wave{amplitude_ * y, amplitude_ * k * c,
                     amplitude_ * (2 * std::numbers::pi * n_rate * c - k * k * y)};
    Curve out = smooth_step(length_ - s, fade_);
    out.d = -out.d;
    return product(wave, product(smooth_step(s, fade_), out));
  }
  double amplitude_, length_, fade_, n_0_, n_1_;
  bool logarithmic_;
};

}  // namespace

ElementType<Road> washboard_road_type() {
  using namespace fields;
  std::vector<Field> list = profile_fields(
      {number("height_m", "height of a bump", "0.015", "0.02", Rule::positive),
       number("length_m", "length of a bump", "0.15", "0.2", Rule::positive),
       number("speed_m_per_s", "at which the frequencies appear", "50 / 3.6", "12", Rule::positive),
       make("frequencies_Hz", FieldKind::list, "one per segment", "[11, 12.8, 14.6, 16.4, 18.2, 20]",
            "[13, 17.5, 24]", Rule::positive),
       make("bumps_per_segment", FieldKind::integer, "number of bumps", "10", "3", Rule::positive),
       number("gap_m", "from the end of a segment's last bump to the next segment", "2", "1.3",
              Rule::non_negative)});
  for (Field& f : list)
    if (f.name == "position_m") f.default_text = "[20, 0]";
  return road<WashboardRoad>("washboard", "segments of cosine bumps for one frequency each", list);
}

ElementType<Road> sine_sweep_road_type() {
  using namespace fields;
  return road<SineSweepRoad>(
      "sine_sweep", "sine of changing wavelength",
      profile_fields({number("amplitude_m", "amplitude", "", "0.02"),
                      number("wavelength_from_m", "wavelength at the begin", "", "3", Rule::positive),
                      number("wavelength_to_m", "wavelength at the end", "", "0.7", Rule::positive),
                      number("length_m", "length of the sweep", "", "9", Rule::positive),
                      number("fade_m", "length over which it begins and ends", "1", "1.5", Rule::positive),
                      choice("law", "wave number linear in the length, or growing by equal ratios", "linear",
                             "logarithmic", {"linear", "logarithmic"})}));
}

}  // namespace monocoque

// Single obstacles: cosine bump, step, curb.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "elements/roads/profile_road.h"

namespace monocoque {

namespace {

/// z = h/2 (1 - cos(2 pi s / L)) for 0 < s < L. The slope is continuous; the curvature jumps at both ends.
class BumpRoad final : public ProfileRoad {
 public:
  explicit BumpRoad(const io::ParameterSet& p)
      : ProfileRoad(p), height_(p.number("height_m")), length_(p.number("length_m")) {}
  double shortest_wavelength_m() const override { return length_; }
  std::string description() const override {
    return fmt::format("cosine bump, {} m high, {} m long", height_, length_);
  }

 private:
  Curve profile(double s) const noexcept override {
    if (!(s > 0 && s < length_)) return {};
    const double k = 2 * std::numbers::pi / length_, c = std::cos(k * s);
    return {0.5 * height_ * (1 - c), 0.5 * height_ * k * std::sin(k * s), 0.5 * height_ * k * k * c};
  }
  double height_, length_;
};

/// From 0 to h within the smoothing length, two continuous derivatives; it stays up.
class StepRoad final : public ProfileRoad {
 public:
  explicit StepRoad(const io::ParameterSet& p)
      : ProfileRoad(p), height_(p.number("height_m")), length_(p.number("smoothing_length_m")) {}
  double shortest_wavelength_m() const override { return length_; }
  std::string description() const override { return fmt::format("step of {} m over {} m", height_, length_); }

 private:
  Curve profile(double s) const noexcept override {
    const Curve c = smooth_step(s, length_);
    return {height_ * c.y, height_ * c.d, height_ * c.dd};
  }
  double height_, length_;
};

/// A ramp of constant slope up to h, both corners rounded; down again at the end of the top if it has one.
class CurbRoad final : public ProfileRoad {
 public:
  explicit CurbRoad(const io::ParameterSet& p)
      : ProfileRoad(p),
        height_(p.number("height_m")),
        ramp_(p.number("ramp_length_m")),
        rounding_(p.number("rounding_m")) {
    if (2 * rounding_ > ramp_)
      fields::refuse(p, "rounding_m",
                     fmt::format("rounding_m is {}, the ramp is {} m long", rounding_, ramp_),
                     "make it at most half of ramp_length_m");
    if (p.has("top_length_m")) {
      top_ = p.number("top_length_m");
      if (top_ < 2 * rounding_)
        fields::refuse(p, "top_length_m",
                       fmt::format("top_length_m is {}, both roundings take {}", top_, 2 * rounding_),
                       "make it at least twice rounding_m");
    }
  }
  double shortest_wavelength_m() const override { return 2 * rounding_; }
  std::string description() const override {
    return fmt::format("curb, {} m high, ramp of {} m", height_, ramp_);
  }

 private:
  Curve ramp(double s) const noexcept {
    const Curve a = rounded_corner(s, rounding_), b = rounded_corner(s - ramp_, rounding_);
    const double slope = height_ / ramp_;
    return {slope * (a.y - b.y), slope * (a.d - b.d), slope * (a.dd - b.dd)};
  }
  Curve profile(double s) const noexcept override {
    Curve up = ramp(s);
    if (top_ > 0) {
      const Curve down = ramp(s - ramp_ - top_);
      up = {up.y - down.y, up.d - down.d, up.dd - down.dd};
    }
    return up;
  }
  double height_, ramp_, rounding_, top_ = 0;
};

}  // namespace

ElementType<Road> bump_road_type() {
  using namespace fields;
  return road<BumpRoad>(
      "bump", "cosine bump on a plane",
      profile_fields({number("height_m", "height; negative: a dip", "", "0.05"),
                      number("length_m", "length along the heading", "", "0.6", Rule::positive)}));
}

ElementType<Road> step_road_type() {
  using namespace fields;
  return road<StepRoad>(
      "step", "change of height that stays",
      profile_fields({number("height_m", "height; negative: downwards", "", "0.08"),
                      number("smoothing_length_m", "over which it rises", "0.05", "0.3", Rule::positive)}));
}

ElementType<Road> curb_road_type() {
  using namespace fields;
  return road<CurbRoad>(
      "curb", "ramp with rounded corners, up and, with a top, down again",
      profile_fields(
          {number("height_m", "height", "", "0.1"),
           number("ramp_length_m", "length of the ramp; height / tan(angle)", "0.05", "0.4", Rule::positive),
           number("rounding_m", "length on either side of a corner that is rounded", "0.01", "0.07",
                  Rule::positive),
           number("top_length_m", "length of the top; absent: it stays up", "~", "0.5", Rule::positive)}));
}

}  // namespace monocoque

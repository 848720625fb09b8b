#include "results/color_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace monocoque {

namespace {

constexpr int kSteps = 512;

/// Linear light; may lie outside 0 to 1.
std::array<double, 3> linear_from_oklab(double L, double a, double b) {
  const double l = std::pow(L + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(L - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(L - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

float screen(double c) {
  const double x = std::clamp(c, 0.0, 1.0);
  return static_cast<float>(x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055);
}

Rgb computed(double t) {
  const double L = 0.28 + 0.66 * t;
  const double hue = (285 - 180 * t) * std::numbers::pi / 180;
  // As much colour as the screen has, up to a limit: halved until it fits.
  double chroma = 0.17, step = 0.085;
  std::array<double, 3> c{};
  const auto fits = [&](double k) {
    c = linear_from_oklab(L, k * std::cos(hue), k * std::sin(hue));
    return std::all_of(c.begin(), c.end(), [](double x) { return x >= -1e-4 && x <= 1 + 1e-4; });
  };
  if (!fits(chroma)) {
    chroma = 0;
    for (int i = 0; i < 14; ++i, step /= 2)
      if (fits(chroma + step)) chroma += step;
  }
  fits(chroma);
  return {screen(c[0]), screen(c[1]), screen(c[2])};
}

}  // namespace

Rgb map_color(double t) {
  static const std::vector<Rgb> table = [] {
    std::vector<Rgb> out;
    for (int i = 0; i <= kSteps; ++i) out.push_back(computed(static_cast<double>(i) / kSteps));
    return out;
  }();
  if (std::isnan(t)) return {0.62F, 0.62F, 0.62F};
  return table[static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * kSteps))];
}

std::string hex_color(const Rgb& c) {
  const auto byte = [](float x) { return static_cast<int>(std::lround(255 * std::clamp(x, 0.0F, 1.0F))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(c[0]), byte(c[1]), byte(c[2]));
}

}  // namespace monocoque

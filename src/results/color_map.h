#pragma once
// A colour map whose lightness rises evenly, so that equal steps of the value look equal, also in grey: from
// dark blue over green to light yellow, a line in the space Oklab (B. Ottosson 2020) with turning hue.

#include <array>
#include <string>

namespace monocoque {

/// Red, green, blue from 0 to 1, as a screen takes them (sRGB).
using Rgb = std::array<float, 3>;

/// t from 0 to 1; outside is cut off, NaN is grey.
Rgb map_color(double t);
/// "#rrggbb"
std::string hex_color(const Rgb& color);

}  // namespace monocoque

#pragma once
// The rules of ISO 3888 as plain numbers.

#include <array>
#include <vector>

namespace monocoque {

/// A straight section between two rows of cones, in axes of the lane: x from its begin, y to the offset side.
struct LaneSection {
  int number = 1;
  double begin_m = 0, end_m = 0, centre_m = 0, width_m = 0;
};

/// Widths of the first lane, the offset lane and the last lane for a vehicle of width b.
std::array<double, 3> iso3888_1_widths(double b_m);
std::array<double, 3> iso3888_2_widths(double b_m);
/// The coned sections. `offset_m`: from the centre of the first lane to that of the offset lane.
std::vector<LaneSection> iso3888_1_sections(const std::array<double, 3>& widths_m, double offset_m);
std::vector<LaneSection> iso3888_2_sections(const std::array<double, 3>& widths_m, double gap_m);

}  // namespace monocoque

#pragma once
// A massless rod whose end on A slides along y of A by a given travel u(t): the tie rod of a steering rack.
//   g = (|d - u yA|^2 - L^2) / (2 L), d from the origin of A to that of B: one row, in m
// Near the constraint g is the error of the length; unlike |d - u yA| - L it has no singular place.
// Sign: u > 0 moves the end on A towards +y of A. lambda > 0: compression, in N (g grows with the length and
// the rod pulls with -lambda).

#include <vector>

#include "elements/registry.h"

namespace monocoque {

std::vector<ElementType<Joint>> steered_rod_types();

}  // namespace monocoque

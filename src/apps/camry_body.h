#pragma once
// Bodies of the Camry with more elastic coordinates than the shipped one, made from the mesh.

#include <functional>
#include <string>

namespace monocoque {

/// Above this number a body is made without the inertia couplings between elastic coordinates, whose size
/// grows with the square: its users set `inertia_couplings: neglected`, `geometric_stiffening: off`.
inline constexpr int kLargestCoupledBody = 100;

/// SID file of a body with so many coordinates; 40 is the shipped one. Others have static shapes of all 20
/// interfaces and modes of the free body; they are made on first use (1000: some minutes), and kept in the
/// cache folder. 100 and 1000 come from the mesh, others are the first coordinates of these.
std::string camry_body(int coordinates, const std::function<void(const std::string&)>& say);

}  // namespace monocoque

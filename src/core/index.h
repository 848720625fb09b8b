#pragma once
// Indices. Typed ones: a part index cannot be used where a marker index is asked for.

#include <cstddef>

namespace monocoque {

/// For vectors of the standard library, which count without sign.
constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

template <class Tag>
struct Index {
  int value = -1;
  constexpr Index() = default;
  constexpr explicit Index(int v) : value(v) {}
  constexpr explicit Index(std::size_t v) : value(static_cast<int>(v)) {}
  constexpr bool valid() const { return value >= 0; }
  constexpr std::size_t at() const { return static_cast<std::size_t>(value); }
  friend constexpr auto operator<=>(Index, Index) = default;
};

using PartIndex = Index<struct PartTag>;
using MarkerIndex = Index<struct MarkerTag>;
using JointIndex = Index<struct JointTag>;
using ForceIndex = Index<struct ForceTag>;
using SensorIndex = Index<struct SensorTag>;
using SignalIndex = Index<struct SignalTag>;
using ControllerIndex = Index<struct ControllerTag>;

}  // namespace monocoque

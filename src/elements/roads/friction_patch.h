#pragma once
// A part of the plane with another friction, without a height of its own: a convex polygon, or a strip of
// given length and width along a heading. The weight of the patch is the product of one smooth step per edge,
// which rises from 0 on the edge to 1 at edge_m inside it; mu = (1 - weight) mu_below + weight mu.

#include <vector>
#include "elements/road.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class FrictionPatch final : public Road {
 public:
  explicit FrictionPatch(const io::ParameterSet& p);
  void sample(double x, double y, RoadHint& hint, RoadSample& out) const noexcept override;
  /// Lays the patch over the friction in `s`.
  void cover(double x, double y, RoadSample& s) const noexcept;
  std::string description() const override;

 private:
  struct Edge {
    double n_x, n_y, offset;  ///< inner unit normal; distance inside is n.p - offset
  };
  void add_strip(const io::ParameterSet& p);
  void add_polygon(const io::ParameterSet& p);

  std::vector<Edge> edges_;
  double friction_, edge_;
};

}  // namespace monocoque

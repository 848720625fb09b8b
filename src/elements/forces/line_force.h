#pragma once
// Forces along the line from A's origin to B's: +f n on A, -f n on B with n = p / |p|, tension f > 0.
// At length zero the line has no direction and no force acts.

#include "elements/force.h"

namespace monocoque {

/// Length of the line A-B, its direction and rate.
struct Line {
  Vec3 n;         ///< unit vector from A to B; zero when the origins coincide
  Vec3 u;         ///< vB - vA
  double length;  ///< |p|, m
  double rate;    ///< n . u, m/s
};
Line line_of(const ForceInput& in);

/// Tension and its derivatives.
struct Tension {
  double value, by_length, by_rate;
};

class LineForce : public Force {
 public:
  void wrench(const ForceInput& in, Vec12& out) const final;
  void tangent(const ForceInput& in, ForceTangent& out) const override;

 protected:
  explicit LineForce(int states = 0, int algebraic = 0, int signals = 0) : Force(states, algebraic, signals) {
    restrict_to(kPlaceA | kPlaceB);
  }
  virtual Tension tension(const ForceInput& in, double length, double rate) const = 0;
};

}  // namespace monocoque

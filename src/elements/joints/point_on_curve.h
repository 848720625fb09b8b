#pragma once
// point_on_curve: the origin of B stays on a curve fixed in A. With y = RA^T (pB - pA), curve C(s) and
// vectors r1(s), r2(s) across it (guide_curve.h):
//
//   foot      h(y, s) = C'(s) . (y - C(s)) = 0              solved for s inside the joint
//   rows      g_i = r_i(s) . (y - C(s)) = 0,  i = 1, 2      [m]
//
// W contains ds/dy = C' / D, D = |C'|^2 - C'' . (y - C), as in (27) of the source; s is not a state. The
// memory holds s at the last accepted step as the start of Newton's method. Multipliers in N along r1, r2.
//
// Limits: the point must lie nearer to the curve than its centre of curvature (D > 0), and the curve must
// have no second branch nearer than one step's travel. An open curve goes on straight beyond its ends.
//
// Source: Arnold, contact condition with auxiliary variables, eq. (24) - (28).

#include <vector>

#include "elements/joint.h"
#include "elements/joints/guide_curve.h"

namespace monocoque {

class PointOnCurve final : public Joint {
 public:
  PointOnCurve(const std::vector<Vec3>& points, bool closed) : Joint(2, 2, 2, 0, 1), curve_(points, closed) {}

  void residual(const JointInput& in, RowVector& g) const override;
  void velocity_matrix(const JointInput& in, RowsByTwist& W) const override;
  void convective(const JointInput& in, RowVector& gamma) const override;
  void tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const override;
  void start_memory(const JointInput& in, double* memory) const override;
  void update_memory(const JointInput& in, double* memory) const override;
  std::string row_name(int row) const override { return row == 0 ? "off curve 1" : "off curve 2"; }

 private:
  double parameter(const JointInput& in) const;
  GuideCurve curve_;
};

}  // namespace monocoque

#pragma once
// A road whose height is a profile along its heading times a window across it:
//   z = p(s) w(n),  s = (P - P_0).e, n = (P - P_0).e_left
// The window is 1 within the width and falls to 0 within edge_m inside its borders; without a width it is 1
// everywhere. `track` keeps one side of the middle only. Height 0 and on the road everywhere else.

#include <string>
#include <vector>

#include "elements/roads/road_fields.h"
#include "elements/roads/smooth.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class ProfileRoad : public Road {
 public:
  void sample(double x, double y, RoadHint& hint, RoadSample& out) const noexcept final;

 protected:
  /// Reads the fields of profile_fields(). `p` may lack width_m.
  explicit ProfileRoad(const io::ParameterSet& p);
  virtual Curve profile(double s) const noexcept = 0;

 private:
  Curve window(double n) const noexcept;
  double x_0_, y_0_, cos_, sin_, friction_;
  bool right_end_ = false, left_end_ = false;
  double right_ = 0, left_ = 0, edge_;  ///< of the window, where it ends at all
};

/// `own` followed by place, direction, width, track, edge and friction.
std::vector<io::Field> profile_fields(std::vector<io::Field> own);

}  // namespace monocoque

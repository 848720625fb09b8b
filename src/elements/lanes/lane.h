#pragma once
// A lane: cones, limits, the path of the driver, and the outline of the vehicle that must not touch a cone.
// Plain geometry in the ground plane, world axes, metres. Made by lane_types.

#include <limits>
#include <string>
#include <vector>

#include "elements/lanes/driver_path.h"

namespace monocoque {

struct Cone {
  double x_m = 0, y_m = 0;
  int section = 1;  ///< from 1
  int side = 1;     ///< of the lane in driving direction: 1 left, -1 right
};

/// One limit line of a section.
struct LaneLimit {
  int section = 1, side = 1;
  std::vector<double> x_m, y_m;
};

/// Rectangle around the vehicle, seen from above, in axes of its frame (x forward).
struct Outline {
  double width_m = 0, front_m = 0, rear_m = 0;  ///< lengths from the frame, both positive
};

/// Place of the outline's frame.
struct OutlinePose {
  double x_m = 0, y_m = 0, heading_rad = 0;
};

/// Everything a picture needs.
struct LaneGeometry {
  std::string type, frame;  ///< frame of the outline: "car" or "car.frame"
  std::vector<Cone> cones;
  double cone_radius_m = 0;  ///< of the base
  std::vector<LaneLimit> limits;
  std::vector<double> path_x_m, path_y_m;  ///< points of the driver's path
  Outline outline;
};

struct Lane {
  LaneGeometry geometry;
  DriverPath path;  ///< u = 0 at the begin of the lane
};

/// Distance of a point from the rectangle; inside it is negative: minus the distance to the nearest side.
double distance_to_outline(const Outline& outline, const OutlinePose& pose, double x_m, double y_m);

struct Clearance {
  double distance_m = std::numeric_limits<double>::infinity();  ///< from the outline to the base circle
  int cone = -1;                                                ///< index of the nearest
};
/// The nearest cone; a negative distance is an overlap.
Clearance smallest_clearance(const LaneGeometry& lane, const OutlinePose& pose);

struct ConeHit {
  int cone = 0;  ///< index; users see it counted from 1
  double t_s = 0;
  bool wrong_side = false;  ///< not touched, but left on the other side than the lane demands
};

/// Follows the outline from instant to instant and notes each cone once: at its first contact with the
/// outline, or when the frame passes it on the wrong side.
/// Between two instants the pose is interpolated linearly in pieces in which no corner moves by
/// more than 5 mm. Allocates in the constructor only.
class ConeWatch {
 public:
  explicit ConeWatch(const LaneGeometry& lane);
  void add(double t_s, const OutlinePose& pose);
  const std::vector<ConeHit>& hits() const { return hits_; }
  /// Smallest clearance of the whole motion and its instant.
  const Clearance& smallest() const { return smallest_; }
  double smallest_t_s() const { return smallest_t_s_; }

 private:
  void check(double t_s, const OutlinePose& pose);
  void note(std::size_t cone, double t_s, bool wrong_side);

  const LaneGeometry& lane_;
  std::vector<char> hit_, ahead_;  ///< per cone: noted; lies before the frame
  std::vector<ConeHit> hits_;
  Clearance smallest_;
  double smallest_t_s_ = 0, last_t_s_ = 0;
  OutlinePose last_;
  bool started_ = false;
};

/// "3 (section 1, left)": a cone as messages call it.
std::string cone_label(const LaneGeometry& lane, int cone);

}  // namespace monocoque

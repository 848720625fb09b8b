#pragma once
// Kinematics and compliance (K&C) of a suspension: sweeps on the rig, curves and gradients.
//
// Sweeps: travel (all wheels up and down together), roll (left up, right down), steer (steering signal).
// Per wheel, in rig axes, against the reference position where it says "change":
//   motion ratio     - d(length of spring or damper) / d(height of the wheel centre), in the sweep's own
//   motion roll centre      height where the normal of the contact point's path (of the carrier's material)
//   in the
//                    front view meets the middle plane y = 0; of an axle: where both normals meet
//   track change     of this wheel: contact point outward; wheelbase change: contact point forward
// Signs of angles: suspension_rig.h.

#include <string>
#include <vector>

#include "analysis/suspension/suspension_rig.h"

namespace monocoque::analysis {

/// One wheel in one position. Lengths m, angles rad.
struct CornerPoint {
  double post_m = 0;    ///< travel of the post
  double centre_m = 0;  ///< of the wheel centre, up
  double steer = 0;     ///< value of the steering signal
  double heading = 0, toe = 0, camber = 0, carrier_yaw = 0;
  double track_m = 0, wheelbase_m = 0;      ///< changes at the contact point, of this wheel
  double centre_x_m = 0, centre_out_m = 0;  ///< changes at the wheel centre, forward and outward
  double caster = 0, kingpin = 0, scrub_m = 0, trail_m = 0;  ///< NaN where steering does not turn the wheel
  double spring_ratio = 0, damper_ratio = 0;                 ///< NaN without one
  double bump_steer = 0, bump_camber = 0;  ///< d toe, d camber / d height of the wheel centre, rad/m
  double roll_centre_m = 0;                ///< above the road, by this wheel alone
  double post_N = 0;                       ///< NaN without equilibrium
};

struct AxlePoint {
  double parameter = 0;
  double roll_centre_y_m = 0, roll_centre_z_m = 0;  ///< z above the road (mean of both contact points)
  double track_m = 0;                               ///< of both contact points
};

struct CornerCurve {
  std::string name;
  std::vector<CornerPoint> points;
};
struct AxleCurve {
  std::string name;  ///< "FL/FR"
  std::vector<AxlePoint> points;
};

enum class SweepKind { travel, roll, steer };
struct SuspensionSweep {
  SweepKind kind = SweepKind::travel;
  std::vector<double> parameter;  ///< m of travel, or value of the steering signal
  std::vector<CornerCurve> corners;
  std::vector<AxleCurve> axles;
  std::vector<std::string> ends;  ///< where the linkage ended, in words; the curve stops there
};

/// From - to in equal steps; zero is among the points where it lies between.
std::vector<double> sweep_values(double from, double to, int points);
SuspensionSweep sweep(SuspensionRig& rig, SweepKind kind, const std::vector<double>& values,
                      const std::vector<std::string>& only = {});

/// A column of the tables.
struct CornerColumn {
  const char *key, *unit, *label;
  double CornerPoint::*value;
  double factor;  ///< from SI to the unit shown
};
const std::vector<CornerColumn>& corner_columns();

/// Response of one wheel to one load on it, its post held.
struct Compliance {
  std::string corner, load, unit;      ///< "lateral force at the contact point", "kN"
  double toe_deg = 0, camber_deg = 0;  ///< per unit
  double x_mm = 0, y_mm = 0;           ///< of the wheel centre, forward and to the left, per unit
  double spin_deg = 0;                 ///< of the carrier about the wheel's axis (wind-up), per unit
  struct Point {
    double load = 0, toe_deg = 0, camber_deg = 0, x_mm = 0, y_mm = 0;
  };
  std::vector<Point> curve;
};
/// Loads: lateral, longitudinal (brakes: at the contact point; drive: at the wheel centre), aligning moment.
std::vector<Compliance> compliance(SuspensionRig& rig, double largest_force_N, int points,
                                   const std::vector<std::string>& only = {});

}  // namespace monocoque::analysis

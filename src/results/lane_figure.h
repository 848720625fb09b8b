#pragma once
// Picture of a drive through a lane, seen from above: limits, cones (those hit in another colour), the
// driver's path, the track of the vehicle's frame, and its outline at equal distances of time. Plain vectors,
// so that it can be drawn from a run file or from anything else.

#include "results/recorder.h"
#include "results/svg_plot.h"

namespace monocoque {

struct VehicleTrack {
  std::vector<double> t_s, x_m, y_m, heading_rad;  ///< equal lengths, t increasing
};

struct LaneFigureOptions {
  std::string title;
  int outlines = 12;  ///< how often the outline is drawn
  int width = 1200;   ///< pixels; the height follows from the scale
};

Plot lane_figure(const LaneGeometry& lane, const VehicleTrack& track, const std::vector<ConeHit>& hits,
                 const LaneFigureOptions& options = {});
/// The same from a run; throws Error when it has no lane or not the channels lane/vehicle/*.
Plot lane_figure(const RunData& run, const LaneFigureOptions& options = {});

}  // namespace monocoque

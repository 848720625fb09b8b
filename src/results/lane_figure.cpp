#include "results/lane_figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque {

namespace {

constexpr int kCirclePoints = 24;
// Numbers of plot colours: grey, green, blue, teal, orange, red.
constexpr int kLimit = 7, kPath = 2, kTrack = 0, kOutline = 5, kCone = 1, kHit = 6;

void add_circle(PlotSeries& s, double x, double y, double radius) {
  for (int k = 0; k <= kCirclePoints; ++k) {
    const double angle = 2 * M_PI * k / kCirclePoints;
    s.x.push_back(x + radius * std::cos(angle));
    s.y.push_back(y + radius * std::sin(angle));
  }
}

/// Lifts the pen.
void interrupt(PlotSeries& s) {
  s.x.push_back(std::nan(""));
  s.y.push_back(std::nan(""));
}

void add_outline(PlotSeries& s, const Outline& o, double x, double y, double heading) {
  const double c = std::cos(heading), n = std::sin(heading), half = 0.5 * o.width_m;
  const double corners[5][2] = {
      {o.front_m, half}, {o.front_m, -half}, {-o.rear_m, -half}, {-o.rear_m, half}, {o.front_m, half}};
  for (const auto& [ahead, left] : corners) {
    s.x.push_back(x + c * ahead - n * left);
    s.y.push_back(y + n * ahead + c * left);
  }
  interrupt(s);
}

std::vector<double> column(const RunData& run, const char* path) {
  const auto values = run.data.col(run.column(path));
  return {values.begin(), values.end()};
}

}  // namespace

Plot lane_figure(const LaneGeometry& lane, const VehicleTrack& track, const std::vector<ConeHit>& hits,
                 const LaneFigureOptions& options) {
  Plot plot;
  plot.title = options.title;
  plot.x_label = "x [m]";
  plot.y_label = "y [m]";
  plot.equal_axes = true;
  plot.width = options.width;

  PlotSeries limits{"", {}, {}, false, false, kLimit}, cones{"", {}, {}, false, false, kCone},
      fallen{"cones hit", {}, {}, false, false, kHit},
      path{"path of the driver", lane.path_x_m, lane.path_y_m, true, false, kPath},
      outlines{"", {}, {}, false, false, kOutline}, line{"vehicle", {}, {}, false, false, kTrack};
  for (const LaneLimit& limit : lane.limits) {
    limits.x.insert(limits.x.end(), limit.x_m.begin(), limit.x_m.end());
    limits.y.insert(limits.y.end(), limit.y_m.begin(), limit.y_m.end());
    interrupt(limits);
  }
  for (std::size_t i = 0; i < lane.cones.size(); ++i) {
    const bool hit = std::any_of(hits.begin(), hits.end(),
                                 [&](const ConeHit& h) { return h.cone == static_cast<int>(i); });
    PlotSeries& s = hit ? fallen : cones;
    add_circle(s, lane.cones[i].x_m, lane.cones[i].y_m, lane.cone_radius_m);
    interrupt(s);
  }

  // The picture shows the lane; what lies further than a vehicle before or behind it is left away.
  double x_low = 1e300, x_high = -1e300, y_low = 1e300, y_high = -1e300;
  const auto cover = [&](const std::vector<double>& x, const std::vector<double>& y) {
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
      x_low = std::min(x_low, x[i]), x_high = std::max(x_high, x[i]);
      y_low = std::min(y_low, y[i]), y_high = std::max(y_high, y[i]);
    }
  };
  for (const PlotSeries* s : {&limits, &cones, &fallen, &path}) cover(s->x, s->y);
  const double margin = lane.outline.front_m + lane.outline.rear_m;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < track.t_s.size(); ++i)
    if (track.x_m[i] > x_low - margin && track.x_m[i] < x_high + margin &&
        track.y_m[i] > y_low - 2 * margin && track.y_m[i] < y_high + 2 * margin)
      shown.push_back(i);
  for (const std::size_t i : shown) {
    line.x.push_back(track.x_m[i]);
    line.y.push_back(track.y_m[i]);
  }
  for (int k = 0; k < options.outlines && !shown.empty(); ++k) {
    const std::size_t i = shown[(shown.size() - 1) * static_cast<std::size_t>(k) /
                                static_cast<std::size_t>(std::max(1, options.outlines - 1))];
    add_outline(outlines, lane.outline, track.x_m[i], track.y_m[i], track.heading_rad[i]);
  }
  cover(outlines.x, outlines.y);
  for (PlotSeries* s : {&limits, &outlines, &path, &line, &cones, &fallen})
    if (!s->x.empty()) plot.series.push_back(std::move(*s));
  // As high as the scale of the width asks for, with room for the legend beside the lane.
  const double scale = (options.width - 92) / std::max(1.0, x_high - x_low);
  plot.height = static_cast<int>(std::clamp(scale * (y_high - y_low) + 200, 340.0, 1600.0));
  return plot;
}

Plot lane_figure(const RunData& run, const LaneFigureOptions& options) {
  if (!run.info.lane)
    throw Error("lane figure", "the run has no lane", "run a model or scenario with `lane:`");
  const VehicleTrack track{{run.time.begin(), run.time.end()},
                           column(run, "lane/vehicle/x"),
                           column(run, "lane/vehicle/y"),
                           column(run, "lane/vehicle/heading")};
  LaneFigureOptions filled = options;
  if (filled.title.empty()) filled.title = fmt::format("{} - {}", run.info.model, run.info.scenario);
  return lane_figure(*run.info.lane, track, run.hits, filled);
}

}  // namespace monocoque

// The road surface along the way of a vehicle, for pictures.

#include <algorithm>
#include <cmath>

#include "core/rotation.h"
#include "results/scene.h"

namespace monocoque {

namespace {

constexpr double kBefore_m = 20, kBehind_m = 60;     ///< of the way, in the direction of its ends
constexpr double kHalfWidth_m = 6, kCell_m = 0.5;    ///< across
constexpr double kFinest_m = 0.05, kCoarsest_m = 1;  ///< along
constexpr std::size_t kMostLines = 6000;
constexpr double kPointsPerWave = 8;

}  // namespace

std::array<double, 3> vehicle_place(const Model& model, int vehicle, const VecX& x) {
  const Part& part = model.parts[static_cast<std::size_t>(vehicle)];
  if (!part.moves()) return {0, 0, 0};
  const double px = x[part.x_start], py = x[part.x_start + 1];
  if (!part.turns()) return {px, py, 0};
  const Vec3 ahead = rotation_from_quaternion(x.segment<4>(part.x_start + 3)).col(0);
  return {px, py, std::atan2(ahead.y(), ahead.x())};
}

RoadStrip road_strip(const Model& model, const std::vector<std::array<double, 3>>& way) {
  RoadStrip strip;
  if (!model.road || way.empty()) return strip;
  const Road& road = *model.road;
  const auto& first = way.front();
  const auto& last = way.back();
  double length = kBefore_m + kBehind_m;
  for (std::size_t i = 1; i < way.size(); ++i)
    length += std::hypot(way[i][0] - way[i - 1][0], way[i][1] - way[i - 1][1]);
  const double wave = road.shortest_wavelength_m();
  const double fine = wave > 0 ? std::clamp(wave / kPointsPerWave, kFinest_m, kCoarsest_m) : kCoarsest_m;
  const double step = std::max(fine, length / static_cast<double>(kMostLines));

  // Points every `step` along the way, extended straight at both ends.
  std::vector<std::array<double, 3>> path;
  path.push_back({first[0] - kBefore_m * std::cos(first[2]), first[1] - kBefore_m * std::sin(first[2]), 0});
  for (const auto& p : way)
    if (std::hypot(p[0] - path.back()[0], p[1] - path.back()[1]) > 0.01) path.push_back({p[0], p[1], 0});
  path.push_back({last[0] + kBehind_m * std::cos(last[2]), last[1] + kBehind_m * std::sin(last[2]), 0});
  std::vector<std::array<double, 4>> line;
  double station = 0, next = 0;
  for (std::size_t i = 1; i < path.size() && line.size() < kMostLines + 2; ++i) {
    const double dx = path[i][0] - path[i - 1][0], dy = path[i][1] - path[i - 1][1];
    const double piece = std::hypot(dx, dy);
    if (!(piece > 0) || !std::isfinite(piece)) continue;
    for (; next <= station + piece && line.size() < kMostLines + 2; next += step) {
      const double s = (next - station) / piece;
      line.push_back(
          {path[i - 1][0] + s * dx, path[i - 1][1] + s * dy, std::atan2(dy, dx), next - kBefore_m});
    }
    station += piece;
  }
  const auto count = static_cast<Eigen::Index>(line.size());
  const auto across = static_cast<Eigen::Index>(2 * kHalfWidth_m / kCell_m) + 1;
  strip.line.resize(count, 4);
  strip.offsets = VecX::LinSpaced(across, -kHalfWidth_m, kHalfWidth_m);
  strip.z.resize(count, across);
  RoadHint hint;
  RoadSample sample;
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& p = line[static_cast<std::size_t>(i)];
    strip.line.row(i) << p[0], p[1], p[2], p[3];
    for (Eigen::Index k = 0; k < across; ++k) {
      const double left = strip.offsets[k];
      road.sample(p[0] - left * std::sin(p[2]), p[1] + left * std::cos(p[2]), hint, sample);
      strip.z(i, k) = static_cast<float>(sample.z);
    }
  }
  return strip;
}

}  // namespace monocoque

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "results/channel_book.h"
#include "results/report_digest.h"
#include "results/report_figures.h"

namespace monocoque {

namespace {

using Peak = VehicleFigures::Peak;

std::vector<std::string> attitude_paths(const std::string& part) {
  std::vector<std::string> out;
  for (int i = 0; i < 4; ++i) out.push_back(fmt::format("{}/orientation/q{}", part, i));
  return out;
}

bool moves_like_a_body(const ChannelBook& book, const std::string& part) {
  for (const char* q : {"position", "velocity", "acceleration", "angular_velocity"})
    if (!book.has_vector(path_of(part, q))) return false;
  const auto quaternion = attitude_paths(part);
  return std::all_of(quaternion.begin(), quaternion.end(), [&](const auto& p) { return book.has(p); });
}

std::vector<std::string> tires_of(const ChannelBook& book) {
  std::vector<std::string> out;
  for (const Channel& c : book.channels())
    if (leaf_of(c.path) == "load" && c.unit == "N" && book.has(path_of(folder_of(c.path), "slip_angle")))
      out.push_back(folder_of(c.path));
  return out;
}

/// The value of the greatest size.
void take(Peak& peak, double value, double t) {
  if (std::isfinite(value) && std::abs(value) > std::abs(peak.value)) peak = {value, t, ""};
}

void take_loads(const ChannelBook& book, const std::vector<std::string>& tires, const VecX& time,
                VehicleFigures& out) {
  bool first = true;
  for (const std::string& tire : tires) {
    const auto load = book.values(path_of(tire, "load"));
    double lifted = 0;
    for (Eigen::Index r = 0; r < time.size(); ++r) {
      if (!std::isfinite(load[r])) continue;
      if (first || load[r] < out.least_load.value) out.least_load = {load[r], time[r], tire};
      if (first || load[r] > out.greatest_load.value) out.greatest_load = {load[r], time[r], tire};
      first = false;
      if (load[r] <= 0 && r + 1 < time.size()) lifted += time[r + 1] - time[r];
    }
    if (lifted > 0) out.lifted.emplace_back(tire, lifted);
  }
}

}  // namespace

VehicleFigures vehicle_figures(const RunData& run, const std::string& wanted) {
  VehicleFigures out;
  const ChannelBook book(run);
  const std::vector<std::string> tires = tires_of(book);
  if (tires.empty()) return out;
  std::string part = moves_like_a_body(book, wanted) ? wanted : "";
  for (const std::string& owner : book.owners("acceleration"))
    if (part.empty() && owner.find('/') == std::string::npos && moves_like_a_body(book, owner)) part = owner;
  if (part.empty()) return out;
  out.part = part;
  const auto column = [&](const char* quantity, const char* axis) {
    return book.values(path_of(path_of(part, quantity), axis));
  };
  const auto x = column("position", "x"), y = column("position", "y");
  const auto vx = column("velocity", "x"), vy = column("velocity", "y");
  const auto ax = column("acceleration", "x"), ay = column("acceleration", "y");
  const auto wz = column("angular_velocity", "z");
  const auto angle = [&](ReportCurve::Kind kind) {
    return report_series({"", attitude_paths(part), kind}, run)->y;
  };
  const auto roll = angle(ReportCurve::Kind::roll), pitch = angle(ReportCurve::Kind::pitch),
             yaw = angle(ReportCurve::Kind::yaw);
  constexpr double deg = 180 / std::numbers::pi;
  const VecX& time = run.time;
  out.smallest_speed = INFINITY;
  for (Eigen::Index r = 0; r < time.size(); ++r) {
    const auto i = static_cast<std::size_t>(r);
    const double speed = std::hypot(vx[r], vy[r]), c = std::cos(yaw[i] / deg), s = std::sin(yaw[i] / deg);
    if (std::isfinite(speed)) {
      out.largest_speed = std::max(out.largest_speed, speed);
      out.smallest_speed = std::min(out.smallest_speed, speed);
    }
    if (r > 0) out.distance += std::hypot(x[r] - x[r - 1], y[r] - y[r - 1]);
    take(out.lateral, c * ay[r] - s * ax[r], time[r]);
    take(out.forward, c * ax[r] + s * ay[r], time[r]);
    take(out.roll, roll[i], time[r]);
    take(out.pitch, pitch[i], time[r]);
    take(out.yaw_rate, deg * wz[r], time[r]);
  }
  out.start_speed = std::hypot(vx[0], vy[0]);
  out.end_speed = std::hypot(vx[time.size() - 1], vy[time.size() - 1]);
  take_loads(book, tires, time, out);
  return out;
}

}  // namespace monocoque

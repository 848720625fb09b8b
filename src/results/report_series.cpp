#include <algorithm>
#include <cmath>
#include <numbers>

#include "results/channel_book.h"
#include "results/report_figures.h"

namespace monocoque {

namespace {

using Kind = ReportCurve::Kind;

double angle(Kind kind, double q0, double q1, double q2, double q3) {
  constexpr double deg = 180 / std::numbers::pi;
  if (kind == Kind::roll) return deg * std::atan2(2 * (q0 * q1 + q2 * q3), 1 - 2 * (q1 * q1 + q2 * q2));
  if (kind == Kind::pitch) return deg * std::asin(std::clamp(2 * (q0 * q2 - q3 * q1), -1.0, 1.0));
  return deg * std::atan2(2 * (q0 * q3 + q1 * q2), 1 - 2 * (q2 * q2 + q3 * q3));
}

}  // namespace

std::optional<PlotSeries> report_series(const ReportCurve& curve, const RunData& run) {
  const ChannelBook book(run);
  for (const std::string& path : curve.paths)
    if (!book.has(path)) return std::nullopt;
  PlotSeries out;
  out.name = curve.name;
  const Eigen::Index n = run.time.size();
  std::vector<VecX> columns;
  for (const std::string& path : curve.paths) columns.emplace_back(book.values(path));
  const auto column = [&](std::size_t i) -> const VecX& { return columns[i]; };
  out.y.resize(static_cast<std::size_t>(n));
  if (curve.kind == Kind::path) {
    out.x.assign(column(0).begin(), column(0).end());
    out.y.assign(column(1).begin(), column(1).end());
    return out;
  }
  out.x.assign(run.time.begin(), run.time.end());
  double turns = 0;
  for (Eigen::Index r = 0; r < n; ++r) {
    double& y = out.y[static_cast<std::size_t>(r)];
    switch (curve.kind) {
      case Kind::length:
        y = std::hypot(column(0)[r], column(1)[r], column(2)[r]);
        break;
      case Kind::balance:
        y = column(0)[r] - column(0)[0] - (column(1)[r] - column(1)[0]) + column(2)[r] - column(2)[0];
        break;
      case Kind::turn:
      case Kind::roll:
      case Kind::pitch:
      case Kind::yaw: {
        y = turns + (curve.kind == Kind::turn
                         ? 360 / std::numbers::pi * std::atan2(column(1)[r], column(0)[r])
                         : angle(curve.kind, column(0)[r], column(1)[r], column(2)[r], column(3)[r]));
        // Without jumps at a half turn.
        if (r > 0 && curve.kind != Kind::pitch) {
          const double jump = std::round((out.y[static_cast<std::size_t>(r - 1)] - y) / 360) * 360;
          if (std::isfinite(jump)) {
            y += jump;
            turns += jump;
          }
        }
        break;
      }
      default:
        y = column(0)[r];
    }
  }
  return out;
}

std::optional<EnergyAudit> energy_audit(const RunData& run) {
  const auto left =
      report_series({"", {"energy/total", "energy/supplied", "energy/dissipated"}, Kind::balance}, run);
  const ChannelBook book(run);
  if (!left || !book.has("energy/kinetic") || !book.has("energy/elastic")) return std::nullopt;
  EnergyAudit out;
  for (const double e : left->y) out.largest_error_J = std::max(out.largest_error_J, std::abs(e));
  const auto kinetic = book.values("energy/kinetic"), elastic = book.values("energy/elastic");
  for (Eigen::Index r = 0; r < run.time.size(); ++r)
    out.largest_energy_J = std::max(out.largest_energy_J, kinetic[r] + std::abs(elastic[r]));
  return out;
}

}  // namespace monocoque

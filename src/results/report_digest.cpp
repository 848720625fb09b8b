#include "results/report_digest.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include "io/files/json.h"

#include "results/channel_book.h"
#include "results/report_figures.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using Level = Verdict::Level;

constexpr double kGravity = 9.81, kKmh = 3.6;
constexpr double kGoodEnergy = 1e-3, kBadEnergy = 0.1, kNoEnergy_J = 1e-6;  ///< the last two as of the run
constexpr double kGoodDrift = 1e-6, kBadDrift = 0.01;

std::string four(double value) {
  return fmt::format("{:.4g}", value);
}

double number_at(const Json& json, const char* pointer) {
  const Json::json_pointer p(pointer);
  return json.contains(p) && json[p].is_number() ? json[p].get<double>() : std::nan("");
}

Verdict energy_verdict(const RunData& run, const Json& summary) {
  const auto audit = energy_audit(run);
  double error = number_at(summary, "/energy_error");
  if (std::isnan(error) && audit && audit->largest_energy_J > 0)
    error = audit->largest_error_J / audit->largest_energy_J;
  if (std::isnan(error)) return {Level::unknown, "Energy: the run does not say enough to check its balance."};
  const std::string size = fmt::format("{:.2g} of the largest kinetic plus elastic energy", error);
  if (error < kGoodEnergy) return {Level::good, "Energy: the balance closes, to " + size + "."};
  if (audit && audit->largest_error_J < kNoEnergy_J)
    return {Level::good, fmt::format("Energy: next to nothing moves, and what is left over is {:.2g} J.",
                                     audit->largest_error_J)};
  if (error < kBadEnergy)
    return {Level::fair,
            "Energy: the balance closes roughly, to " + size +
                ". Contacts and kinks (bumps, stops, friction) cost this much at a fixed step; a "
                "smaller step_s shows how much of it matters."};
  return {Level::bad, "Energy: the balance does not close, it is off by " + size +
                          ". Compare with a smaller step_s or with solver ida before you use the numbers."};
}

Verdict drift_verdict(const RunData& run, const Json& summary) {
  double drift = number_at(summary, "/drift/position");
  if (std::isnan(drift))
    for (std::size_t i = 0; i < run.channels.size(); ++i)
      if (run.channels[i].path == "drift/position")
        drift = run.data.col(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff();
  if (std::isnan(drift)) return {Level::unknown, "Drift: the run does not say how far its joints opened."};
  const std::string size = fmt::format("{:.2g} m (or rad)", drift);
  if (drift < kGoodDrift) return {Level::good, "Drift: joints stay closed, within " + size + "."};
  if (drift < kBadDrift)
    return {Level::fair, "Drift: joints open by up to " + size +
                             "; compare that with the sizes that matter to you, or take stabilisation: "
                             "projection."};
  return {Level::bad, "Drift: joints open by up to " + size + ": the model has come apart."};
}

void add_doubts(const RunData& run, const Json& settings, const Json& summary, RunDigest& out) {
  if (!run.complete) {
    const double end = number_at(settings, "/end_s");
    out.doubts.push_back(
        fmt::format("The run was cut off at {:g} s{}: what is here ends early, and there is no summary.",
                    run.time[run.time.size() - 1], std::isnan(end) ? "" : fmt::format(" of {:g} s", end)));
  }
  if (summary.value("interrupted", false)) out.doubts.emplace_back("The run was interrupted.");
  if (summary.contains("warnings") && summary["warnings"].is_array())
    for (const Json& w : summary["warnings"])
      out.doubts.push_back(w.is_string() ? w.get<std::string>() : w.dump());
  std::size_t broken = 0;
  std::string first;
  for (std::size_t i = 0; i < run.channels.size(); ++i)
    if (!run.data.col(static_cast<Eigen::Index>(i)).allFinite() && broken++ == 0)
      first = run.channels[i].path;
  if (broken > 0)
    out.doubts.push_back(fmt::format("{} channel{} values that are not finite, {} first.", broken,
                                     broken == 1 ? " has" : "s have", first));
}

std::string named(const VehicleFigures::Peak& p) {
  return p.of.empty() ? fmt::format("at {:.4g} s", p.at_s) : fmt::format("{}, at {:.4g} s", p.of, p.at_s);
}

void tell_vehicle(const VehicleFigures& v, const RunData& run, RunDigest& out) {
  const double duration = run.time[run.time.size() - 1] - run.time[0];
  out.outcome.push_back(
      fmt::format("{} went {:.4g} m in {:.4g} s; its speed was {:.4g} km/h at the start and {:.4g} km/h at "
                  "the end.",
                  v.part, v.distance, duration, kKmh * v.start_speed, kKmh * v.end_speed));
  out.outcome.push_back(fmt::format(
      "Lateral acceleration reached {:.3g} m/s\u00b2 ({:.2g} g), roll {:.3g}\u00b0, yaw rate {:.3g}\u00b0/s.",
      std::abs(v.lateral.value), std::abs(v.lateral.value) / kGravity, std::abs(v.roll.value),
      std::abs(v.yaw_rate.value)));
  if (v.lifted.empty()) {
    out.outcome.push_back(fmt::format("All wheels stayed on the road; the least load was {:.4g} N ({}).",
                                      v.least_load.value, named(v.least_load)));
  } else {
    std::string text;
    for (const auto& [tire, time] : v.lifted)
      text += fmt::format("{}{} for {:.3g} s", text.empty() ? "" : ", ", tire, time);
    out.outcome.push_back("Wheels lost the road: " + text + ".");
  }
  const auto add = [&](const char* name, double value, const char* unit, const std::string& note) {
    out.figures.push_back({name, four(value), unit, note});
  };
  add("Speed, at the start", kKmh * v.start_speed, "km/h",
      fmt::format("at the end {:.4g} km/h", kKmh * v.end_speed));
  add("Speed, greatest", kKmh * v.largest_speed, "km/h",
      fmt::format("least {:.4g} km/h", kKmh * v.smallest_speed));
  add("Lateral acceleration, peak", std::abs(v.lateral.value), "m/s\u00b2",
      fmt::format("to the {}, {}", v.lateral.value < 0 ? "right" : "left", named(v.lateral)));
  add("Forward acceleration, peak", v.forward.value, "m/s\u00b2", named(v.forward));
  add("Roll, peak", std::abs(v.roll.value), "\u00b0", named(v.roll));
  add("Pitch, peak", std::abs(v.pitch.value), "\u00b0", named(v.pitch));
  add("Yaw rate, peak", std::abs(v.yaw_rate.value), "\u00b0/s", named(v.yaw_rate));
  add("Tire load, least", v.least_load.value, "N", named(v.least_load));
  add("Tire load, greatest", v.greatest_load.value, "N", named(v.greatest_load));
}

void tell_lane(const RunData& run, const Json& summary, RunDigest& out) {
  if (!run.info.lane || run.info.lane->cones.empty()) return;
  const std::size_t cones = run.info.lane->cones.size(), hits = run.hits.size();
  std::string list;
  for (const ConeHit& hit : run.hits)
    list +=
        fmt::format("{}{}{}", list.empty() ? "" : ", ", hit.cone + 1, hit.wrong_side ? " (wrong side)" : "");
  const double clearance = number_at(summary, "/lane/smallest_clearance_m");
  const std::string room = std::isnan(clearance) ? "" : fmt::format("smallest clearance {:.3g} m", clearance);
  out.figures.push_back(
      {"Cones hit", fmt::format("{}", hits), fmt::format("of {}", cones), hits > 0 ? "cones " + list : room});
  if (!run.complete) return;
  if (hits == 0)
    out.outcome.push_back(fmt::format("None of the {} cones of the lane was touched{}{}.", cones,
                                      room.empty() ? "" : "; ", room));
  else
    out.outcome.push_back(fmt::format("{} of the {} cones of the lane {} hit: {}.", hits, cones,
                                      hits == 1 ? "was" : "were", list));
}

void tell_bodies(const RunMotion& motion, const std::vector<BodyPeaks>& peaks, RunDigest& out) {
  for (std::size_t i = 0; i < std::min(motion.bodies.size(), peaks.size()); ++i) {
    const BodyMotion& body = motion.bodies[i];
    const auto where = [&](const BodyPeak& p) {
      const Vec3 at = body.shapes.points.col(p.node);
      return fmt::format("at {:.4g} s, point ({:.2f}, {:.2f}, {:.2f}) m of {}", p.at_s, at.x(), at.y(),
                         at.z(), body.part);
    };
    const BodyPeak& u = peaks[i].displacement;
    out.figures.push_back({"Deformation, largest", four(1e3 * u.value), "mm", where(u)});
    std::string text = fmt::format("{} deformed by up to {:.3g} mm", body.part, 1e3 * u.value);
    if (peaks[i].von_mises) {
      const BodyPeak& s = *peaks[i].von_mises;
      out.figures.push_back({"Stress, largest", four(1e-6 * s.value), "MPa", "von Mises, " + where(s)});
      text += fmt::format("; the largest stress on its surface was {:.3g} MPa", 1e-6 * s.value);
    }
    out.outcome.push_back(text + ".");
  }
}

/// Of models that are no vehicles: what moved fastest, which joint carried most.
void tell_model(const RunData& run, RunDigest& out) {
  out.outcome.push_back(fmt::format("{} was simulated from {:g} to {:g} s.", run.info.model, run.time[0],
                                    run.time[run.time.size() - 1]));
  const ChannelBook book(run);
  const auto greatest = [&](const char* quantity, const char* name, const char* unit) {
    VehicleFigures::Peak peak;
    for (const std::string& owner : book.owners(quantity)) {
      const std::string base = path_of(owner, quantity);
      const auto x = book.values(base + "/x"), y = book.values(base + "/y"), z = book.values(base + "/z");
      for (Eigen::Index r = 0; r < run.time.size(); ++r)
        if (const double size = std::hypot(x[r], y[r], z[r]); size > peak.value)
          peak = {size, run.time[r], owner};
    }
    if (peak.value > 0) out.figures.push_back({name, four(peak.value), unit, named(peak)});
  };
  greatest("velocity", "Speed, greatest", "m/s");
  greatest("acceleration", "Acceleration, greatest", "m/s\u00b2");
  greatest("reaction/force", "Force in a joint, greatest", "N");
}

}  // namespace

RunDigest digest_of(const RunData& run, const Json& settings, const Json& summary, const RunMotion& motion,
                    const std::vector<BodyPeaks>& peaks) {
  RunDigest out;
  add_doubts(run, settings, summary, out);
  const VehicleFigures vehicle = vehicle_figures(run, motion.vehicle);
  if (vehicle.part.empty())
    tell_model(run, out);
  else
    tell_vehicle(vehicle, run, out);
  tell_lane(run, summary, out);
  tell_bodies(motion, peaks, out);
  out.energy = energy_verdict(run, summary);
  out.drift = drift_verdict(run, summary);
  if (const double factor = number_at(summary, "/rt_factor"); !std::isnan(factor) && factor > 0)
    out.figures.push_back({"Computing time", four(factor), "s per s",
                           factor < 1 ? fmt::format("{:.3g} times as fast as reality", 1 / factor)
                                      : fmt::format("{:.3g} times as slow as reality", factor)});
  return out;
}

}  // namespace monocoque

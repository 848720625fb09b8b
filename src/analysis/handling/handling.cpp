#include "analysis/handling/handling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace monocoque::analysis {

namespace {

constexpr double kLargestAngle = 18 * std::numbers::pi / 180;
/// Tests of a car that oversteers stay this far below its critical speed.
constexpr double kSteadyShare = 0.6, kStepShare = 0.7;

double degrees(double rad) {
  return rad * 180 / std::numbers::pi;
}
/// rad/(m/s^2) to deg/g.
double per_g(double gradient) {
  return degrees(gradient) * 9.81;
}
double km_per_h(double v) {
  return 3.6 * v;
}

}  // namespace

HandlingReport handling(const HandlingCar& car, const HandlingOptions& o, const HandlingHooks& hooks) {
  HandlingReport out;
  const TestDrive drive(car, o.drive, hooks.interrupted);
  // Shares of the work, measured on the Camry.
  struct Stage {
    const char* what;
    double begin, end;
  };
  constexpr Stage kSteering{"steering", 0, 0.02}, kEigen{"critical speed, eigenvalues", 0.02, 0.05},
      kSteadyStage{"steady cornering", 0.05, 0.4}, kRuns{"critical speed, runs", 0.4, 0.75},
      kStep{"step steer", 0.75, 0.78}, kDwell{"sine with dwell", 0.78, 1};
  const auto say = [&](const Stage& stage, double share = 0) {
    if (hooks.progress) hooks.progress(stage.what, stage.begin + share * (stage.end - stage.begin));
  };
  const auto ended = [&] { return out.interrupted = drive.interrupted(); };

  out.sizes = drive.sizes();
  say(kSteering);
  out.steering = steering_curve(drive, o.small_steer, kLargestAngle);
  say(kEigen);
  out.critical.by_eigenvalues = critical_speed_by_eigenvalues(drive, o.largest_speed_m_per_s);
  if (ended()) return out;
  const std::optional<double> critical = out.critical.by_eigenvalues;
  const auto speed_below = [&](double share) {
    return critical ? std::min(o.speed_m_per_s, share * *critical) : o.speed_m_per_s;
  };
  say(kSteadyStage);
  out.steady = steady_cornering(drive, out.steering, speed_below(kSteadyShare), critical, o.limit,
                                [&](double share) { say(kSteadyStage, share); });
  if (ended()) return out;
  const double K = out.steady.mean.at_steering, L = out.sizes.wheelbase_m;
  // v^2 = L/|K|: where the steering needed for a given curvature falls to zero, or has doubled.
  (K < 0 ? out.critical.by_gradient : out.critical.characteristic) = std::sqrt(L / std::abs(K));
  if (o.critical_by_runs) {
    say(kRuns);
    out.critical.by_runs = critical_speed_by_runs(drive, out.steering, o.largest_speed_m_per_s,
                                                  [&](double share) { say(kRuns, share); });
  }
  if (ended()) return out;
  if (o.step_steer) {
    say(kStep);
    out.step =
        step_steer(drive, out.steering, out.steady, speed_below(kStepShare), o.step_acceleration_m_per_s2);
  }
  if (ended()) return out;
  if (o.sine_with_dwell)
    out.dwell = sine_with_dwell(drive, out.steering, out.steady, speed_below(kStepShare),
                                [&](double share) { say(kDwell, share); });
  ended();
  return out;
}

std::vector<HandlingRow> handling_table(const HandlingReport& r) {
  std::vector<HandlingRow> rows;
  const auto add = [&](const char* group, const char* quantity, const char* unit, const char* key,
                       std::optional<double> value, std::string remark = {}) {
    rows.push_back({group, quantity, unit, key, value, std::move(remark)});
  };
  const char* g = "car";
  add(g, "mass", "kg", "mass_kg", r.sizes.mass_kg);
  add(g, "wheelbase", "m", "wheelbase_m", r.sizes.wheelbase_m);
  add(g, "centre of gravity behind the front axle", "m", "front_m", r.sizes.front_m);
  add(g, "road-wheel angle per steering signal", "deg per unit", "steering_ratio_deg",
      degrees(r.steering.ratio));

  g = "steady cornering (ISO 4138)";
  const SteadyCornering& s = r.steady;
  add(g, "speed, held", "km/h", "steady_speed_km_per_h", km_per_h(s.speed_m_per_s));
  add(g, "understeer gradient, at the steering", "deg/g", "understeer_deg_per_g", per_g(s.mean.at_steering),
      fmt::format("left {:.3f}, right {:.3f}", per_g(s.left.at_steering), per_g(s.right.at_steering)));
  add(g, "  tires: slip angles front - rear", "deg/g", "slip_difference_deg_per_g", per_g(s.mean.slips));
  add(g, "  front axle turns (roll, forces)", "deg/g", "front_steer_deg_per_g", per_g(s.mean.front_steer),
      "counts with -");
  add(g, "  rear axle turns (roll, forces)", "deg/g", "rear_steer_deg_per_g", per_g(s.mean.rear_steer),
      "counts with +");
  add(g, "understeer gradient, at the road wheels", "deg/g", "understeer_road_wheel_deg_per_g",
      per_g(s.mean.at_wheel),
      fmt::format("left {:.3f}, right {:.3f}", per_g(s.left.at_wheel), per_g(s.right.at_wheel)));
  add(g, "roll gradient", "deg/g", "roll_gradient_deg_per_g", per_g(s.mean.roll));
  if (!s.left_run.t.empty()) {
    add(g, "largest lateral acceleration, left", "m/s^2", "limit_left_m_per_s2", s.left_limit,
        s.left_unstable ? "open-loop stability ends" : "grip ends");
    add(g, "largest lateral acceleration, right", "m/s^2", "limit_right_m_per_s2", s.right_limit,
        s.right_unstable ? "open-loop stability ends" : "grip ends");
  }

  g = "critical speed";
  const auto speed = [&](const char* quantity, const char* key, std::optional<double> v, std::string remark) {
    add(g, quantity, "km/h", key, v ? std::optional(km_per_h(*v)) : std::nullopt, std::move(remark));
  };
  const std::string none = "none found: stable";
  speed("eigenvalues of straight running", "critical_eigenvalues_km_per_h", r.critical.by_eigenvalues,
        r.critical.by_eigenvalues ? "" : none);
  speed("bisection of disturbed runs", "critical_runs_km_per_h", r.critical.by_runs,
        r.critical.by_runs ? "" : none);
  speed("sqrt(-L/K) of the gradient", "critical_gradient_km_per_h", r.critical.by_gradient,
        r.critical.by_gradient ? "" : "none: understeers");
  speed("characteristic speed sqrt(L/K)", "characteristic_km_per_h", r.critical.characteristic,
        r.critical.characteristic ? "" : "none: oversteers");

  if (r.step) {
    g = "step steer (ISO 7401)";
    const StepSteer& p = *r.step;
    add(g, "speed, held", "km/h", "step_speed_km_per_h", km_per_h(p.speed_m_per_s));
    add(g, "lateral acceleration, steady", "m/s^2", "step_lateral_m_per_s2", p.lateral_m_per_s2,
        fmt::format("wanted {:g}{}", p.wanted_m_per_s2, p.settled ? "" : "; NOT SETTLED"));
    if (p.settled) {
      add(g, "yaw rate, steady", "deg/s", "step_yaw_rate_deg_per_s", degrees(p.yaw_rate));
      add(g, "sideslip angle, steady", "deg", "step_sideslip_deg", degrees(p.sideslip));
      add(g, "response time of the yaw rate", "s", "yaw_response_s", p.yaw_response_s);
      add(g, "response time of the lateral acceleration", "s", "lateral_response_s", p.lateral_response_s);
      const auto peak = [&](double overshoot, double value) {
        return overshoot > 0 ? std::optional(value) : std::nullopt;
      };
      add(g, "peak response time of the yaw rate", "s", "yaw_peak_s", peak(p.yaw_overshoot, p.yaw_peak_s),
          p.yaw_overshoot > 0 ? "" : "no peak");
      add(g, "peak response time of the lateral acceleration", "s", "lateral_peak_s",
          peak(p.lateral_overshoot, p.lateral_peak_s), p.lateral_overshoot > 0 ? "" : "no peak");
      add(g, "overshoot of the yaw rate", "%", "yaw_overshoot_percent", 100 * p.yaw_overshoot);
      add(g, "overshoot of the lateral acceleration", "%", "lateral_overshoot_percent",
          100 * p.lateral_overshoot);
      add(g, "TB value", "deg s", "tb_deg_s", degrees(p.tb_rad_s),
          p.yaw_overshoot > 0 ? "with the peak response time" : "with the response time: no peak");
    }
  }
  if (r.dwell) {
    g = "sine with dwell";
    const SineWithDwell& d = *r.dwell;
    add(g, "speed, rolling free", "km/h", "dwell_speed_km_per_h", km_per_h(d.speed_m_per_s));
    add(g, "amplitude A that gives 0.3 g", "deg", "dwell_unit_deg", degrees(d.unit_angle));
    add(g, "largest amplitude with a stable end", "A", "dwell_largest_stable", d.largest_stable,
        d.runs.empty()         ? ""
        : d.runs.back().stable ? fmt::format("all tried up to {:g} A", d.runs.back().factor)
                               : fmt::format("unstable at {:g} A", d.runs.back().factor));
    for (const DwellRun& run : d.runs) {
      if (run.factor != d.largest_stable) continue;
      add(g, "  yaw rate 1 s after the end of steering", "%", "dwell_yaw_1s_percent", 100 * run.yaw_after_1s,
          "limit 35");
      add(g, "  yaw rate 1.75 s after it", "%", "dwell_yaw_1_75s_percent", 100 * run.yaw_after_1_75s,
          "limit 20");
      add(g, "  lateral displacement after 1.07 s", "m", "dwell_displacement_m", run.displacement_m);
    }
  }
  return rows;
}

}  // namespace monocoque::analysis

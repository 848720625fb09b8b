// The double lane change (dissertation 5.3.2): rigid and flexible car, the same steering in open loop.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "apps/reproduce/flexible_camry.h"

namespace monocoque {

namespace {

constexpr const char* kScenario = "double-lane-change-open-loop.yaml";
/// Instants of the document's pictures: every 0.4 s to 4.4 s.
constexpr int kPictures = 12;
constexpr double kPictureStep_s = 0.4;

RecordedRun drive(const Reproduction& r, Body body, const std::vector<std::string>& overrides = {}) {
  const LoadedScenario car = load_camry(kScenario, body, overrides);
  r.say(fmt::format("{} {}", body == Body::rigid ? "rigid" : "flexible",
                    overrides.empty() ? std::string() : overrides[0]));
  io::SimulationSpec s = car.spec.simulation;
  if (r.quick()) s.step_s = 2e-3;
  s.outputs = {"car/position/*", "attitude/*", "speed/*", "*/tire/load", "lane/*"};
  if (body == Body::flexible) s.outputs.insert(s.outputs.end(), {"car/elastic/*", "car/node_*"});
  return record_run(*car.model, s);
}

/// Deviation of the car body's place at the end, left of the rigid car's heading there.
double sideways(const RecordedRun& run, const RecordedRun& rigid) {
  const double yaw = rigid["attitude/yaw"].back();
  const double dx = run["car/position/x"].back() - rigid["car/position/x"].back(),
               dy = run["car/position/y"].back() - rigid["car/position/y"].back();
  return -std::sin(yaw) * dx + std::cos(yaw) * dy;
}

void draw(Reproduction& r, const RecordedRun& flexible, const RecordedRun& rigid) {
  Plot path{"Double lane change: trajectories of the car body", "x / m", "y / m", {}};
  path.series.push_back({"rigid", rigid["car/position/x"], rigid["car/position/y"]});
  path.series.push_back({"flexible", flexible["car/position/x"], flexible["car/position/y"], true});
  PlotSeries marks{"instants of the pictures", {}, {}};
  marks.points_only = true;
  BodySheet sheet{"deformed-body", "Double lane change: deformation of the body", {}, 0.5, 60};
  for (int i = 0; i < kPictures && i * kPictureStep_s <= flexible.t.back(); ++i) {
    const double t = i * kPictureStep_s;
    sheet.times_s.push_back(t);
    const auto k = static_cast<std::size_t>(std::lower_bound(flexible.t.begin(), flexible.t.end(), t - 1e-9) -
                                            flexible.t.begin());
    marks.x.push_back(flexible["car/position/x"][k]);
    marks.y.push_back(flexible["car/position/y"][k]);
  }
  path.series.push_back(marks);
  r.plot("trajectories", path);
  plot_elastic_coordinates(r, flexible, "Elastic coordinates with the highest amplitude", [](const auto& q) {
    double largest = 0;
    for (const double v : q) largest = std::max(largest, std::abs(v));
    return largest;
  });
  Plot loads{"Loads on the domes, vertical, axes of the body", "t / s", "N", {}};
  constexpr std::array names = {"FL", "FR", "RL", "RR"};
  for (std::size_t i = 0; i < 4; ++i)
    loads.series.push_back({names[i], flexible.t, flexible[fmt::format("car/node_{}/force/z", i + 1)]});
  r.plot("dome-loads", loads);
  draw_body_sheet(r, flexible, camry_shapes(), sheet);
}

}  // namespace

void reproduce_double_lane_change(Reproduction& r) {
  const RecordedRun rigid = drive(r, Body::rigid);
  const bool kept = rigid.summary.lane.hits.empty();
  r.expect("rigid car in the ISO 3888-2 lane at 60 km/h", "stays within the lane",
           kept ? "touches no cone" : fmt::format("touches {} cones", rigid.summary.lane.hits.size()),
           "no cone", kept);
  RecordedRun flexible;
  const auto series = [&](const std::string& name, const std::string& file, bool shown) {
    std::vector<double> away;
    for (const double factor : r.quick() ? std::vector<double>{1, 10} : std::vector<double>{1, 3, 10, 100}) {
      RecordedRun run =
          drive(r, Body::flexible,
                {fmt::format("parts.car.stiffness_factor={:g}", factor), "parts.car.body=" + file});
      away.push_back(std::abs(sideways(run, rigid)));
      r.note(fmt::format("{}: lateral deviation at the end, body {:g} times as stiff", name, factor),
             factor == 1 ? "0.3 m, for the document's body" : "-", fmt::format("{:.5f} m", away.back()));
      if (factor == 1 && shown) flexible = std::move(run);
    }
    r.expect(
        name + ": the deviation falls with the stiffness", "-",
        fmt::format("{:.3g} of it is left", away.back() / away.front()),
        "monotonic to < 0.2, in the end < 0.02",
        std::is_sorted(away.rbegin(), away.rend()) && away.back() < (r.quick() ? 0.2 : 0.02) * away.front());
  };
  series("40 coordinates, shapes of the domes", "camry-body-40.h5", true);
  if (!r.quick()) series("90 coordinates, shapes of all interfaces", "camry-body-all.h5", false);
  r.below("energy audit of the flexible run", "-", flexible.summary.energy_error, 1e-3, "");
  r.note("flexible car", "-",
         flexible.summary.lane.hits.empty()
             ? "touches no cone"
             : fmt::format("touches {} cones", flexible.summary.lane.hits.size()));
  draw(r, flexible, rigid);
}

}  // namespace monocoque

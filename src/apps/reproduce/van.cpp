// Schiehlen, sections 2 and 5.1, figures 12, 14 and 22: the van built from its data model, overtaking.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "apps/reproduce/reproduction.h"

namespace monocoque {

void reproduce_van(Reproduction& r) {
  const LoadedScenario van = load_scenario(shipped_model("vehicles/overtaking-van.yaml"), {});
  io::SimulationSpec settings = van.spec.simulation;
  if (r.quick()) settings.end_s = 3;
  const std::vector<std::string> names{"vanbody", "lfrontw", "rfrontw", "rearaxle"};
  bool all = true;
  for (const std::string& name : names)
    all = all && std::any_of(van.model->parts.begin(), van.model->parts.end(),
                             [&](const Part& p) { return p.name == name; });
  r.expect("parts of the data base", "vanbody, lfrontw, rfrontw, rearaxle",
           all ? "all there" : "not all there", "equal", all);
  r.note("degrees of freedom", "-",
         fmt::format("{}: body 6, front wheels 1 + spin each, rear axle 3 + two spins",
                     van.model->nz - van.model->nlambda));
  const RecordedRun run = record_run(*van.model, settings);
  constexpr double kDegrees = 180 / std::numbers::pi;
  const auto largest = [&](const std::string& path) {
    double most = 0;
    for (const double v : run[path]) most = std::max(most, std::abs(v));
    return most;
  };
  r.expect("cones touched", "none", fmt::format("{}", run.summary.lane.hits.size()), "0",
           run.summary.lane.hits.empty());
  r.note("smallest clearance", "-", fmt::format("{:.2f} m", run.summary.lane.smallest.distance_m));
  r.note("largest lateral acceleration", "-", fmt::format("{:.2f} m/s^2", largest("acceleration/y")));
  r.note("largest roll and yaw", "-",
         fmt::format("{:.2f} and {:.2f} degrees", kDegrees * largest("attitude/roll"),
                     kDegrees * largest("attitude/yaw")));
  r.below("energy balance", "-", run.summary.energy_error, 1e-4, "");
  r.below("drift of the joints", "-", run.summary.position_drift, 1e-9, "m");
  r.plot("way",
         {"Overtaking manoeuvre (figure 22)", "x / m", "y / m", {{"van", run["place/x"], run["place/y"]}}});
  r.plot("acceleration",
         {"Acceleration of the van body, its axes",
          "t / s",
          "m/s^2",
          {{"lateral", run.t, run["acceleration/y"]}, {"vertical", run.t, run["acceleration/z"]}}});
  r.plot("attitude", {"Roll", "t / s", "rad", {{"", run.t, run["attitude/roll"]}}});
}

}  // namespace monocoque

#include "analysis/ride/ride.h"

#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "dynamics/kinematics.h"

namespace monocoque::analysis {

namespace {

/// Names of the states (p, v, c): the coordinate that has most of each.
std::vector<std::string> state_names(const Linearisation& l) {
  std::vector<std::string> names;
  const auto add = [&](const MatX& basis, const char* before) {
    for (Eigen::Index j = 0; j < basis.cols(); ++j) {
      Eigen::Index most = 0;
      basis.col(j).cwiseAbs().maxCoeff(&most);
      names.push_back(before + l.coordinates[static_cast<std::size_t>(most)]);
    }
  };
  add(l.Q, "");
  add(l.Q_v, "rate of ");
  names.insert(names.end(), l.inner.begin(), l.inner.end());
  return names;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The heaviest part that turns: its x axis is forward.
const Part& vehicle_of(const Model& model) {
  const Part* best = nullptr;
  for (const Part& part : model.parts)
    if (part.turns() && (best == nullptr || part.mass > best->mass)) best = &part;
  if (best == nullptr)
    throw Error(Place{model.file}, model.name, "it has no part that could be a vehicle",
                "give it a car body");
  return *best;
}

}  // namespace

std::vector<std::string> usual_ride_outputs(const Model& model) {
  std::vector<std::string> out;
  const OutputSet all(model, {}, LinearSolverKind::automatic);
  for (const Channel& c : all.channels()) {
    const bool top = c.path.find('/') == c.path.size() - std::string("/acceleration/z").size();
    if ((ends_with(c.path, "/acceleration/z") && top) || ends_with(c.path, "/load") ||
        (c.unit == "m/s^2" && ends_with(c.path, "/z") && c.path.find("/acceleration/") == std::string::npos))
      out.push_back(c.path);
  }
  return out;
}

RideSystem ride_system(const io::ModelSpec& spec, const Model& model, Workspace& ws, State& s,
                       const RideOptions& options) {
  const std::vector<std::string> patterns =
      options.outputs.empty() ? usual_ride_outputs(model) : options.outputs;
  RideSystem out;
  out.road = options.road;
  std::vector<LinearInput> roads;
  for (const LinearInput& input : linear_inputs(spec, model))
    if (input.kind == LinearInput::Kind::road) roads.push_back(input);
  if (roads.empty())
    throw Error(Place{model.file}, model.name, "no tire stands on the ground: the road excites nothing",
                "give the model tires whose frame `from` is on the ground");
  OutputSet outputs(model, patterns, LinearSolverKind::automatic);
  const Linearisation l = linearise(ws, s);
  const LinearSystem linear = linear_system(ws, s, l, roads, outputs);
  out.at_rest.resize(static_cast<Eigen::Index>(outputs.channels().size()));
  WorkAudit audit;
  outputs.fill(ws, s, audit, out.at_rest.data());

  const Part& vehicle = vehicle_of(model);
  const auto index = static_cast<std::size_t>(&vehicle - model.parts.data());
  const Mat3 R = ws.parts[index].R;
  const Vec3 place = s.x.segment<3>(vehicle.x_start), velocity = s.z.segment<3>(vehicle.z_start);
  if (out.road.speed_m_per_s <= 0) out.road.speed_m_per_s = std::hypot(velocity.x(), velocity.y());
  if (!(out.road.speed_m_per_s > 0.1))
    throw Error(Place{model.file}, model.name, "the vehicle stands",
                "give it a speed, or the option --speed");
  for (const LinearInput& input : roads) {
    const ForceInstance& tire = model.forces[static_cast<std::size_t>(input.tire)];
    const Vec3 from = R.transpose() * (ws.markers[tire.markers[1].at()].k.p - place);
    out.wheels.push_back({tire.name, from.x(), from.y()});
  }
  RoadDrivenSystem& r = out.system;
  r.A = linear.A;
  r.B_height = linear.B0;
  r.B_rate = linear.B1;
  r.C = linear.C;
  r.D_height = linear.D0;
  r.D_rate = linear.D1;
  r.states = state_names(l);
  for (const Channel& c : linear.outputs) {
    r.outputs.push_back(c.path);
    r.units.push_back(c.unit);
  }
  return out;
}

}  // namespace monocoque::analysis

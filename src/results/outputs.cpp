#include "results/outputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/rotation.h"
#include "core/von_mises.h"
#include "dynamics/kinematics.h"

namespace monocoque {

namespace {

/// Everything that channels are read from, evaluated at one state.
struct Instant {
  const Workspace& ws;
  const State& state;
  const NodeLoads& node_loads;
  const VecX& sensors;
  const EnergyBalance& energy;
  const WorkAudit& audit;
  double position_drift, velocity_drift;
  OutlinePose outline = {};  ///< the last four need a lane
  double station_m = 0, offset_m = 0, clearance_m = 0;

  const MarkerKinematics& origin(const Part& part) const { return ws.markers[part.origin.at()].k; }
  auto elastic(const Part& part) const { return state.x.segment(part.x_start + 7, part.nq()); }
};

/// The path of a channel, put together only where it is asked for: recording must not allocate.
template <class... Args>
auto path(fmt::format_string<const Args&...> format, const Args&... args) {
  return [format, &args...] { return fmt::format(format, args...); };
}

/// Visitor that lists the channels.
class ChannelLister {
 public:
  void scalar(const auto& path, std::string_view unit, const auto& /*value*/) {
    list.push_back({path(), std::string(unit)});
  }
  void vector(const auto& path, std::string_view unit, const auto& /*value*/) {
    for (const char* axis : {"x", "y", "z"}) list.push_back({path() + "/" + axis, std::string(unit)});
  }
  void block(std::size_t size, const auto& path, const auto& unit, const auto& /*values*/) {
    for (std::size_t i = 0; i < size; ++i) list.push_back({path(i), std::string(unit(i))});
  }
  std::vector<Channel> list;
};

/// Visitor that writes the values of the channels, in the same order.
class ValueWriter {
 public:
  ValueWriter(const Instant& instant, double* out) : instant_(instant), out_(out) {}
  void scalar(const auto& /*path*/, std::string_view /*unit*/, const auto& value) {
    *out_++ = value(instant_);
  }
  void vector(const auto& /*path*/, std::string_view /*unit*/, const auto& value) {
    const Vec3 v = value(instant_);
    for (int i = 0; i < 3; ++i) *out_++ = v[i];
  }
  void block(std::size_t size, const auto& /*path*/, const auto& /*unit*/, const auto& values) {
    values(instant_, out_);
    out_ += size;
  }

 private:
  const Instant& instant_;
  double* out_;
};

template <class Visitor>
void visit_part(const Part& part, Visitor& v) {
  if (!part.moves()) return;
  v.vector(path("{}/position", part.name), "m", [&](const Instant& at) { return at.origin(part).p; });
  v.vector(path("{}/velocity", part.name), "m/s", [&](const Instant& at) { return at.origin(part).v; });
  v.vector(path("{}/acceleration", part.name), "m/s^2", [&](const Instant& at) { return at.origin(part).a; });
  if (!part.turns()) return;
  for (int i = 0; i < 4; ++i)
    v.scalar(path("{}/orientation/q{}", part.name, i), "1",
             [&](const Instant& at) { return at.state.x[part.x_start + 3 + i]; });
  v.vector(path("{}/angular_velocity", part.name), "rad/s",
           [&](const Instant& at) { return at.origin(part).w; });
  v.vector(path("{}/angular_acceleration", part.name), "rad/s^2",
           [&](const Instant& at) { return at.origin(part).alpha; });
  for (int i = 0; i < part.nq(); ++i) {
    const auto position = [&](const Instant& at) { return at.state.x[part.x_start + 7 + i]; };
    if (part.rotors.empty()) {
      v.scalar(path("{}/elastic/q{}", part.name, i + 1), "1", position);
      continue;
    }
    const std::string& rotor = part.rotors[static_cast<std::size_t>(i)];
    v.scalar(path("{}/{}/angle", part.name, rotor), "rad", position);
    v.scalar(path("{}/{}/speed", part.name, rotor), "rad/s",
             [&](const Instant& at) { return at.state.z[part.z_start + 6 + i]; });
  }
}

/// Deformation and stress at a node of a flexible part.
template <class Visitor>
void visit_marker(const Model& model, const Marker& marker, Visitor& v) {
  const Part& part = model.parts[marker.part.at()];
  if (marker.shape < 0 || !part.rotors.empty()) return;  // a rotor turns, it does not deform
  const MarkerShape& shape = model.shapes[static_cast<std::size_t>(marker.shape)];
  // Markers are named PART.FRAME.
  const std::string_view name = marker.name, owner = name.substr(0, name.find('.')),
                         frame = name.substr(owner.size() + 1);
  v.vector(path("{}/{}/deformation", owner, frame), "m",
           [&](const Instant& at) -> Vec3 { return shape.Phi * at.elastic(part); });
  v.vector(path("{}/{}/deformation_angle", owner, frame), "rad",
           [&](const Instant& at) -> Vec3 { return shape.Psi * at.elastic(part); });
  if (shape.stress.size() == 0) return;
  constexpr const char* kStresses[] = {"xx", "yy", "zz", "xy", "xz", "yz", "von_mises"};
  v.block(
      7, [&](std::size_t i) { return fmt::format("{}/{}/stress/{}", owner, frame, kStresses[i]); },
      [](std::size_t) { return "Pa"; },
      [&](const Instant& at, double* out) {
        const Vec6 stress = shape.stress * at.elastic(part);
        for (int i = 0; i < 6; ++i) out[i] = stress[i];
        out[6] = von_mises(stress);
      });
}

/// Force and torque of a wrench, both below the same path.
template <class Visitor>
void visit_wrench(Visitor& v, const auto& owner, const auto& wrench) {
  v.vector([&] { return owner() + "/force"; }, "N",
           [&](const Instant& at) -> Vec3 { return wrench(at).template head<3>(); });
  v.vector([&] { return owner() + "/torque"; }, "N*m",
           [&](const Instant& at) -> Vec3 { return wrench(at).template tail<3>(); });
}

template <class Visitor>
void visit_lane(const Lane& lane, Visitor& v) {
  v.scalar(path("lane/vehicle/x"), "m", [](const Instant& at) { return at.outline.x_m; });
  v.scalar(path("lane/vehicle/y"), "m", [](const Instant& at) { return at.outline.y_m; });
  v.scalar(path("lane/vehicle/heading"), "rad", [](const Instant& at) { return at.outline.heading_rad; });
  v.scalar(path("lane/station"), "m", [](const Instant& at) { return at.station_m; });
  v.scalar(path("lane/offset"), "m", [](const Instant& at) { return at.offset_m; });
  if (!lane.geometry.cones.empty())
    v.scalar(path("lane/clearance"), "m", [](const Instant& at) { return at.clearance_m; });
}

/// The one list of channels: path, unit and value of each. The visitor takes what it needs of them.
template <class Visitor>
void visit_channels(const Model& model, const std::vector<NodeLoads::Node>& nodes, Visitor& v) {
  for (const Part& part : model.parts) visit_part(part, v);
  for (const Marker& marker : model.markers) visit_marker(model, marker, v);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    visit_wrench(v, path("{}/node_{}", model.parts[nodes[i].part.at()].name, nodes[i].id),
                 [&](const Instant& at) -> const Vec6& { return at.node_loads.load(i); });
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (model.joints[i].joint->rows() == 0) continue;
    visit_wrench(v, path("{}/reaction", model.joints[i].name),
                 [&](const Instant& at) -> const Vec6& { return at.ws.joints[i].reaction; });
  }
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const ForceInstance& instance = model.forces[i];
    visit_wrench(v, path("{}", instance.name),
                 [&](const Instant& at) { return at.ws.forces[i].wrench.template tail<6>(); });
    const Force& force = *instance.force;
    const auto own = force.channels();
    v.block(
        own.size(), [&](std::size_t k) { return fmt::format("{}/{}", instance.name, own[k].name); },
        [&](std::size_t k) { return own[k].unit; },
        [&](const Instant& at, double* out) { force.channel_values(at.ws.forces[i].in, out); });
  }
  for (const SensorInstance& sensor : model.sensors) {
    const auto& outputs = sensor.sensor->outputs();
    for (std::size_t k = 0; k < outputs.size(); ++k)
      v.scalar(
          path("{}{}{}", sensor.name, outputs[k].name.empty() ? "" : "/", outputs[k].name), outputs[k].unit,
          [&](const Instant& at) { return at.sensors[sensor.value_start + static_cast<Eigen::Index>(k)]; });
  }
  for (const ControllerInstance& c : model.controllers)
    v.scalar(path("{}/output", c.name), c.controller->unit(),
             [&](const Instant& at) { return c.output(at.state.t, at.state.r).value; });
  if (model.lane) visit_lane(*model.lane, v);
  v.scalar(path("energy/kinetic"), "J", [](const Instant& at) { return at.energy.kinetic; });
  v.scalar(path("energy/gravity"), "J", [](const Instant& at) { return at.energy.gravity; });
  v.scalar(path("energy/elastic"), "J", [](const Instant& at) { return at.energy.elastic; });
  v.scalar(path("energy/total"), "J",
           [](const Instant& at) { return at.energy.kinetic + at.energy.gravity + at.energy.elastic; });
  v.scalar(path("energy/dissipated"), "J", [](const Instant& at) { return at.audit.dissipated; });
  v.scalar(path("energy/supplied"), "J", [](const Instant& at) { return at.audit.supplied; });
  v.scalar(path("drift/position"), "m", [](const Instant& at) { return at.position_drift; });
  v.scalar(path("drift/velocity"), "m/s", [](const Instant& at) { return at.velocity_drift; });
}

}  // namespace

void WorkAudit::add(double t, const EnergyBalance& e) {
  const double total = e.kinetic + e.gravity + e.elastic;
  if (points_ == 0) {
    initial_energy = total;
  } else {
    const double h = t - t_[0];
    // Two old points at equal distance allow the parabola; otherwise the trapezoid.
    const bool parabola = points_ > 1 && std::abs((t_[0] - t_[1]) - h) < 1e-6 * h;
    const auto piece = [&](double now, const double* old) {
      return parabola ? h / 12 * (5 * now + 8 * old[0] - old[1]) : h / 2 * (now + old[0]);
    };
    dissipated += piece(e.dissipated_power, dissipation_);
    supplied += piece(e.supplied_power, supply_);
  }
  t_[1] = t_[0];
  dissipation_[1] = dissipation_[0];
  supply_[1] = supply_[0];
  t_[0] = t;
  dissipation_[0] = e.dissipated_power;
  supply_[0] = e.supplied_power;
  ++points_;
  largest_energy = std::max(largest_energy, e.kinetic + std::abs(e.elastic));
  largest_error = std::max(largest_error, std::abs(total - initial_energy - supplied + dissipated));
}

OutputSet::OutputSet(const Model& model, const std::vector<std::string>& patterns, LinearSolverKind kind,
                     const Place& place)
    : model_(model), system_(model, kind), node_loads_(model), state_(initial_state(model)) {
  z_dot_.setZero(model.nz);
  sensors_.setZero(model.nsensor);
  ChannelLister lister;
  visit_channels(model, node_loads_.nodes(), lister);
  const std::vector<Channel>& all = lister.list;
  all_.setZero(static_cast<Eigen::Index>(all.size()));
  std::vector<bool> used(patterns.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool take = patterns.empty();
    for (std::size_t k = 0; k < patterns.size(); ++k)
      if (matches(patterns[k], all[i].path)) take = used[k] = true;
    if (!take) continue;
    selected_.push_back(all[i]);
    index_.push_back(static_cast<int>(i));
  }
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    if (used[k]) continue;
    std::vector<std::string> paths;
    for (const Channel& c : all) paths.push_back(c.path);
    const std::string hint = suggestion(patterns[k], paths);
    throw Error(place, "outputs", fmt::format("no channel matches '{}'", patterns[k]),
                hint.empty() ? "after a run `monocoque export RUN.h5 --list` names all channels" : hint);
  }
}

void OutputSet::evaluate_at(Workspace& ws, const State& s) {
  state_.t = s.t;
  state_.x = s.x;
  state_.z = s.z;
  state_.c = s.c;
  state_.lambda = s.lambda;
  state_.w = s.w;
  state_.r = s.r;
  ws.all_markers = true;
  if (!system_.solve(ws, state_, {}, 10, z_dot_)) {  // singular for an instant: what the integrator has
    z_dot_.setConstant(std::numeric_limits<double>::quiet_NaN());
    state_.lambda = s.lambda;
  }
  update_accelerations(ws, z_dot_);
  update_reactions(ws, state_.lambda);
  ws.all_markers = false;
}

void OutputSet::read_sensors(Workspace& ws, bool accelerations, double* values) const {
  for (const SensorInstance& sensor : model_.sensors) {
    if (!accelerations && sensor.sensor->needs_accelerations()) continue;
    SensorInput in;
    in.t = state_.t;
    in.m[0] = &ws.markers[sensor.markers[0].at()].k;
    in.m[1] = &ws.markers[sensor.markers[1].at()].k;
    Vec6 wrench = Vec6::Zero();
    if (sensor.watched_joint.valid()) wrench = ws.joints[sensor.watched_joint.at()].reaction;
    if (sensor.watched_force.valid()) wrench = ws.forces[sensor.watched_force.at()].wrench.tail<6>();
    in.wrench = &wrench;
    sensor.sensor->measure(in, values + sensor.value_start);
  }
}

void OutputSet::measure_sensors(Workspace& ws, const State& s, bool accelerations, double* values) {
  if (accelerations) {
    evaluate_at(ws, s);
  } else {
    state_.t = s.t;
    ws.all_markers = true;
    ws.shape_derivatives = false;
    update_signals(ws, s.t, s.r);
    update_positions(ws, s.x);
    update_velocities(ws, s.z);
    ws.all_markers = false;
    ws.shape_derivatives = true;
  }
  read_sensors(ws, accelerations, values);
}

void OutputSet::fill(Workspace& ws, const State& s, WorkAudit& audit, double* row) {
  evaluate_at(ws, s);
  const EnergyBalance energy = energy_balance(ws, state_);
  audit.add(s.t, energy);
  position_drift_ = largest_position_residual(ws);
  velocity_drift_ = largest_velocity_residual(ws);

  node_loads_.update(ws);
  read_sensors(ws, true, sensors_.data());
  Instant instant{.ws = ws,
                  .state = state_,
                  .node_loads = node_loads_,
                  .sensors = sensors_,
                  .energy = energy,
                  .audit = audit,
                  .position_drift = position_drift_.value,
                  .velocity_drift = velocity_drift_.value};
  if (model_.lane) {
    instant.outline = outline_pose(model_, state_.x);
    const DriverPath& driven = model_.lane->path;
    const Vec2 here(instant.outline.x_m, instant.outline.y_m);
    instant.station_m = driven.nearest(here);
    instant.offset_m = driven.offset(here, instant.station_m);
    if (!model_.lane->geometry.cones.empty())
      instant.clearance_m = smallest_clearance(model_.lane->geometry, instant.outline).distance_m;
  }
  ValueWriter writer(instant, all_.data());
  visit_channels(model_, node_loads_.nodes(), writer);
  for (std::size_t i = 0; i < index_.size(); ++i) row[i] = all_[index_[i]];
}

}  // namespace monocoque

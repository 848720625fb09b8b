#include "results/outputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/rotation.h"
#include "core/von_mises.h"
#include "dynamics/kinematics.h"

namespace monocoque {

namespace {

constexpr const char* kAxes[3] = {"x", "y", "z"};

void add_vector(std::vector<Channel>& list, const std::string& path, const std::string& unit) {
  for (const char* axis : kAxes) list.push_back({path + "/" + axis, unit});
}

/// "part.frame" as a path of channels.
std::string channel_path(std::string marker) {
  marker[marker.find('.')] = '/';
  return marker;
}

bool has_stress(const Model& model, const Marker& marker) {
  return model.shapes[static_cast<std::size_t>(marker.shape)].stress.size() > 0;
}

/// On a node of a flexible part; a rotor turns, it does not deform.
bool deforms(const Model& model, const Marker& marker) {
  return marker.shape >= 0 && model.parts[marker.part.at()].rotors.empty();
}

std::vector<Channel> all_channels(const Model& model) {
  std::vector<Channel> list;
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    add_vector(list, part.name + "/position", "m");
    add_vector(list, part.name + "/velocity", "m/s");
    add_vector(list, part.name + "/acceleration", "m/s^2");
    if (!part.turns()) continue;
    for (int i = 0; i < 4; ++i) list.push_back({fmt::format("{}/orientation/q{}", part.name, i), "1"});
    add_vector(list, part.name + "/angular_velocity", "rad/s");
    add_vector(list, part.name + "/angular_acceleration", "rad/s^2");
    for (const std::string& rotor : part.rotors) {
      list.push_back({fmt::format("{}/{}/angle", part.name, rotor), "rad"});
      list.push_back({fmt::format("{}/{}/speed", part.name, rotor), "rad/s"});
    }
    for (int i = 1; i <= part.nq() && part.rotors.empty(); ++i)
      list.push_back({fmt::format("{}/elastic/q{}", part.name, i), "1"});
  }
  for (const Marker& marker : model.markers) {
    if (!deforms(model, marker)) continue;
    const std::string path = channel_path(marker.name);
    add_vector(list, path + "/deformation", "m");
    add_vector(list, path + "/deformation_angle", "rad");
    if (!has_stress(model, marker)) continue;
    for (const char* name : {"xx", "yy", "zz", "xy", "xz", "yz", "von_mises"})
      list.push_back({fmt::format("{}/stress/{}", path, name), "Pa"});
  }
  for (const NodeLoads::Node& node : loaded_nodes(model)) {
    const std::string path = fmt::format("{}/node_{}", model.parts[node.part.at()].name, node.id);
    add_vector(list, path + "/force", "N");
    add_vector(list, path + "/torque", "N*m");
  }
  for (const JointInstance& joint : model.joints) {
    if (joint.joint->rows() == 0) continue;
    add_vector(list, joint.name + "/reaction/force", "N");
    add_vector(list, joint.name + "/reaction/torque", "N*m");
  }
  for (const ForceInstance& force : model.forces) {
    add_vector(list, force.name + "/force", "N");
    add_vector(list, force.name + "/torque", "N*m");
    for (const ForceChannel& c : force.force->channels()) list.push_back({force.name + "/" + c.name, c.unit});
  }
  for (const SensorInstance& sensor : model.sensors)
    for (const Sensor::Output& o : sensor.sensor->outputs())
      list.push_back({o.name.empty() ? sensor.name : sensor.name + "/" + o.name, o.unit});
  for (const ControllerInstance& c : model.controllers)
    list.push_back({c.name + "/output", c.controller->unit()});
  if (model.lane) {
    list.push_back({"lane/vehicle/x", "m"});
    list.push_back({"lane/vehicle/y", "m"});
    list.push_back({"lane/vehicle/heading", "rad"});
    list.push_back({"lane/station", "m"});
    list.push_back({"lane/offset", "m"});
    if (!model.lane->geometry.cones.empty()) list.push_back({"lane/clearance", "m"});
  }
  for (const char* name : {"kinetic", "gravity", "elastic", "total", "dissipated", "supplied"})
    list.push_back({std::string("energy/") + name, "J"});
  list.push_back({"drift/position", "m"});
  list.push_back({"drift/velocity", "m/s"});
  return list;
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
  const std::vector<Channel> all = all_channels(model);
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

void OutputSet::sensors(Workspace& ws, bool accelerations, double* values) const {
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
  sensors(ws, accelerations, values);
}

void OutputSet::fill(Workspace& ws, const State& s, WorkAudit& audit, double* row) {
  evaluate_at(ws, s);
  const EnergyBalance energy = energy_balance(ws, state_);
  audit.add(s.t, energy);
  position_drift_ = largest_position_residual(ws);
  velocity_drift_ = largest_velocity_residual(ws);

  double* out = all_.data();
  const auto put = [&](const Vec3& v) {
    for (int i = 0; i < 3; ++i) *out++ = v[i];
  };
  for (const Part& part : model_.parts) {
    if (!part.moves()) continue;
    const MarkerKinematics& k = ws.markers[part.origin.at()].k;
    put(k.p);
    put(k.v);
    put(k.a);
    if (!part.turns()) continue;
    for (int i = 0; i < 4; ++i) *out++ = state_.x[part.x_start + 3 + i];
    put(k.w);
    put(k.alpha);
    for (int i = 0; i < part.nq(); ++i) {
      *out++ = state_.x[part.x_start + 7 + i];
      if (!part.rotors.empty()) *out++ = state_.z[part.z_start + 6 + i];
    }
  }
  for (const Marker& marker : model_.markers) {
    if (!deforms(model_, marker)) continue;
    const Part& part = model_.parts[marker.part.at()];
    const auto q = state_.x.segment(part.x_start + 7, part.nq());
    const MarkerShape& shape = model_.shapes[static_cast<std::size_t>(marker.shape)];
    put(shape.Phi * q);
    put(shape.Psi * q);
    if (!has_stress(model_, marker)) continue;
    const Vec6 stress = shape.stress * q;
    for (int i = 0; i < 6; ++i) *out++ = stress[i];
    *out++ = von_mises(stress);
  }
  out = node_loads_.fill(ws, out);
  for (std::size_t i = 0; i < model_.joints.size(); ++i) {
    if (model_.joints[i].joint->rows() == 0) continue;
    put(ws.joints[i].reaction.head<3>());
    put(ws.joints[i].reaction.tail<3>());
  }
  for (std::size_t i = 0; i < ws.forces.size(); ++i) {
    put(ws.forces[i].wrench.segment<3>(6));
    put(ws.forces[i].wrench.segment<3>(9));
    const Force& force = *model_.forces[i].force;
    force.channel_values(ws.forces[i].in, out);
    out += force.channels().size();
  }
  sensors(ws, true, out);
  out += model_.nsensor;
  for (const ControllerInstance& c : model_.controllers) *out++ = c.output(s.t, s.r).value;
  if (model_.lane) {
    const OutlinePose pose = outline_pose(model_, state_.x);
    const DriverPath& path = model_.lane->path;
    const Vec2 here(pose.x_m, pose.y_m);
    const double station = path.nearest(here);
    for (const double value : {pose.x_m, pose.y_m, pose.heading_rad, station, path.offset(here, station)})
      *out++ = value;
    if (!model_.lane->geometry.cones.empty())
      *out++ = smallest_clearance(model_.lane->geometry, pose).distance_m;
  }
  for (const double value :
       {energy.kinetic, energy.gravity, energy.elastic, energy.kinetic + energy.gravity + energy.elastic,
        audit.dissipated, audit.supplied})
    *out++ = value;
  *out++ = position_drift_.value;
  *out++ = velocity_drift_.value;
  for (std::size_t i = 0; i < index_.size(); ++i) row[i] = all_[index_[i]];
}

}  // namespace monocoque

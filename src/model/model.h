#pragma once
// The immutable model: parts, markers, elements and the layout of all vectors. Built once from a
// specification, then shared (also by threads). It knows every name, so a status from the hot path can become
// a message.
//
// Layout: x (positions), z (velocities), c (inner states), lambda (multipliers), w (algebraic variables),
// r (discrete memory: joint memory first, then controller states).
// A rigid part has x = (p_CoM world, quaternion), z = (v_CoM world, w body axes): 7 and 6 numbers; a particle
// 3 and 3; the ground none. The state frame of a rigid part has its origin in the centre of mass and the axes
// of the part frame, so its mass matrix is constant. A flexible part has x = (p_frame world, quaternion, q),
// z = (v_frame world, w body axes, q_dot): 7 + nq and 6 + nq; its state frame is the part frame.

#include <memory>
#include <string>
#include <vector>

#include "core/index.h"
#include "elements/lanes/lane.h"
#include "elements/registry.h"
#include "elements/road.h"
#include "io/model/specification.h"
#include "model/flexible_body.h"

namespace monocoque {

struct Part {
  std::string name;
  io::PartKind kind = io::PartKind::rigid;
  double mass = 0;
  Mat3 inertia = Mat3::Zero();         ///< about the centre of mass, part axes
  Vec3 center_of_mass = Vec3::Zero();  ///< in the part frame
  int x_start = 0, x_size = 0, z_start = 0, z_size = 0;
  int block = -1;      ///< block of z in the systems; -1 for the ground
  MarkerIndex origin;  ///< marker at the part frame
  std::array<bool, 6> fixed_position{}, fixed_velocity{};
  int flexible = -1;                ///< index of its flexible body and of its caches
  std::vector<std::string> rotors;  ///< names; their angles are then the elastic coordinates
  Place place;

  bool moves() const { return z_size > 0; }
  bool turns() const { return z_size >= 6; }
  int nq() const { return z_size > 6 ? z_size - 6 : 0; }
  int rigid_size() const { return z_size > 6 ? 6 : z_size; }  ///< velocities of the frame
};

struct Marker {
  std::string name;  ///< "part.frame"
  PartIndex part;
  Vec3 r = Vec3::Zero();      ///< from the centre of mass, part axes
  Mat3 R = Mat3::Identity();  ///< marker axes to part axes
  int shape = -1;             ///< on a node of a flexible part or on a rotor: index of its shapes
  long node = -1;             ///< of a flexible part
  Vec3 arm = Vec3::Zero();    ///< from the node, part axes
};

/// A signal slot of an element: a function of time or the output of a controller.
struct SignalSlot {
  TimeFunction function;
  ControllerIndex controller;  ///< valid: takes the controller's output
};

struct JointInstance {
  std::string name, type, label;  ///< label: "revolute 'hinge' (ground.A - rod.bottom)"
  std::unique_ptr<const Joint> joint;
  std::array<MarkerIndex, kMaxMarkers> markers;
  int lambda_start = 0, signal_start = 0, memory_start = 0;
  int block = -1;
  Place place;
};

struct ForceInstance {
  std::string name, type, label;
  std::unique_ptr<const Force> force;
  std::array<MarkerIndex, 2> markers;
  JointIndex watched;  ///< joint whose reaction it reads
  int c_start = 0, w_start = 0, signal_start = 0;
  Place place;
};

struct SensorInstance {
  std::string name, type, label;
  std::unique_ptr<const Sensor> sensor;
  std::array<MarkerIndex, 2> markers;
  JointIndex watched_joint;
  ForceIndex watched_force;
  int value_start = 0;
  Place place;
};

struct ControllerInstance {
  std::string name, type, label;
  std::unique_ptr<const Controller> controller;
  std::vector<int> inputs;  ///< indices into the sensor values
  int r_start = 0;
  Place place;

  /// At t, from the states of the last sample.
  Taylor2 output(double t, const VecX& r) const { return controller->output(t, r.data() + r_start); }
};

struct Model {
  std::string name, file;
  Vec3 gravity = Vec3::Zero();
  std::vector<Part> parts;  ///< parts[0] is the ground
  std::vector<Marker> markers;
  std::vector<FlexibleBody> flexible;
  std::vector<MarkerShape> shapes;
  std::unique_ptr<const Road> road;  ///< null: flat
  std::unique_ptr<const Lane> lane;  ///< null: none
  MarkerIndex lane_marker;           ///< with a lane: carries the outline of the vehicle
  std::vector<JointInstance> joints;
  std::vector<ForceInstance> forces;
  std::vector<SensorInstance> sensors;
  std::vector<ControllerInstance> controllers;
  std::vector<SignalSlot> signals;
  std::vector<double> event_times;  ///< of all signals, sorted
  VecX initial_x, initial_z;        ///< as given, before assembly
  int nx = 0, nz = 0, nc = 0, nlambda = 0, nw = 0, nr = 0, nsensor = 0;
  std::string source_text;

  /// Name of a constraint row: "revolute 'hinge' (a - b), row 'axis tilt y'".
  std::string row_label(int lambda_row) const;
  JointIndex joint_of_row(int lambda_row) const;
  int holonomic_row_count() const;
  bool depends_on_reactions() const;  ///< some force reads a joint's multipliers
};

/// Checks what only the elements know and lays everything out. Problems go to diagnostics.
std::unique_ptr<const Model> build_model(const io::ModelSpec& spec, Diagnostics& diagnostics);
/// Throws Error instead.
std::unique_ptr<const Model> build_model(const io::ModelSpec& spec);

}  // namespace monocoque

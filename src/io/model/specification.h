#pragma once
// A model as plain data: what the files say, with subsystems expanded, parameters inserted, mirrors applied,
// names made unique by path ("FL/upright"). Nothing here knows what the elements do.
// Classes after Schiehlen's data model: mbs (ModelSpec), part (body and frames), interact (joint, force,
// sensor).

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/types.h"
#include "io/body/sid.h"
#include "io/model/parameter_set.h"

namespace monocoque::io {

struct FrameSpec {
  std::string name;                  ///< unique within its part; "origin" is the part frame itself
  Vec3 position_m = Vec3::Zero();    ///< in part axes, from the part frame
  Mat3 rotation = Mat3::Identity();  ///< frame axes to part axes
  /// Of a flexible part; position_m is then an arm from the node. -1: the node that lies at position_m.
  long node = -1;
  std::string rotor;  ///< of a part with rotors: turns with this one; position_m lies on its axis
  Place place;
};

/// A body of revolution that spins about an axis fixed in its part: one coordinate, no constraint.
struct RotorSpec {
  std::string name;
  double mass_kg = 0, axial_inertia_kg_m2 = 0, transverse_inertia_kg_m2 = 0;  ///< about its centre
  Vec3 position_m = Vec3::Zero();                                             ///< of its centre, part axes
  Vec3 axis = Vec3::UnitY();                                                  ///< unit vector, part axes
  double angle_rad = 0, speed_rad_per_s = 0;
  Place place;
};

enum class PartKind { ground, rigid, particle, flexible };

/// Inertia forces between pairs of elastic coordinates: all, as matrices of low rank, none.
enum class InertiaCouplings { full, compressed, neglected };

/// How a part looks: no meaning for its motion.
struct PartMesh {
  std::string file;       ///< STL, OBJ, or the surface of a flexible body (`monocoque reduce --shapes`)
  double scale = 1;       ///< of its numbers, to metres
  bool mirrored = false;  ///< the part belongs to a mirrored subsystem
  Place place;
};

struct PartSpec {
  std::string name;
  PartKind kind = PartKind::rigid;
  double mass_kg = 0;                              ///< zero: a massless part (virtual body)
  Vec3 center_of_mass_m = Vec3::Zero();            ///< in part axes
  Mat3 inertia_kg_m2 = Mat3::Zero();               ///< about the centre of mass, part axes
  Vec3 position_m = Vec3::Zero();                  ///< of the part frame, world axes
  Vec4 quaternion = Vec4(1, 0, 0, 0);              ///< part axes to world axes
  Vec3 velocity_m_per_s = Vec3::Zero();            ///< of the part frame origin, world axes
  Vec3 angular_velocity_rad_per_s = Vec3::Zero();  ///< world axes
  /// Coordinates that the assembly may not move: translations x y z (world), rotations rx ry rz (part axes).
  std::array<bool, 6> fixed_position{};
  std::array<bool, 6> fixed_velocity{};
  std::vector<FrameSpec> frames;
  std::vector<RotorSpec> rotors;
  std::shared_ptr<const Sid> body;  ///< of a flexible part: mass, inertia, elasticity
  bool geometric_stiffening = true;
  double stiffness_factor = 1;  ///< of a flexible part: on its elastic stiffness, damping ratios kept
  InertiaCouplings inertia_couplings = InertiaCouplings::full;
  double coupling_tolerance = 1e-3;                        ///< of compressed couplings
  std::vector<double> elastic_position, elastic_velocity;  ///< initial q, q_dot; empty: zero
  PartMesh mesh;
  Place place;
};

/// One end of an interact: a frame of a part.
struct EndSpec {
  std::string part, frame;
  Place place;
};

struct InteractSpec {
  std::string name;
  std::string type;
  Group group = Group::joint;
  std::vector<EndSpec> ends;         ///< two for frames; empty for the other attachments
  std::vector<std::string> targets;  ///< joint, two_joints, interact: names of other interacts
  ParameterSet parameters;
  Place place;
};

struct SignalSpec {
  std::string name;
  TimeFunction function;
  std::string controller;  ///< non-empty: the output of this controller instead of the function
  Place place;
};

struct ControllerSpec {
  std::string name, type;
  ParameterSet parameters;
  Place place;
};

/// One layer of the road; the first is the base.
struct RoadSpec {
  std::string type;
  ParameterSet parameters;
  Place place;
};

/// Where to drive: cones, limits, the path of the driver. At most one.
struct LaneSpec {
  std::string type;  ///< empty: there is none
  ParameterSet parameters;
  Place place;
};

/// Values that follow from equilibrium in the reference position (Arnold eq. 4): preloads, free lengths,
/// radii.
struct NominalSpec {
  struct Unknown {
    std::vector<std::string> targets;  ///< "FL/spring.preload_N", "mount.preload_N.z": all get the same value
    Place place;
  };
  std::vector<Unknown> unknowns;
  std::vector<std::string> unloaded;  ///< joints that carry nothing there
  Place place;
};

struct ModelSpec {
  std::string name;
  std::string file;
  Vec3 gravity_m_per_s2 = Vec3(0, 0, -9.81);
  std::vector<PartSpec> parts;  ///< the first is always the inertial part, named "ground"
  std::vector<InteractSpec> interacts;
  std::vector<SignalSpec> signals;
  std::vector<ControllerSpec> controllers;
  std::vector<RoadSpec> road;  ///< empty: flat ground
  LaneSpec lane;
  NominalSpec nominal;
  std::string source_text;  ///< all files read, for the result file
};

/// How to run: the `simulation` block of a scenario (or of a model file).
struct SimulationSpec {
  std::string solver = "linearly-implicit-euler";  ///< name of an integrator
  std::string constraints;    ///< index-3, index-2, index-1, stabilised-index-2; empty: the solver's default
  std::string stabilisation;  ///< none, baumgarte, projection; empty: the solver's default
  std::string linear_solver = "auto";  ///< name of a linear solver
  std::string formulation = "mixed";   ///< coordinates of turning parts: mixed, floating, quaternion
  std::string jacobian = "full";       ///< derivatives that fixed-step implicit methods use
  double start_s = 0, end_s = 1;
  double step_s = 1e-3;  ///< of fixed-step methods; largest step of the others when given
  bool step_given = false;
  int iterations = 0;    ///< of fixed-iteration methods; 0: the method's default
  int matrix_steps = 1;  ///< fixed-step implicit methods renew their matrix once in so many steps
  double relative_tolerance = 1e-6, absolute_tolerance = 1e-8;
  double baumgarte_alpha = 10, baumgarte_beta = 10;  ///< 1/s
  double spectral_radius = 0.8;                      ///< of generalized-alpha at infinite frequency
  double output_step_s = 0;          ///< 0: every step (fixed-step) or 1/1000 of the run (others)
  double motion_step_s = 0.005;      ///< least distance of pictures for the viewer; 0: none
  std::vector<std::string> outputs;  ///< channel patterns with * ; empty: all
  Place place;
};

struct ScenarioSpec {
  ModelSpec model;
  SimulationSpec simulation;
  std::string name, file;
};

}  // namespace monocoque::io

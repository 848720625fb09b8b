#pragma once
// Suspension test rig: the car body is held, posts move the wheels up and down, the steering signal is turned
// by hand, loads act on the wheels. Works on any model whose wheels are given by names; built from its
// specification, so bushings, flexible parts, stabilizer bars take part as they are.
//
// Two ways to find a position: by the constraints alone (where they determine the wheels, the usual case of
// ideal joints), by Newton's method with the smallest change; or quasi-static equilibrium, where bushings or
// flexible parts have a say. Rig axes are the world axes of the reference position: x forward, y left, z up.
//
// Conventions of the figures (docs/suspension.md): toe > 0 toe-in, camber > 0 top outward, caster > 0 top of
// the kingpin axis rearward, kingpin inclination > 0 top inward, scrub radius > 0 axis meets the road inboard
// of the contact point, trail > 0 before it.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/workspace.h"
#include "io/model/specification.h"

namespace monocoque::analysis {

/// A wheel by names. Where a place is not given it is taken from the tire (or rotor) of that name.
struct RigCorner {
  std::string name;                                        ///< "FL"
  std::string carrier;                                     ///< part that carries the wheel
  Vec3 centre = Vec3::Zero();                              ///< of the wheel, world, reference position
  Vec3 axis = Vec3::UnitY();                               ///< of its spin, world
  double radius_m = 0;                                     ///< loaded: wheel centre above the road
  std::string spring, damper;                              ///< interacts; empty: none
  double side() const { return centre.y() < 0 ? -1 : 1; }  ///< +1 left
};

struct RigOptions {
  std::string body;                ///< part that is held; empty: car, chassis or body, else the ground
  std::string steer;               ///< signal; empty: rack, if there is one
  std::vector<RigCorner> corners;  ///< empty: all wheels found by their tires
  std::vector<std::string> only;   ///< names of corners to keep; empty: all
  bool hold_carrier = false;       ///< posts move the carrier's centre of mass instead of the wheel centre
  bool equilibrium = false;        ///< quasi-static also where the constraints would determine the wheels
};

/// The wheels of a model, found by its tires; springs and dampers by their ends.
std::vector<RigCorner> find_corners(const io::ModelSpec& spec, const std::string& body);
/// The part that the rig holds.
std::string find_body(const io::ModelSpec& spec, const std::string& wanted);

/// What a wheel shows in one position; lengths m, angles rad.
struct WheelPose {
  Vec3 centre, contact, axis;  ///< axis: outward
  Mat3 R;                      ///< of the carrier, identity in the reference position
  double heading = 0;          ///< of the wheel about z, > 0 to the left
  double toe = 0, camber = 0;
  double carrier_yaw = 0;  ///< Tait-Bryan angle of the carrier, which also pitches: not the wheel's heading
  double spring_m = 0, damper_m = 0;  ///< lengths; NaN without one
  double post_N = 0;                  ///< of equilibrium: vertical force of the post on the wheel
};

class SuspensionRig {
 public:
  /// spec: nominal forces found. Throws Error for names that do not exist and wheels that are not held.
  SuspensionRig(io::ModelSpec spec, const RigOptions& options);

  const std::vector<RigCorner>& corners() const { return corners_; }
  const std::string& body() const { return body_; }
  const std::string& steer() const { return steer_; }  ///< empty: none
  bool equilibrium() const { return equilibrium_; }
  bool flexible() const { return flexible_; }

  struct Load {
    Vec3 contact_N = Vec3::Zero(), centre_N = Vec3::Zero();
    double aligning_Nm = 0;  ///< about z, at the contact point
  };
  struct Setting {
    std::vector<double> travel_m;  ///< per corner, > 0 up
    double steer = 0;
    std::vector<Load> load;  ///< per corner; empty: none
  };
  Setting rest() const { return {std::vector<double>(corners_.size(), 0.0), steer_zero_, {}}; }

  /// Moves there from the present position, in smaller steps where necessary. False: the linkage ends on the
  /// way; the rig is then where it got to, and `end()` says where and why.
  bool move(const Setting& to);
  const std::string& end() const { return end_; }
  double reached() const { return reached_; }  ///< share of the way of the last move
  void home();                                 ///< back to the start, without a way

  WheelPose pose(std::size_t corner) const;
  /// Kingpin axis of a corner: the axis about which the carrier turns when the steering moves and its spring
  /// keeps its length. False where steering does not turn it.
  struct Axis {
    bool found = false;
    Vec3 point = Vec3::Zero(), direction = Vec3::UnitZ();  ///< direction upward
  };
  std::vector<Axis> kingpins();
  void set_steer_step(double step) { steer_step_ = step; }

  const Model& model() const { return *model_; }
  const State& state() const { return state_; }

 private:
  void build(io::ModelSpec& spec, const RigOptions& options);
  bool determined();
  void choose_rows(bool locked);
  bool solve();
  bool close();
  VecX knobs_of(const Setting& setting) const;
  void set_knobs(const VecX& values);
  bool walk(const VecX& to);
  void evaluate_markers();

  std::vector<RigCorner> corners_;
  std::string body_, steer_, end_;
  std::unique_ptr<const Model> model_;
  std::unique_ptr<Workspace> ws_;
  State state_, home_;
  VecX knobs_, home_knobs_;
  std::vector<int> knob_at_;  ///< in State::r
  std::vector<char> held_;
  std::vector<char> redundant_;
  std::vector<int> post_row_, lock_row_;  ///< first row; -1: none
  std::vector<int> centre_marker_, contact_marker_;
  struct Line {
    int a = -1, b = -1;
  };
  std::vector<Line> spring_, damper_;
  bool equilibrium_ = false, flexible_ = false;
  double reached_ = 0, steer_zero_ = 0, steer_step_ = 1e-5;
};

}  // namespace monocoque::analysis

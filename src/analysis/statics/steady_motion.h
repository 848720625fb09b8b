#pragma once
// Steady motion of a vehicle on a flat road: constant speed straight ahead or in a circle.
//
// In a frame that travels with the vehicle nothing changes (relative equilibrium). With the velocity v of a
// reference point along x and the yaw rate w = v / radius every part moves as
//   v_i = v e_x + w e_z x (p_i - p_ref),  omega_i = w e_z (+ spin of a wheel about its axis),
// and with these velocities and their known derivatives
//   M z_dot - f(x, z, c, w, lambda, u) + G^T lambda = 0,  g(x) = 0,  d = 0,  b = 0
// is solved by Newton's method for positions, reactions, inner states, the speed of every wheel, the value of
// the steering signal and of the drive signal (without one: a tow force along the path at the reference
// point). Derivatives are exact but for those by the two signals. The reference point is the origin of the
// car's state: its centre of mass. Controllers do nothing. Left is positive.

#include <memory>
#include <string>
#include <vector>

#include "dynamics/workspace.h"
#include "io/model/specification.h"

namespace monocoque::analysis {

struct SteadyNames {
  std::string car;                     ///< empty: car, chassis or body
  std::string steer = "rack";          ///< signal; without one the model does not steer
  std::string drive = "drive_torque";  ///< signal; without one a tow force is found
};

struct SteadyTire {
  std::string name;
  double Fx = 0, Fy = 0, Fz = 0;  ///< on the wheel, N: along the path, to the left, up
};

struct SteadyPoint {
  double speed_m_per_s = 0, curvature_per_m = 0, lateral_m_per_s2 = 0;  ///< left > 0
  double steer = 0;                                                     ///< value of the signal
  double drive = 0;                          ///< of the signal, or the tow force, N
  double sideslip = 0, roll = 0, pitch = 0;  ///< of the car, rad
  double height_m = 0;                       ///< of its reference point
  std::vector<SteadyTire> tires;
  double residual = 0;
  int iterations = 0;
};

class SteadyMotion {
 public:
  /// spec: nominal forces found. Throws Error for names that do not exist.
  SteadyMotion(io::ModelSpec spec, const SteadyNames& names);

  /// From the last solution. False where Newton does not get there (beyond the grip of the tires, for
  /// example); the last solution is then kept.
  bool solve(double speed_m_per_s, double curvature_per_m);
  SteadyPoint point() const;
  bool steers() const { return steer_ >= 0; }
  bool drives() const { return drive_ >= 0; }  ///< false: towed

  const Model& model() const { return *model_; }
  const State& state() const { return s_; }
  const std::string& problem() const { return problem_; }

 private:
  struct Spin {
    int coordinate = -1;  ///< of a rotor; else the axis of a part
    int part = -1;
    Vec3 axis = Vec3::UnitY();  ///< in part axes
    double speed = 0;
  };
  void find_spins(const io::ModelSpec& spec);
  void set_motion(State& s, VecX& z_dot) const;
  VecX residual(State& s, VecX& z_dot);
  bool newton();
  MatX jacobian(State& s, const VecX& z_dot);

  std::unique_ptr<const Model> model_;
  std::unique_ptr<Workspace> ws_;
  std::unique_ptr<class SystemLayoutHolder> layout_;
  State s_;
  std::vector<Spin> spins_;
  int car_ = 0, steer_ = -1, drive_ = -1;  ///< places of the knobs in r
  double speed_ = 0, curvature_ = 0, tow_ = 0;
  double residual_ = 0;
  int iterations_ = 0;
  bool started_ = false;
  std::string problem_;

 public:
  ~SteadyMotion();
};

/// Circles of one speed at rising lateral acceleration; ends where the vehicle cannot follow.
struct SteadyCurve {
  std::vector<SteadyPoint> points;
  std::string end;  ///< empty: all reached
};
SteadyCurve steady_curve(SteadyMotion& motion, double speed_m_per_s, const std::vector<double>& lateral);

}  // namespace monocoque::analysis

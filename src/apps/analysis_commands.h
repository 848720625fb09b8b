#pragma once
// Commands of analyses: one function each, as in commands.h.

#include <optional>
#include <string>
#include <vector>

namespace monocoque {

/// Suspension curves and compliance.
struct KinematicsCommand {
  std::string scenario;
  std::vector<std::string> overrides, corners, wheels;  ///< wheels: NAME=PART@x,y,z; empty: found by tires
  std::string body, steer_signal;                       ///< empty: found
  std::string travel = "-0.08:0.08", roll, steer;       ///< ranges; empty: none
  std::string hold = "wheel";                           ///< or carrier: point that the posts move
  int points = 17;
  bool quasi_static = false, compliance = false;
  double load_kN = 3;
  std::string plot;  ///< folder; empty: none
  bool json = false, quiet = false;
};
int command_kinematics(const KinematicsCommand& options);

/// Static equilibrium, and steady motion.
struct EquilibriumCommand {
  std::string scenario;
  std::vector<std::string> overrides;
  std::optional<double> speed_m_per_s, radius_m;
  std::string lateral;  ///< range of lateral acceleration, m/s^2; empty: none
  std::string over;     ///< range of time of a quasi-static sequence; empty: none
  std::string steer = "rack", drive = "drive_torque", car;
  std::vector<std::string> outputs;  ///< channel patterns of the sequence
  std::string start, plot;           ///< file of the state; folder
  bool json = false, quiet = false;
};
int command_equilibrium(const EquilibriumCommand& options);

/// Nominal forces and trim values.
struct NominalCommand {
  std::string scenario;
  std::vector<std::string> overrides, unknowns, unloaded;  ///< beside those of the model
  std::optional<double> alpha;                             ///< of the regularisation
  bool least_squares = false;
  std::string output;  ///< file of --set lines; empty: none
  std::string plot;    ///< SVG of bars; empty: none
  bool json = false, quiet = false;
};
int command_nominal(const NominalCommand& options);

/// Forces for a prescribed motion.
struct InverseCommand {
  std::string scenario, run;  ///< run: result file whose motion is prescribed; empty: driven joints
  std::vector<std::string> overrides, drives, actuators, outputs;  ///< drives: JOINT=FORMULA
  std::optional<double> from_s, to_s, step_s;
  bool quasi_static = false, spectra = false;
  std::string output, plot;  ///< CSV file; folder
  bool json = false, quiet = false;
};
int command_inverse(const InverseCommand& options);

}  // namespace monocoque

#pragma once
// Inverse dynamics: forces for a prescribed motion.
//
// By drives: every freedom of the mechanism follows a driven joint; positions, velocities and accelerations
// come from the constraints alone, the multipliers are the forces that bring the motion about.
// By a recorded motion: x, z, z_dot of all parts are given; lambda and the forces tau of chosen joints are
// the least-squares solution of G^T lambda - B tau = f - M z_dot, and what is left is reported. Accelerations
// of rotors are differences of their recorded speeds, rates of elastic coordinates differences of these;
// elastic accelerations, too fast for most records, are unknowns beside lambda and tau. Inner states of
// forces (treads of tires) follow the motion. Quasi-static: without inertia forces, equilibrium at one
// instant after the other.

#include <string>
#include <vector>

#include "io/model/specification.h"
#include "model/model.h"
#include "results/recorder.h"

namespace monocoque::analysis {

struct History {
  std::vector<Channel> channels;
  std::vector<double> t;
  std::vector<std::vector<double>> rows;  ///< one value per channel
  std::string end;                        ///< why it ended before the last instant; empty: it did not
  double largest_left = 0;  ///< of a recorded motion: generalized force nothing explains, N or Nm
};

/// Makes a driven joint of a revolute or prismatic one; formula of t. Throws Error.
void drive_joint(io::ModelSpec& spec, const std::string& joint, const std::string& formula);

/// Channels: reactions and outputs that match the patterns, and JOINT/drive (force or torque on the second
/// part) of every driven joint. Throws Error where motions are left free (how many, and which).
History inverse_dynamics(const Model& model, const std::vector<double>& times,
                         const std::vector<std::string>& patterns);

/// Channels: reactions of joints, forces of force elements, positions of parts that match.
History quasi_static(const Model& model, const std::vector<double>& times,
                     const std::vector<std::string>& patterns);
using QuasiStatic = History;

/// Channels JOINT/drive of the actuators, and largest_left. The run must have position, orientation,
/// velocity, angular velocity and both accelerations of every part, angles and speeds of rotors, elastic
/// coordinates of flexible parts.
History forces_of_run(const Model& model, const RunData& run, const std::vector<std::string>& actuators);

/// One-sided amplitude spectrum of a sampled history about its mean: a sine of amplitude A with an integer
/// number of periods shows A at its frequency.
struct AmplitudeSpectrum {
  std::vector<double> frequency_Hz, amplitude;
};
AmplitudeSpectrum amplitude_spectrum(const std::vector<double>& values, double sample_s);

}  // namespace monocoque::analysis

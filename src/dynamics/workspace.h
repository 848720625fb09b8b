#pragma once
// Everything computed from Model and State, sized once, one per thread, grouped by the stage that fills it.
// All numbers start as NaN, so a value read before its stage ran shows.

#include <limits>
#include <vector>

#include "dynamics/flexible.h"
#include "model/model.h"
#include "model/state.h"

namespace monocoque {

/// Rows of one joint times the velocities of one part's frame, or times a port (at most 6 x 6).
using RowsBySix = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, kMaxRows, 6>;

struct PartKinematics {
  Mat3 R;  ///< part axes to world axes (identity for particle and ground)
  Vec3 w;  ///< angular velocity, world axes
};

/// The Jacobian T of a marker, (v; w) = T z, is never written out: for the velocities of the part's frame it
/// is [E, -r~ R; 0, R], for elastic rates [R, 0; 0, R L] times the port (Phi; Psi) of the marker.
struct MarkerCache {
  MarkerKinematics k;          ///< position stage: p, R; velocity stage: v, w; acceleration stage: a, alpha
  Vec3 r;                      ///< from the origin of the part's state frame, world axes
  Vec3 relative_velocity;      ///< of the marker against the origin of the state frame, world axes
  Vec3 convective;             ///< part of a that does not come from z_dot
  Vec3 convective_alpha;       ///< the same of alpha; zero on rigid parts
  Vec3 relative_acceleration;  ///< of the marker against the origin of the state frame
};

/// What a marker on a flexible part has besides. Its displacement and small rotation are six of the part's
/// port coordinates u = P q (FlexiblePart), body axes.
struct ElasticMarker {
  int place = -1, axes = -1;  ///< first of three rows of P each
  bool turns = false;         ///< its axes matter to an element; otherwise they stay with the part in a step
  Vec3 theta;                 ///< Psi q, body axes
  Mat3 L;                     ///< left tangent at theta
  Mat3 D;                     ///< velocity stage: d(L theta_dot)/d(theta)
  Vec3 rate;                  ///< Psi q_dot, body axes
  // acceleration stage
  Vec3 acceleration;  ///< Psi q_ddot, body axes
  Vec3 frame_alpha;   ///< angular acceleration of the part's frame
};

/// Matrices lie in one block of the workspace: a car or a chain should fit into the cache.
struct JointCache {
  JointInput in;
  int rows = 0, markers = 0;
  double* matrices = nullptr;  ///< W, then G of each marker, then port rows of each marker if any is elastic
  bool elastic = false;
  RowVector g, rate, gamma, lambda;
  Vec6 reaction;  ///< wrench on the second marker, world axes

  using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Six = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor>>;
  Rows W() const { return {matrices, rows, 6 * markers}; }
  /// W_k T_k for the velocities of the part's frame; rows of inactive constraints are zero.
  Six G(int k) const { return {matrices + 6 * rows * (markers + k), rows, 6}; }
  /// The same for the port of a marker on a flexible part: times (Phi; Psi) they are the elastic columns.
  Six port(int k) const { return {matrices + 6 * rows * (2 * markers + k), rows, 6}; }
  static int size(int rows, int markers, bool elastic) { return 6 * rows * markers * (elastic ? 3 : 2); }
};

struct ForceCache {
  ForceInput in;
  Vec12 wrench;
  Vec6 reaction;  ///< of the watched joint
};

/// Forces on ports of flexible parts: brought to the elastic coordinates at once, or collected until
/// add_port_forces does it for several sources together.
enum class PortForces { added, collected };

/// Generalized forces from outside the model, value + (t - t0) rate, in the axes of z; empty: none. What the
/// other half of a divided car does to the parts both have.
struct ExternalForce {
  double t0 = 0;
  VecX value, rate;
  bool present() const { return value.size() > 0; }
};

struct Workspace {
  explicit Workspace(const Model& m);
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const Model& model;

  // signal stage
  std::vector<Taylor2> signals;
  double signal_limit = std::numeric_limits<double>::infinity();  ///< signals keep their value from before
                                                                  ///< this instant while a step ends there

  // position, velocity, acceleration stages
  std::vector<PartKinematics> parts;
  std::vector<MarkerCache> markers;
  std::vector<ElasticMarker> elastic;  ///< by Marker::shape
  std::vector<FlexiblePart> flexible;  ///< by Part::flexible
  std::vector<int> element_markers;    ///< those held by joints and forces
  std::vector<int> joint_markers;      ///< those held by joints
  bool all_markers = false;            ///< compute also the markers that only outputs read
  bool shape_derivatives = true;       ///< velocity stage: also ElasticMarker::D and convective_alpha, which
                                       ///< only derivatives and accelerations read

  // constraint stages
  std::vector<JointCache> joints;
  VecX joint_matrices;       ///< of JointCache
  bool memory = false;       ///< some joint has memory
  std::vector<char> active;  ///< per multiplier: 0 for a redundant row that was taken out
  VecX g, g_dot, gamma;  ///< position residual (0 on nonholonomic rows), velocity residual, convective terms

  // force stage
  ExternalForce external;  ///< set by whoever couples models
  std::vector<ForceCache> forces;
  VecX f, c_dot, b;  ///< applied and gyroscopic forces, rates of inner states, algebraic residuals

  // scratch of the tangents
  JointTangent joint_tangent;
  ForceTangent force_tangent;
  RowsByTwist joint_rows;

 private:
  void size_flexible_parts(const std::vector<unsigned>& used);
};

inline int shape_of(const Workspace& ws, MarkerIndex marker) {
  return ws.model.markers[marker.at()].shape;
}

/// Adds a generalized force to the velocities of the part's frame (a particle has three of them).
inline void add_to_frame(const Part& part, const Vec6& force, VecX& out) {
  if (part.turns())
    out.segment<6>(part.z_start) += force;
  else
    out.segment<3>(part.z_start) += force.head<3>();
}

}  // namespace monocoque

#pragma once
// Everything computed from Model and State, sized once, one per thread, grouped by the stage that fills it.
// All numbers start as NaN, so a value read before its stage ran shows.

#include <limits>
#include <vector>

#include "dynamics/flexible.h"
#include "model/model.h"
#include "model/state.h"

namespace monocoque {

/// Rows of one joint times the velocities of one part (at most 6 x 6).
using RowsByPart = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, kMaxRows, 6>;

struct PartKinematics {
  Mat3 R;  ///< part axes to world axes (identity for particle and ground)
  Vec3 w;  ///< angular velocity, world axes
};

struct MarkerCache {
  MarkerKinematics k;  ///< position stage: p, R; velocity stage: v, w; acceleration stage: a, alpha
  Vec3 r;              ///< from the origin of the part's state frame, world axes
  Mat6 T;              ///< (v; w) = T z_part for the frame's velocities; the columns beyond z_size are zero
  Vec3 relative_velocity;      ///< of the marker against the origin of the state frame, world axes
  Vec3 convective;             ///< part of a that does not come from z_dot
  Vec3 convective_alpha;       ///< the same of alpha; zero on rigid parts
  Vec3 relative_acceleration;  ///< of the marker against the origin of the state frame
};

/// What a marker on a flexible part has besides; world axes unless said otherwise.
struct ElasticMarker {
  Mat6X T;     ///< elastic columns: (R Phi; R L Psi)
  Mat6X S;     ///< velocity stage: d(v; w)/dq at fixed z
  Mat3X Phi;   ///< R Phi
  Vec3 theta;  ///< Psi q, body axes
  Mat3 L;      ///< left tangent at theta
  Vec3 rate;   ///< Psi q_dot, body axes
  // acceleration stage
  Vec3 acceleration;  ///< Psi q_ddot, body axes
  Vec3 frame_alpha;   ///< angular acceleration of the part's frame
};

struct JointCache {
  JointInput in;
  RowsByTwist W;
  RowsByPart G[kMaxMarkers];    ///< W_m T_m; rows of inactive constraints are zero
  MatX G_elastic[kMaxMarkers];  ///< the same for the elastic columns; empty on rigid parts
  RowVector g, rate, gamma, lambda;
  Vec6 reaction;  ///< wrench on the second marker, world axes
};

struct ForceCache {
  ForceInput in;
  Vec12 wrench;
  Vec6 reaction;  ///< of the watched joint
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
  bool all_markers = false;            ///< compute also the markers that only outputs read

  // constraint stages
  std::vector<JointCache> joints;
  std::vector<char> active;  ///< per multiplier: 0 for a redundant row that was taken out
  VecX g, g_dot, gamma;  ///< position residual (0 on nonholonomic rows), velocity residual, convective terms

  // force stage
  std::vector<ForceCache> forces;
  VecX f, c_dot, b;  ///< applied and gyroscopic forces, rates of inner states, algebraic residuals

  // scratch of the tangents
  JointTangent joint_tangent;
  ForceTangent force_tangent;
  Mat6X columns, more_columns;  ///< 6 x largest nq
  MatX rows;                    ///< rows of one joint or force x largest nq
};

/// Adds a generalized force to the velocities of the part's frame (a particle has three of them).
inline void add_to_frame(const Part& part, const Vec6& force, VecX& out) {
  if (part.turns())
    out.segment<6>(part.z_start) += force;
  else
    out.segment<3>(part.z_start) += force.head<3>();
}

}  // namespace monocoque

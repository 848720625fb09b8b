#pragma once
// Everything computed from Model and State, sized once, one per thread, grouped by the stage that fills it.
// All numbers start as NaN, so a value read before its stage ran shows.

#include <limits>
#include <vector>

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
  Vec3 r;              ///< from the centre of mass, world axes
  Mat6 T;              ///< (v; w) = T z_part; the columns beyond z_size are zero
  Vec3 convective;     ///< part of a that does not come from z_dot
};

struct JointCache {
  JointInput in;
  RowsByTwist W;
  RowsByPart G[kMaxMarkers];  ///< W_m T_m; rows of inactive constraints are zero
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
  std::vector<int> element_markers;  ///< those held by joints and forces
  bool all_markers = false;          ///< compute also the markers that only outputs read

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
};

}  // namespace monocoque

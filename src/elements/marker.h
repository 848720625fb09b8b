#pragma once
// What an element sees of the bodies it holds on to: markers, in world axes. An element never knows whether
// a marker sits on a rigid or a flexible part.
//
// Perturbations of a pose are twists: (dp, dtheta), world axes, p <- p + dp, R <- exp(dtheta~) R. So the
// derivative of a holonomic residual with respect to the pose is the same matrix W that multiplies the twist.

#include "core/time_function.h"
#include "core/types.h"

namespace monocoque {

struct MarkerKinematics {
  Vec3 p;      ///< origin
  Mat3 R;      ///< marker axes to world axes
  Vec3 v;      ///< velocity of the origin
  Vec3 w;      ///< angular velocity
  Vec3 a;      ///< acceleration of the origin (valid where a function says it reads it)
  Vec3 alpha;  ///< angular acceleration (likewise)
};

inline constexpr int kMaxMarkers = 4;  ///< of one element
inline constexpr int kMaxTwist = 6 * kMaxMarkers;
inline constexpr int kMaxRows = 6;   ///< constraint rows of one joint
inline constexpr int kMaxInner = 6;  ///< inner states c, or algebraic variables w, of one force

/// What an element reads of its markers and acts on: bit 2k the place of marker k (force), bit 2k + 1 its
/// axes (moment). Derivatives beyond are zero, and what does not matter need not be computed.
inline constexpr unsigned kPlaceA = 1, kAxesA = 2, kPlaceB = 4, kAxesB = 8, kUsesAll = 0xff;

/// Order of columns: (v, w) of marker 0, (v, w) of marker 1, ...
using TwistRow = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, kMaxTwist>;
using RowsByTwist =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMaxRows, kMaxTwist>;
using TwistByTwist =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMaxTwist, kMaxTwist>;
using TwistVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxTwist, 1>;
using RowVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxRows, 1>;
using InnerVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxInner, 1>;
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12, Eigen::RowMajor>;

}  // namespace monocoque

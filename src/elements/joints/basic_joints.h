#pragma once
// Joints without drives between marker A (`from`) and marker B (`to`); d = pB - pA, in world axes. x, y, z
// with A or B are the marker's axes. The z axis of A is the joint axis unless said otherwise.
//
//   type           rows  equations (all zero)                  free motion of B
//   spherical       3    d                                     three rotations
//   revolute        5    d; xA.zB, yA.zB                       angle about z
//   cylindrical     4    xA.zB, yA.zB; xA.d, yA.d              angle about and travel along z
//   prismatic       5    xA.yB, yA.zB, zA.xB; xA.d, yA.d       travel along z
//   universal       4    d; xA.yB                              about x of A and about y of B
//   rigid           6    d; xA.yB, yA.zB, zA.xB                none
//   planar          3    xA.zB, yA.zB; zA.d                    two travels, turning about z
//   point_on_line   2    xA.d, yA.d                            along the line, three rotations
//   parallel        3    xA.yB, yA.zB, zA.xB                   three translations
//   rod             1    |d| - length                          all but the distance
//   free            0                                          all
//
// Units: m for offsets, 1 (sine of the tilt, so rad near zero) for alignments; multipliers N and Nm.
//
// Signs: -W^T lambda acts on the markers; lambda > 0 of a rod pulls B towards A, so it is tension.
//
// Rows of d are in world axes: W is then constant and nothing is left at acceleration level.
//
// Limits: an orthogonality condition also holds with an axis reversed, and the three cyclic ones for a turn
// of 120 degrees about (1,1,1): the pose at assembly chooses the branch, and the rows are regular on the one
// where the axes are aligned. A universal joint is singular where x of A and y of B become parallel (bend of
// 90 degrees); a rod where the points meet.
//
// Source: Haug, Computer Aided Kinematics and Dynamics, ch. 9 (dot-1, dot-2, spherical, distance conditions).

#include <string>
#include <vector>

#include "elements/joints/pair_joint.h"
#include "elements/registry.h"

namespace monocoque {

/// Row lists, also used by the driven joints.
namespace joint_rows {
using Rows = std::vector<PairRow>;
Rows point();          ///< d in world axes
Rows on_line();        ///< xA.d, yA.d
Rows axis_parallel();  ///< xA.zB, yA.zB
Rows orientation();    ///< xA.yB, yA.zB, zA.xB
PairRow along_z();     ///< zA.d
PairRow distance(double length);
Rows join(Rows a, const Rows& b);
}  // namespace joint_rows

/// A joint type that always has the same rows, with one signal for each of its fields.
ElementType<Joint> pair_joint_type(std::string name, std::string doc, joint_rows::Rows rows,
                                   Coordinate coordinate = Coordinate::none,
                                   std::vector<io::Field> signals = {});

}  // namespace monocoque

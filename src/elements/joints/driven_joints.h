#pragma once
// Joints with prescribed (rheonomic) coordinates: rows of basic_joints plus rows driven by signals u(t).
//
//   type               rows  equations (all zero)
//   driven_revolute     6    revolute;  xB . (yA cos u - xA sin u)          u: angle about z of A, any number
//   of turns driven_angle        1    the last row alone, to be put beside an existing revolute joint
//   driven_prismatic    6    prismatic; zA.d - u                            u: travel along z of A, m
//   driven_position     1    the last row alone: the rack of a steering
//   driven_distance     1    |d| - u                                        u > 0, m
//   motion              6    A-components of d minus (x, y, z); x*.yB, y*.zB, z*.xB
//
// In `motion` R* = RA Rz(yaw) Ry(pitch) Rx(roll) (sequence z-y'-x'') has the columns x*, y*, z*: the pose of
// B in A is given completely. Angles are signals, never inverted, so there is no singular pitch. Signs: the
// angle is counted from x of A to x of B, right-handed about z of A; multipliers in N or Nm. The drive of an
// angle acts on B with the torque -lambda about z and on A with the opposite. Limits: the angle row also
// holds half a turn away; the pose at assembly must lie within a quarter turn of u. Signals must be twice
// differentiable; their jumps are events for the integrator. Source: dissertation 2.1.3 for the angles; the
// non-singular angle row is the dot-1 condition with a turned axis.

#include <vector>

#include "elements/registry.h"

namespace monocoque {

std::vector<ElementType<Joint>> driven_joint_types();

}  // namespace monocoque

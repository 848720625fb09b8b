#pragma once
// Joints with prescribed (rheonomic) coordinates: rows of basic_joints plus rows driven by signals u(t).
//
//   type               rows  equations (all zero)                        signal
//   driven_revolute     6    revolute; xB . (yA cos u - xA sin u)        angle about z of A, rad
//   driven_angle        1    the last row alone, beside a revolute       the same
//   driven_prismatic    6    prismatic; zA.d - u                         travel along z of A, m
//   driven_position     1    the last row alone: the rack of a steering  the same
//   driven_distance     1    |d| - u                                     distance > 0, m
//   motion              6    A-components of d minus (x, y, z);          six signals
//                            x*.yB, y*.zB, z*.xB
//
// In `motion` R* = RA Rz(yaw) Ry(pitch) Rx(roll) (sequence z-y'-x'') has the columns x*, y*, z*: the pose of
// B in A is given completely. Angles are signals, never inverted, so there is no singular pitch.
//
// Signs: the angle is counted from x of A to x of B, right-handed about z of A, over any number of turns;
// multipliers in N or Nm. The drive of an angle acts on B with the torque -lambda about z.
//
// Limits: the angle row also holds half a turn away; the pose at assembly must lie within a quarter turn of
// u. Signals must be twice differentiable; their jumps are events for the integrator.
//
// Source: dissertation 2.1.3 for the angles; the angle row is the dot-1 condition with a turned axis.

#include <vector>

#include "elements/registry.h"

namespace monocoque {

std::vector<ElementType<Joint>> driven_joint_types();

}  // namespace monocoque

#pragma once
// What fixed-step implicit methods put into their Jacobian, by name. The residual is always exact: a poorer
// Jacobian costs stability and, in methods of one Newton step, accuracy (docs/solvers.md).
//   full             everything; the constraint rows change with the position as well
//   applied-forces   derivatives of f only, rows and reactions as they are: dissertation (2.123)
//   simplified       without those of inertia forces: dissertation 5.1.2
//   rigid-forces     simplified, and force elements take condensed flexible parts as rigid: for elements much
//                    softer than the part at their markers
//   constant         simplified, with the applied forces' as at the start, in the axes of the parts
//   constant-matrix  the whole matrix of the start, factored once: for small motions about one position

#include <string>

#include "dynamics/assembly.h"

namespace monocoque {

enum class Jacobian { full, applied_forces, simplified, rigid_forces, constant, constant_matrix };

/// simplified and what is built on it: neither reactions nor inertia forces are differentiated.
bool is_simplified(Jacobian jacobian);
/// Throws Error for an unknown name.
Jacobian jacobian_from(const std::string& name);
JacobianTerms jacobian_terms(Jacobian jacobian, const FrozenTangents& frozen);

}  // namespace monocoque

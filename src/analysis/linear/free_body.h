#pragma once
// Vibrations of a reduced flexible body that floats free, from its Standard Input Data alone. The six rigid
// motions carry no stiffness, so their accelerations follow the elastic ones and leave
//   (Me - C Mr^-1 C^T) q'' + De q' + Ke q = 0,   C = (Ct, Cr), Mr the 6 x 6 mass matrix of the rigid motions.
// The answer does not depend on the body's frame (Buckens, tangent, node-fixed).

#include "analysis/linear/eigen.h"
#include "io/body/sid.h"

namespace monocoque::analysis {

/// Elastic modes; throws Error when the mass matrix is not positive definite.
std::vector<Eigenvalue> free_body_modes(const io::Sid& sid);

}  // namespace monocoque::analysis

#pragma once
// Mass matrix of a free flexible body at q = 0, for (v, w, q_dot) in body axes, from its Standard Input Data.

#include "io/body/sid.h"

namespace monocoque {

/// Sizes must fit (flexible_body checks them).
MatX mass_matrix(const io::Sid& sid);

}  // namespace monocoque

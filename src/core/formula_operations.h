#pragma once
// The operations of formulas on values with two time derivatives. Internal to core.

#include "core/formula.h"

namespace monocoque {

Taylor2 unary(Formula::Op op, const Taylor2& u);
Taylor2 binary(Formula::Op op, const Taylor2& a, const Taylor2& b);
bool is_binary(Formula::Op op);

}  // namespace monocoque

#pragma once
// Floating-point operations of a piece of work, counted exactly, and what the machine can do at most.

#include <functional>
#include <optional>

namespace monocoque::measure {

struct OperationCount {
  long instructions = 0;
  long allocations = 0;   ///< calls of malloc and its relatives
  long flops = 0;         ///< additions, multiplications, divisions, roots; a fused pair counts two
  long vector_flops = 0;  ///< of these, in instructions on more than one number
};

/// Runs the work once with the processor stopping at every instruction, and reads what each does: a
/// microsecond or two an instruction. Not for two threads at once. None on other processors.
std::optional<OperationCount> count_operations(const std::function<void()>& work);

/// Multiplications and additions per second in registers, as this program is compiled.
double peak_flops_per_s();

}  // namespace monocoque::measure

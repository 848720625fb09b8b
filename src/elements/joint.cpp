#include "elements/joint.h"

#include <algorithm>

namespace monocoque {

void Joint::rate(const JointInput&, RowVector& r) const {
  r.setZero(rows_);
}

void Joint::start_memory(const JointInput&, double* memory) const {
  std::fill_n(memory, memory_, 0.0);
}

void Joint::update_memory(const JointInput&, double*) const {}

std::string Joint::row_name(int row) const {
  return "row " + std::to_string(row);
}

}  // namespace monocoque

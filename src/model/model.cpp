#include "model/model.h"

#include <algorithm>

#include <fmt/format.h>

namespace monocoque {

JointIndex Model::joint_of_row(int lambda_row) const {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int start = joints[i].lambda_start;
    if (lambda_row >= start && lambda_row < start + joints[i].joint->rows()) return JointIndex(i);
  }
  return {};
}

std::string Model::row_label(int lambda_row) const {
  const JointIndex j = joint_of_row(lambda_row);
  if (!j.valid()) return fmt::format("constraint row {}", lambda_row);
  const JointInstance& joint = joints[j.at()];
  return fmt::format("{}, row '{}'", joint.label, joint.joint->row_name(lambda_row - joint.lambda_start));
}

int Model::holonomic_row_count() const {
  int n = 0;
  for (const JointInstance& j : joints) n += j.joint->holonomic_rows();
  return n;
}

bool Model::depends_on_reactions() const {
  return std::any_of(forces.begin(), forces.end(),
                     [](const ForceInstance& f) { return f.force->needs_reaction(); });
}

}  // namespace monocoque

#pragma once
// One model divided into several that run beside each other (front and rear of a car, after Prescott).
// A part belongs to one group or, named by none, to all of them: each group gets its own copy of a shared
// part. An element belongs to the group of the parts it holds; one between shared parts only belongs to the
// first group. So every element exists once, and what the elements of a group do to the shared parts is what
// the other groups must be told (split_run.h).
//
// Sensors of shared parts are in all groups, others where their parts are. A controller is in every group
// that uses its output, and needs its sensors there.

#include <string>
#include <vector>

#include "io/model/specification.h"

namespace monocoque::realtime {

struct SplitGroup {
  std::string name;
  std::vector<std::string> parts;  ///< names, * for any text: "FL/*"
};

struct SplitModel {
  std::vector<std::string> shared;    ///< parts that every group has, in the order of the model
  std::vector<io::ModelSpec> models;  ///< one per group
};

/// The nominal-force problem must be solved before. Throws Error: a pattern without parts, a part in two
/// groups, an element between two groups, no shared part.
SplitModel split_model(const io::ModelSpec& spec, const std::vector<SplitGroup>& groups);

}  // namespace monocoque::realtime

#pragma once

namespace monocoque {

const char* version();
const char* git_commit();  ///< abbreviated, "-dirty" when the tree had changes; "unknown" outside git

}  // namespace monocoque

#pragma once

namespace monocoque {

const char* version();
const char* git_commit();     ///< abbreviated, "-dirty" when the tree had changes; "unknown" outside git
const char* models_folder();  ///< models/ of the source tree, without a slash at its end

}  // namespace monocoque

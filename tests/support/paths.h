#pragma once
// Where the tests find the tree and the program. Functions, not macros: the command line of a test's
// compilation then names no folder, and ccache knows the file again in another clone.

#include <string>

namespace monocoque {

std::string source_dir();  ///< root of the source tree, without a slash at its end
const char* program();     ///< the built monocoque

}  // namespace monocoque

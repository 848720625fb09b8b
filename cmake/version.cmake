# Run at build time: writes the version, the git commit and the folder of the models into a source file when they have changed.
cmake_policy(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#include \"apps/version.h\"
namespace monocoque {
const char* version() { return \"@VERSION@\"; }
const char* git_commit() { return \"@commit@\"; }
const char* models_folder() { return \"@MODELS_FOLDER@\"; }
}  // namespace monocoque
" @ONLY)

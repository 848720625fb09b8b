# One static library per folder of src/; every .cpp in the folder belongs to it.
function(monocoque_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Werror)
  if(MONOCOQUE_NATIVE)
    target_compile_options(${target} PUBLIC -march=native)
  endif()
  if(MONOCOQUE_SANITIZE)
    # The four left out double the time to compile Eigen; AddressSanitizer sees null and stray pointers anyway.
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-omit-frame-pointer
                                            -fno-sanitize=null,alignment,object-size,vptr)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  # What nearly every file includes: two seconds of each compilation.
  if(MONOCOQUE_PCH)
    target_precompile_headers(${target} PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <functional> <map> <memory>
                              <string> <vector>)
  endif()
endfunction()

function(monocoque_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(sources)
    add_library(monocoque_${name} STATIC ${sources})
    target_include_directories(monocoque_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(monocoque_${name} PUBLIC ${arg_DEPENDS})
    monocoque_flags(monocoque_${name})
  else()
    add_library(monocoque_${name} INTERFACE)
    target_include_directories(monocoque_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(monocoque_${name} INTERFACE ${arg_DEPENDS})
  endif()
endfunction()

# One static library per folder of src/; every .cpp in the folder belongs to it.
function(monocoque_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Werror)
  if(MONOCOQUE_NATIVE)
    # With wide registers g++ 12 reports overflows in copies of small arrays where there are none.
    target_compile_options(${target} PUBLIC -march=native $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)
  endif()
  if(MONOCOQUE_SANITIZE)
    # Those left out double the time to compile Eigen; AddressSanitizer sees null and stray pointers anyway.
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-omit-frame-pointer
                                            -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  elseif(MONOCOQUE_THREAD_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=thread)
  endif()
endfunction()

# What nearly every file includes, two seconds of each compilation, compiled once for a target and reused by the others.
# Headers of others only: a header of ours in here would compile everything anew when it changes.
set(MONOCOQUE_COMMON_HEADERS <Eigen/Dense> <fmt/format.h> <algorithm> <array> <cmath> <filesystem> <functional> <limits>
    <map> <memory> <optional> <set> <string> <string_view> <vector>)
function(monocoque_precompiled target)
  cmake_parse_arguments(arg "" "REUSE" "HEADERS" ${ARGN})
  if(NOT MONOCOQUE_PCH)
    return()
  endif()
  if(arg_HEADERS)
    target_precompile_headers(${target} PRIVATE ${MONOCOQUE_COMMON_HEADERS} ${arg_HEADERS})
  elseif(arg_REUSE)
    target_precompile_headers(${target} REUSE_FROM ${arg_REUSE})
  elseif(target STREQUAL "monocoque_core")
    target_precompile_headers(${target} PRIVATE ${MONOCOQUE_COMMON_HEADERS})
  else()
    target_precompile_headers(${target} REUSE_FROM monocoque_core)
  endif()
endfunction()

function(monocoque_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(monocoque_${name} STATIC ${sources})
  target_include_directories(monocoque_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(monocoque_${name} PUBLIC ${arg_DEPENDS})
  monocoque_flags(monocoque_${name})
  monocoque_precompiled(monocoque_${name})
endfunction()

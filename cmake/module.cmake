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
  endif()
endfunction()

# What nearly every file includes: two seconds of each compilation. Made once, by core.
function(monocoque_precompiled target)
  if(NOT MONOCOQUE_PCH)
    return()
  endif()
  if(target STREQUAL "monocoque_core")
    target_precompile_headers(${target} PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <functional> <map> <memory>
                              <string> <vector>)
  else()
    target_precompile_headers(${target} REUSE_FROM monocoque_core)
  endif()
endfunction()

# UNITY: its files are compiled together where MONOCOQUE_UNITY asks for it, since they share many instances of
# templates. Not where large functions rule: with -O3 g++ takes longer over the elements of fe at once than one by one.
function(monocoque_module name)
  cmake_parse_arguments(arg "UNITY" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(sources)
    add_library(monocoque_${name} STATIC ${sources})
    target_include_directories(monocoque_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(monocoque_${name} PUBLIC ${arg_DEPENDS})
    monocoque_flags(monocoque_${name})
    monocoque_precompiled(monocoque_${name})
    if(MONOCOQUE_UNITY AND arg_UNITY)
      set_target_properties(monocoque_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    endif()
  else()
    add_library(monocoque_${name} INTERFACE)
    target_include_directories(monocoque_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(monocoque_${name} INTERFACE ${arg_DEPENDS})
  endif()
endfunction()

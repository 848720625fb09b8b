# ccache, where it is installed. What it needs to hit: precompiled headers are known by their content, and folders below
# the source tree count as relative, so that every clone on a machine shares one cache.
find_program(MONOCOQUE_CCACHE ccache)
if(MONOCOQUE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${MONOCOQUE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
# The preprocessed text keeps the mark of the precompiled header: ccache needs it.
add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)

find_program(MONOCOQUE_MOLD mold)
if(MONOCOQUE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

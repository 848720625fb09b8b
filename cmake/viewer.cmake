# The page of the viewer as an object in the server's library: viewer/ is bundled by node, compressed and included by
# the assembler. Without node, npm or the network the build goes on with a page that says what is missing.
set(page_folder ${CMAKE_BINARY_DIR}/viewer)
set(page_compressed ${page_folder}/index.html.gz)
find_program(MONOCOQUE_NODE node)
find_program(MONOCOQUE_NPM npm)
set(page_why "")
if(NOT MONOCOQUE_VIEWER)
  set(page_why "the program was configured with MONOCOQUE_VIEWER=OFF")
elseif(NOT EXISTS ${PROJECT_SOURCE_DIR}/viewer/package.json)
  set(page_why "the folder viewer is missing")
elseif(NOT MONOCOQUE_NODE OR NOT MONOCOQUE_NPM)
  set(page_why "node or npm was not found when the program was configured")
  message(WARNING "The viewer's page is left out: node or npm is missing; scripts/setup installs them")
endif()
# A page that was left out is tried again at the next configuration.
if(EXISTS ${page_folder}/left-out)
  file(REMOVE ${page_folder}/left-out ${page_compressed})
endif()
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
foreach(name package.json package-lock.json build.mjs index.html style.css tsconfig.json)
  if(EXISTS ${PROJECT_SOURCE_DIR}/viewer/${name})
    list(APPEND page_sources ${PROJECT_SOURCE_DIR}/viewer/${name})
  endif()
endforeach()
add_custom_command(OUTPUT ${page_compressed}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/viewer -DFOLDER=${page_folder} "-DWHY=${page_why}"
          -DNODE=${MONOCOQUE_NODE} -DNPM=${MONOCOQUE_NPM} -P ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
  DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
  COMMENT "Building the viewer's page" VERBATIM)
file(CONFIGURE OUTPUT ${page_folder}/page.S CONTENT
"  .section .rodata
  .balign 16
  .global monocoque_page_begin, monocoque_page_end
monocoque_page_begin:
  .incbin \"${page_compressed}\"
monocoque_page_end:
  .byte 0
  .section .note.GNU-stack,\"\",%progbits
" @ONLY)
set_source_files_properties(${page_folder}/page.S PROPERTIES OBJECT_DEPENDS ${page_compressed})
target_sources(monocoque_server PRIVATE ${page_folder}/page.S)

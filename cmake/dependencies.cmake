# Debian packages only; scripts/setup installs them.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)

function(monocoque_library target header)
  # monocoque_library(name header lib...): an imported target from plain libraries and one header
  cmake_parse_arguments(arg "" "" "LIBS;SUFFIXES" ${ARGN})
  find_path(${target}_INCLUDE ${header} PATH_SUFFIXES ${arg_SUFFIXES} REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_INCLUDE})
  foreach(lib ${arg_LIBS})
    find_library(${target}_${lib} ${lib} PATH_SUFFIXES hdf5/serial REQUIRED)
    target_link_libraries(${target} INTERFACE ${${target}_${lib}})
  endforeach()
endfunction()

monocoque_library(suitesparse klu.h SUFFIXES suitesparse LIBS spqr cholmod klu btf amd colamd suitesparseconfig)
monocoque_library(hdf5_c hdf5.h SUFFIXES hdf5/serial LIBS hdf5)
monocoque_library(sundials_ida_serial ida/ida.h LIBS sundials_ida sundials_nvecserial sundials_generic)

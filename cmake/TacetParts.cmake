# Parts made by others, each behind one target. `tools/setup` installs all of them. How a part is found here is also how
# tacetConfig.cmake finds it (cmake/TacetInstall.cmake): use these functions, or a find_package whose targets are named Package::x.
include(TacetPart)
find_package(PkgConfig REQUIRED)

# tacet_pkg(sodium libsodium): the target PkgConfig::sodium.
function(tacet_pkg name module)
  set_property(GLOBAL PROPERTY TACET_PKG_${name} ${module})
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET GLOBAL ${module})
endfunction()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(Eigen3 3.4 REQUIRED)
tacet_pkg(sodium libsodium)
tacet_pkg(sqlite sqlite3)
tacet_pkg(seccomp libseccomp)
tacet_part(gmp gmp.h gmp)
add_library(gmp ALIAS tacet::part_gmp)

# DuckDB is no Debian package: tools/setup puts its C header and its library here, and `make install` installs the library.
set(TACET_DUCKDB "${CMAKE_SOURCE_DIR}/.deps/duckdb" CACHE PATH "Folder with DuckDB's include/duckdb.h and lib/libduckdb.so")
if(NOT EXISTS "${TACET_DUCKDB}/lib/libduckdb.so")
  message(FATAL_ERROR "DuckDB is not in ${TACET_DUCKDB}: run `make setup`, which fetches and verifies it.")
endif()
add_library(tacet::part_duckdb SHARED IMPORTED GLOBAL)
set_target_properties(tacet::part_duckdb PROPERTIES IMPORTED_LOCATION "${TACET_DUCKDB}/lib/libduckdb.so" INTERFACE_INCLUDE_DIRECTORIES "${TACET_DUCKDB}/include")
add_library(duckdb ALIAS tacet::part_duckdb)

# Vega's scripts are built into the program (src/tacet/report/vega_scripts.cc); their licences are installed.
set(TACET_VEGA "${CMAKE_SOURCE_DIR}/.deps/vega" CACHE PATH "Folder with vega.min.js, vega-lite.min.js, vega-embed.min.js and their licences")
set(TACET_VEGA_LICENCES)
set(TACET_VEGA_FILES)
foreach(package IN ITEMS vega vega-lite vega-embed)
  list(APPEND TACET_VEGA_LICENCES "${TACET_VEGA}/LICENSE.${package}")
  list(APPEND TACET_VEGA_FILES "${TACET_VEGA}/${package}.min.js" "${TACET_VEGA}/LICENSE.${package}")
endforeach()
foreach(file IN LISTS TACET_VEGA_FILES)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "${file} is missing: run `make setup`, which fetches and verifies it.")
  endif()
endforeach()

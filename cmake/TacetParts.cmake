# Parts made by others, each behind one target. `tools/setup` installs all of them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(sqlite REQUIRED IMPORTED_TARGET sqlite3)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)

# A part with headers and a library but no package file of its own.
function(tacet_part name header library)
  find_path(${name}_INCLUDE ${header} REQUIRED)
  find_library(${name}_LIBRARY ${library} REQUIRED)
  add_library(${name} UNKNOWN IMPORTED)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${${name}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE}")
endfunction()
tacet_part(gmp gmp.h gmp)

# DuckDB is no Debian package: tools/setup puts its C header and its library here.
set(TACET_DUCKDB "${CMAKE_SOURCE_DIR}/.deps/duckdb" CACHE PATH "Folder with DuckDB's include/duckdb.h and lib/libduckdb.so")
if(NOT EXISTS "${TACET_DUCKDB}/lib/libduckdb.so")
  message(FATAL_ERROR "DuckDB is not in ${TACET_DUCKDB}: run `make setup`, which fetches and verifies it.")
endif()
add_library(duckdb SHARED IMPORTED)
set_target_properties(duckdb PROPERTIES IMPORTED_LOCATION "${TACET_DUCKDB}/lib/libduckdb.so" INTERFACE_INCLUDE_DIRECTORIES "${TACET_DUCKDB}/include")

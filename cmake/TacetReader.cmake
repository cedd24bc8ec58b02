# A program that reads data files in a process of its own, beside the program that asks for it.
#
#   tacet_reader(tacet_scan tacet-scan tacet_scanner main.cc open_copies.cc)
function(tacet_reader target name library)
  add_executable(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/apps/tacet")
  target_link_libraries(${target} PRIVATE tacet_flags tacet_lean ${library})
  # Where it is installed it finds DuckDB's library relative to itself, too.
  file(RELATIVE_PATH to_duckdb "${CMAKE_INSTALL_FULL_LIBEXECDIR}/tacet" "${CMAKE_INSTALL_PREFIX}/${TACET_DUCKDB_FOLDER}")
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${to_duckdb}")
  # Tests and benchmarks find it beside them as well.
  foreach(folder IN ITEMS tests bench fuzz)
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/${folder}")
    file(CREATE_LINK ../apps/tacet/${name} "${CMAKE_BINARY_DIR}/${folder}/${name}" SYMBOLIC)
  endforeach()
endfunction()

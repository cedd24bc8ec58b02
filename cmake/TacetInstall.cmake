# `cmake --install`: the program, the one that reads data for it, the rooms as libraries with their headers, DuckDB's library beside them, and the package file
# with which others say find_package(tacet CONFIG) and link tacet::privacy, tacet::kernel, ... tests/install does just that.
include(CMakePackageConfigHelpers)

set(TACET_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/tacet)
set(TACET_DUCKDB_FOLDER ${CMAKE_INSTALL_LIBDIR}/tacet)

# The program finds DuckDB's library relative to itself, wherever the tree is moved to.
file(RELATIVE_PATH from_program_to_duckdb "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_PREFIX}/${TACET_DUCKDB_FOLDER}")
set(CMAKE_INSTALL_RPATH "$ORIGIN/${from_program_to_duckdb}")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

# Called last, when every room and the program are known.
function(tacet_install)
  if(TARGET tacet)
    install(TARGETS tacet RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(TARGETS tacet_scan RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tacet)
  endif()
  install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(PROGRAMS "${TACET_DUCKDB}/lib/libduckdb.so" DESTINATION ${TACET_DUCKDB_FOLDER})
  install(FILES "${TACET_DUCKDB}/lib/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.duckdb)
  install(FILES ${TACET_VEGA_LICENCES} DESTINATION ${CMAKE_INSTALL_DOCDIR})

  # What the exported targets link, found by others as it was found here.
  get_property(parts GLOBAL PROPERTY TACET_EXPORTED_PARTS)
  list(REMOVE_DUPLICATES parts)
  set(find "")
  foreach(part IN LISTS parts)
    string(REGEX REPLACE "::.*$" "" package ${part})
    if(part STREQUAL "tacet::part_duckdb")
      string(APPEND find "if(NOT TARGET tacet::part_duckdb)\n  add_library(tacet::part_duckdb SHARED IMPORTED)\n"
             "  set_target_properties(tacet::part_duckdb PROPERTIES IMPORTED_LOCATION \"\${tacet_PREFIX}/${TACET_DUCKDB_FOLDER}/libduckdb.so\")\nendif()\n")
    elseif(part MATCHES "^tacet::part_(.*)$")
      set(name ${CMAKE_MATCH_1})
      get_property(how GLOBAL PROPERTY TACET_PART_${name})
      string(APPEND find "tacet_part(${name} ${how})\n")
    elseif(part MATCHES "^PkgConfig::(.*)$")
      set(name ${CMAKE_MATCH_1})
      get_property(module GLOBAL PROPERTY TACET_PKG_${name})
      if(NOT module)
        message(FATAL_ERROR "the part ${part} cannot be found by those who install Tacet: declare it with tacet_pkg in cmake/TacetParts.cmake.")
      endif()
      string(APPEND find "find_dependency(PkgConfig)\nif(NOT TARGET ${part})\n  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})\nendif()\n")
    elseif(part MATCHES "::")
      string(APPEND find "find_dependency(${package})\n")
    else()
      message(FATAL_ERROR "the part ${part} cannot be found by those who install Tacet: declare it with tacet_part in cmake/TacetParts.cmake.")
    endif()
  endforeach()
  set(TACET_FIND_PARTS "${find}")
  get_property(TACET_ROOMS GLOBAL PROPERTY TACET_ROOMS)
  configure_package_config_file("${CMAKE_SOURCE_DIR}/cmake/tacetConfig.cmake.in" "${CMAKE_BINARY_DIR}/tacetConfig.cmake" INSTALL_DESTINATION ${TACET_CMAKE_FOLDER})
  write_basic_package_version_file("${CMAKE_BINARY_DIR}/tacetConfigVersion.cmake" VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
  install(FILES "${CMAKE_BINARY_DIR}/tacetConfig.cmake" "${CMAKE_BINARY_DIR}/tacetConfigVersion.cmake" "${CMAKE_SOURCE_DIR}/cmake/TacetPart.cmake"
          DESTINATION ${TACET_CMAKE_FOLDER})
  install(EXPORT tacetTargets NAMESPACE tacet:: DESTINATION ${TACET_CMAKE_FOLDER})
endfunction()

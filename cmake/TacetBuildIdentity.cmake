# The identity of a build, for two programs that exchange memory and so must be of one: 64 bits of a hash of their sources, as a function
# that both link. A version or a commit would not tell sources apart while they are worked on. The header declares the function.
#
#   tacet_build_identity(tacet_data tacet/data/shared_region.h tacet::data::scan_build ${sources})
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(tacet_build_identity target header function)
    string(REGEX REPLACE "^.*::" "" name "${function}")
    set(out "${CMAKE_CURRENT_BINARY_DIR}/${name}.cc")
    list(JOIN ARGN "|" sources)
    add_custom_command(OUTPUT "${out}" COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DHEADER=${header}" "-DFUNCTION=${function}" "-DSOURCES=${sources}"
                                               -P "${PROJECT_SOURCE_DIR}/cmake/TacetBuildIdentity.cmake"
                       DEPENDS ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/TacetBuildIdentity.cmake" VERBATIM)
    target_sources(${target} PRIVATE "${out}")
  endfunction()
  return()
endif()

# As a script, whenever one of the sources has changed.
string(REPLACE "|" ";" SOURCES "${SOURCES}")
foreach(source IN LISTS SOURCES)
  file(SHA256 "${source}" hash)
  string(APPEND hashes "${hash}")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING "${hash}" 0 16 identity)
file(WRITE "${OUT}" "#include \"${HEADER}\"\n\nstd::uint64_t ${FUNCTION}() { return 0x${identity}U; }\n")

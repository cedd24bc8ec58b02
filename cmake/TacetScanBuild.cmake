# The identity of a build, for two programs that exchange memory and so must be of one: 64 bits of a hash of their sources, as the function
# data::scan_build() that both link. A version or a commit would not tell sources apart while they are worked on.
#
#   tacet_scan_build(tacet_data ${sources})
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(tacet_scan_build target)
    set(out "${CMAKE_CURRENT_BINARY_DIR}/scan_build.cc")
    list(JOIN ARGN "|" sources)
    add_custom_command(OUTPUT "${out}" COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DSOURCES=${sources}" -P "${PROJECT_SOURCE_DIR}/cmake/TacetScanBuild.cmake"
                       DEPENDS ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/TacetScanBuild.cmake" VERBATIM)
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
file(WRITE "${OUT}" "#include \"tacet/data/shared_region.h\"\n\nnamespace tacet::data {\n\nstd::uint64_t scan_build() { return 0x${identity}U; }\n\n}  // namespace tacet::data\n")

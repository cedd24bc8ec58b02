# A part with headers and a library but no package file of its own becomes the target tacet::part_<name>; <name> for short, in
# our own build. Also installed, where tacetConfig.cmake finds the same parts for those who use Tacet as a library.
#
#   tacet_part(gmp gmp.h gmp)     # name, a header, a library
function(tacet_part name header library)
  set_property(GLOBAL PROPERTY TACET_PART_${name} "${header} ${library}")
  if(TARGET tacet::part_${name})
    return()
  endif()
  find_path(tacet_${name}_INCLUDE ${header} REQUIRED)
  find_library(tacet_${name}_LIBRARY ${library} REQUIRED)
  mark_as_advanced(tacet_${name}_INCLUDE tacet_${name}_LIBRARY)
  add_library(tacet::part_${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(tacet::part_${name} PROPERTIES IMPORTED_LOCATION "${tacet_${name}_LIBRARY}")
  # A folder that the compiler searches anyway is left alone: put first, it would break #include_next.
  if(NOT "${tacet_${name}_INCLUDE}" IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    set_target_properties(tacet::part_${name} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${tacet_${name}_INCLUDE}")
  endif()
endfunction()

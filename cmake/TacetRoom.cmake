# A room is a folder of src/tacet and a library of the same name. Rooms are listed bottom-up in src/CMakeLists.txt and an
# arrow may only point to a line above: configuration stops at a NEED that is not yet declared, and the test arrows.<room>
# reads the #include lines.
#
#   tacet_room(kernel NEEDS base exact privacy PARTS PkgConfig::sqlite)
#
# PARTS are linked privately, PUBLIC_PARTS are parts whose headers our own headers include.
function(tacet_room name)
  cmake_parse_arguments(PARSE_ARGV 1 R "" "" "NEEDS;PARTS;PUBLIC_PARTS;PCH")
  foreach(need IN LISTS R_NEEDS)
    if(NOT TARGET tacet::${need})
      message(FATAL_ERROR "room '${name}' needs '${need}', which is declared below it or nowhere. "
                          "Rooms are listed bottom-up in src/CMakeLists.txt; move the code, not the line.")
    endif()
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tacet/${name}/*.cc")
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tacet/${name}/*.h")

  add_library(tacet_${name} STATIC ${sources})
  add_library(tacet::${name} ALIAS tacet_${name})
  set_target_properties(tacet_${name} PROPERTIES EXPORT_NAME ${name})
  target_sources(tacet_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_CURRENT_SOURCE_DIR}" FILES ${headers})
  target_compile_features(tacet_${name} PUBLIC cxx_std_20)
  target_link_libraries(tacet_${name} PRIVATE $<BUILD_INTERFACE:tacet_flags> ${R_PARTS} PUBLIC ${R_PUBLIC_PARTS})
  foreach(need IN LISTS R_NEEDS)
    target_link_libraries(tacet_${name} PUBLIC tacet_${need})
  endforeach()
  if(R_PCH)
    target_precompile_headers(tacet_${name} PRIVATE ${R_PCH})
  endif()

  # Every public header stands alone: one generated file per header that includes nothing else.
  if(TACET_TESTS)
    set(alone)
    foreach(header IN LISTS headers)
      get_filename_component(stem ${header} NAME_WE)
      set(file "${CMAKE_CURRENT_BINARY_DIR}/alone/${name}_${stem}.cc")
      file(CONFIGURE OUTPUT ${file} CONTENT "#include \"tacet/${name}/${stem}.h\"  // IWYU pragma: keep\n")
      list(APPEND alone ${file})
    endforeach()
    add_library(tacet_alone_${name} OBJECT ${alone})
    target_link_libraries(tacet_alone_${name} PRIVATE tacet_${name} tacet_flags)
  endif()

  set_property(GLOBAL APPEND PROPERTY TACET_ROOMS ${name})
  set_property(GLOBAL PROPERTY TACET_ROOM_${name}_NEEDS "${R_NEEDS}")
  install(TARGETS tacet_${name} EXPORT tacetTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

# All rooms at once, for those who use Tacet as a library:
#
#   tacet::static   the rooms as they are, one static library each
#   tacet::shared   libtacet.so, all rooms in one shared library (TACET_SHARED)
#   tacet::tacet    one of the two: the shared one where BUILD_SHARED_LIBS asks for it
#
# A program links one of them, never both: it would hold two copies of the kernel, each with its own
# locks and random bits. CMake refuses the mixture (TACET_LINKAGE).

# Included by those who ask which version they compile against; rooms do not.
configure_file("${CMAKE_SOURCE_DIR}/src/tacet/version.h.in" "${CMAKE_BINARY_DIR}/include/tacet/version.h" @ONLY)
add_library(tacet_version INTERFACE)
target_include_directories(tacet_version INTERFACE "${CMAKE_BINARY_DIR}/include")

# docs/explanation/abi.md promises this: before 1.0 every minor version may break programs that were linked before.
set(TACET_SOVERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(TACET_SOVERSION 0.${PROJECT_VERSION_MINOR})
endif()

function(tacet_static_library rooms)
  add_library(tacet_static INTERFACE)
  add_library(tacet::static ALIAS tacet_static)
  set_target_properties(tacet_static PROPERTIES EXPORT_NAME static)
  target_link_libraries(tacet_static INTERFACE $<BUILD_INTERFACE:tacet_version>)
  foreach(room IN LISTS rooms)
    target_link_libraries(tacet_static INTERFACE tacet_${room})
    set_target_properties(tacet_${room} PROPERTIES INTERFACE_TACET_LINKAGE static COMPATIBLE_INTERFACE_STRING TACET_LINKAGE)
  endforeach()
  install(TARGETS tacet_static EXPORT tacetStaticTargets)
endfunction()

function(tacet_shared_library rooms)
  set(objects)
  foreach(room IN LISTS rooms)
    list(APPEND objects $<TARGET_OBJECTS:tacet_${room}>)
  endforeach()
  get_property(public GLOBAL PROPERTY TACET_PUBLIC_PARTS)
  get_property(private GLOBAL PROPERTY TACET_PRIVATE_PARTS)
  list(REMOVE_DUPLICATES public)
  list(REMOVE_DUPLICATES private)
  list(REMOVE_ITEM private ${public})

  add_library(tacet_shared SHARED ${objects})
  add_library(tacet::shared ALIAS tacet_shared)
  set_target_properties(tacet_shared PROPERTIES OUTPUT_NAME tacet EXPORT_NAME shared LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION ${TACET_SOVERSION}
                        INTERFACE_TACET_LINKAGE shared COMPATIBLE_INTERFACE_STRING TACET_LINKAGE)
  target_compile_features(tacet_shared INTERFACE cxx_std_20)
  target_include_directories(tacet_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(tacet_shared PUBLIC ${public} PRIVATE ${private} INTERFACE $<BUILD_INTERFACE:tacet_version>)
  # Whatever it calls, it names: nothing is left for whoever links it.
  target_link_options(tacet_shared PRIVATE LINKER:-z,defs LINKER:--as-needed)
  install(TARGETS tacet_shared EXPORT tacetSharedTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# Called when every room is known.
function(tacet_library)
  get_property(rooms GLOBAL PROPERTY TACET_ROOMS)
  tacet_static_library("${rooms}")
  if(TACET_SHARED)
    tacet_shared_library("${rooms}")
  endif()
  if(TACET_SHARED AND BUILD_SHARED_LIBS)
    add_library(tacet::tacet ALIAS tacet_shared)
  else()
    add_library(tacet::tacet ALIAS tacet_static)
  endif()
  install(FILES "${CMAKE_BINARY_DIR}/include/tacet/version.h" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tacet)
endfunction()

# How tests are declared. A room's tests are the files tests/<room>/*_test.cc, built into one program.
find_package(GTest REQUIRED)
include(GoogleTest)

function(tacet_room_tests room)
  cmake_parse_arguments(PARSE_ARGV 1 R "" "" "LINK")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${room}/*_test.cc")
  add_executable(tacet_${room}_tests ${sources})
  target_link_libraries(tacet_${room}_tests PRIVATE tacet_flags GTest::gmock_main ${R_LINK})
  if(TARGET tacet_${room})
    target_link_libraries(tacet_${room}_tests PRIVATE tacet_${room})
  endif()
  target_include_directories(tacet_${room}_tests PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  # Suites whose names end in Slow get the label `slow`, which the presets leave out.
  gtest_discover_tests(tacet_${room}_tests TEST_PREFIX "${room}." TEST_FILTER "-*Slow.*" DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
  gtest_discover_tests(tacet_${room}_tests TEST_PREFIX "${room}." TEST_FILTER "*Slow.*" TEST_LIST tacet_${room}_slow DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 3600 LABELS slow)
endfunction()

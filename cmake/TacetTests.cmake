# How tests are declared. One ctest entry per TEST, named <room>.<Subject>.<Sentence>; `ctest --preset release -R ledger` runs some.
#
#   tacet_room_tests(exact)                                   # tests/exact/*_test.cc, linked with the room and tests/support
#   tacet_room_tests(privacy LINK tacet_kernel)               # and with what else they need
#   tacet_room_tests(service UNITED)                          # compiled some files at a time (cmake/TacetUnity.cmake)
#   tacet_room_tests(planning UNSANITIZED Costs.Agree*)       # these tests do not run with sanitizers
#   tacet_must_not_compile(copy_a_grant kernel)               # tests/compile_fail/copy_a_grant.cc, twice
#   tacet_script_test(docs.links tests/docs/check_links.py)   # a Python program that exits with 0 if all is well
#
# UNSANITIZED are tests that repeat a call many thousand times to see a distribution: other tests make the same calls.
# A file named *_slow_test.cc is for `make check-slow` alone (label slow), which has no sanitizers. Tests run in the source folder, several at a time, and
# write only below testing::TempDir(), under names of their own; the keys of their ledgers go there too (TACET_HOME).
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
include(GoogleTest)

set(TACET_TEST_TIMEOUT 600)
set(TACET_SLOW_TIMEOUT 7200)
set(TACET_FALSE_ALARMS "${CMAKE_BINARY_DIR}/false_alarms.txt")
set(TACET_TEST_ENVIRONMENT "TACET_FALSE_ALARM_LEDGER=${TACET_FALSE_ALARMS}" "LC_ALL=C.UTF-8")
if(TACET_SANITIZE)
  list(APPEND TACET_TEST_ENVIRONMENT "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1:malloc_context_size=8"
       "UBSAN_OPTIONS=print_stacktrace=1")
endif()

# What nearly every test includes is read once for all test programs. A source still includes what it uses:
# clang-tidy sees it without this. All programs then need the same -O flags: g++ 12 breaks down on a difference.
set(TACET_TEST_PCH <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <fmt/format.h> <gmpxx.h> <algorithm> <array> <cmath> <cstdint> <filesystem> <fstream>
    <functional> <map> <memory> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view> <tuple> <utility> <variant> <vector>)
# The library is optimized as the preset says; a test's own lines less, which is quicker to compile.
set(TACET_TEST_FLAGS -O1)
if(TACET_SANITIZE)
  set(TACET_TEST_FLAGS -Og)
endif()

function(tacet_add_tests program prefix timeout label filter)
  set(tmp "${CMAKE_BINARY_DIR}/tmp/${program}")
  file(MAKE_DIRECTORY "${tmp}")
  gtest_discover_tests(${program} TEST_PREFIX "${prefix}." TEST_FILTER "${filter}" NO_PRETTY_VALUES WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${timeout} LABELS ${label} FIXTURES_REQUIRED false_alarms)
  # gtest_discover_tests takes no lists as values: the environment is set by a file that ctest reads after the tests are known.
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${program}_environment.cmake")
  file(WRITE "${script}" "if(${program}_TESTS)\n  set_tests_properties(\${${program}_TESTS} PROPERTIES ENVIRONMENT \"${TACET_TEST_ENVIRONMENT};TEST_TMPDIR=${tmp};TACET_HOME=${tmp}/keys\")\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()

function(tacet_room_tests room)
  cmake_parse_arguments(PARSE_ARGV 1 R "UNITED" "" "LINK;UNSANITIZED")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${room}/*_test.cc")
  set(slow_sources ${sources})
  list(FILTER sources EXCLUDE REGEX "_slow_test\\.cc$")
  list(FILTER slow_sources INCLUDE REGEX "_slow_test\\.cc$")
  set(filter "*")
  if(TACET_SANITIZE)
    set(slow_sources)
    list(JOIN R_UNSANITIZED ":" unsanitized)
    set(filter "-${unsanitized}")
  endif()
  foreach(kind IN ITEMS tests slow_tests)
    if(kind STREQUAL tests)
      set(mine ${sources})
      set(how ${TACET_TEST_TIMEOUT} ${room})
    else()
      set(mine ${slow_sources})
      set(how ${TACET_SLOW_TIMEOUT} slow)
    endif()
    if(NOT mine)
      continue()
    endif()
    set(program tacet_${room}_${kind})
    if(R_UNITED)
      tacet_unite(mine "${CMAKE_SOURCE_DIR}/tests" ${room}_${kind} ${mine})
    endif()
    add_executable(${program} ${mine})
    target_link_libraries(${program} PRIVATE tacet_flags tacet_test_support GTest::gmock_main ${R_LINK})
    if(TARGET tacet_${room})
      target_link_libraries(${program} PRIVATE tacet_${room})
    endif()
    target_include_directories(${program} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
    target_compile_options(${program} PRIVATE ${TACET_TEST_FLAGS})
    get_property(precompiled GLOBAL PROPERTY TACET_TEST_PCH_FROM)
    if(precompiled)
      target_precompile_headers(${program} REUSE_FROM ${precompiled})
    else()
      target_precompile_headers(${program} PRIVATE ${TACET_TEST_PCH})
      set_property(GLOBAL PROPERTY TACET_TEST_PCH_FROM ${program})
    endif()
    add_dependencies(${program} tacet_scan) # reads data for whoever asks
    tacet_add_tests(${program} ${room} ${how} "${filter}")
  endforeach()
endfunction()

# Scripts say nothing about sanitizers, so they run with the plain builds only.
function(tacet_script_test name script)
  if(TACET_SANITIZE)
    return()
  endif()
  add_test(NAME ${name} COMMAND Python3::Interpreter -B "${CMAKE_SOURCE_DIR}/${script}" ${ARGN} COMMAND_EXPAND_LISTS WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TACET_TEST_TIMEOUT} LABELS script ENVIRONMENT "${TACET_TEST_ENVIRONMENT};TACET_HOME=${CMAKE_BINARY_DIR}/tmp/scripts/keys")
endfunction()

# tests/compile_fail/<name>.cc as it stands compiles (<name>.repaired); with -DMISUSE it does not, and the first error is the one that its
# first line foretells (<name>.misuse).
function(tacet_must_not_compile name)
  set(includes)
  foreach(room IN LISTS ARGN)
    list(APPEND includes "-I$<JOIN:$<TARGET_PROPERTY:tacet_${room},INTERFACE_INCLUDE_DIRECTORIES>,$<SEMICOLON>-I>")
  endforeach()
  foreach(twin IN ITEMS repaired misuse)
    tacet_script_test(compile_fail.${name}.${twin} tests/compile_fail/twin.py ${twin} "${CMAKE_SOURCE_DIR}/tests/compile_fail/${name}.cc"
                      ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only "$<TARGET_PROPERTY:tacet_flags,INTERFACE_COMPILE_OPTIONS>" ${includes})
  endforeach()
endfunction()

# The suite's own ledger: a stochastic test declares how often it is red by chance (tests/support/promise.h), and whatever set of
# tests a run has, the sum over that run is printed and must stay below 1e-6. The fixture brings the two ends along.
function(tacet_false_alarm_ledger)
  foreach(end IN ITEMS open close)
    add_test(NAME false_alarms.${end} COMMAND Python3::Interpreter -B "${CMAKE_SOURCE_DIR}/tests/support/false_alarms.py" ${end} "${TACET_FALSE_ALARMS}")
  endforeach()
  set_tests_properties(false_alarms.open PROPERTIES FIXTURES_SETUP false_alarms)
  set_tests_properties(false_alarms.close PROPERTIES FIXTURES_CLEANUP false_alarms)
endfunction()

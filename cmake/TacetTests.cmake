# How tests are declared. One ctest entry per subject, named <room>.<Subject>, runs its TESTs in one process (tests/support/suites.py);
# `ctest --preset dev -R ledger` runs some.
#
#   tacet_room_tests(kernel)                                  # tests/kernel/*_test.cc, linked with the room and tests/support
#   tacet_room_tests(schemas LINK duckdb)                     # and with what else they need
#   tacet_room_tests(service UNITED)                          # compiled some files at a time (cmake/TacetUnity.cmake)
#   tacet_room_tests(planning UNSANITIZED Costs.Agree*)       # these tests do not run with sanitizers
#   tacet_room_tests(exact TWICE)                             # all tests run with sanitizers and without
#   tacet_must_not_compile(copy_a_grant kernel)               # tests/compile_fail/copy_a_grant.cc, twice
#   tacet_script_test(docs.links tests/docs/check_links.py)   # a Python program that exits with 0 if all is well
#
# Where a test runs in `make check`: with sanitizers, unless it is UNSANITIZED. Without them (in the preset release, where
# TACET_EVERY_TEST is off) run the rooms that are TWICE, the tests that are UNSANITIZED, and every file that asks whether there are sanitizers,
# for instance by coarseness(). tests/support/each_test_runs.py sees that no test falls between. The other tests of the release build
# are built on demand (`tools/build release tacet_kernel_tests`).
#
# UNSANITIZED are tests that repeat a call many thousand times to see a distribution, while other tests make the same calls, and tests of what ships
# as a whole: its programs as a shell starts them.
# A file named *_slow_test.cc is for `make check-slow` alone (label slow), which has no sanitizers. Tests run in the source folder, several at a time, and
# write only below testing::TempDir(), under names of their own; the keys of their ledgers go there too (TACET_HOME).
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
option(TACET_EVERY_TEST "Build and run every test without sanitizers too" ON)

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

# The tests of a program, as ctest knows them: tests/support/suites.py lists them when the program is built.
function(tacet_add_tests program prefix timeout label filter)
  set(tmp "${CMAKE_BINARY_DIR}/tmp/${program}")
  file(MAKE_DIRECTORY "${tmp}")
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${program}.cmake")
  add_custom_command(TARGET ${program} POST_BUILD VERBATIM COMMAND Python3::Interpreter -B "${CMAKE_SOURCE_DIR}/tests/support/suites.py" $<TARGET_FILE:${program}> "${list}" ${prefix}
                     "--filter=${filter}" "WORKING_DIRECTORY=${CMAKE_SOURCE_DIR}" "TIMEOUT=${timeout}" "LABELS=${label}" FIXTURES_REQUIRED=false_alarms
                     "ENVIRONMENT=${TACET_TEST_ENVIRONMENT};TEST_TMPDIR=${tmp};TACET_HOME=${tmp}/keys")
  # A program that is built on demand has no tests before; any other is missed.
  set(missed "[=[${prefix}.${program}_is_not_built]=]")
  set(otherwise "add_test(${missed} ${program})\n  set_tests_properties(${missed} PROPERTIES LABELS ${label})\n")
  if(label STREQUAL sanitized)
    set(otherwise)
  endif()
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${program}_if_built.cmake")
  file(CONFIGURE OUTPUT "${script}" CONTENT "if(EXISTS \"${list}\")\n  include(\"${list}\")\nelse()\n  ${otherwise}endif()\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()

# tests/<room>/<sources> as a program; rest are the room's libraries.
function(tacet_test_program program room united sources)
  if(united)
    string(REGEX REPLACE "^tacet_" "" folder ${program})
    tacet_unite(sources "${CMAKE_SOURCE_DIR}/tests" ${folder} ${sources})
  endif()
  add_executable(${program} ${sources})
  target_link_libraries(${program} PRIVATE tacet_flags tacet_test_support GTest::gmock_main ${ARGN})
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
  set_property(GLOBAL APPEND PROPERTY TACET_TESTS_OF_${room} ${program})
endfunction()

# The files that must run without sanitizers, too: those that ask whether there are any, and those with a test that has none.
function(tacet_plain_sources out patterns)
  list(JOIN patterns "|" one_of)
  string(REPLACE "." "[, ]+" one_of "${one_of}")
  string(REPLACE "*" "[A-Za-z0-9]*" one_of "${one_of}")
  set(plain)
  foreach(source IN LISTS ARGN)
    file(READ "${source}" text)
    if(text MATCHES "coarseness\\(|SANITIZE|NEEDS_FILTER" OR (patterns AND text MATCHES "TEST[_FP]*\\((${one_of})\\)"))
      list(APPEND plain "${source}")
    endif()
  endforeach()
  set(${out} ${plain} PARENT_SCOPE)
endfunction()

function(tacet_room_tests room)
  cmake_parse_arguments(PARSE_ARGV 1 R "UNITED;TWICE" "" "LINK;UNSANITIZED")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${room}/*_test.cc")
  set(slow_sources ${sources})
  list(FILTER sources EXCLUDE REGEX "_slow_test\\.cc$")
  list(FILTER slow_sources INCLUDE REGEX "_slow_test\\.cc$")
  list(JOIN R_UNSANITIZED ":" unsanitized)
  set(program tacet_${room}_tests)

  if(TACET_SANITIZE)
    if(NOT unsanitized STREQUAL "*")
      tacet_test_program(${program} ${room} "${R_UNITED}" "${sources}" ${R_LINK})
      tacet_add_tests(${program} ${room} ${TACET_TEST_TIMEOUT} ${room} "*-${unsanitized}")
    endif()
    return()
  endif()
  tacet_test_program(${program} ${room} "${R_UNITED}" "${sources}" ${R_LINK})
  if(TACET_EVERY_TEST OR R_TWICE OR unsanitized STREQUAL "*")
    tacet_add_tests(${program} ${room} ${TACET_TEST_TIMEOUT} ${room} "*")
  else()
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
    tacet_add_tests(${program} ${room} ${TACET_TEST_TIMEOUT} sanitized "*")
    tacet_plain_sources(plain "${R_UNSANITIZED}" ${sources})
    if(plain)
      tacet_test_program(tacet_${room}_plain_tests ${room} "${R_UNITED}" "${plain}" ${R_LINK})
      tacet_add_tests(tacet_${room}_plain_tests ${room}.plain ${TACET_TEST_TIMEOUT} ${room} "*")
    endif()
  endif()
  if(slow_sources)
    tacet_test_program(tacet_${room}_slow_tests ${room} "${R_UNITED}" "${slow_sources}" ${R_LINK})
    tacet_add_tests(tacet_${room}_slow_tests ${room} ${TACET_SLOW_TIMEOUT} slow "*")
  endif()
endfunction()

# The programs that the tests of a room became: one, two or, with sanitizers, perhaps none.
function(tacet_room_test_programs room out)
  get_property(programs GLOBAL PROPERTY TACET_TESTS_OF_${room})
  set(${out} ${programs} PARENT_SCOPE)
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

# The flags every target of ours is built with; warnings are errors here and nowhere else (not for those who install us).
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header's own timestamp must not spoil the cache, nor the folder of a clone, which debug information names.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime" "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

add_library(tacet_flags INTERFACE)
target_compile_features(tacet_flags INTERFACE cxx_std_20)
target_compile_options(tacet_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -fno-fast-math)
if(TACET_WERROR)
  target_compile_options(tacet_flags INTERFACE -Werror)
endif()
if(TACET_SANITIZE)
  target_compile_definitions(tacet_flags INTERFACE _GLIBCXX_ASSERTIONS) # empty optionals, indices out of range
  target_compile_options(tacet_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # At a fixed address: what the sanitizers say of every type and line holds millions of addresses, and to move them took half of the time
  # in which a program starts. Each test is a program of its own, and many start others.
  target_link_options(tacet_flags INTERFACE -fsanitize=address,undefined -no-pie)
  # These programs are large and many, and gold links them in half of the time.
  find_program(TACET_GOLD ld.gold)
  if(TACET_GOLD)
    target_link_options(tacet_flags INTERFACE -fuse-ld=gold)
  endif()
endif()
# For what has no long loops: it is compiled with less optimization, which takes three quarters of the time, and two thirds with sanitizers.
add_library(tacet_light INTERFACE)
if(TACET_SANITIZE)
  target_compile_options(tacet_light INTERFACE -Og)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(tacet_light INTERFACE -O1)
endif()
if(TACET_FUZZ)
  # Every room tells libFuzzer which branches an input took; fuzz/CMakeLists.txt links libFuzzer itself.
  target_compile_definitions(tacet_flags INTERFACE _GLIBCXX_ASSERTIONS)
  target_compile_options(tacet_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tacet_flags INTERFACE -fsanitize=address,undefined)
endif()

# For programs: libraries that a program does not call are not loaded. Name it first: libduckdb.so also offers a few functions of the
# standard library, and must not be taken for their sake.
add_library(tacet_lean INTERFACE)
target_link_options(tacet_lean INTERFACE LINKER:--as-needed)
target_link_libraries(tacet_lean INTERFACE "-Wl,--no-as-needed,-lstdc++,--as-needed")

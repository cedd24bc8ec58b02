# A benchmark is a program of bench/ that `make bench` runs; tools/bench reads the list of them.
#
#   tacet_bench(noise_bench LINK tacet_exact)      # bench/noise_bench.cc, with Google Benchmark's main
#   tacet_bench(counts_bench LINK tacet_data OWN_MAIN)
find_package(benchmark REQUIRED)

function(tacet_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 R "OWN_MAIN" "" "LINK")
  add_executable(${name} "${CMAKE_SOURCE_DIR}/bench/${name}.cc")
  target_link_libraries(${name} PRIVATE tacet_flags ${R_LINK} benchmark::benchmark)
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  add_dependencies(${name} tacet_scan)
  if(NOT R_OWN_MAIN)
    target_link_libraries(${name} PRIVATE benchmark::benchmark_main)
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY TACET_BENCHES "$<TARGET_FILE:${name}>\n")
endfunction()

# Called last, when every benchmark is known.
function(tacet_list_benches)
  get_property(benches GLOBAL PROPERTY TACET_BENCHES)
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/bench/programs.txt" CONTENT "${benches}")
endfunction()

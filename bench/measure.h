// bench/measure.h: clocks, medians and peaks of memory, for all benchmarks.
//
//   const double start = bench::processor_seconds();  // of this process alone
//   bench::Summary s = bench::summary(seconds_of_each_run);          // s.median, s.least, s.most
//   // of a process of its own: PROGRAM --one t.csv all t.csv.peak
//   double mebibytes = bench::peak_memory("t.csv", "all");
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tacet::bench {

[[noreturn]] inline void fail(const std::string& what) {
  fmt::print(stderr, "{}: {}\n", program_invocation_short_name, what);
  std::exit(2);
}

inline double processor_seconds() {
  timespec now{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) fail("no clock");
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// By the clock on the wall.
template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Cost {
  double wall, processor;
};
/// Of this process and of those it has started, which must have ended by then.
template <class F>
Cost cost(F&& f) {
  const auto spent = [] {
    double sum = 0;
    for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
      rusage usage{};
      getrusage(who, &usage);
      sum += static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
             1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    }
    return sum;
  };
  const double before = spent();
  const double wall = seconds(f);
  return {wall, spent() - before};
}

struct Summary {
  double median, least, most;
};
inline Summary summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return {values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2, values.front(), values.back()};
}

/// The peak memory, in MiB, of this program run on its own with `--one PATH WHAT ANSWER`, which
/// must make it call write_peak(ANSWER).
inline double peak_memory(const std::string& path, const std::string& what) {
  const std::string answer = path + ".peak";
  std::vector<std::string> words{program_invocation_name, "--one", path, what, answer};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) != 0) fail("cannot start a process");
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) fail("a process of ours failed");
  double mebibytes = 0;
  std::ifstream(answer) >> mebibytes;
  return mebibytes;
}

/// The kernel's high-water mark for this process since it began (getrusage would add that of the
/// process it was started from), and that of the largest process it has started.
inline void write_peak(const std::string& answer) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kibibytes = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kibibytes;
  }
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  std::ofstream(answer) << (kibibytes + static_cast<double>(children.ru_maxrss)) / 1024;
}

}  // namespace tacet::bench

// Adds up what the stochastic tests declared (TACET_FALSE_ALARM_LEDGER), and fails when a run of the suite is red by chance more often than one in a million.
//
//   TACET_FALSE_ALARM_LEDGER=rates ctest ... && tacet_false_alarm_total rates
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>
#include <string>

int main(int argc, char** argv) {
  constexpr double kMost = 1e-6;
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  std::ifstream file(argv[1]);
  std::string name;
  double rate = 0, total = 0;
  int tests = 0;
  for (; file >> name >> rate; ++tests) total += rate;
  if (tests == 0 || !file.eof()) {
    std::fprintf(stderr, "%s holds no complete list of `name rate`\n", argv[1]);
    return 2;
  }
  std::printf("%d stochastic tests; a run is red by chance with probability at most %.3g (allowed: %.0e)\n", tests, total, kMost);
  return total < kMost ? 0 : 1;
}

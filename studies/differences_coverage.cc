// differences_coverage: how often the intervals for differences of means, the region, the
// Mahalanobis distance and the t-tests miss the truth.
//
//   differences_coverage                 the whole grid: CSV on the output, a summary on the error
//                                        output
//   differences_coverage --trials N      as many as that in each setting (1000 by default)
//   differences_coverage --only WORDS    the settings whose line contains the words
//   differences_coverage --planted       noise twice as large as the files say: must be found out
//
// The settings are those of tests/inference/drawn_differences.h: four kinds of noise, normal and
// skewed rows, equal and unequal covariances, public and private numbers of people (which is also
// what leaving out missing values makes of them), rows away from the middle of their bounds, and
// columns in units of 1e-6, 1 and 1e9; two groups, and three whose pairs must hold together. A rate
// is too high if it exceeds 0.05 (0.025 for each side of the distance) by three standard errors,
// and does so again with new seeds and four times the trials. Exits with 1 if one is too high; with
// --planted, if none is.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "inference/drawn_differences.h"

namespace {

using tacet::test::count_misses;
using tacet::test::DifferenceMisses;
using tacet::test::DifferenceSetting;

struct Rate {
  const char* name;
  double DifferenceMisses::* count;
  double allowed;
};
const std::vector<Rate> kRates = {{"population", &DifferenceMisses::population, 0.05},
                                  {"file", &DifferenceMisses::file, 0.05},
                                  {"region", &DifferenceMisses::region, 0.05},
                                  {"distance above", &DifferenceMisses::distance_above, 0.025},
                                  {"distance below", &DifferenceMisses::distance_below, 0.025},
                                  {"t two-sided", &DifferenceMisses::two_sided, 0.05},
                                  {"t greater", &DifferenceMisses::greater, 0.05},
                                  {"t less", &DifferenceMisses::less, 0.05},
                                  {"t of one group", &DifferenceMisses::one_group, 0.05}};

std::string line(const DifferenceSetting& s) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", s.family, s.columns, s.first, s.second, s.third, s.mu,
                     s.skewed ? "skewed" : "normal", s.correlation, s.ratio, s.private_count ? "private n" : "public n", s.half_width,
                     s.shift);
}

std::vector<DifferenceSetting> grid() {
  std::vector<DifferenceSetting> all;
  for (const std::string family : {"gaussian", "laplace", "k-norm", "k-norm+laplace"}) {
    for (const std::size_t columns : {1U, 3U, 8U}) {
      for (const auto& [first, second] : {std::pair<std::size_t, std::size_t>{40, 40}, {300, 100}, {1500, 1500}}) {
        for (const double mu : {0.5, 2.0, 10.0}) {
          for (const int kind : {0, 1, 2, 3}) {
            DifferenceSetting s{.family = family, .columns = columns, .first = first, .second = second, .mu = mu};
            s.skewed = kind == 1;
            s.ratio = kind == 2 ? 3 : 1;
            s.half_width = kind == 2 ? 15 : kind == 3 ? 25 : 6;
            s.private_count = kind == 3 || kind == 1;
            s.correlation = kind == 0 ? 0.9 : 0.3;
            s.shift = kind == 0 ? 0 : kind == 1 ? 0.3 : 1;
            all.push_back(s);
            if (columns == 3) {  // all three pairs together
              s.third = second;
              s.matrices = false;
              all.push_back(s);
            }
          }
        }
      }
    }
  }
  return all;
}

double most(const Rate& rate, std::size_t trials) {
  return rate.allowed + 3 * std::sqrt(rate.allowed * (1 - rate.allowed) / static_cast<double>(trials));
}

bool too_high(const DifferenceMisses& misses) {
  if (misses.trials == 0) return false;  // never an answer
  for (const Rate& rate : kRates) {
    if (misses.of(rate.count) > most(rate, static_cast<std::size_t>(misses.trials))) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t trials = 1000;
  std::string only;
  bool planted = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--planted") == 0) {
      planted = true;
    } else if (std::strcmp(argv[i], "--trials") == 0 && i + 1 < argc && std::strtol(argv[i + 1], nullptr, 10) > 0) {
      trials = static_cast<std::size_t>(std::strtol(argv[++i], nullptr, 10));
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else {
      fmt::print(stderr, "usage: differences_coverage [--trials N] [--only WORDS] [--planted]\n");
      return 2;
    }
  }
  std::vector<DifferenceSetting> settings = grid();
  std::erase_if(settings, [&](const DifferenceSetting& s) { return line(s).find(only) == std::string::npos; });
  for (DifferenceSetting& setting : settings) setting.noise = planted ? 2 : 1;
  fmt::print("family,columns,first,second,third,mu,rows,correlation,ratio,n,half_width,shift,trials");
  for (const Rate& rate : kRates) fmt::print(",{}", rate.name);
  fmt::print(",unbounded,verdict\n");
  std::atomic<std::size_t> next{0};
  std::mutex printing;
  std::size_t high = 0;
  std::vector<double> highest(kRates.size());
  std::vector<double> sum(kRates.size());
  const auto work = [&] {
    for (std::size_t i = next++; i < settings.size(); i = next++) {
      DifferenceMisses misses = count_misses(settings[i], trials, 1000 * (i + 1));
      if (too_high(misses) && !planted) misses = count_misses(settings[i], 4 * trials, 1000 * (i + 1) + 500);
      const std::scoped_lock lock(printing);
      fmt::print("{},{}", line(settings[i]), misses.trials);
      for (std::size_t k = 0; k < kRates.size(); ++k) {
        fmt::print(",{:.4f}", misses.of(kRates[k].count));
        highest[k] = std::max(highest[k], misses.of(kRates[k].count));
        sum[k] += misses.of(kRates[k].count);
      }
      high += too_high(misses) ? 1 : 0;
      fmt::print(",{:.3f},{}\n", misses.of(&DifferenceMisses::unbounded), too_high(misses) ? "too high" : "kept");
      std::fflush(stdout);
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
    work();
  }
  for (std::size_t k = 0; k < kRates.size(); ++k) {
    fmt::print(stderr, "{}: missed at most {:.4f}, on average {:.4f}\n", kRates[k].name, highest[k],
               sum[k] / static_cast<double>(std::max<std::size_t>(1, settings.size())));
  }
  fmt::print(stderr, "{} settings, too high in {}.\n", settings.size(), high);
  return planted == (high > 0) ? 0 : 1;
}

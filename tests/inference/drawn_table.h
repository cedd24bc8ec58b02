// tests/inference/drawn_table.h: tables that were drawn, with the release of each, for tests of
// intervals for the file and for the population.
//
//   const Misses missed = count_misses(setting, 600, [](const DrawnTable& t, std::uint64_t seed) {
//     return Missed{...}; });
//   EXPECT_FALSE(too_often("proportion", missed.population, 600, 1e-10).red);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tacet/studies/levels/drawn_table.h"

#include "inference/drawn_release.h"
#include "support/promise.h"

namespace tacet::inference {

using studies::draw_table;
using studies::DrawnTable;
using studies::without_noise;
using TableSetting = studies::TableDesign;

/// Every kind of noise with a scale of 8, with and without a public n.
inline std::vector<TableSetting> noisy_settings(const std::vector<std::size_t>& shape, const std::vector<double>& p, double n,
                                                double scale = 8) {
  return {{"Gaussian noise", shape, p, n, gaussian(scale), true},
          {"Gaussian noise, n private", shape, p, n, gaussian(scale), false},
          {"sum-zero noise", shape, p, n, sum_zero(scale), true},
          {"Laplace noise", shape, p, n, laplace(scale), true},
          {"Laplace noise, n private", shape, p, n, laplace(scale), false}};
}

struct Missed {
  bool file = false, population = false;
};
struct Misses {
  std::uint64_t file = 0, population = 0;
};

template <class Trial>
Misses count_misses(const TableSetting& setting, std::uint64_t trials, const Trial& trial) {
  Misses missed;
  for (std::uint64_t i = 0; i < trials; ++i) {
    numeric::InsecureStream stream(test::suite_seed(), i);
    const Missed one = trial(draw_table(setting, stream), i);
    missed.file += one.file ? 1 : 0;
    missed.population += one.population ? 1 : 0;
  }
  return missed;
}

inline bool outside(const Interval& interval, double value) { return studies::is_outside(interval, value); }

/// Red if an event of probability 0.05 happened too often.
inline test::Verdict too_often(const std::string& name, std::uint64_t count, std::uint64_t trials, double false_alarm) {
  return test::judge({{name, 0.05, count, test::Side::TooMany}}, trials, false_alarm);
}

inline std::vector<std::size_t> each_cell(std::size_t cells) {
  std::vector<std::size_t> classes(cells);
  for (std::size_t i = 0; i < cells; ++i) classes[i] = i;
  return classes;
}

}  // namespace tacet::inference

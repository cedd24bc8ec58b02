// tacet/studies/levels/drawn_differences.h: two or three groups whose truth is known, and how often
// intervals, regions, distances and t-tests miss it.
//
//   DifferenceSetting setting{.family = "laplace", .columns = 3, .first = 400, .second = 200};
//   DifferenceMisses misses = count_misses(setting, /*trials=*/200, /*seed=*/1);
//
// Columns have units of 1e-6, 1 and 1e9 in turn. Rows are normal or skewed, equicorrelated, and
// their means are a deviation away from the middle of their bounds. The noise of all families has
// the scales of Gaussian noise of privacy mu.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacet/inference/means/difference_region.h"
#include "tacet/inference/means/mean_differences.h"
#include "tacet/inference/means/t_test.h"
#include "tacet/mechanisms/moment_result.h"
#include "tacet/studies/levels/drawn_means.h"

namespace tacet::studies {

struct DifferenceSetting {
  std::string family = "gaussian";
  std::size_t columns = 1, first = 100, second = 100;  // people
  std::size_t third = 0;                               // of a third group like the second; 0: there is none
  double mu = 2;
  bool skewed = false;
  double correlation = 0.5;
  double ratio = 1;  // of the deviations of the second group to those of the first
  bool private_count = false;
  double half_width = 6;  // of the bounds, in deviations of the first group
  double shift = 0;       // of the first column of the first group, in its deviations
  double noise = 1;       // how much larger the noise is than the file says: 1, or a fault
  bool matrices = true;   // whether to draw regions and distances
};

struct DifferenceMisses {
  double trials = 0, population = 0, file = 0, region = 0, distance_above = 0, distance_below = 0, unbounded = 0;
  double two_sided = 0, greater = 0, less = 0;  // a true null rejected
  double one_group = 0;                         // the same for the mean of the first group alone

  double of(double DifferenceMisses::* count) const { return trials > 0 ? this->*count / trials : 0; }
};

namespace drawn {

inline constexpr double kShape = 0.45;  // of lognormal rows: a skewness of 1.5

inline double unit(std::size_t column) { return column % 3 == 0 ? 1e-6 : column % 3 == 1 ? 1 : 1e9; }

/// Rows of mean 0 and deviation 1 with equal correlations, moved and stretched.
inline std::vector<std::vector<double>> rows(numeric::InsecureStream& stream, const DifferenceSetting& setting, std::size_t people,
                                             double stretch, double shift) {
  std::vector<std::vector<double>> out(people, std::vector<double>(setting.columns));
  std::vector<double> common(1);
  const double level = std::exp(kShape * kShape / 2);
  const double deviation = level * std::sqrt(std::expm1(kShape * kShape));
  for (auto& row : out) {
    stream.fill_normal(row);
    stream.fill_normal(common);
    for (std::size_t j = 0; j < row.size(); ++j) {
      double x = std::sqrt(setting.correlation) * common[0] + std::sqrt(1 - setting.correlation) * row[j];
      if (setting.skewed) x = (std::exp(kShape * x) - level) / deviation;
      row[j] = unit(j) * (1 + stretch * x + (j == 0 ? shift : 0));
    }
  }
  return out;
}

inline MomentDesign design(const DifferenceSetting& setting) {
  MomentDesign out{.columns = {}, .family = setting.family, .mu = setting.mu, .private_count = setting.private_count};
  for (std::size_t j = 0; j < setting.columns; ++j)
    out.columns.push_back(column("x" + std::to_string(j), -setting.half_width * unit(j), setting.half_width * unit(j)));
  return out;
}

/// Equicorrelated rows of deviation 1: the first diagonal element of the inverse covariance.
inline double first_precision(const DifferenceSetting& setting) {
  const auto d = static_cast<Eigen::Index>(setting.columns);
  double correlation = setting.correlation;
  if (setting.skewed) correlation = std::expm1(kShape * kShape * correlation) / std::expm1(kShape * kShape);
  const Eigen::MatrixXd matrix = (1 - correlation) * Eigen::MatrixXd::Identity(d, d) + Eigen::MatrixXd::Constant(d, d, correlation);
  return matrix.inverse()(0, 0);
}

}  // namespace drawn

/// The Mahalanobis distance between the populations.
inline double true_distance(const DifferenceSetting& setting) {
  const auto first = static_cast<double>(setting.first);
  const auto second = static_cast<double>(setting.second);
  const double pooled = (first + second * setting.ratio * setting.ratio) / (first + second);
  return std::abs(setting.shift) * std::sqrt(drawn::first_precision(setting) / pooled);
}

inline DifferenceMisses count_misses(const DifferenceSetting& setting, std::size_t trials, std::uint64_t seed, std::size_t draws = 199) {
  using inference::Outcome;
  DifferenceMisses misses;
  const double alpha = 0.05;
  const MomentDesign design = drawn::design(setting);
  const double distance = true_distance(setting);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    numeric::InsecureStream stream(seed, trial);
    std::vector<mechanisms::MomentRelease> releases;
    std::vector<std::vector<double>> exact;
    const std::vector<std::size_t> people = {setting.first, setting.second, setting.third};
    for (std::size_t g = 0; g < (setting.third > 0 ? 3U : 2U); ++g) {
      const auto rows = drawn::rows(stream, setting, people[g], g == 0 ? 1 : setting.ratio, g == 0 ? setting.shift : 0);
      releases.push_back(exact_release(design, rows));
      exact.push_back(releases.back().mean(0));
      add_noise(releases.back(), stream, setting.noise);
    }
    // As in use, there is no answer for a group that may be empty.
    const auto silent = [](const mechanisms::MomentRelease& release) { return mechanisms::why_no_answer(release, 0).has_value(); };
    if (std::any_of(releases.begin(), releases.end(), silent)) continue;
    std::vector<inference::ReleasedGroup> all;
    for (const mechanisms::MomentRelease& release : releases) all.push_back({&release, 0});
    const std::vector<inference::ReleasedGroup> groups(all.begin(), all.begin() + 2);
    const inference::Simulation simulation{.draws = draws, .seed = seed + 7919 * trial, .threads = 1};
    const auto found = *inference::mean_differences(all, {.alpha = alpha, .simulation = simulation});
    bool population = true;
    bool file = true;
    Eigen::VectorXd error(static_cast<Eigen::Index>(setting.columns));
    for (const inference::PairDifference& pair : found.pairs) {
      for (std::size_t j = 0; j < setting.columns; ++j) {
        const inference::ColumnDifference& one = pair.columns[j];
        const double truth = j == 0 && pair.first == 0 ? setting.shift * drawn::unit(j) : 0;
        const double in_file = exact[pair.first][j] - exact[pair.second][j];
        population = population && truth >= one.population.lower && truth <= one.population.upper;
        file = file && in_file >= one.file.lower && in_file <= one.file.upper;
        if (pair.first == 0 && pair.second == 1) error[static_cast<Eigen::Index>(j)] = one.estimate - truth;
      }
    }
    ++misses.trials;
    misses.population += population ? 0 : 1;
    misses.file += file ? 0 : 1;
    inference::TTestOptions options{.alpha = alpha, .null = setting.shift * drawn::unit(0), .simulation = simulation};
    misses.two_sided += inference::t_test(groups, 0, options)->outcome == Outcome::Reject ? 1 : 0;
    options.alternative = inference::Alternative::Greater;
    misses.greater += inference::t_test(groups, 0, options)->outcome == Outcome::Reject ? 1 : 0;
    options.alternative = inference::Alternative::Less;
    misses.less += inference::t_test(groups, 0, options)->outcome == Outcome::Reject ? 1 : 0;
    options.alternative = inference::Alternative::TwoSided;
    options.null = drawn::unit(0) * (1 + setting.shift);
    misses.one_group += inference::t_test({all[0]}, 0, options)->outcome == Outcome::Reject ? 1 : 0;
    if (!setting.matrices) continue;
    const auto region = *inference::difference_region(groups[0], groups[1], {.alpha = alpha, .draws = draws, .simulation = simulation});
    if (region.no_answer) continue;  // too few people for a covariance
    const auto d = static_cast<Eigen::Index>(setting.columns);
    const Eigen::MatrixXd shape = Eigen::Map<const Eigen::MatrixXd>(region.shape.values.data(), d, d);
    misses.region += error.dot(shape.llt().solve(error)) > region.radius * region.radius ? 1 : 0;
    misses.distance_above += distance < region.distance.lower ? 1 : 0;
    misses.distance_below += region.distance.upper && distance > *region.distance.upper ? 1 : 0;
    misses.unbounded += region.distance.upper ? 0 : 1;
  }
  return misses;
}

}  // namespace tacet::studies

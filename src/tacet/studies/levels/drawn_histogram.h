// tacet/studies/levels/drawn_histogram.h: histograms of made-up people, with noise, for quantiles
// and the distribution function.
//
//   const HistogramSetting setting{.name = "uniform",
//                                  .quantile = [](double u) { return 10 * u; },
//                                  .people = 60,
//                                  .edges = equal_edges(0, 10, 40),
//                                  .branching = 4,
//                                  .family = kernel::NoiseFamily::Gaussian,
//                                  .scale = 2,
//                                  .missing_part = 0,
//                                  .n_public = false};
//   const DrawnHistogram drawn = draw_histogram(setting, stream);
//   true_quantile(drawn.values, 0.5);          // of the people of the file
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/inference/counts/proportion.h"
#include "tacet/inference/histograms/noisy_histogram.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::studies {

/// People with numbers, and the histogram that is released of them.
struct HistogramSetting {
  std::string name;
  std::function<double(double)> quantile;  // of the population
  double people;
  std::vector<double> edges;
  std::size_t branching;
  kernel::NoiseFamily family;
  double scale;
  double missing_part;
  bool n_public;
};

struct DrawnHistogram {
  inference::NoisyHistogram histogram;
  std::vector<double> values;  // of those who have one, in order; moved into the edges
};

inline std::vector<double> equal_edges(double from, double to, std::size_t bins) {
  std::vector<double> edges;
  for (std::size_t i = 0; i <= bins; ++i) edges.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(bins));
  return edges;
}

inline std::size_t bin_of(const std::vector<double>& edges, double value) {
  const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, value);
  return static_cast<std::size_t>(above - edges.begin()) - 1;
}

/// The exact counts of all levels.
inline inference::NoisyHistogram exact_histogram(const std::vector<double>& values, const std::vector<double>& edges, std::size_t branching,
                                                 double missing) {
  inference::NoisyHistogram histogram{.edges = edges, .branching = branching};
  for (const std::size_t size : mechanisms::level_sizes(edges.size() - 1, branching)) histogram.levels.emplace_back(size);
  for (const double value : values) {
    std::size_t node = bin_of(edges, value);
    for (std::vector<double>& level : histogram.levels) {
      level[node] += 1;
      node /= branching;
    }
  }
  histogram.missing = missing;
  return histogram;
}

inline DrawnHistogram draw_histogram(const HistogramSetting& setting, numeric::InsecureStream& stream) {
  DrawnHistogram drawn;
  double missing = 0;
  for (std::size_t person = 0; person < static_cast<std::size_t>(setting.people); ++person) {
    if (stream.uniform() < setting.missing_part) {
      missing += 1;
    } else {
      drawn.values.push_back(std::clamp(setting.quantile(stream.uniform()), setting.edges.front(), setting.edges.back()));
    }
  }
  std::sort(drawn.values.begin(), drawn.values.end());
  drawn.histogram = exact_histogram(drawn.values, setting.edges, setting.branching, missing);
  drawn.histogram.family = setting.family;
  drawn.histogram.scale = setting.scale;
  if (setting.n_public) drawn.histogram.n = setting.people;
  const auto add_noise = [&](std::vector<double>& values) {
    std::vector<double> noise(values.size());
    if (setting.family == kernel::NoiseFamily::Laplace) {
      stream.fill_laplace(noise);
    } else {
      stream.fill_normal(noise);
    }
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += setting.scale * noise[i];
  };
  for (std::vector<double>& level : drawn.histogram.levels) add_noise(level);
  std::vector<double> last{missing};
  add_noise(last);
  drawn.histogram.missing = last[0];
  return drawn;
}

/// The least number with at least the part p of the values at or below it.
inline double true_quantile(const std::vector<double>& sorted, double p) {
  const double rank = std::max(1.0, std::ceil(p * static_cast<double>(sorted.size()) - 1e-9));
  return sorted[static_cast<std::size_t>(rank) - 1];
}

/// The part of the population below `edge`: the least u whose quantile reaches it.
inline double population_below(const HistogramSetting& setting, double edge) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (setting.quantile(middle) < edge ? low : high) = middle;
  }
  return low;
}

inline double file_below(const std::vector<double>& sorted, double edge) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), edge);
  return static_cast<double>(at - sorted.begin()) / static_cast<double>(sorted.size());
}

inline bool holds(const inference::Interval& interval, double value) {
  const double slack = 1e-9 * (1 + std::abs(value));
  return interval.lower <= value + slack && value <= interval.upper + slack;
}

}  // namespace tacet::studies

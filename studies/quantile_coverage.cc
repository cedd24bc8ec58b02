// quantile_coverage: how often intervals for quantiles, and bands for the distribution function,
// of noisy histograms miss the truth.
//
//   quantile_coverage                 the whole grid: CSV on the output, a summary on errors
//   quantile_coverage --trials T      histograms for each row (2000)
//   quantile_coverage --only WORDS    the rows whose name contains the words
//   quantile_coverage --fault         claims a fifth of the noise that there is: rows must be red
//
// Every file of people is drawn anew, with sampling error: the interval for the file must hold the
// quantile of the people who were drawn, the interval for the population that of the distribution.
// Skewed, discrete and tied numbers, few people, missing numbers, n private and public, flat and
// with sums. A row is red where it misses more often than alpha by three standard errors, and again
// with new seeds and four times the histograms. Exits with 1 where a row is red; with --fault,
// where none is.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/histograms/distribution_band.h"

#include "inference/drawn_histogram.h"

namespace {

using namespace tacet;
using namespace tacet::inference;
using kernel::NoiseFamily;

constexpr double kAlpha = 0.05;
const std::vector<double> kProbabilities = {0.01, 0.1, 0.5, 0.75, 0.99};

struct Row {
  HistogramSetting setting;
  double probability;  // 0: the bands
  double trials = 0, file = 0, population = 0, width = 0;
};

bool band_holds(const std::vector<Interval>& band, const std::vector<double>& truth) {
  for (std::size_t j = 0; j < truth.size(); ++j) {
    if (!holds(band[j], truth[j])) return false;
  }
  return true;
}

void one_trial(Row& row, const DrawnHistogram& drawn, const std::vector<double>& below, std::uint64_t seed) {
  const HistogramTree tree(drawn.histogram);
  const HistogramSetting& setting = row.setting;
  if (row.probability > 0) {
    const QuantileInterval found = estimate_quantile(tree, setting.edges, row.probability, kAlpha);
    const bool nobody = drawn.values.empty();
    row.file += nobody || holds(found.file, true_quantile(drawn.values, row.probability)) ? 0 : 1 / row.trials;
    row.population += holds(found.population, setting.quantile(row.probability)) ? 0 : 1 / row.trials;
    row.width += (found.population.upper - found.population.lower) / row.trials;
    return;
  }
  const DistributionBand band = *estimate_distribution(tree, {kAlpha, {.draws = 199, .seed = seed, .threads = 1}});
  std::vector<double> in_file;
  for (const double edge : setting.edges) in_file.push_back(drawn.values.empty() ? 0 : file_below(drawn.values, edge));
  in_file.back() = 1;
  row.file += drawn.values.empty() || band_holds(band.file, in_file) ? 0 : 1 / row.trials;
  row.population += band_holds(band.population, below) ? 0 : 1 / row.trials;
  const Interval& middle = band.population[setting.edges.size() / 2];
  row.width += (middle.upper - middle.lower) / row.trials;
}

void measure_row(Row& row, std::size_t trials, std::uint64_t seed, bool fault) {
  row.trials = static_cast<double>(trials);
  row.file = row.population = row.width = 0;
  std::vector<double> below;
  for (const double edge : row.setting.edges) below.push_back(population_below(row.setting, edge));
  below.back() = 1;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    numeric::InsecureStream stream(seed, trial);
    DrawnHistogram drawn = draw_histogram(row.setting, stream);
    if (fault) drawn.histogram.scale /= 5;
    one_trial(row, drawn, below, seed * 1'000'003 + trial);
  }
}

void add_rows(std::vector<Row>& rows) {
  const std::vector<std::pair<std::string, std::function<double(double)>>> populations = {
      {"uniform", [](double u) { return 10 * u; }},
      {"skewed", [](double u) { return -std::log1p(-u); }},
      {"heavy tail", [](double u) { return 0.1 / (1.01 - u); }},
      {"two values", [](double u) { return u <= 0.5 ? 2.0 : 7.0; }},
      {"ties at 0", [](double u) { return u <= 0.6 ? 0.0 : 10 * (u - 0.6) / 0.4; }},
      {"whole numbers", [](double u) { return std::floor(9.999 * u * u); }}};
  for (const auto& [named, quantile] : populations) {
    for (const double people : {8.0, 60.0, 600.0}) {
      for (const double scale : {0.01, 2.0, 15.0}) {
        for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
          for (const bool n_public : {true, false}) {
            for (const std::size_t branching : {std::size_t{1}, std::size_t{4}}) {
              const double missing = n_public ? 0.15 : 0;
              const std::string words = fmt::format("{}; {}; n {}{}; scale {}; {}", named, name(family), people, n_public ? "" : " private",
                                                    scale, branching == 1 ? "flat" : "sums");
              const HistogramSetting setting{words, quantile, people, equal_edges(0, 10, 40), branching, family, scale, missing, n_public};
              for (const double p : kProbabilities) rows.push_back({setting, p});
              rows.push_back({setting, 0});
            }
          }
        }
      }
    }
  }
}

bool too_high(double rate, double trials) { return rate > kAlpha + 3 * std::sqrt(kAlpha * (1 - kAlpha) / trials); }
bool is_red(const Row& row) { return too_high(row.file, row.trials) || too_high(row.population, row.trials); }
std::string what_of(const Row& row) { return row.probability > 0 ? fmt::format("quantile {}", row.probability) : std::string("bands"); }

void run(std::vector<Row>& rows, std::size_t trials, bool fault) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < rows.size(); i = next++) {
        const std::size_t wanted = rows[i].probability > 0 ? trials : std::max<std::size_t>(1, trials / 4);
        measure_row(rows[i], wanted, 1 + i, fault);
        if (is_red(rows[i])) measure_row(rows[i], 4 * wanted, 1'000'000 + i, fault);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t trials = 2000;
  std::string only;
  bool fault = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--trials") == 0 && i + 1 < argc) {
      trials = std::stoul(argv[++i]);
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else if (std::strcmp(argv[i], "--fault") == 0) {
      fault = true;
    } else {
      fmt::print(stderr, "usage: quantile_coverage [--trials T] [--only WORDS] [--fault]\n");
      return 2;
    }
  }
  std::vector<Row> rows;
  add_rows(rows);
  std::erase_if(rows, [&](const Row& row) { return (what_of(row) + ", " + row.setting.name).find(only) == std::string::npos; });
  run(rows, trials, fault);
  fmt::print("what,setting,trials,file_missed,population_missed,mean_width,verdict\n");
  int red = 0;
  double worst = 0;
  for (const Row& row : rows) {
    worst = std::max({worst, row.file, row.population});
    red += is_red(row) ? 1 : 0;
    fmt::print("{},{},{},{:.4f},{:.4f},{:.4g},{}\n", what_of(row), row.setting.name, row.trials, row.file, row.population, row.width,
               is_red(row) ? "too often" : "kept");
  }
  fmt::print(stderr, "{} rows at alpha {}: missed at most {:.4f}; {} rows too often.\n", rows.size(), kAlpha, worst, red);
  return (red > 0) != fault ? 1 : 0;
}

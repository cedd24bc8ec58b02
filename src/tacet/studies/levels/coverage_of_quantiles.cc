#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/histograms/distribution_band.h"
#include "tacet/inference/histograms/quantile.h"
#include "tacet/studies/levels/drawn_histogram.h"
#include "tacet/studies/levels/level_grid.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::coverage_of_quantiles {
namespace {

using inference::Interval;
using kernel::NoiseFamily;

constexpr double kAlpha = 0.05;
constexpr std::array kProbabilities = {0.01, 0.1, 0.5, 0.75, 0.99};
/// Bands are slow: one histogram in so many has them.
constexpr std::size_t kBandEvery = 4, kBandDraws = 199;
/// A planted fault claims this share of the noise that there is.
constexpr double kClaimed = 0.2;

/// For each probability the file and the population, and at last those of the bands.
enum Whose : std::uint8_t { File, Population, Both };
constexpr std::size_t kBands = Both * kProbabilities.size();

std::vector<ErrorKind> kinds() {
  std::vector<ErrorKind> all;
  for (const double p : kProbabilities) {
    for (const char* whose : {"file", "population"})
      all.push_back({"intervals for quantiles hold them", fmt::format("{} {}", whose, p), kAlpha});
  }
  for (const char* whose : {"file", "population"}) all.push_back({"bands hold the distribution function", whose, kAlpha});
  return all;
}

bool band_misses(const std::vector<Interval>& band, const std::vector<double>& truth) {
  for (std::size_t j = 0; j < truth.size(); ++j) {
    if (!holds(band[j], truth[j])) return true;
  }
  return false;
}

/// The distribution function of the population at the edges.
std::vector<double> population_at(const HistogramSetting& setting) {
  std::vector<double> below;
  for (const double edge : setting.edges) below.push_back(population_below(setting, edge));
  below.back() = 1;
  return below;
}

void count_quantiles(const HistogramSetting& setting, const DrawnHistogram& drawn, ErrorTally& tally) {
  const inference::HistogramTree tree(drawn.histogram);
  const bool nobody = drawn.values.empty();
  for (std::size_t i = 0; i < kProbabilities.size(); ++i) {
    if (!tally.wants(Both * i + File) && !tally.wants(Both * i + Population)) continue;
    const double p = kProbabilities[i];
    const inference::QuantileInterval found = inference::estimate_quantile(tree, setting.edges, p, kAlpha);
    tally.add(Both * i + File, !nobody && !holds(found.file, true_quantile(drawn.values, p)));
    tally.add(Both * i + Population, !holds(found.population, setting.quantile(p)));
  }
}

Status count_bands(const HistogramSetting& setting, const DrawnHistogram& drawn, const std::vector<double>& population,
                   numeric::InsecureStream& stream, ErrorTally& tally) {
  if (!tally.wants(kBands + File) && !tally.wants(kBands + Population)) return {};
  const inference::HistogramTree tree(drawn.histogram);
  const inference::Simulation simulation{.draws = kBandDraws, .seed = stream.word() >> 12, .threads = 1};
  TACET_TRY(const inference::DistributionBand band, estimate_distribution(tree, {kAlpha, simulation}));
  const bool nobody = drawn.values.empty();
  std::vector<double> in_file;
  for (const double edge : setting.edges) in_file.push_back(nobody ? 0 : file_below(drawn.values, edge));
  in_file.back() = 1;
  tally.add(kBands + File, !nobody && band_misses(band.file, in_file));
  tally.add(kBands + Population, band_misses(band.population, population));
  return {};
}

LevelSetting setting_of(HistogramSetting setting, bool planted) {
  LevelSetting out{.name = setting.name + (planted ? "; a fifth of the noise" : ""), .count = {}, .planted = planted};
  out.count = [setting = std::move(setting), planted](Piece& piece, ErrorTally& tally) -> Status {
    const std::vector<double> population = population_at(setting);
    for (std::size_t trial = 0; trial < piece.trials; ++trial) {
      DrawnHistogram drawn = draw_histogram(setting, piece.stream);
      if (planted) drawn.histogram.scale *= kClaimed;
      count_quantiles(setting, drawn, tally);
      if (trial % kBandEvery == 0) TACET_CHECK(count_bands(setting, drawn, population, piece.stream, tally));
    }
    return {};
  };
  return out;
}

struct Numbers {
  const char* name;
  double (*quantile)(double u);
};
constexpr std::array kNumbers = {Numbers{"uniform", [](double u) { return 10 * u; }},
                                 Numbers{"skewed", [](double u) { return -std::log1p(-u); }},
                                 Numbers{"heavy tail", [](double u) { return 0.1 / (1.01 - u); }},
                                 Numbers{"two values", [](double u) { return u <= 0.5 ? 2.0 : 7.0; }},
                                 Numbers{"ties at 0", [](double u) { return u <= 0.6 ? 0.0 : 10 * (u - 0.6) / 0.4; }},
                                 Numbers{"whole numbers", [](double u) { return std::floor(9.999 * u * u); }}};

HistogramSetting histogram_of(const Numbers& numbers, double people, double scale, NoiseFamily family, bool n_public,
                              std::size_t branching) {
  return {.name = fmt::format("{}; {}; n {}{}; scale {}; {}", numbers.name, name(family), people, n_public ? "" : " private", scale,
                              branching == 1 ? "flat" : "sums"),
          .quantile = numbers.quantile,
          .people = people,
          .edges = equal_edges(0, 10, 40),
          .branching = branching,
          .family = family,
          .scale = scale,
          .missing_part = n_public ? 0.15 : 0,
          .n_public = n_public};
}

LevelGrid grid() {
  LevelGrid grid{.title = "Quantiles and bands: coverage over all settings",
                 .kinds = kinds(),
                 .settings = {},
                 .usual = 100,
                 .in_a_hurry = 80,
                 .every = 41};
  for (const Numbers& numbers : kNumbers) {
    for (const double people : {8.0, 60.0, 600.0}) {
      for (const double scale : {0.01, 2.0, 15.0}) {
        for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
          for (const bool n_public : {true, false}) {
            for (const std::size_t branching : {std::size_t{1}, std::size_t{4}})
              grid.settings.push_back(setting_of(histogram_of(numbers, people, scale, family, n_public, branching), false));
          }
        }
      }
    }
  }
  for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace})
    grid.settings.push_back(setting_of(histogram_of(kNumbers[0], 600, 15, family, true, 1), true));
  return grid;
}

std::vector<Cell> cells(const Effort& effort) { return level_cells(grid(), effort); }
Result<Findings> conclude(const Measured& measured) { return level_findings(grid(), measured); }

}  // namespace

Study make() {
  return {.name = "coverage_of_quantiles",
          .title = "Coverage of intervals for quantiles and of bands",
          .paper = "Tacet's own promise (docs/explanation/quantiles.md)",
          .shows =
              "How often intervals for five quantiles and bands for the distribution function of a noisy histogram miss the truth at "
              "alpha 0.05: six kinds of numbers, 8 to 600 people, noise from a hundredth of a person to twice what is in a bin, flat "
              "and with sums, n public and private.",
          .version = 1,
          .seconds = 42,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::coverage_of_quantiles

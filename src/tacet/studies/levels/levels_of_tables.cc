#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/cramers_v.h"
#include "tacet/inference/counts/residuals.h"
#include "tacet/inference/counts/stratified.h"
#include "tacet/inference/counts/trend.h"
#include "tacet/studies/levels/drawn_table.h"
#include "tacet/studies/levels/level_grid.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::levels_of_tables {
namespace {

using inference::CollapsedTable;
using mechanisms::CountRelease;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

constexpr double kAlpha = 0.05;
/// Cramer's V is slow: one trial in so many has it.
constexpr std::size_t kVEvery = 10;

enum Kind : std::uint8_t {
  SlopeFile,
  SlopePopulation,
  OddsFile,
  OddsPopulation,
  Trend,
  Residuals,
  Strata,
  FileV,
  PopulationV,
  FileVDependent,
  PopulationVDependent
};
const std::vector<ErrorKind>& kinds() {
  static const std::string kSlope = "intervals for the slope of a trend hold it",
                           kOdds = "intervals for the common odds ratio of strata hold it", kV = "intervals for Cramer's V hold it";
  static const std::vector<ErrorKind> kAll = {{kSlope, "file", kAlpha},
                                              {kSlope, "population", kAlpha},
                                              {kOdds, "file", kAlpha},
                                              {kOdds, "population", kAlpha},
                                              {"the test of trend keeps its level", "true null rejected", kAlpha},
                                              {"adjusted residuals keep their level together", "some cell deviates", kAlpha},
                                              {"the stratified test keeps its level", "true null rejected", kAlpha},
                                              {kV, "file, independent", kAlpha},
                                              {kV, "population, independent", kAlpha},
                                              {kV, "file, dependent", kAlpha},
                                              {kV, "population, dependent", kAlpha}};
  return kAll;
}

/// The least-squares slope of the first k classes over all 2 k, with scores 1 to k.
double slope_of(const std::vector<double>& table) {
  const std::size_t k = table.size() / 2;
  double all = 0, mean = 0, events = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    all += table[i];
    mean += table[i] * static_cast<double>(i % k + 1);
    if (i < k) events += table[i];
  }
  mean /= all;
  double up = 0, down = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double from_mean = static_cast<double>(i % k + 1) - mean;
    up += table[i] * ((i < k ? 1 : 0) - events / all) * from_mean;
    down += table[i] * from_mean * from_mean;
  }
  return up / down;
}

double common_odds_ratio(const std::vector<double>& table) {
  double above = 0, below = 0;
  for (std::size_t h = 0; h + 3 < table.size(); h += 4) {
    const double n = table[h] + table[h + 1] + table[h + 2] + table[h + 3];
    if (!(n > 0)) continue;
    above += table[h] * table[h + 3] / n;
    below += table[h + 1] * table[h + 2] / n;
  }
  return above / below;
}

CollapsedTable whole_table(const CountRelease& release) {
  std::vector<std::size_t> classes(release.values.size());
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = i;
  return {release, classes, classes.size()};
}

inference::Simulation draws_of(numeric::InsecureStream& stream, std::size_t draws) {
  return {.draws = draws, .seed = stream.word() >> 12, .threads = 1};
}
inference::GofOptions quick_test(numeric::InsecureStream& stream) { return {.alpha = kAlpha, .simulation = draws_of(stream, 199)}; }

/// The tables of a setting: with a rising share, without one, and strata with and without
/// dependence.
const std::vector<double> kRising = {0.04, 0.1, 0.08, 0.26, 0.4, 0.12}, kNull = {0.06, 0.1, 0.04, 0.24, 0.4, 0.16},
                          kDependent = {0.04, 0.1, 0.12, 0.3, 0.36, 0.08}, kOddsOfThree = {0.2, 0.1, 0.1, 0.15, 0.18, 0.06, 0.105, 0.105},
                          kNullStrata = {0.12, 0.06, 0.12, 0.06, 0.02, 0.06, 0.06, 0.18, 0.1, 0.05, 0.1133333333333333, 0.0566666666666667};

struct Place {
  std::string name;
  double n;
  NoiseDistribution noise;
  bool n_public;
  TableFault fault = TableFault::None;

  TableDesign design(std::vector<std::size_t> shape, const std::vector<double>& p) const {
    return {name, std::move(shape), p, n, noise, n_public};
  }
};

/// The intervals of an answer with `file` and `population`, against their true values.
template <class Answer>
Status count_intervals(const Place& place, const TableDesign& design, Kind file, double (*truth)(const std::vector<double>& table),
                       Answer answer, Piece& piece, ErrorTally& tally) {
  if (!tally.wants(file) && !tally.wants(file + 1)) return {};
  DrawnTable drawn = draw_table(design, piece.stream);
  if (place.fault == TableFault::ForgetsNoise) drawn.release = without_noise(std::move(drawn.release));
  TACET_TRY(auto found, answer(drawn.release));
  if (place.fault == TableFault::ForgetsSampling) found.population = found.file;
  tally.add(file, found.file && is_outside(*found.file, truth(drawn.counts)), !found.file);
  tally.add(file + 1U, found.population && is_outside(*found.population, truth(design.p)), !found.population);
  return {};
}

/// The slope of a trend, and the common odds ratio of strata.
Status count_slopes_and_odds(const Place& place, Piece& piece, ErrorTally& tally) {
  const auto trend = [&piece](const CountRelease& release) {
    return test_trend(whole_table(release), {1, 2, 3}, quick_test(piece.stream));
  };
  TACET_CHECK(count_intervals(place, place.design({2, 3}, kRising), SlopeFile, slope_of, trend, piece, tally));
  const auto strata = [&piece](const CountRelease& release) {
    return test_stratified(whole_table(release), {2, 2, 2}, quick_test(piece.stream));
  };
  return count_intervals(place, place.design({2, 2, 2}, kOddsOfThree), OddsFile, common_odds_ratio, strata, piece, tally);
}

void add_level(Kind kind, const inference::GofTest& test, ErrorTally& tally) {
  tally.add(kind, test.outcome == inference::Outcome::Reject, test.outcome == inference::Outcome::Inconclusive);
}

Status count_tests(const Place& place, Piece& piece, ErrorTally& tally) {
  if (tally.wants(Trend)) {
    const DrawnTable drawn = draw_table(place.design({2, 3}, kNull), piece.stream);
    TACET_TRY(const auto trend, test_trend(whole_table(drawn.release), {1, 2, 3}, quick_test(piece.stream)));
    add_level(Trend, trend.test, tally);
  }
  if (tally.wants(Residuals)) {
    const DrawnTable drawn = draw_table(place.design({2, 3}, kNull), piece.stream);
    TACET_TRY(const auto residuals,
              adjusted_residuals(whole_table(drawn.release), {2, 3}, {.alpha = kAlpha, .simulation = draws_of(piece.stream, 199)}));
    const bool deviates = std::any_of(residuals.p_values.begin(), residuals.p_values.end(), [](double p) { return p <= kAlpha; });
    tally.add(Residuals, deviates, residuals.reason.has_value());
  }
  if (tally.wants(Strata)) {
    const DrawnTable drawn = draw_table(place.design({3, 2, 2}, kNullStrata), piece.stream);
    TACET_TRY(const auto strata, test_stratified(whole_table(drawn.release), {3, 2, 2}, quick_test(piece.stream)));
    add_level(Strata, strata.test, tally);
  }
  return {};
}

Status count_v(const Place& place, Kind file, const std::vector<double>& p, Piece& piece, ErrorTally& tally) {
  if (!tally.wants(file) && !tally.wants(file + 1)) return {};
  constexpr std::size_t kDraws = 400;
  const DrawnTable drawn = draw_table(place.design({2, 3}, p), piece.stream);
  TACET_TRY(const auto v,
            estimate_cramers_v(whole_table(drawn.release), {2, 3}, {.alpha = kAlpha, .simulation = draws_of(piece.stream, kDraws)}));
  tally.add(file, is_outside(v.file, inference::cramers_v({2, 3}, drawn.counts)), v.reason.has_value());
  tally.add(file + 1U, is_outside(v.population, inference::cramers_v({2, 3}, p)), v.reason.has_value());
  return {};
}

/// Whether no row and no column of the 2 x 3 table may be empty, as far as its noise shows: the
/// others are left out before Cramer's V is estimated (workflow/infer/told_categories.h).
bool has_no_empty_category(const Place& place, const std::vector<double>& p) {
  const auto is_seen = [&place](double share, double cells) {
    return place.n * share > 3 * std::sqrt(cells * inference::cell_noise(place.noise).variance);
  };
  for (std::size_t i = 0; i < 2; ++i) {
    if (!is_seen(p[3 * i] + p[3 * i + 1] + p[3 * i + 2], 3)) return false;
  }
  for (std::size_t j = 0; j < 3; ++j) {
    if (!is_seen(p[j] + p[j + 3], 2)) return false;
  }
  return true;
}

Status count(const Place& place, Piece& piece, ErrorTally& tally) {
  for (std::size_t i = 0; i < piece.trials; ++i) {
    TACET_CHECK(count_slopes_and_odds(place, piece, tally));
    if (place.fault != TableFault::None) continue;
    TACET_CHECK(count_tests(place, piece, tally));
    if (i % kVEvery != 0) continue;
    if (has_no_empty_category(place, kNull)) TACET_CHECK(count_v(place, FileV, kNull, piece, tally));
    if (has_no_empty_category(place, kDependent)) TACET_CHECK(count_v(place, FileVDependent, kDependent, piece, tally));
  }
  return {};
}

LevelSetting setting_of(const Place& place) {
  return {.name = place.name,
          .count = [place](Piece& piece, ErrorTally& tally) { return count(place, piece, tally); },
          .planted = place.fault != TableFault::None};
}

LevelGrid grid() {
  LevelGrid grid{.title = "Tests and intervals of tables, over all settings",
                 .kinds = kinds(),
                 .settings = {},
                 .usual = 60,
                 .in_a_hurry = 50,
                 .every = 7};
  for (const double n : {80.0, 500.0, 5000.0}) {
    for (const double scale : {0.01, 4.0, 15.0}) {
      for (const auto& [noise, distribution] : table_noises(scale)) {
        for (const bool n_public : {true, false}) {
          if (!n_public && distribution.structure == NoiseStructure::SumZero) continue;
          grid.settings.push_back(setting_of({name_of_table(noise, n, scale, n_public), n, distribution, n_public}));
        }
      }
    }
  }
  // Noise that is forgotten where it is large, and sampling where it is all.
  for (const double n : {500.0, 5000.0}) {
    for (const auto& [noise, distribution] : table_noises(15)) {
      if (distribution.structure == NoiseStructure::SumZero) continue;
      const std::string words = name_of_table(noise, n, 15, false) + " without the noise";
      grid.settings.push_back(setting_of({words, n, distribution, false, TableFault::ForgetsNoise}));
    }
    for (const auto& [noise, distribution] : table_noises(0.01)) {
      const std::string words = name_of_table(noise, n, 0.01, true) + " without sampling";
      grid.settings.push_back(setting_of({words, n, distribution, true, TableFault::ForgetsSampling}));
    }
  }
  return grid;
}

std::vector<Cell> cells(const Effort& effort) { return level_cells(grid(), effort); }
Result<Findings> conclude(const Measured& measured) { return level_findings(grid(), measured); }

}  // namespace

Study make() {
  return {.name = "levels_of_tables",
          .title = "Levels and coverage: trend, residuals, strata and Cramer's V",
          .paper = "Tacet's own promise (docs/explanation/proportions.md)",
          .shows =
              "How often tests of trend, of residuals and of strata reject a true null at alpha 0.05, and intervals for slopes, common "
              "odds ratios and Cramer's V miss the truth: tables of 80 to 5,000 people, every family of noise, n public and private.",
          .version = 1,
          .seconds = 35,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::levels_of_tables

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/studies/levels/drawn_table.h"
#include "tacet/studies/levels/level_grid.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::levels_of_fit {
namespace {

using inference::DenoiseOptions;
using inference::GofMethod;
using inference::GofOptions;
using inference::GofStatistic;
using inference::Projection;
using inference::Shrinkage;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

constexpr double kAlpha = 0.05;
constexpr std::size_t kDraws = 199;
/// The limit needs no simulation, so that so many times the tables are tested.
constexpr std::size_t kLimitTimes = 20;

struct Denoising {
  const char* name;
  DenoiseOptions options;
  bool needs_n, serves_laplace;
};
constexpr const char* kTowardsZero = "js0";
const std::array kDenoisings = {
    Denoising{"nonnegative", {.project = Projection::Nonnegative}, false, true},
    Denoising{kTowardsZero, {.shrink = Shrinkage::TowardsZero}, false, false},
    Denoising{"js nonnegative", {.shrink = Shrinkage::TowardsMean, .project = Projection::Nonnegative}, false, false},
    Denoising{"js+ simplex", {.shrink = Shrinkage::PositivePart, .project = Projection::Simplex}, true, false},
    Denoising{"rjs nonnegative", {.shrink = Shrinkage::RankDeficient, .project = Projection::Nonnegative}, true, false}};

bool suits(const Denoising& denoising, const TableDesign& table) {
  const bool sum_zero = table.noise.structure == NoiseStructure::SumZero;
  return (table.n_public || !denoising.needs_n) && (table.noise.family != kernel::NoiseFamily::Laplace || denoising.serves_laplace) &&
         (!sum_zero || denoising.name != std::string(kTowardsZero)) && table.p.size() >= inference::fewest_cells(denoising.options.shrink);
}

constexpr std::array kStatistics = {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected};

/// In the order of the tests of a setting: the limit and Monte Carlo with each statistic, and the
/// bootstrap of tables that are denoised, with n public and unknown.
constexpr std::size_t kLimit = 0, kMonteCarlo = kStatistics.size(), kPublic = 2 * kStatistics.size(),
                      kUnknown = kPublic + kDenoisings.size(), kUnknownAsItIs = kUnknown + kDenoisings.size();

std::vector<ErrorKind> kinds() {
  std::vector<ErrorKind> all;
  for (const auto& [claim, end] :
       {std::pair{"tests by the limit keep their level", kMonteCarlo}, {"Monte Carlo tests keep their level", kPublic}}) {
    for (const GofStatistic statistic : kStatistics) all.push_back({claim, std::string(name(statistic)), kAlpha});
    if (all.size() != end) return {};
  }
  for (const char* claim :
       {"the bootstrap of denoised tables with a public n keeps its level", "the bootstrap with an unknown n keeps its level"}) {
    for (const Denoising& denoising : kDenoisings) all.push_back({claim, denoising.name, kAlpha});
  }
  all.push_back({"the bootstrap with an unknown n keeps its level", "not denoised", kAlpha});
  return all;
}

Status count_limit(const TableDesign& table, Piece& piece, ErrorTally& tally) {
  if (table.noise.family == kernel::NoiseFamily::Laplace) return {};
  TACET_TRY(const auto design, inference::GofDesign::of(table.p, table.n, inference::cell_noise(table.noise)));
  if (design.least_expected() < inference::kLeastExpected) return {};  // inconclusive
  for (std::size_t s = 0; s < kStatistics.size(); ++s) {
    if (!tally.wants(kLimit + s)) continue;
    TACET_TRY(const double critical, gof_critical(design, kStatistics[s], kAlpha));
    const std::vector<double> drawn =
        inference::simulate_gof({.design = design, .statistic = kStatistics[s], .noise = {.distribution = table.noise}}, table.p,
                                {.draws = kLimitTimes * piece.trials, .seed = piece.stream.word() >> 12, .threads = 1});
    double above = 0;
    for (const double t : drawn) above += t > critical ? 1 : 0;
    tally.add_many(kLimit + s, {static_cast<double>(drawn.size()), above, 0});
  }
  return {};
}

Status count_test(const TableDesign& table, std::size_t kind, GofOptions options, Piece& piece, ErrorTally& tally) {
  if (!tally.wants(kind)) return {};
  const DrawnTable drawn = draw_table(table, piece.stream);
  options.with_power = false;
  options.simulation = {.draws = kDraws, .seed = piece.stream.word() >> 12, .threads = 1};
  TACET_TRY(const auto test, test_goodness_of_fit(drawn.release, table.p, options));
  tally.add(kind, test.outcome == inference::Outcome::Reject, test.outcome == inference::Outcome::Inconclusive);
  return {};
}

Status count(const TableDesign& table, Piece& piece, ErrorTally& tally) {
  if (table.n_public) TACET_CHECK(count_limit(table, piece, tally));
  for (std::size_t trial = 0; trial < piece.trials; ++trial) {
    if (table.n_public) {
      for (std::size_t s = 0; s < kStatistics.size(); ++s) {
        TACET_CHECK(count_test(table, kMonteCarlo + s, {.alpha = kAlpha, .statistic = kStatistics[s], .method = GofMethod::MonteCarlo},
                               piece, tally));
      }
    } else {
      TACET_CHECK(count_test(table, kUnknownAsItIs, {.alpha = kAlpha, .statistic = GofStatistic::Classical, .method = GofMethod::Bootstrap},
                             piece, tally));
    }
    for (std::size_t i = 0; i < kDenoisings.size(); ++i) {
      if (!suits(kDenoisings[i], table)) continue;
      TACET_CHECK(count_test(
          table, (table.n_public ? kPublic : kUnknown) + i,
          {.alpha = kAlpha, .statistic = GofStatistic::Classical, .method = GofMethod::Bootstrap, .denoise = kDenoisings[i].options}, piece,
          tally));
    }
  }
  return {};
}

struct Null {
  const char* name;
  std::vector<double> p;
};
std::vector<Null> nulls() {
  const auto uniform = [](std::size_t d) { return std::vector<double>(d, 1 / static_cast<double>(d)); };
  return {{"uniform of 2", uniform(2)},
          {"uniform of 4", uniform(4)},
          {"uniform of 20", uniform(20)},
          {"skewed", {0.6, 0.25, 0.1, 0.04, 0.01}},
          {"tiny cells", {0.9, 0.0985, 0.001, 0.0004, 0.0001}}};
}

LevelGrid grid() {
  LevelGrid grid{
      .title = "Goodness of fit: levels over all settings", .kinds = kinds(), .settings = {}, .usual = 400, .in_a_hurry = 150, .every = 17};
  for (const auto& [null, p] : nulls()) {
    for (const double n : {50.0, 500.0, 5000.0}) {
      for (const double rho : {1.0, 0.1, 0.01, 0.00125}) {
        const double sd = 1 / std::sqrt(rho);
        for (const auto& [noise, unit] : table_noises(1)) {
          NoiseDistribution distribution = unit;
          distribution.scale = unit.family == kernel::NoiseFamily::Laplace ? sd / std::sqrt(2) : sd;
          for (const bool n_public : {true, false}) {
            if (!n_public && distribution.structure == NoiseStructure::SumZero) continue;  // the total is there to be seen
            const TableDesign table{fmt::format("{}, {} n {} rho {}{}", null, noise, n, rho, n_public ? "" : " unknown"),
                                    {p.size()},
                                    p,
                                    n,
                                    distribution,
                                    n_public};
            grid.settings.push_back({table.name, [table](Piece& piece, ErrorTally& tally) { return count(table, piece, tally); }});
          }
        }
      }
    }
  }
  return grid;
}

std::vector<Cell> cells(const Effort& effort) { return level_cells(grid(), effort); }
Result<Findings> conclude(const Measured& measured) { return level_findings(grid(), measured); }

}  // namespace

Study make() {
  return {.name = "levels_of_fit",
          .title = "Levels of tests of goodness of fit",
          .paper = "Tacet's own promise (docs/explanation/tests.md)",
          .shows =
              "How often infer gof rejects a true null at alpha 0.05: by the limit, by Monte Carlo and, for denoised tables and unknown n, "
              "by the bootstrap; five nulls, 50 to 5,000 people, rho 0.00125 to 1, every family of noise. The powers of these tests are "
              "measured by rogers_figures_17_18 and lee_figures_9_10.",
          .version = 1,
          .seconds = 24,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::levels_of_fit

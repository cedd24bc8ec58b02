#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/numeric/weighted_chi2.h"
#include "tacet/studies/papers/hotelling_groups.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::hotelling_example_b {
namespace {

struct Printed {
  double epsilon, level;
};
constexpr std::array kPrinted = {Printed{4, 0.068}, Printed{1, 0.189}};
/// The number of runs is not stated here; it is that of section 4.
constexpr std::size_t kPaperTrials = 1000, kPeople = 500;

/// Where the quantile functions are compared.
constexpr std::array<double, 21> kShares = {0.05, 0.1,  0.15, 0.2,  0.25, 0.3,  0.35, 0.4,  0.45,  0.5, 0.55,
                                            0.6,  0.65, 0.7,  0.75, 0.8,  0.85, 0.9,  0.95, 0.975, 0.99};
constexpr std::size_t kAt95 = 18;

/// The numbers of a cell: whether the statistic is above each quantile of chi-square; then whether
/// test (3.3) and ours reject.
constexpr std::size_t kBoot = kShares.size(), kOurs = kBoot + 1;

std::string cell_name(double epsilon) { return fmt::format("epsilon={}", epsilon); }

Result<std::vector<double>> chi_square_quantiles() {
  TACET_TRY(const auto chi_square, numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = 1}}));
  std::vector<double> quantiles;
  for (const double share : kShares) quantiles.push_back(chi_square.upper_quantile(1 - share));
  return quantiles;
}

Result<Sums> run(double epsilon, Piece& piece) {
  TACET_TRY(const HotellingGroups groups,
            HotellingGroups::of({.columns = 1, .people = kPeople, .epsilon = epsilon, .rows = HotellingRows::ExampleB, .half_width = 1}));
  TACET_TRY(const std::vector<double> quantiles, chi_square_quantiles());
  Sums sums(kOurs + 1);
  for (std::size_t i = 0; i < piece.trials; ++i) {
    TACET_TRY(const HotellingTrial trial, groups.trial(piece.stream));
    for (std::size_t k = 0; k < quantiles.size(); ++k) sums[k] += trial.paper.statistic > quantiles[k] ? 1 : 0;
    sums[kBoot] += trial.paper.bootstrap ? 1 : 0;
    sums[kOurs] += trial.ours ? 1 : 0;
  }
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const Printed& one : kPrinted) {
    const std::size_t trials = effort.of(40'000, 3000);
    all.push_back({cell_name(one.epsilon), trials, 2000, [epsilon = one.epsilon](Piece& piece) { return run(epsilon, piece); }});
  }
  return all;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  TACET_TRY(const std::vector<double> quantiles, chi_square_quantiles());
  Table table{"levels", "Type I errors at 0.05", {"epsilon", "test (3.2)", "paper", "test (3.3)", "ours"}, {}};
  Table functions{
      "quantiles", "Distribution functions at the quantiles of chi-square", {"quantile", "chi-square", "epsilon 4", "epsilon 1"}, {}};
  std::vector<std::pair<std::string, Comparison>> levels, bootstrap;
  std::vector<Number> ours;
  bool kept = true;
  report::Figure figure{.title = "Hotelling, Figure 2: quantile functions of chi-square and of the statistic", .panels = {}, .columns = 2};
  for (const Printed& one : kPrinted) {
    const std::string name = cell_name(one.epsilon);
    levels.emplace_back(name, compared(measured.rate(name, kAt95), one.level, kPaperTrials, kPrinted.size(), 0.0005));
    bootstrap.emplace_back(name, compared(measured.rate(name, kBoot), 11.0 / 201, 0, kPrinted.size()));
    const Comparison own = compared(measured.rate(name, kOurs), kHotellingAlpha, 0, kPrinted.size());
    kept = kept && own.ours <= own.paper + own.tolerance;
    ours.push_back({name, own.ours});
    table.rows.push_back({one.epsilon, measured.mean(name, kAt95), one.level, measured.mean(name, kBoot), measured.mean(name, kOurs)});
    report::Panel panel{.title = fmt::format("epsilon = {}", one.epsilon), .x = {"probability"}, .y = {"quantile"}, .series = {}};
    report::Series chi_square{"chi-square", {}, report::Mark::Line}, statistic{"private statistic", {}, report::Mark::Line};
    for (std::size_t k = 0; k < kShares.size(); ++k) {
      chi_square.points.push_back({kShares[k], quantiles[k]});
      statistic.points.push_back({1 - measured.mean(name, k), quantiles[k]});
    }
    panel.series = {std::move(chi_square), std::move(statistic)};
    figure.panels.push_back(std::move(panel));
  }
  bool above = true;
  for (std::size_t k = 0; k < kShares.size(); ++k) {
    const Rate four = measured.rate(cell_name(4), k), one = measured.rate(cell_name(1), k);
    functions.rows.push_back({quantiles[k], kShares[k], 1 - four.share, 1 - one.share});
    const double errors = allowed_errors(kShares.size());
    above = above && one.share > 1 - kShares[k] - errors * one.standard_error() && one.share > four.share - errors * one.standard_error();
  }
  found.verdicts.push_back(agrees("the 0.95 quantile of chi-square", {quantiles[kAt95], 3.841458820694124, 1e-9}, "From tables."));
  found.verdicts.push_back(all_agree("the asymptotic test rejects a true hypothesis this often", levels,
                                     "The paper does not say how many runs it made; 1000, as in its section 4."));
  found.verdicts.push_back(
      holds("the statistic is larger than chi-square, and the more so the smaller epsilon is", above,
            {{"above the median of chi-square, epsilon 4", measured.mean(cell_name(4), 9)}, {"epsilon 1", measured.mean(cell_name(1), 9)}},
            "At 21 quantiles"));
  found.verdicts.push_back(
      all_agree("the level of the bootstrap test (3.3) is 11/201", bootstrap, "The floor of Algorithm 3 takes the 190th of 200 draws."));
  found.verdicts.push_back(holds(
      "a test that knows its noise keeps the level 0.05", kept, std::move(ours),
      "infer two-sample on a release for two-sample; where noise hides a part of the variance it is a little cautious", Outcome::Better));
  found.figures.push_back(std::move(figure));
  found.tables = {std::move(table), std::move(functions)};
  return found;
}

}  // namespace

Study make() {
  return {.name = "hotelling_example_b",
          .title = "What noise does to a test that ignores it",
          .paper = "Hotelling, Figure 2 (Example B of the appendix)",
          .shows =
              "One column of the density exp(-2 t^2) on [-1, 1], two groups of 500: the quantile of chi-square is too small for the "
              "private statistic. The picture is not in the text of the paper, which gives two of its numbers.",
          .version = 1,
          .seconds = 21,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::hotelling_example_b

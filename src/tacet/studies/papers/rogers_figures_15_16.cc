#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_15_16 {
namespace {

using inference::GofStatistic;

constexpr std::size_t kTrials = 100000, kInAHurry = 20000, kBlock = 10000;
constexpr std::array<double, 6> kPeople = {500, 1000, 2000, 5000, 10000, 40000};

struct Null {
  const char* name;
  std::vector<double> probabilities;
};
std::vector<Null> nulls() {
  return {{"four equal cells", rogers_hypotheses()[0].null},
          {"(1/2, 1/6, 1/6, 1/6)", rogers_hypotheses()[1].null},
          {"100 equal cells", std::vector<double>(100, 0.01)}};
}

struct Statistic {
  GofStatistic kind;
  int figure;
};
constexpr std::array kStatistics = {Statistic{GofStatistic::Nonprojected, 15}, Statistic{GofStatistic::Projected, 16}};

std::string cell_name(const Null& null, double rho, double n) { return fmt::format("{} rho={} n={}", null.name, rho, n); }

/// Rejections by each statistic, of the same tables.
Result<Sums> run(const std::vector<double>& null, double rho, double n, const Piece& piece) {
  const mechanisms::NoiseDistribution noise = zcdp_noise(rho);
  TACET_TRY(const inference::GofDesign design, inference::GofDesign::of(null, n, inference::cell_noise(noise)));
  Sums rejected;
  for (const Statistic& statistic : kStatistics) {
    TACET_TRY(const double critical, inference::gof_critical(design, statistic.kind, kRogersAlpha));
    const std::vector<double> statistics = inference::simulate_gof({.design = design, .statistic = statistic.kind, .noise = {noise}}, null,
                                                                   {.draws = piece.trials, .seed = piece.seed, .threads = 1});
    rejected.push_back(count_above(statistics, critical));
  }
  return rejected;
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const Null& null : nulls()) {
    for (const double rho : kRogersRhos) {
      for (const double n : kPeople) {
        all.push_back({cell_name(null, rho, n), effort.of(kTrials, kInAHurry), kBlock,
                       [p = null.probabilities, rho, n](Piece& piece) { return run(p, rho, n, piece); }});
      }
    }
  }
  return all;
}

report::Panel panel_of(const Null& null, std::size_t statistic, const Measured& measured) {
  report::Panel panel{.title = null.name, .x = {"people", true}, .y = {"rejected"}, .series = {}};
  for (const double rho : kRogersRhos) {
    report::Series series{privacy_of(zcdp_noise(rho)), {}, report::Mark::LineAndPoints};
    for (const double n : kPeople) series.points.push_back(point_of(n, measured.rate(cell_name(null, rho, n), statistic)));
    panel.series.push_back(std::move(series));
  }
  panel.series.push_back(level_line(kPeople));
  return panel;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table table{"levels", "Type I errors at 0.05", {"null hypothesis", "rho", "n", "nonprojected", "projected"}, {}};
  for (std::size_t i = 0; i < kStatistics.size(); ++i) {
    const auto& [kind, number] = kStatistics[i];
    report::Figure figure{
        .title = fmt::format("Rogers, Figure {}: type I error, {} statistic", number, name(kind)), .panels = {}, .columns = 3};
    std::vector<std::pair<std::string, Rate>> rates;
    std::vector<std::pair<std::string, Comparison>> levels;
    for (const Null& null : nulls()) {
      figure.panels.push_back(panel_of(null, i, measured));
      for (const double rho : kRogersRhos) {
        for (const double n : kPeople) rates.emplace_back(cell_name(null, rho, n), measured.rate(cell_name(null, rho, n), i));
      }
    }
    for (const auto& [where, rate] : rates) levels.emplace_back(where, compared(rate, kRogersAlpha, /*paper_trials=*/0, rates.size()));
    found.verdicts.push_back(
        is_at_most(fmt::format("type I error of the {} statistic at most 0.05 (Figure {})", name(kind), number), rates, kRogersAlpha));
    found.verdicts.push_back(all_agree(fmt::format("the {} statistic reaches the level 0.05, no less", name(kind)), levels,
                                       "At every setting, within the error of simulation."));
    found.figures.push_back(std::move(figure));
  }
  for (const Null& null : nulls()) {
    for (const double rho : kRogersRhos) {
      for (const double n : kPeople) {
        const std::string cell = cell_name(null, rho, n);
        table.rows.push_back({null.name, rho, n, measured.rate(cell, 0).share, measured.rate(cell, 1).share});
      }
    }
  }
  found.tables.push_back(std::move(table));
  return found;
}

}  // namespace

Study make() {
  return {
      .name = "rogers_figures_15_16",
      .title = "Goodness of fit by the new statistics: type I errors",
      .paper = "Rogers, Figures 15 and 16 (section 7.2.5)",
      .shows =
          "NewStatAsymptGOF on tables that follow the null hypothesis. The pictures are not in the text of the paper, nor which hypotheses "
          "and sizes they have: here are those of its power figures and of its Table 3, with its three amounts of privacy.",
      .version = 1,
      .seconds = 4,
      .cells = cells,
      .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figures_15_16

#include <array>
#include <vector>

#include <fmt/format.h>

#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_19_20 {
namespace {

using inference::GofStatistic;
using inference::Outcome;

constexpr std::size_t kTrials = 10000, kInAHurry = 2000, kBlock = 2500;
constexpr std::array<double, 7> kPeople = {200, 500, 1000, 2000, 5000, 10000, 40000};
/// Fewer tables than this are inconclusive where a level is compared with 0.05 from both sides.
constexpr double kFewInconclusive = 0.005;
/// From so many people on, levels of all settings are also compared together; what the limit for
/// large n may be off then.
constexpr double kMany = 5000, kLimitError = 0.001;

constexpr std::array kMargins = {Margins{"margins 1/2 and 1/2", 1.0 / 2, 1.0 / 2}, Margins{"margins 2/3 and 1/2", 2.0 / 3, 1.0 / 2},
                                 Margins{"margins 9/10 and 3/4", 9.0 / 10, 3.0 / 4}};

struct Statistic {
  GofStatistic kind;
  int figure;
};
/// In the order of the sums of a cell. Then it counts inconclusive tables, and decisions that the
/// p-value does not share.
constexpr std::array kStatistics = {Statistic{GofStatistic::Nonprojected, 19}, Statistic{GofStatistic::Projected, 20}};
constexpr std::size_t kInconclusive = kStatistics.size(), kUnshared = kInconclusive + 1;

std::string cell_name(const Margins& margins, double rho, double n) { return fmt::format("{} rho={} n={}", margins.name, rho, n); }

Result<Sums> run(const Margins& margins, double rho, double n, Piece& piece) {
  ReleaseDraws drawn({2, 2}, n, margins.table(), zcdp_noise(rho));
  Sums sums(kUnshared + 1);
  TACET_CHECK(drawn.each(piece.stream, piece.trials, [&](const mechanisms::CountRelease& release) -> Status {
    for (std::size_t i = 0; i < kStatistics.size(); ++i) {
      TACET_TRY(const IndependenceDecision decision, decide_independence(release, kStatistics[i].kind));
      sums[i] += decision.by_critical == Outcome::Reject ? 1 : 0;
      sums[kUnshared] += decision.by_critical != decision.by_p_value ? 1 : 0;
      // Both statistics have the same fitted table.
      if (i == 0) sums[kInconclusive] += decision.by_critical == Outcome::Inconclusive ? 1 : 0;
    }
    return {};
  }));
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const Margins& margins : kMargins) {
    for (const double rho : kRogersRhos) {
      for (const double n : kPeople) {
        all.push_back({cell_name(margins, rho, n), effort.of(kTrials, kInAHurry), kBlock,
                       [&margins, rho, n](Piece& piece) { return run(margins, rho, n, piece); }});
      }
    }
  }
  return all;
}

report::Panel panel_of(const Margins& margins, std::size_t statistic, const Measured& measured) {
  report::Panel panel{.title = margins.name, .x = {"people", true}, .y = {"rejected"}, .series = {}};
  for (const double rho : kRogersRhos) {
    report::Series series{privacy_of(zcdp_noise(rho)), {}, report::Mark::LineAndPoints};
    for (const double n : kPeople) series.points.push_back(point_of(n, measured.rate(cell_name(margins, rho, n), statistic)));
    panel.series.push_back(std::move(series));
  }
  panel.series.push_back(level_line(kPeople));
  return panel;
}

using Rates = std::vector<std::pair<std::string, Rate>>;

/// The rates of one statistic, or of inconclusive tests, in all settings.
Rates rates_of(std::size_t sum, const Measured& measured) {
  Rates rates;
  for (const Margins& margins : kMargins) {
    for (const double rho : kRogersRhos) {
      for (const double n : kPeople) {
        const std::string cell = cell_name(margins, rho, n);
        rates.emplace_back(cell, measured.rate(cell, sum));
      }
    }
  }
  return rates;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table table{"levels", "Type I errors at 0.05", {"setting", "nonprojected", "projected", "inconclusive"}, {}};
  const Rates inconclusive = rates_of(kInconclusive, measured);
  const std::array<Rates, kStatistics.size()> rejected = {rates_of(0, measured), rates_of(1, measured)};
  for (std::size_t i = 0; i < inconclusive.size(); ++i) {
    table.rows.push_back({inconclusive[i].first, rejected[0][i].second.share, rejected[1][i].second.share, inconclusive[i].second.share});
  }
  for (std::size_t s = 0; s < kStatistics.size(); ++s) {
    const auto& [kind, number] = kStatistics[s];
    report::Figure figure{.title = fmt::format("Rogers, Figure {}: type I error of independence, {} statistic", number, name(kind)),
                          .panels = {},
                          .columns = 3};
    for (const Margins& margins : kMargins) figure.panels.push_back(panel_of(margins, s, measured));
    found.figures.push_back(std::move(figure));
    found.verdicts.push_back(is_at_most(fmt::format("type I error of the {} statistic at most 0.05 (Figure {})", name(kind), number),
                                        rejected[s], kRogersAlpha));
    std::vector<std::string> large;
    for (const Margins& margins : kMargins) {
      for (const double rho : kRogersRhos) {
        for (const double n : kPeople) {
          if (n >= kMany) large.push_back(cell_name(margins, rho, n));
        }
      }
    }
    found.verdicts.push_back(agrees(fmt::format("the {} statistic has the level 0.05 for n of 5000 and more", name(kind)),
                                    compared(pooled(measured, large, s), kRogersAlpha, /*paper_trials=*/0, kStatistics.size(), kLimitError),
                                    "All such settings together"));
    std::vector<std::pair<std::string, Comparison>> levels;
    for (std::size_t i = 0; i < inconclusive.size(); ++i) {
      if (inconclusive[i].second.share > kFewInconclusive) continue;
      levels.emplace_back(inconclusive[i].first, compared(rejected[s][i].second, kRogersAlpha, /*paper_trials=*/0, inconclusive.size()));
    }
    found.verdicts.push_back(
        all_agree(fmt::format("the {} statistic reaches the level 0.05, no less, where tests are conclusive", name(kind)), levels,
                  "In the settings in which at most 0.5 % of the tests are inconclusive."));
  }
  const std::string smallest = cell_name(kMargins[0], kRogersRhos[0], kPeople[0]);
  const Rate open = measured.rate(smallest, kInconclusive);
  found.verdicts.push_back(holds(
      "for small samples type I errors are much smaller, since expected counts below 5 are inconclusive",
      open.share > 0.5 && measured.rate(smallest, 0).share < kRogersAlpha / 2 && measured.rate(smallest, 1).share < kRogersAlpha / 2,
      {{"inconclusive", open.share}, {"nonprojected", measured.rate(smallest, 0).share}, {"projected", measured.rate(smallest, 1).share}},
      "At n = 200, rho = 0.00005 and margins 1/2 and 1/2"));
  double unshared = 0;
  for (const auto& [cell, rate] : rates_of(kUnshared, measured)) unshared += rate.share * rate.trials;
  found.verdicts.push_back(holds("p-values and critical values decide alike", unshared == 0, {{"decisions_that_differ", unshared}}, ""));
  found.tables.push_back(std::move(table));
  return found;
}

}  // namespace

Study make() {
  return {
      .name = "rogers_figures_19_20",
      .title = "Independence by the new statistics: type I errors",
      .paper = "Rogers, Figures 19 and 20 (section 7.3.1)",
      .shows =
          "GenChiTest on 2 x 2 tables of independent variables. The pictures are not in the text of the paper, nor which margins and sizes "
          "they have; two of the margins are those of its power figures. A table is inconclusive if a cell of the nearest independent "
          "table expects fewer than 5; the paper asks that of the table with the noisy margins.",
      .version = 1,
      .seconds = 35,
      .cells = cells,
      .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figures_19_20

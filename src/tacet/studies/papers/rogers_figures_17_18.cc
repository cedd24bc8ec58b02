#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/planning/gof_plan.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_17_18 {
namespace {

using inference::GofDesign;
using inference::GofStatistic;

/// Figure 17 has 10,000 trials, Figure 18 has 100,000.
constexpr PowerTrials kTrials{10000, 2000}, kManyTrials{100000, 10000};
constexpr std::size_t kBlock = 10000;
constexpr std::array<double, 11> kPeople = {1000, 2000, 4000, 7000, 10000, 15000, 20000, 30000, 40000, 60000, 80000};
constexpr double kRhoOfAll = 0.00125, kPower = 0.8;

/// The tests of a cell of Figure 17, and of Figure 18, where each is compared with the first.
enum Test : std::uint8_t { kClassicalWithoutNoise, kProjected, kNonprojected };
enum Rival : std::uint8_t { kNonProjGof, kAsymptGof, kMcGof };
constexpr std::array kRivals = {"NonProjGOF", "AsymptGOF", "MCGOF"};

/// Whether a test rejects each of the tables that follow the alternative; tables are the same for
/// all statistics.
struct Tables {
  const Hypotheses& hypotheses;
  GofDesign design;
  mechanisms::NoiseDistribution noise;
  inference::Simulation simulation;

  std::vector<double> statistics(GofStatistic kind, const std::vector<double>& truth) const {
    return inference::simulate_gof({.design = design, .statistic = kind, .noise = {noise}}, truth, simulation);
  }
  std::vector<bool> rejected(GofStatistic kind, double critical) const {
    const std::vector<double> all = statistics(kind, hypotheses.alternative);
    std::vector<bool> above(all.size());
    std::transform(all.begin(), all.end(), above.begin(), [critical](double t) { return t > critical; });
    return above;
  }
  Result<std::vector<bool>> rejected(GofStatistic kind) const {
    TACET_TRY(const double critical, inference::gof_critical(design, kind, kRogersAlpha));
    return rejected(kind, critical);
  }
};

Result<Tables> tables_of(const Hypotheses& h, const mechanisms::NoiseDistribution& noise, double n, const Piece& piece) {
  TACET_TRY(GofDesign design, GofDesign::of(h.null, n, inference::cell_noise(noise)));
  return Tables{h, std::move(design), noise, {.draws = piece.trials, .seed = piece.seed, .threads = 1}};
}

double count(const std::vector<bool>& rejected) { return static_cast<double>(std::count(rejected.begin(), rejected.end(), true)); }

/// Rejections by the projected and the nonprojected test; by one only, and by the other only; and
/// by the classical test of tables without noise.
Result<Sums> powers(const Hypotheses& h, double rho, double n, Piece& piece) {
  TACET_TRY(const Tables noisy, tables_of(h, zcdp_noise(rho), n, piece));
  TACET_TRY(const std::vector<bool> projected, noisy.rejected(GofStatistic::Projected));
  TACET_TRY(const std::vector<bool> nonprojected, noisy.rejected(GofStatistic::Nonprojected));
  TACET_TRY(const Tables without, tables_of(h, no_noise(), n, piece));
  TACET_TRY(const double critical, pearson_critical(static_cast<double>(h.null.size()) - 1));
  Sums sums = {count(without.rejected(GofStatistic::Classical, critical)), count(projected), count(nonprojected), 0, 0};
  for (std::size_t i = 0; i < projected.size(); ++i) {
    sums[3] += projected[i] && !nonprojected[i] ? 1 : 0;
    sums[4] += !projected[i] && nonprojected[i] ? 1 : 0;
  }
  return sums;
}

/// MCGOF (Algorithm 8): each table has its own draws of the null hypothesis.
std::vector<bool> rejected_by_draws(const Tables& tables) {
  const std::vector<double> observed = tables.statistics(GofStatistic::Classical, tables.hypotheses.alternative);
  Tables other = tables;
  other.simulation.draws = kRogersDraws * observed.size();
  ++other.simulation.seed;
  const std::vector<double> null = other.statistics(GofStatistic::Classical, tables.hypotheses.null);
  std::vector<bool> above(observed.size());
  std::vector<double> mine(kRogersDraws);
  for (std::size_t i = 0; i < observed.size(); ++i) {
    mine.assign(null.begin() + static_cast<std::ptrdiff_t>(i * kRogersDraws),
                null.begin() + static_cast<std::ptrdiff_t>((i + 1) * kRogersDraws));
    above[i] = inference::compare(observed[i], mine, kRogersAlpha).p_value <= kRogersAlpha;
  }
  return above;
}

/// Rejections by the projected test; for each rival, by the projected test only and by the rival
/// only; at last by MCGOF only and by AsymptGOF only.
Result<Sums> rivals(const Hypotheses& h, double n, Piece& piece) {
  TACET_TRY(const Tables tables, tables_of(h, zcdp_noise(kRhoOfAll), n, piece));
  TACET_TRY(const std::vector<bool> projected, tables.rejected(GofStatistic::Projected));
  TACET_TRY(std::vector<bool> nonprojected, tables.rejected(GofStatistic::Nonprojected));
  TACET_TRY(std::vector<bool> classical, tables.rejected(GofStatistic::Classical));
  const std::array<std::vector<bool>, 3> others = {std::move(nonprojected), std::move(classical), rejected_by_draws(tables)};
  Sums sums = {count(projected)};
  const auto compare = [&sums](const std::vector<bool>& one, const std::vector<bool>& other) {
    double more = 0, fewer = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      more += one[i] && !other[i] ? 1 : 0;
      fewer += !one[i] && other[i] ? 1 : 0;
    }
    sums.push_back(more);
    sums.push_back(fewer);
  };
  for (const std::vector<bool>& other : others) compare(projected, other);
  compare(others[kAsymptGof], others[kMcGof]);
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  return cells_of({rogers_hypotheses(), kPeople, kTrials, kManyTrials, kBlock, powers, rivals}, effort);
}

/// The least number of people for the power 0.8, by the limit.
Result<double> people(const Hypotheses& h, double rho, GofStatistic statistic) {
  const planning::GofPlan plan{.null = h.null, .alternative = h.alternative, .noise = zcdp_noise(rho), .alpha = kRogersAlpha};
  return planning::people_for_power(planning::gof_power_plan(plan), statistic, kPower);
}

struct PowerCurves {
  report::Figure figure{.title = "Rogers, Figure 17: power of goodness of fit", .panels = {}, .columns = 3};
  Table table{"powers", "Powers", {"hypotheses", "rho", "n", "classical without noise", "projected", "nonprojected"}, {}};
  Table people{"people",
               "People for the power 0.8, by the limit",
               {"hypotheses", "rho", "projected", "nonprojected", "classical without noise"},
               {}};
  std::vector<std::pair<std::string, Lead>> projected_ahead, noise_costs;
  std::vector<std::pair<std::string, Comparison>> by_limit;
  double largest_share = 0, share_at_most_privacy_loss = 0;
};

Status add_powers(PowerCurves& curves, const Hypotheses& h, double rho, const Measured& measured) {
  report::Panel panel{.title = h.name + " " + privacy_of(zcdp_noise(rho)), .x = {"people", true}, .y = {"power"}, .series = {}};
  report::Series without{"classical without noise", {}, report::Mark::LineAndPoints},
      projected{"projected", {}, report::Mark::LineAndPoints}, nonprojected{"nonprojected", {}, report::Mark::LineAndPoints};
  for (const double n : kPeople) {
    const std::string cell = powers_name(h, rho, n);
    const std::array<Rate, 3> rates = {measured.rate(cell, kClassicalWithoutNoise), measured.rate(cell, kProjected),
                                       measured.rate(cell, kNonprojected)};
    without.points.push_back(point_of(n, rates[kClassicalWithoutNoise]));
    projected.points.push_back(point_of(n, rates[kProjected]));
    nonprojected.points.push_back(point_of(n, rates[kNonprojected]));
    curves.table.rows.push_back({h.name, rho, n, rates[0].share, rates[1].share, rates[2].share});
    curves.projected_ahead.emplace_back(cell, lead_at(3, measured, cell));
    curves.noise_costs.emplace_back(cell, Lead::between(rates[kClassicalWithoutNoise], rates[kProjected]));
    TACET_TRY(const GofDesign design, GofDesign::of(h.null, n, inference::cell_noise(zcdp_noise(rho))));
    for (const auto& [kind, rate] :
         {std::pair{GofStatistic::Projected, rates[kProjected]}, {GofStatistic::Nonprojected, rates[kNonprojected]}}) {
      TACET_TRY(const double power, inference::gof_power(design, kind, h.alternative, kRogersAlpha));
      curves.by_limit.emplace_back(fmt::format("{} {}", cell, name(kind)),
                                   compared(rate, power, /*paper_trials=*/0, 4 * kRogersRhos.size() * kPeople.size(), /*reading=*/0.01));
    }
  }
  panel.series = {std::move(without), std::move(projected), std::move(nonprojected)};
  curves.figure.panels.push_back(std::move(panel));
  TACET_TRY(const double with, people(h, rho, GofStatistic::Projected));
  TACET_TRY(const double without_projection, people(h, rho, GofStatistic::Nonprojected));
  // So much privacy loss that the noise vanishes.
  TACET_TRY(const double alone, people(h, 1e6, GofStatistic::Projected));
  curves.people.rows.push_back({h.name, rho, with, without_projection, alone});
  curves.largest_share = std::max(curves.largest_share, with / alone);
  if (rho == kRogersRhos.back()) curves.share_at_most_privacy_loss = std::max(curves.share_at_most_privacy_loss, with / alone);
  return {};
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  PowerCurves curves;
  report::Figure differences{
      .title = "Rogers, Figure 18: power of the projected test beyond that of others, rho = 0.00125", .panels = {}, .columns = 2};
  Table rivals_table{
      "rivals", "Power of the projected test, and how much more it is than that of others", {"hypotheses", "n", "projected"}, {}};
  rivals_table.columns.insert(rivals_table.columns.end(), kRivals.begin(), kRivals.end());
  std::array<std::vector<std::pair<std::string, Lead>>, kRivals.size()> ahead;
  std::vector<std::pair<std::string, Lead>> limit_ahead;
  for (const Hypotheses& h : rogers_hypotheses()) {
    for (const double rho : kRogersRhos) TACET_CHECK(add_powers(curves, h, rho, measured));
    report::Panel panel{.title = h.name, .x = {"people", true}, .y = {"difference in power"}, .series = {}};
    for (std::size_t i = 0; i < kRivals.size(); ++i) {
      report::Series series{kRivals[i], {}, report::Mark::LineAndPoints};
      for (const double n : kPeople) {
        const Lead lead = lead_at(1 + 2 * i, measured, rivals_name(h, n));
        series.points.push_back({n, lead.difference, 1.96 * lead.standard_error});
        ahead[i].emplace_back(rivals_name(h, n), lead);
      }
      panel.series.push_back(std::move(series));
    }
    differences.panels.push_back(std::move(panel));
    for (const double n : kPeople) {
      const std::string cell = rivals_name(h, n);
      limit_ahead.emplace_back(cell, lead_at(1 + 2 * kRivals.size(), measured, cell));
      std::vector<Entry> row = {h.name, n, measured.rate(cell).share};
      for (std::size_t i = 0; i < kRivals.size(); ++i) row.emplace_back(lead_at(1 + 2 * i, measured, cell).difference);
      rivals_table.rows.push_back(std::move(row));
    }
  }
  found.verdicts.push_back(leads("the projected statistic has more power than the nonprojected one (Figure 17)", curves.projected_ahead,
                                 "Both have the same noncentrality, and the nonprojected one a degree of freedom more (Theorem 7.2.10)."));
  found.verdicts.push_back(
      leads("the classical test of data without noise has more power than the private ones (Figure 17)", curves.noise_costs));
  found.verdicts.push_back(all_agree("both powers are those of noncentral chi-square variables (Theorem 7.2.10)", curves.by_limit,
                                     "The limit has the covariance of the null hypothesis, for which 0.01 is allowed."));
  found.verdicts.push_back(holds(
      "the power is comparable to that of the classical test (section 7.5)", curves.share_at_most_privacy_loss < 2,
      {{"times_the_people_at_rho_0.00125", curves.share_at_most_privacy_loss}, {"times_the_people_at_rho_0.00005", curves.largest_share}},
      "Measured by the people that the projected test needs for the power 0.8, as a multiple of those of the classical test: comparable at "
      "rho = 0.00125, not at rho = 0.00005"));
  for (std::size_t i = 0; i < kRivals.size(); ++i)
    found.verdicts.push_back(leads(fmt::format("the projected statistic outperforms {} (Figure 18)", kRivals[i]), ahead[i]));
  found.verdicts.push_back(leads("MCGOF has less power than AsymptGOF (sections 6.4.1 and 7.2.5)", limit_ahead,
                                 "Its 59 draws make the critical value uncertain."));
  found.figures = {std::move(curves.figure), std::move(differences)};
  found.tables = {std::move(curves.people), std::move(curves.table), std::move(rivals_table)};
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_figures_17_18",
          .title = "Goodness of fit by the new statistics: power",
          .paper = "Rogers, Figures 17 and 18 (section 7.2.5)",
          .shows =
              "NewStatAsymptGOF with both statistics, AsymptGOF and MCGOF on tables that follow an alternative: (a) equal cells against "
              "a change of 0.01 (1, -1, -1, 1), (b) (1/2, 1/6, 1/6, 1/6) against 0.01 (1, -1/3, -1/3, -1/3). The pictures are not in the "
              "text of the paper, nor the numbers of people.",
          .version = 1,
          .seconds = 4,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figures_17_18

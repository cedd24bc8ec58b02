#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/noised_gwas.h"
#include "tacet/numeric/insecure_counts.h"
#include "tacet/planning/independence_plan.h"
#include "tacet/planning/people_needed.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figure_23 {
namespace {

using inference::GofStatistic;
using inference::Outcome;

constexpr std::size_t kTrials = 10000, kInAHurry = 1000, kBlock = 2500;
constexpr std::array<double, 8> kPeople = {200, 500, 1000, 2000, 4000, 8000, 16000, 32000};
constexpr double kTimesSmaller = 25, kPower = 0.8, kMany = 8000;
constexpr std::size_t kGenotypes = 3;
constexpr inference::TableShape kShape{kGenotypes, 2};

/// The genotypes of the two groups as in the paper, and without a difference.
struct Groups {
  const char* name;
  std::array<double, kGenotypes> cases, controls;
};
constexpr std::array kGroups = {Groups{"different", {1.0 / 3, 1.0 / 3, 1.0 / 3}, {0.5, 0.25, 0.25}},
                                Groups{"equal", {0.5, 0.25, 0.25}, {0.5, 0.25, 0.25}}};
constexpr const Groups &kDifferent = kGroups[0], &kEqual = kGroups[1];

/// The sums of a cell: rejections by the noisy table, by the noisy statistic, and by the noisy
/// statistic with 25 times the rho; inconclusive tables; the noisy statistic and its square.
enum Sum : std::uint8_t { kTable, kStatistic, kLooserStatistic, kInconclusive, kTotal, kSquares, kSums };

std::string cell_name(const Groups& groups, double rho, double n) { return fmt::format("{} rho={} n={}", groups.name, rho, n); }

/// Pearson's statistic with noise for rho, and its critical value (Yu et al. 2014).
struct OutputPerturbation {
  double noise, critical;
};
Result<OutputPerturbation> output_perturbation(double n, double rho) {
  OutputPerturbation test{};
  TACET_TRY(test.noise, inference::gwas_noise(n, rho));
  TACET_TRY(test.critical, inference::gwas_critical(n, rho, kRogersAlpha));
  return test;
}

/// Both groups have n/2 people, as output perturbation needs it.
Result<Sums> run(const Groups& groups, double rho, double n, Piece& piece) {
  TACET_TRY(const OutputPerturbation strict, output_perturbation(n, rho));
  TACET_TRY(const OutputPerturbation loose, output_perturbation(n, kTimesSmaller * rho));
  std::vector<double> cases(kGenotypes * piece.trials), controls(kGenotypes * piece.trials);
  numeric::draw_multinomials(piece.stream, n / 2, groups.cases, piece.trials, cases);
  numeric::draw_multinomials(piece.stream, n / 2, groups.controls, piece.trials, controls);
  mechanisms::CountRelease release{};
  release.shape = {kShape.rows, kShape.columns};
  release.n = n;
  release.noise = zcdp_noise(rho);
  std::vector<double> table(kShape.cells()), noise(kShape.cells() + 2);
  Sums sums(kSums);
  for (std::size_t t = 0; t < piece.trials; ++t) {
    for (std::size_t i = 0; i < kGenotypes; ++i) {
      table[2 * i] = cases[i * piece.trials + t];
      table[2 * i + 1] = controls[i * piece.trials + t];
    }
    piece.stream.fill_normal(noise);
    const double pearson = inference::classical_independence(kShape, table, n);
    const double noisy = pearson + strict.noise * noise[kShape.cells()];
    sums[kStatistic] += noisy > strict.critical ? 1 : 0;
    sums[kLooserStatistic] += pearson + loose.noise * noise[kShape.cells() + 1] > loose.critical ? 1 : 0;
    sums[kTotal] += noisy;
    sums[kSquares] += noisy * noisy;
    for (std::size_t i = 0; i < table.size(); ++i) table[i] += release.noise.scale * noise[i];
    release.values = table;
    TACET_TRY(const IndependenceDecision decision, decide_independence(release, GofStatistic::Projected));
    sums[kTable] += decision.by_critical == Outcome::Reject ? 1 : 0;
    sums[kInconclusive] += decision.by_critical == Outcome::Inconclusive ? 1 : 0;
  }
  return sums;
}

Result<double> people_of_output(double rho) {
  const auto power = [rho](double n) {
    return inference::gwas_power(kDifferent.cases, kDifferent.controls, n + std::fmod(n, 2), rho, kRogersAlpha);
  };
  return planning::people_needed(kPower, kRogersAlpha, planning::kMostPeople, power);
}

/// By the limits: the people that the table, output perturbation, and output perturbation with 25
/// times the rho need for the power 0.8, and how many times the rho output perturbation may have
/// before it needs no more people than the table.
enum Need : std::uint8_t { kTablePeople, kPeopleOfOutput, kLooserPeople, kTimesTheRho };
Result<Sums> needs(double rho) {
  planning::IndependencePlan plan{.shape = kShape, .alternative = {}, .noise = zcdp_noise(rho), .alpha = kRogersAlpha};
  for (std::size_t i = 0; i < kGenotypes; ++i) {
    plan.alternative.push_back(kDifferent.cases[i] / 2);
    plan.alternative.push_back(kDifferent.controls[i] / 2);
  }
  TACET_TRY(const double table, planning::people_for_power(planning::independence_power_plan(plan), GofStatistic::Projected, kPower));
  TACET_TRY(const double strict, people_of_output(rho));
  TACET_TRY(const double loose, people_of_output(kTimesSmaller * rho));
  double low = 1, high = 1000;
  for (int i = 0; i < 14; ++i) {
    const double middle = std::sqrt(low * high);
    TACET_TRY(const double people, people_of_output(middle * rho));
    (people > table ? low : high) = middle;
  }
  return Sums{table, strict, loose, high};
}
std::string needs_name(double rho) { return fmt::format("people rho={}", rho); }

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const double rho : kRogersRhos) all.push_back({needs_name(rho), 1, 1, [rho](Piece& /*piece*/) { return needs(rho); }});
  for (const Groups& groups : kGroups) {
    for (const double rho : kRogersRhos) {
      for (const double n : kPeople) {
        all.push_back({cell_name(groups, rho, n), effort.of(kTrials, kInAHurry), kBlock,
                       [&groups, rho, n](Piece& piece) { return run(groups, rho, n, piece); }});
      }
    }
  }
  return all;
}

report::Panel panel_of(double rho, const Measured& measured) {
  report::Panel panel{.title = privacy_of(zcdp_noise(rho)), .x = {"people", true}, .y = {"power"}, .series = {}};
  for (const char* series : {"GenChiTest, projected", "output perturbation", "output perturbation, rho 25 times larger"})
    panel.series.push_back({series, {}, report::Mark::LineAndPoints});
  for (const double n : kPeople) {
    for (std::size_t i = 0; i < panel.series.size(); ++i)
      panel.series[i].points.push_back(point_of(n, measured.rate(cell_name(kDifferent, rho, n), i)));
  }
  return panel;
}

/// The levels of all settings together, and the variance of the noisy statistic.
std::vector<Verdict> verdicts_without_difference(const Measured& measured) {
  std::vector<std::pair<std::string, Rate>> table, statistic;
  std::vector<std::pair<std::string, Comparison>> variances;
  std::vector<std::string> all, large;
  for (const double rho : kRogersRhos) {
    for (const double n : kPeople) {
      const std::string cell = cell_name(kEqual, rho, n);
      all.push_back(cell);
      if (n >= kMany) large.push_back(cell);
      table.emplace_back(cell, measured.rate(cell, kTable));
      statistic.emplace_back(cell, measured.rate(cell, kStatistic));
      const double mean = measured.mean(cell, kTotal), share = n / (n + 2);
      const double printed = 4 + 16 * share * share / (2 * rho);
      // The noise dominates: a variance of normal numbers.
      variances.emplace_back(cell, Comparison{(measured.mean(cell, kSquares) - mean * mean) / printed, 1,
                                              allowed_errors(kRogersRhos.size() * kPeople.size()) * std::sqrt(2 / measured.trials(cell))});
    }
  }
  return {
      is_at_most("type I error of GenChiTest at most 0.05 with an even split", table, kRogersAlpha),
      agrees("GenChiTest has the level 0.05 for n of 8000 and more",
             compared(pooled(measured, large, kTable), kRogersAlpha, /*paper_trials=*/0, /*count=*/1, /*reading=*/0.001),
             "All such settings together"),
      is_at_most("type I error of output perturbation at most 0.05", statistic, kRogersAlpha),
      agrees("output perturbation has the level 0.05",
             compared(pooled(measured, all, kStatistic), kRogersAlpha, /*paper_trials=*/0, /*count=*/1, /*reading=*/0.001),
             "All settings together"),
      all_agree("the variance of the noisy statistic is 4 + 16 n^2/(2 rho (n+2)^2)", variances, "As multiples of the printed variance.")};
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  report::Figure figure{.title = "Rogers, Figure 23: power for a genotype and a disease", .panels = {}, .columns = 3};
  Table powers{"powers", "Powers", {"rho", "n", "GenChiTest", "output perturbation", "output perturbation, rho 25 times larger"}, {}};
  Table people{
      "people",
      "People for the power 0.8, by the limits",
      {"rho", "GenChiTest", "output perturbation", "output perturbation, rho 25 times larger", "rho of equal output perturbation / rho"},
      {}};
  std::vector<std::pair<std::string, Lead>> ahead;
  double least_times = 1e9, most_people = 0, farthest = 0;
  for (const double rho : kRogersRhos) {
    figure.panels.push_back(panel_of(rho, measured));
    for (const double n : kPeople) {
      const std::string cell = cell_name(kDifferent, rho, n);
      const Rate table = measured.rate(cell, kTable), loose = measured.rate(cell, kLooserStatistic);
      powers.rows.push_back({rho, n, table.share, measured.rate(cell, kStatistic).share, loose.share});
      const bool conclusive = measured.rate(cell, kInconclusive).share <= kMostInconclusive;
      if (conclusive) ahead.emplace_back(cell, Lead::between(table, measured.rate(cell, kStatistic)));
      farthest = std::max(farthest, loose.share - table.share);
    }
    const Sums& need = measured.sums(needs_name(rho));
    people.rows.push_back({rho, need[kTablePeople], need[kPeopleOfOutput], need[kLooserPeople], need[kTimesTheRho]});
    least_times = std::min(least_times, need[kTimesTheRho]);
    most_people = std::max(most_people, need[kTablePeople] / need[kLooserPeople]);
  }
  found.verdicts.push_back(leads("GenChiTest has more power than output perturbation with the same rho", ahead,
                                 "In the settings in which at most 5 % of the tables are inconclusive."));
  found.verdicts.push_back(holds(
      "GenChiTest has comparable power with a rho 25 times smaller", least_times >= kTimesSmaller && most_people <= 1 && farthest < 0.15,
      {{"least_times", least_times}, {"people", most_people}, {"farthest_behind", farthest}},
      "By the limits the rho may be so many times smaller, at the least, for the power 0.8; people: the most that "
      "GenChiTest needs with 1/25 of the rho, as a multiple of those of output perturbation. At powers below one half "
      "it is somewhat behind, farthest where tables are so small that some are inconclusive"));
  for (Verdict& verdict : verdicts_without_difference(measured)) found.verdicts.push_back(std::move(verdict));
  found.figures.push_back(std::move(figure));
  found.tables = {std::move(people), std::move(powers)};
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_figure_23",
          .title = "A genotype and a disease: noise on the table or on the statistic",
          .paper = "Rogers, Figure 23 (section 7.3.2)",
          .shows =
              "GenChiTest with the projected statistic against Pearson's statistic with noise of its own (Yu et al. 2014), on 3 x 2 "
              "tables with as many cases as controls: (1/3, 1/3, 1/3) against (1/2, 1/4, 1/4). The picture is not in the text of the "
              "paper, nor its rho: here are the three of his other figures, and 25 times each.",
          .version = 1,
          .seconds = 11,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figure_23

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/inference/local/local_goodness_of_fit.h"
#include "tacet/inference/local/local_independence.h"
#include "tacet/inference/local/local_tables.h"
#include "tacet/planning/gof_plan.h"
#include "tacet/planning/local_plan.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_24_25 {
namespace {

using inference::GofMethod;
using inference::GofStatistic;
using inference::LocalGofDesign;
using inference::LocalTables;
using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;
using TestOutcome = inference::Outcome;

constexpr std::size_t kTrials = 1000, kInAHurry = 300, kLevelTrials = 10000, kLevelInAHurry = 1000, kBlock = 1000;
constexpr std::array<double, 3> kEpsilons = {0.5, 1, 2};
constexpr double kPower = 0.8;
/// The paper does not say how many draws its Monte Carlo test has: as in its other figures, and
/// many.
constexpr std::size_t kManyDraws = 199;
constexpr inference::TableShape kShape{2, 2};

/// A figure: its hypotheses and numbers of people, and those of its levels.
struct Setting {
  int figure;
  const char* test;  // on reports of the exponential mechanism
  std::vector<double> null, alternative, people, level_people;
};
const std::array<Setting, 2>& settings() {
  static const std::array<Setting, 2> kAll = {Setting{24,
                                                      "LocalGOF",
                                                      {0.25, 0.25, 0.25, 0.25},
                                                      {0.26, 0.24, 0.24, 0.26},
                                                      {2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000},
                                                      {2000, 20000, 200000}},
                                              Setting{25,
                                                      "LocalGeneral",
                                                      {0.25, 0.25, 0.25, 0.25},
                                                      {0.275, 0.225, 0.225, 0.275},
                                                      {200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000},
                                                      {2000, 20000, 200000}}};
  return kAll;
}

/// The sums of a cell: rejections by the test on reports of the exponential mechanism, by
/// MC-GenChiTest on reports with Laplace noise, by the same with many draws (Figure 24), and
/// without privacy.
enum Sum : std::uint8_t { kExp, kLaplace, kLaplaceManyDraws, kClassical, kSums };

LocalRandomizer exp_of(double epsilon) { return {LocalKind::Exp, epsilon}; }
LocalRandomizer laplace_of(double epsilon) { return {LocalKind::Laplace, 2 / epsilon}; }

std::string power_name(const Setting& setting, double epsilon, double n) {
  return fmt::format("figure {} epsilon={} n={}", setting.figure, epsilon, n);
}
std::string level_name(const Setting& setting, double epsilon, double n) {
  return fmt::format("level {} epsilon={} n={}", setting.figure, epsilon, n);
}

/// Rejections of MC-GenChiTest by the first draws of each trial.
double rejected_by(std::size_t first, std::size_t draws, const std::vector<double>& observed, const std::vector<double>& null) {
  double rejected = 0;
  std::vector<double> mine;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const auto from = null.begin() + static_cast<std::ptrdiff_t>(i * draws);
    mine.assign(from, from + static_cast<std::ptrdiff_t>(first));
    rejected += inference::compare(observed[i], mine, kRogersAlpha).p_value <= kRogersAlpha ? 1 : 0;
  }
  return rejected;
}

/// Figure 24; `draws` of each Monte Carlo test.
Result<Sums> goodness_of_fit(const Setting& setting, const std::vector<double>& truth, double epsilon, double n, std::size_t draws,
                             const Piece& piece) {
  const inference::Simulation simulation{.draws = piece.trials, .seed = piece.seed, .threads = 1};
  Sums sums(kSums);
  TACET_TRY(const LocalGofDesign exp, LocalGofDesign::of(setting.null, n, exp_of(epsilon)));
  TACET_TRY(const auto limit, exp.null_distribution(GofStatistic::Classical));
  sums[kExp] =
      count_above(inference::simulate_local_gof(exp, GofStatistic::Classical, truth, simulation), limit.upper_quantile(kRogersAlpha));

  TACET_TRY(const LocalGofDesign laplace, LocalGofDesign::of(setting.null, n, laplace_of(epsilon)));
  const std::vector<double> observed = inference::simulate_local_gof(laplace, GofStatistic::Projected, truth, simulation);
  const std::vector<double> null = inference::simulate_local_gof(laplace, GofStatistic::Projected, setting.null,
                                                                 {.draws = draws * piece.trials, .seed = piece.seed + 1, .threads = 1});
  sums[kLaplace] = rejected_by(kRogersDraws, draws, observed, null);
  sums[kLaplaceManyDraws] = rejected_by(draws, draws, observed, null);

  TACET_TRY(const inference::GofDesign design, inference::GofDesign::of(setting.null, n, inference::cell_noise(no_noise())));
  TACET_TRY(const double critical, pearson_critical(static_cast<double>(setting.null.size()) - 1));
  sums[kClassical] = count_above(
      inference::simulate_gof({.design = design, .statistic = GofStatistic::Classical, .noise = {no_noise()}}, truth, simulation),
      critical);
  return sums;
}

/// Rejections of independence on local reports.
Result<double> rejected_locally(const LocalRandomizer& randomizer, const std::vector<double>& truth, double n, Piece& piece) {
  const LocalTables drawn(n, truth, randomizer);
  const std::size_t cells = drawn.cells(), tables = inference::tables_in_a_block(cells);
  std::vector<double> values(cells * tables);
  mechanisms::LocalRelease release{};
  release.shape = {kShape.rows, kShape.columns};
  release.randomizer = randomizer;
  release.n = n;
  release.values.resize(cells);
  inference::GofOptions options{.alpha = kRogersAlpha,
                                .method = randomizer.kind == LocalKind::Exp ? GofMethod::Asymptotic : GofMethod::MonteCarlo,
                                .simulation = {.draws = kRogersDraws, .seed = piece.seed, .threads = 1},
                                .with_power = false};
  double rejected = 0;
  for (std::size_t done = 0; done < piece.trials; done += tables) {
    drawn.draw(piece.stream, tables, values);
    for (std::size_t t = 0; t < std::min(tables, piece.trials - done); ++t) {
      for (std::size_t i = 0; i < cells; ++i) release.values[i] = values[i * tables + t];
      if (randomizer.kind == LocalKind::Exp) release.reports = release.values;
      ++options.simulation.seed;
      TACET_TRY(const inference::CompositeTest answer, inference::test_local_independence(release, options));
      rejected += answer.test.outcome == TestOutcome::Reject ? 1 : 0;
    }
  }
  return rejected;
}

/// Figure 25.
Result<Sums> independence(const std::vector<double>& truth, double epsilon, double n, Piece& piece) {
  Sums sums(kSums);
  TACET_TRY(sums[kExp], rejected_locally(exp_of(epsilon), truth, n, piece));
  TACET_TRY(sums[kLaplace], rejected_locally(laplace_of(epsilon), truth, n, piece));
  TACET_TRY(const double critical, pearson_critical(/*df=*/1));
  mechanisms::CountRelease release{};
  release.n = n;
  release.noise = no_noise();
  sums[kClassical] = count_above(inference::simulate_independence(release, kShape, GofStatistic::Classical, n, truth,
                                                                  {.draws = piece.trials, .seed = piece.seed, .threads = 1}),
                                 critical);
  return sums;
}

Cell cell_of(const Setting& setting, std::string name, std::size_t trials, const std::vector<double>& truth, double epsilon, double n,
             std::size_t draws) {
  return {std::move(name), trials, kBlock, [&setting, &truth, epsilon, n, draws](Piece& piece) {
            return setting.figure == 24 ? goodness_of_fit(setting, truth, epsilon, n, draws, piece)
                                        : independence(truth, epsilon, n, piece);
          }};
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const Setting& setting : settings()) {
    for (const double epsilon : kEpsilons) {
      for (const double n : setting.people) {
        all.push_back(
            cell_of(setting, power_name(setting, epsilon, n), effort.of(kTrials, kInAHurry), setting.alternative, epsilon, n, kManyDraws));
      }
      for (const double n : setting.level_people) {
        all.push_back(cell_of(setting, level_name(setting, epsilon, n), effort.of(kLevelTrials, kLevelInAHurry), setting.null, epsilon, n,
                              kRogersDraws));
      }
    }
  }
  return all;
}

using Leads = std::vector<std::pair<std::string, Lead>>;

struct Curves {
  report::Figure figure;
  Table table;
  Leads over_laplace, over_many_draws, under_classical;
};

Curves curves_of(const Setting& setting, const Measured& measured) {
  Curves curves{.figure = {.title = fmt::format("Rogers, Figure {}: power of local tests of {}", setting.figure,
                                                setting.figure == 24 ? "goodness of fit" : "independence"),
                           .panels = {},
                           .columns = 3},
                .table = {fmt::format("powers_{}", setting.figure),
                          fmt::format("Powers, Figure {}", setting.figure),
                          {"epsilon", "n", setting.test, "MC-GenChiTest", "classical without privacy"},
                          {}},
                .over_laplace = {},
                .over_many_draws = {},
                .under_classical = {}};
  for (const double epsilon : kEpsilons) {
    report::Panel panel{.title = fmt::format("epsilon = {}", epsilon), .x = {"people", true}, .y = {"power"}, .series = {}};
    report::Series classical{"classical without privacy", {}, report::Mark::LineAndPoints},
        exp{fmt::format("{}, exponential mechanism", setting.test), {}, report::Mark::LineAndPoints},
        laplace{"MC-GenChiTest, projected, Laplace noise", {}, report::Mark::LineAndPoints};
    for (const double n : setting.people) {
      const std::string cell = power_name(setting, epsilon, n);
      const Rate of_exp = measured.rate(cell, kExp), of_laplace = measured.rate(cell, kLaplace), alone = measured.rate(cell, kClassical);
      classical.points.push_back(point_of(n, alone));
      exp.points.push_back(point_of(n, of_exp));
      laplace.points.push_back(point_of(n, of_laplace));
      curves.table.rows.push_back({epsilon, n, of_exp.share, of_laplace.share, alone.share});
      curves.over_laplace.emplace_back(cell, Lead::between(of_exp, of_laplace));
      curves.over_many_draws.emplace_back(cell, Lead::between(of_exp, measured.rate(cell, kLaplaceManyDraws)));
      curves.under_classical.emplace_back(cell, Lead::between(alone, of_exp));
    }
    panel.series = {std::move(classical), std::move(exp), std::move(laplace)};
    curves.figure.panels.push_back(std::move(panel));
  }
  return curves;
}

/// The levels of one test, each and all together.
void add_levels(const Setting& setting, Sum sum, const std::string& test, const Measured& measured, std::vector<Verdict>& found) {
  std::vector<std::pair<std::string, Rate>> rates;
  std::vector<std::string> cells;
  for (const double epsilon : kEpsilons) {
    for (const double n : setting.level_people) {
      cells.push_back(level_name(setting, epsilon, n));
      rates.emplace_back(cells.back(), measured.rate(cells.back(), sum));
    }
  }
  found.push_back(is_at_most(fmt::format("type I error of {} at most 0.05", test), rates, kRogersAlpha));
  found.push_back(agrees(fmt::format("{} has the level 0.05", test),
                         compared(pooled(measured, cells, sum), kRogersAlpha, /*paper_trials=*/0, /*count=*/1, /*reading=*/0.001),
                         "All settings together"));
}

/// How many times the people of the classical test LocalGOF needs.
Result<Verdict> people_of_local_gof(Table& table) {
  const Setting& setting = settings()[0];
  const auto cells = static_cast<double>(setting.null.size());
  const planning::GofPlan plan{.null = setting.null, .alternative = setting.alternative, .noise = no_noise(), .alpha = kRogersAlpha};
  TACET_TRY(const double alone, planning::people_for_power(planning::gof_power_plan(plan), GofStatistic::Projected, kPower));
  std::vector<std::pair<std::string, Comparison>> times;
  for (const double epsilon : kEpsilons) {
    const auto people = [&](const LocalRandomizer& randomizer, GofStatistic statistic) {
      const planning::LocalGofPlan local{
          .null = setting.null, .alternative = setting.alternative, .randomizer = randomizer, .alpha = kRogersAlpha};
      return planning::people_for_power(planning::local_gof_power_plan(local), statistic, kPower);
    };
    TACET_TRY(const double exp, people(exp_of(epsilon), GofStatistic::Classical));
    TACET_TRY(const double laplace, people(laplace_of(epsilon), GofStatistic::Projected));
    const double factor = std::pow((std::exp(epsilon) + cells - 1) / std::expm1(epsilon), 2);
    table.rows.push_back({epsilon, exp / alone, factor, cells * cells / (epsilon * epsilon), laplace / alone});
    // Whole numbers of people.
    times.emplace_back(fmt::format("epsilon = {}", epsilon), Comparison{exp / alone, factor, 1e-3 * factor});
  }
  return all_agree(
      "LocalGOF needs ((e^epsilon + d - 1)/(e^epsilon - 1))^2 times the people of the classical test (Theorem 8.2.6)", times,
      "The paper shortens this to about d^2/epsilon^2, which is right for small epsilon and 16 in place of 11 at epsilon = 1.");
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table people{"people",
               "People for the power 0.8, Figure 24, as multiples of those of the classical test, by the limits",
               {"epsilon", "LocalGOF", "((e^epsilon + d - 1)/(e^epsilon - 1))^2", "d^2/epsilon^2", "MC-GenChiTest"},
               {}};
  TACET_TRY(Verdict times, people_of_local_gof(people));
  found.tables.push_back(std::move(people));
  found.verdicts.push_back(std::move(times));
  for (const Setting& setting : settings()) {
    Curves curves = curves_of(setting, measured);
    const std::string place = fmt::format("(Figure {})", setting.figure);
    found.verdicts.push_back(leads(fmt::format("{} has more power than MC-GenChiTest {}", setting.test, place), curves.over_laplace,
                                   "With four categories. The study rogers_flip_or_exp says from how many on Laplace noise is better."));
    if (setting.figure == 24) {
      found.verdicts.push_back(leads(fmt::format("the same if MC-GenChiTest has 199 draws in place of 59 {}", place),
                                     curves.over_many_draws, "The paper does not say how many it has."));
    }
    found.verdicts.push_back(leads(fmt::format("the classical test has more power than the local ones {}", place), curves.under_classical));
    add_levels(setting, kExp, setting.test, measured, found.verdicts);
    add_levels(setting, kLaplace, fmt::format("MC-GenChiTest {}", place), measured, found.verdicts);
    found.figures.push_back(std::move(curves.figure));
    found.tables.push_back(std::move(curves.table));
  }
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_figures_24_25",
          .title = "Local tests: power",
          .paper = "Rogers, Figures 24 and 25 (section 8.2.2)",
          .shows =
              "LocalGOF and LocalGeneral on reports of the exponential mechanism, MC-GenChiTest on reports with Laplace noise, and the "
              "classical tests of data without privacy. Four equal cells against 0.01 (1, -1, -1, 1), and independence against 0.025 (1, "
              "-1)'(1, -1). The pictures are not in the text of the paper, nor epsilon: here are 1/2, 1 and 2.",
          .version = 1,
          .seconds = 42,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figures_24_25

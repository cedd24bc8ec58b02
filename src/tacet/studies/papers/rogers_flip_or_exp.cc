#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/local/local_goodness_of_fit.h"
#include "tacet/inference/local/local_tables.h"
#include "tacet/planning/local_plan.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_flip_or_exp {
namespace {

using inference::GofStatistic;
using inference::LocalGofDesign;
using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;

constexpr std::size_t kTrials = 10000, kInAHurry = 1000, kBlock = 2500;
constexpr std::array<double, 4> kEpsilons = {0.5, 1, 2, 3};
constexpr std::array<std::size_t, 8> kCategories = {2, 4, 8, 16, 32, 64, 128, 256};
/// The alternative changes every probability by this share, up and down in turn.
constexpr double kShare = 0.2, kPower = 0.8;
/// Where the orders of powers turn is looked for up to so many categories.
constexpr std::size_t kMostCategories = 300;

/// The randomizers, as the sums of a cell begin: rejections of tables that follow the alternative,
/// then of tables that follow the null hypothesis.
enum Randomizer : std::uint8_t { kExp, kFlip, kLaplace, kGaussian };
constexpr std::size_t kSimulated = 2;
constexpr std::array kNames = {"exponential mechanism", "flip", "Laplace noise", "Gaussian noise, epsilon^2/2-zCDP"};

LocalRandomizer randomizer(std::size_t which, double epsilon) {
  switch (which) {
    case kExp: return {LocalKind::Exp, epsilon};
    case kFlip: return {LocalKind::Flip, epsilon};
    case kLaplace: return {LocalKind::Laplace, 2 / epsilon};
    default: return {LocalKind::Gaussian, std::sqrt(2) / epsilon};
  }
}

GofStatistic statistic_of(std::size_t which) { return which == kExp ? GofStatistic::Classical : GofStatistic::Projected; }

std::string cell_name(double epsilon, std::size_t categories) { return fmt::format("epsilon={} d={}", epsilon, categories); }
std::string limit_name(double epsilon, std::size_t categories) { return "limit " + cell_name(epsilon, categories); }
std::string turn_name(double epsilon) { return fmt::format("turns epsilon={}", epsilon); }

/// Equal probabilities, or probabilities proportional to 1, 1/2, 1/3, ..., and what changes.
enum Deviation : std::uint8_t { kEqual, kInProportion, kMostFrequent, kRarest };
constexpr std::array kDeviations = {"equal probabilities", "1, 1/2, 1/3, ...: all change", "1, 1/2, 1/3, ...: the two most frequent change",
                                    "1, 1/2, 1/3, ...: the two rarest change"};

std::vector<double> null_of(std::size_t deviation, std::size_t categories) {
  std::vector<double> p(categories);
  double sum = 0;
  for (std::size_t i = 0; i < categories; ++i) sum += p[i] = deviation == kEqual ? 1 : 1 / static_cast<double>(i + 1);
  for (double& probability : p) probability /= sum;
  return p;
}

/// In turn up and down; an odd last category keeps what the others leave.
std::vector<double> alternative_of(std::size_t deviation, std::vector<double> p) {
  const std::size_t last = p.size() - 1;
  if (deviation == kMostFrequent || deviation == kRarest) {
    const std::size_t from = deviation == kRarest ? last : 1;
    const double moved = kShare * p[from];
    p[from] -= moved;
    p[from - 1] += moved;
    return p;
  }
  double sum = 0;
  for (std::size_t i = 0; i <= last; ++i) sum += p[i] *= i % 2 == 0 ? 1 + kShare : 1 - kShare;
  for (double& probability : p) probability /= sum;
  return p;
}

planning::LocalGofPlan plan_of(std::size_t which, double epsilon, std::size_t deviation, std::size_t categories) {
  std::vector<double> null = null_of(deviation, categories);
  std::vector<double> alternative = alternative_of(deviation, null);
  return {.null = std::move(null), .alternative = std::move(alternative), .randomizer = randomizer(which, epsilon), .alpha = kRogersAlpha};
}

/// So many people that the better of the two has the power 0.8, by the limits.
Result<double> people(double epsilon, std::size_t categories) {
  double least = 0;
  for (std::size_t which = 0; which < kSimulated; ++which) {
    const planning::LocalGofPlan plan = plan_of(which, epsilon, kEqual, categories);
    TACET_TRY(const double needed, planning::people_for_power(planning::local_gof_power_plan(plan), statistic_of(which), kPower));
    least = which == 0 ? needed : std::min(least, needed);
  }
  return least;
}

Result<Sums> run(double epsilon, std::size_t categories, const Piece& piece) {
  TACET_TRY(const double n, people(epsilon, categories));
  Sums sums(2 * kSimulated);
  for (std::size_t which = 0; which < kSimulated; ++which) {
    const planning::LocalGofPlan plan = plan_of(which, epsilon, kEqual, categories);
    TACET_TRY(const LocalGofDesign design, LocalGofDesign::of(plan.null, n, plan.randomizer));
    TACET_TRY(const auto limit, design.null_distribution(statistic_of(which)));
    const double critical = limit.upper_quantile(kRogersAlpha);
    const auto rejected = [&](const std::vector<double>& truth, std::uint64_t seed) {
      return count_above(
          inference::simulate_local_gof(design, statistic_of(which), truth, {.draws = piece.trials, .seed = seed, .threads = 1}), critical);
    };
    sums[which] = rejected(plan.alternative, piece.seed);
    sums[kSimulated + which] = rejected(plan.null, piece.seed + 1);
  }
  return sums;
}

/// The people, and the power of each randomizer by the limit.
Result<Sums> limits(double epsilon, std::size_t categories) {
  TACET_TRY(const double n, people(epsilon, categories));
  Sums sums = {n};
  for (std::size_t which = 0; which < kNames.size(); ++which) {
    const planning::LocalGofPlan plan = plan_of(which, epsilon, kEqual, categories);
    TACET_TRY(const planning::PlannedPower power, planning::local_gof_power(plan, statistic_of(which), n));
    sums.push_back(power.power);
  }
  return sums;
}

/// So many people that the exponential mechanism has a power of about one half.
double people_for_half(const planning::LocalGofPlan& exp) {
  const std::vector<double> reported = inference::report_probabilities(exp.randomizer, exp.null);
  double noncentrality = 0;
  for (std::size_t i = 0; i < reported.size(); ++i) noncentrality += std::pow(exp.alternative[i] - exp.null[i], 2) / reported[i];
  noncentrality *= std::pow(inference::report_gap(exp.randomizer, reported.size()), 2);
  return std::ceil((2 + 2.5 * std::sqrt(2 * static_cast<double>(reported.size()))) / noncentrality);
}

/// For each deviation and each other randomizer: the least number of categories at which it has
/// more power than the exponential mechanism (0: none), and at how many larger ones it has less; at
/// last, at how many Laplace noise has more than flip.
Result<Sums> turns(double epsilon) {
  const std::size_t rivals = kNames.size() - 1;
  Sums sums(2 * rivals * kDeviations.size() + 1);
  for (std::size_t deviation = 0; deviation < kDeviations.size(); ++deviation) {
    for (std::size_t categories = 2; categories <= kMostCategories; ++categories) {
      const double n = people_for_half(plan_of(kExp, epsilon, deviation, categories));
      std::array<double, kNames.size()> powers{};
      for (std::size_t which = 0; which < kNames.size(); ++which) {
        const planning::LocalGofPlan plan = plan_of(which, epsilon, deviation, categories);
        TACET_TRY(const planning::PlannedPower power, planning::local_gof_power(plan, statistic_of(which), n));
        powers[which] = power.power;
      }
      for (std::size_t which = kFlip; which < kNames.size(); ++which) {
        double& first = sums[2 * (deviation * rivals + which - kFlip)];
        double& back = sums[2 * (deviation * rivals + which - kFlip) + 1];
        if (powers[which] <= powers[kExp]) {
          back += first > 0 ? 1 : 0;
        } else if (first == 0) {
          first = static_cast<double>(categories);
        }
      }
      sums.back() += powers[kLaplace] > powers[kFlip] ? 1 : 0;
    }
  }
  return sums;
}
std::size_t turn_place(std::size_t deviation, std::size_t which) { return 2 * (deviation * (kNames.size() - 1) + which - kFlip); }

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const double epsilon : kEpsilons) {
    for (const std::size_t categories : kCategories) {
      all.push_back({cell_name(epsilon, categories), effort.of(kTrials, kInAHurry), kBlock,
                     [epsilon, categories](Piece& piece) { return run(epsilon, categories, piece); }});
      all.push_back(
          {limit_name(epsilon, categories), 1, 1, [epsilon, categories](Piece& /*piece*/) { return limits(epsilon, categories); }});
    }
    all.push_back({turn_name(epsilon), 1, 1, [epsilon](Piece& /*piece*/) { return turns(epsilon); }});
  }
  return all;
}

/// With E = e^epsilon and equal probabilities, the exponential mechanism has the noncentrality
/// n d |D|^2 ((E-1)/(E+d-1))^2, and noise of variance t for each person n d |D|^2/(1+dt). They are
/// equal at d = t (E-1)^2 - 2 (E-1).
double crossing(std::size_t which, double epsilon) {
  const double gain = std::expm1(epsilon);
  const double variance = mechanisms::covariance(randomizer(which, epsilon), /*n=*/1, {1, 0}, 0, 0);
  return variance * gain * gain - 2 * gain;
}
/// The same for flip, where t = sqrt(E)/(sqrt(E) - 1)^2.
double flip_crossing(double epsilon) { return std::exp(1.5 * epsilon) + std::exp(0.5 * epsilon) + 2; }

report::Panel power_panel(double epsilon, const Measured& measured) {
  report::Panel panel{.title = fmt::format("epsilon = {}", epsilon), .x = {"categories", true}, .y = {"power"}, .series = {}};
  for (std::size_t which = 0; which < kNames.size(); ++which) {
    report::Series limit{kNames[which], {}};
    for (const std::size_t categories : kCategories)
      limit.points.push_back({static_cast<double>(categories), measured.sum(limit_name(epsilon, categories), 1 + which)});
    panel.series.push_back(std::move(limit));
  }
  for (std::size_t which = 0; which < kSimulated; ++which) {
    report::Series simulated{kNames[which], {}, report::Mark::Points};
    for (const std::size_t categories : kCategories)
      simulated.points.push_back(point_of(static_cast<double>(categories), measured.rate(cell_name(epsilon, categories), which)));
    panel.series.push_back(std::move(simulated));
  }
  return panel;
}

/// Where flip, Laplace and Gaussian noise begin to have more power.
report::Panel crossing_panel(const Measured& measured) {
  report::Panel panel{.title = "above the line: more power than exp. mechanism", .x = {"epsilon"}, .y = {"categories", true}, .series = {}};
  for (std::size_t which = kFlip; which < kNames.size(); ++which) {
    report::Series line{kNames[which], {}}, planned{kNames[which], {}, report::Mark::Points};
    for (int i = 1; i <= 40; ++i) {
      const double epsilon = 0.1 * i, at = crossing(which, epsilon);
      if (at >= 1) line.points.push_back({epsilon, at});
    }
    for (const double epsilon : kEpsilons) {
      const double first = measured.sum(turn_name(epsilon), turn_place(kEqual, which));
      if (first > 0) planned.points.push_back({epsilon, first});
    }
    panel.series.push_back(std::move(line));
    if (!planned.points.empty()) panel.series.push_back(std::move(planned));
  }
  return panel;
}

/// The formula against the planned powers of one randomizer.
Verdict formula_verdict(std::string claim, std::size_t which, const Measured& measured, std::string words) {
  std::vector<std::pair<std::string, Comparison>> firsts;
  for (const double epsilon : kEpsilons) {
    const double at = crossing(which, epsilon);
    if (at >= static_cast<double>(kMostCategories)) continue;
    const std::string cell = turn_name(epsilon);
    const double first = measured.sum(cell, turn_place(kEqual, which));
    const double expected = std::max(2.0, std::floor(at) + 1);
    firsts.emplace_back(fmt::format("epsilon = {}", epsilon), Comparison{first, expected, 0});
    firsts.emplace_back(fmt::format("epsilon = {}, turning back", epsilon),
                        Comparison{measured.sum(cell, turn_place(kEqual, which) + 1), 0, 0});
  }
  return all_agree(std::move(claim), firsts, std::move(words));
}

std::vector<Verdict> simulation_verdicts(const Measured& measured) {
  std::vector<std::pair<std::string, Comparison>> by_limit;
  std::vector<std::pair<std::string, Lead>> order;
  std::vector<std::string> all;
  constexpr std::size_t kSettings = kEpsilons.size() * kCategories.size();
  for (const double epsilon : kEpsilons) {
    for (const std::size_t categories : kCategories) {
      const std::string cell = cell_name(epsilon, categories);
      all.push_back(cell);
      for (std::size_t which = 0; which < kSimulated; ++which) {
        by_limit.emplace_back(fmt::format("{}, {}", cell, kNames[which]),
                              compared(measured.rate(cell, which), measured.sum(limit_name(epsilon, categories), 1 + which),
                                       /*paper_trials=*/0, kSimulated * kSettings, /*reading=*/0.01));
      }
      const bool flip_wins = static_cast<double>(categories) > flip_crossing(epsilon);
      order.emplace_back(cell, flip_wins ? Lead::between(measured.rate(cell, kFlip), measured.rate(cell, kExp))
                                         : Lead::between(measured.rate(cell, kExp), measured.rate(cell, kFlip)));
    }
  }
  std::vector<Verdict> found = {leads("simulation and the formula agree on which of exp and flip has more power", order,
                                      "Each difference is the power of the one that the formula prefers, less that of the other."),
                                all_agree("simulated powers are those of the limits", by_limit, "0.01 is allowed for the limits.")};
  for (std::size_t which = 0; which < kSimulated; ++which) {
    const Rate level = pooled(measured, all, kSimulated + which);
    found.push_back(agrees(fmt::format("the test on reports of the randomizer {} has the level 0.05", which == kExp ? "exp" : "flip"),
                           compared(level, kRogersAlpha, /*paper_trials=*/0, kSimulated, /*reading=*/0.001), "All settings together"));
  }
  return found;
}

Verdict unequal_verdict(const Measured& measured, Table& table) {
  double least = 1e9, most = 0;
  bool all_turn = true;
  for (std::size_t deviation = 0; deviation < kDeviations.size(); ++deviation) {
    std::vector<Entry> row = {kDeviations[deviation]};
    for (const double epsilon : kEpsilons) {
      const double first = measured.sum(turn_name(epsilon), turn_place(deviation, kFlip));
      row.emplace_back(first);
      all_turn = all_turn && first > 0 && measured.sum(turn_name(epsilon), turn_place(deviation, kFlip) + 1) == 0;
      least = std::min(least, first / flip_crossing(epsilon));
      most = std::max(most, first / flip_crossing(epsilon));
    }
    table.rows.push_back(std::move(row));
  }
  return holds("the same for unequal probabilities: flip wins from some number of categories on", all_turn,
               {{"least_over_the_formula", least}, {"most_over_the_formula", most}},
               "Where it turns depends on the probabilities and on which of them change");
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  report::Figure powers{.title = "Rogers, section 8.3: power of local tests over the number of categories",
                        .subtitle = "of as many people as the better of exponential mechanism and flip needs for 0.8",
                        .panels = {},
                        .columns = 3};
  Table table{"powers", "Powers at as many people as the better of exp and flip needs for 0.8", {"epsilon", "d", "n"}, {}};
  table.columns.insert(table.columns.end(), kNames.begin(), kNames.end());
  table.columns.insert(table.columns.end(), {"exp, simulated", "flip, simulated"});
  Table crossings{
      "crossings", "The least number of categories at which flip has more power than the exponential mechanism", {"probabilities"}, {}};
  std::vector<Number> at;
  double laplace_ahead = 0;
  bool flip_wins_at_last = true;
  for (const double epsilon : kEpsilons) {
    powers.panels.push_back(power_panel(epsilon, measured));
    crossings.columns.push_back(fmt::format("epsilon = {}", epsilon));
    at.push_back({fmt::format("d_at_epsilon_{}", epsilon), flip_crossing(epsilon)});
    laplace_ahead += measured.sums(turn_name(epsilon)).back();
    for (const std::size_t categories : kCategories) {
      const Sums& limit = measured.sums(limit_name(epsilon, categories));
      std::vector<Entry> row = {epsilon, static_cast<double>(categories)};
      row.insert(row.end(), limit.begin(), limit.end());
      for (std::size_t which = 0; which < kSimulated; ++which) row.emplace_back(measured.rate(cell_name(epsilon, categories), which).share);
      table.rows.push_back(std::move(row));
    }
    flip_wins_at_last = flip_wins_at_last && measured.sum(limit_name(epsilon, kCategories.back()), 1 + kFlip) >
                                                 measured.sum(limit_name(epsilon, kCategories.back()), 1 + kExp);
  }
  found.verdicts.push_back(holds(
      "as d gets large, T^FC of flip has less type II error than the statistic of the exponential mechanism (section 8.3)",
      flip_wins_at_last, at,
      "Settled: with d equal probabilities flip has more power if and only if d > e^(3 epsilon/2) + e^(epsilon/2) + 2, whatever the "
      "alternative and n, since both statistics have d - 1 degrees of freedom and this orders their noncentralities. With small epsilon "
      "that is from five categories on"));
  found.verdicts.push_back(formula_verdict("the powers that are planned turn where the formula says", kFlip, measured,
                                           "For all d up to 300, and none turns back."));
  for (Verdict& verdict : simulation_verdicts(measured)) found.verdicts.push_back(std::move(verdict));
  found.verdicts.push_back(unequal_verdict(measured, crossings));
  found.verdicts.push_back(formula_verdict(
      "against Gaussian noise LocalGOF has better power for small d and worse for large d (section 8.2.2)", kGaussian, measured,
      "It turns at d = 2 (e^epsilon - 1)^2/epsilon^2 - 2 (e^epsilon - 1), which is 2.5 at epsilon = 1. But Gaussian noise promises only "
      "epsilon^2/2-zCDP."));
  found.verdicts.push_back(formula_verdict("against Laplace noise, which promises as much, it turns later", kLaplace, measured,
                                           "At d = 8 (e^epsilon - 1)^2/epsilon^2 - 2 (e^epsilon - 1), which is 20.2 at epsilon = 1."));
  found.verdicts.push_back(
      holds("Laplace noise never has more power than flip", laplace_ahead == 0, {{"settings_with_more", laplace_ahead}},
            "Its variance for each person is 8/epsilon^2, and that of flip 1/(4 sinh(epsilon/4)^2), at most half of it"));
  powers.panels.push_back(crossing_panel(measured));
  found.figures.push_back(std::move(powers));
  found.tables = {std::move(crossings), std::move(table)};
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_flip_or_exp",
          .title = "Local tests over the number of categories: flip or the exponential mechanism",
          .paper = "Rogers, section 8.3",
          .shows =
              "The comparison that the paper left open, of the local tests as d and epsilon change, by noncentralities and by simulation. "
              "Probabilities are equal and change by 20 %, up and down in turn, unless another deviation is named.",
          .version = 1,
          .seconds = 3,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_flip_or_exp

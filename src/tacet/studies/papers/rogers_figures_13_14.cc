#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/planning/independence_plan.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_13_14 {
namespace {

constexpr std::size_t kPaperTrials = 1000, kInAHurry = 500, kBlock = 500;
constexpr std::array kPeople = {500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5};

std::string cell_name(const Hypotheses& truth, const mechanisms::NoiseDistribution& noise, double n) {
  return fmt::format("{} {} n={}", truth.name, privacy_of(noise), n);
}
std::string without_privacy(const Hypotheses& truth, double n) { return fmt::format("{} n={}", truth.name, n); }

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  const std::size_t trials = effort.of(kPaperTrials, kInAHurry);
  for (const Hypotheses& truth : rogers_dependence()) {
    for (const double n : kPeople) {
      const auto add = [&](std::string name, const mechanisms::NoiseDistribution& noise) {
        all.push_back({std::move(name), trials, kBlock,
                       [&truth, n, noise](Piece& piece) { return independence_sums(truth.alternative, n, noise, piece); }});
      };
      add(without_privacy(truth, n), no_noise());
      for (const double epsilon : kRogersEpsilons) {
        for (const auto& noise : {zcdp_noise(rho_of(epsilon)), laplace_noise(epsilon)}) add(cell_name(truth, noise, n), noise);
      }
    }
  }
  return all;
}

report::Series curve(const Measured& measured, std::string name, IndependenceSum::Place sum, const auto& cell_at) {
  std::vector<Rate> rates;
  for (const double n : kPeople) rates.push_back(measured.rate(cell_at(n), sum));
  return rates_by_people(std::move(name), kPeople, rates);
}

void add_figures(const Measured& measured, Findings& found) {
  report::Figure gaussian{.title = "Rogers, Figure 13: power with Gaussian noise", .panels = {}, .columns = 3};
  report::Figure laplace{.title = "Rogers, Figure 14: power with Laplace noise", .panels = {}, .columns = 2};
  for (const Hypotheses& truth : rogers_dependence()) {
    const report::Series bare =
        curve(measured, "Indep, without privacy", IndependenceSum::Unmodified, [&](double n) { return without_privacy(truth, n); });
    report::Panel pure{.title = truth.name, .x = {"people", true}, .y = {"rejected"}, .series = {bare}};
    for (const double epsilon : kRogersEpsilons) {
      const auto noise = zcdp_noise(rho_of(epsilon)), other = laplace_noise(epsilon);
      const auto at = [&](double n) { return cell_name(truth, noise, n); };
      gaussian.panels.push_back({.title = fmt::format("{} {}", truth.name, privacy_of(noise)),
                                 .x = {"people", true},
                                 .y = {"rejected"},
                                 .series = {bare, curve(measured, "AsymptIndep, corrected", IndependenceSum::Asymptotic, at),
                                            curve(measured, "AsymptIndep as printed", IndependenceSum::AsPrinted, at),
                                            curve(measured, "MCIndep", IndependenceSum::MonteCarlo, at)}});
      pure.series.push_back(curve(measured, fmt::format("MCIndep, {}", privacy_of(other)), IndependenceSum::MonteCarlo,
                                  [&](double n) { return cell_name(truth, other, n); }));
    }
    laplace.panels.push_back(std::move(pure));
  }
  found.figures = {std::move(gaussian), std::move(laplace)};
}

/// The tests of a setting and the one without privacy.
struct Powers {
  std::string where;
  const Hypotheses* truth;
  double epsilon, n;
  Rate bare, corrected, printed, drawn, laplace;
};

std::vector<Powers> all_powers(const Measured& measured) {
  std::vector<Powers> all;
  for (const Hypotheses& truth : rogers_dependence()) {
    for (const double epsilon : kRogersEpsilons) {
      for (const double n : kPeople) {
        const std::string gaussian = cell_name(truth, zcdp_noise(rho_of(epsilon)), n),
                          laplace = cell_name(truth, laplace_noise(epsilon), n);
        all.push_back({fmt::format("{}, epsilon = {}, n = {}", truth.name, epsilon, n), &truth, epsilon, n,
                       measured.rate(without_privacy(truth, n), IndependenceSum::Unmodified),
                       measured.rate(gaussian, IndependenceSum::Asymptotic), measured.rate(gaussian, IndependenceSum::AsPrinted),
                       measured.rate(gaussian, IndependenceSum::MonteCarlo), measured.rate(laplace, IndependenceSum::MonteCarlo)});
      }
    }
  }
  return all;
}

Table table_of(const std::vector<Powers>& all) {
  Table table{"powers",
              "Power at level 0.05",
              {"alternative", "epsilon", "n", "Indep without privacy", "AsymptIndep, corrected", "AsymptIndep as printed",
               "MCIndep, Gaussian noise", "MCIndep, Laplace noise"},
              {}};
  for (const Powers& one : all) {
    table.rows.push_back(
        {one.truth->name, one.epsilon, one.n, one.bare.share, one.corrected.share, one.printed.share, one.drawn.share, one.laplace.share});
  }
  return table;
}

/// Each test with less privacy than before, and no test with more power than without.
void conclude_orders(const std::vector<Powers>& all, Findings& found) {
  std::vector<AtMost> than_bare, by_privacy;
  double least = 1;
  for (const Powers& one : all) {
    for (const Rate& rate : {one.corrected, one.printed, one.drawn, one.laplace}) {
      than_bare.push_back({one.where, rate, one.bare});
      if (one.n == kPeople.back()) least = std::min(least, rate.share);
    }
    for (const Powers& other : all) {
      if (other.truth != one.truth || other.n != one.n || other.epsilon <= one.epsilon) continue;
      by_privacy.push_back({"AsymptIndep, " + one.where, one.corrected, other.corrected});
      by_privacy.push_back({"MCIndep with Gaussian noise, " + one.where, one.drawn, other.drawn});
      by_privacy.push_back({"MCIndep with Laplace noise, " + one.where, one.laplace, other.laplace});
    }
  }
  found.verdicts.push_back(is_at_most("no private test has more power than Indep without privacy", than_bare));
  found.verdicts.push_back(is_at_most("less privacy gives more power, for each test", by_privacy));
  found.verdicts.push_back(holds("more people recover the power of Indep", least > 0.99, {{"least_power", least}},
                                 fmt::format("The least power of the private tests with {:.0f} people", kPeople.back())));
}

/// AsymptIndep beside MCIndep and beside its limit, where no cell is small.
Status conclude_asymptotic(const std::vector<Powers>& all, Findings& found) {
  constexpr double kLarge = 6;
  /// The limit is that of alternatives that approach independence as n grows.
  constexpr double kLocal = 0.01;
  std::vector<AtMost> printed, corrected;
  std::vector<std::pair<std::string, Comparison>> limits;
  double loss = 0, gain = 0;
  for (const Powers& one : all) {
    const mechanisms::NoiseDistribution noise = zcdp_noise(rho_of(one.epsilon));
    if (least_cell(one.truth->alternative, one.n, noise) < kLarge) continue;
    printed.push_back({one.where, one.printed, one.drawn});
    corrected.push_back({one.where, one.drawn, one.corrected});
    loss = std::max(loss, one.drawn.share - one.printed.share);
    gain = std::max(gain, one.corrected.share - one.printed.share);
    const planning::IndependencePlan plan{.shape = {2, 2}, .alternative = one.truth->alternative, .noise = noise, .alpha = kRogersAlpha};
    TACET_TRY(const planning::PlannedPower planned, planning::independence_plan_power(plan, inference::GofStatistic::Classical, one.n));
    limits.emplace_back(one.where, compared(one.corrected, planned.power, 0, all.size(), kLocal));
  }
  const std::string where = fmt::format("Where every cell expects at least {} standard deviations of the noise.", kLarge);
  Verdict worse = is_at_most("AsymptIndep as printed has less power than MCIndep (section 6.3.2)", printed, where);
  worse.numbers.push_back({"largest_loss", loss});
  found.verdicts.push_back(std::move(worse));
  Verdict better = is_at_most("with corrected weights AsymptIndep has at least the power of MCIndep", corrected, where, Outcome::Better);
  better.numbers.push_back({"largest_gain_on_the_print", gain});
  found.verdicts.push_back(std::move(better));
  found.verdicts.push_back(all_agree(
      "the power of the corrected AsymptIndep is that of its limit", limits,
      fmt::format("{} Beside `plan independence`; the tolerance has {} for the covariance of the alternative, which the limit takes "
                  "from the hypothesis.",
                  where, kLocal)));
  return {};
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  const std::vector<Powers> all = all_powers(measured);
  add_figures(measured, found);
  conclude_orders(all, found);
  TACET_CHECK(conclude_asymptotic(all, found));
  found.tables.push_back(table_of(all));
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_figures_13_14",
          .title = "Independence: the power of tests that know their noise",
          .paper = "Rogers, Figures 13 and 14 (section 6.4.2)",
          .shows =
              "How often tests of independence find dependent 2 x 2 tables. The pictures are not in the text of the paper, and their "
              "alternatives are not stated; here they are those of Figure 21: margins of 1/2 and D = 0.01 (1, -1)'(1, -1), and margins of "
              "2/3 and 1/2 with D = 0.01 (1, -1)'(1, 0).",
          .version = 1,
          .seconds = 8,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figures_13_14

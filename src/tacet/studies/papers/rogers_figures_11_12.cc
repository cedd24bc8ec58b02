#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/planning/gof_plan.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_11_12 {
namespace {

constexpr std::size_t kPaperTrials = 10000, kInAHurry = 4000, kBlock = 1000;
constexpr std::array kPeople = {500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5};
/// Of the comparison by the number of people.
constexpr double kPower = 0.8;

std::string cell_name(const Hypotheses& h, const mechanisms::NoiseDistribution& noise, double n) {
  return fmt::format("{} {} n={}", h.name, privacy_of(noise), n);
}
std::string without_privacy(const Hypotheses& h, double n) { return fmt::format("{} n={}", h.name, n); }

/// Where the sums of a cell are: by the limit for large n (GOF and AsymptGOF), and by MCGOF.
enum Test : std::uint8_t { Limit, Drawn };

/// Sums: rejections by the limit, and by MCGOF, of the same tables.
Result<Sums> run(const Hypotheses& h, double n, const mechanisms::NoiseDistribution& noise, Piece& piece) {
  TACET_TRY(const inference::GofSetting setting, classical_gof(h.null, n, noise));
  TACET_TRY(const double critical, inference::gof_critical(setting.design, setting.statistic, kRogersAlpha));
  const std::vector<double> drawn = mcgof_criticals(setting, piece.trials, piece.stream.word());
  const std::vector<double> seen =
      inference::simulate_gof(setting, h.alternative, {.draws = piece.trials, .seed = piece.seed, .threads = 1});
  Sums sums(2, 0.0);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    sums[Limit] += seen[i] > critical ? 1 : 0;
    sums[Drawn] += seen[i] > drawn[i] ? 1 : 0;
  }
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  const std::size_t trials = effort.of(kPaperTrials, kInAHurry);
  for (const Hypotheses& h : rogers_hypotheses()) {
    for (const double n : kPeople) {
      const auto add = [&](std::string name, const mechanisms::NoiseDistribution& noise) {
        all.push_back({std::move(name), trials, kBlock, [&h, n, noise](Piece& piece) { return run(h, n, noise, piece); }});
      };
      add(without_privacy(h, n), no_noise(/*scale=*/0.01));
      for (const double epsilon : kRogersEpsilons) {
        for (const auto& noise : {zcdp_noise(rho_of(epsilon)), laplace_noise(epsilon)}) add(cell_name(h, noise, n), noise);
      }
    }
  }
  return all;
}

report::Series curve(const Measured& measured, std::string name, Test test, const auto& cell_at) {
  std::vector<Rate> rates;
  for (const double n : kPeople) rates.push_back(measured.rate(cell_at(n), test));
  return rates_by_people(std::move(name), kPeople, rates);
}

void add_figures(const Measured& measured, Findings& found) {
  report::Figure gaussian{.title = "Rogers, Figure 11: power with Gaussian noise", .panels = {}, .columns = 3};
  report::Figure laplace{.title = "Rogers, Figure 12: power with Laplace noise", .panels = {}, .columns = 2};
  for (const Hypotheses& h : rogers_hypotheses()) {
    const auto bare = [&](double n) { return without_privacy(h, n); };
    report::Panel pure{.title = h.name, .x = {"people", true}, .y = {"rejected"}, .series = {}};
    pure.series.push_back(curve(measured, "GOF, without privacy", Limit, bare));
    for (const double epsilon : kRogersEpsilons) {
      const auto noise = zcdp_noise(rho_of(epsilon)), other = laplace_noise(epsilon);
      const auto with_gaussian = [&](double n) { return cell_name(h, noise, n); };
      const auto with_laplace = [&](double n) { return cell_name(h, other, n); };
      report::Panel panel{.title = fmt::format("{} {}", h.name, privacy_of(noise)), .x = {"people", true}, .y = {"rejected"}, .series = {}};
      panel.series.push_back(curve(measured, "GOF, without privacy", Limit, bare));
      panel.series.push_back(curve(measured, "AsymptGOF", Limit, with_gaussian));
      panel.series.push_back(curve(measured, "MCGOF", Drawn, with_gaussian));
      gaussian.panels.push_back(std::move(panel));
      pure.series.push_back(curve(measured, fmt::format("MCGOF, {}", privacy_of(other)), Drawn, with_laplace));
    }
    laplace.panels.push_back(std::move(pure));
  }
  found.figures = {std::move(gaussian), std::move(laplace)};
}

Table table_of(const Measured& measured) {
  Table table{"powers",
              "Power at level 0.05",
              {"alternative", "epsilon", "n", "GOF without privacy", "AsymptGOF", "MCGOF, Gaussian", "MCGOF, Laplace"},
              {}};
  for (const Hypotheses& h : rogers_hypotheses()) {
    for (const double epsilon : kRogersEpsilons) {
      for (const double n : kPeople) {
        const std::string gaussian = cell_name(h, zcdp_noise(rho_of(epsilon)), n);
        table.rows.push_back({h.name, epsilon, n, measured.mean(without_privacy(h, n), Limit), measured.mean(gaussian, Limit),
                              measured.mean(gaussian, Drawn), measured.mean(cell_name(h, laplace_noise(epsilon), n), Drawn)});
      }
    }
  }
  return table;
}

planning::GofPlan plan_of(const Hypotheses& h, const mechanisms::NoiseDistribution& noise) {
  return {.null = h.null, .alternative = h.alternative, .noise = noise, .alpha = kRogersAlpha};
}

/// Orders of powers: the claims that the text makes about both pictures.
Status conclude_orders(const Measured& measured, Findings& found) {
  std::vector<AtMost> than_bare, than_asymptotic, by_privacy;
  std::vector<std::pair<std::string, Comparison>> limits;
  double largest_loss = 0, least_power = 1, most_bare = 0;
  const std::size_t settings = rogers_hypotheses().size() * kPeople.size() * kRogersEpsilons.size();
  for (const Hypotheses& h : rogers_hypotheses()) {
    for (const double n : kPeople) {
      const Rate bare = measured.rate(without_privacy(h, n), Limit);
      if (n == 1e3) most_bare = std::max(most_bare, bare.share);
      std::vector<Rate> before;
      for (const double epsilon : kRogersEpsilons) {
        const std::string gaussian = cell_name(h, zcdp_noise(rho_of(epsilon)), n), laplace = cell_name(h, laplace_noise(epsilon), n);
        const std::string where = fmt::format("{}, epsilon = {}, n = {}", h.name, epsilon, n);
        const std::vector<Rate> here = {measured.rate(gaussian, Limit), measured.rate(gaussian, Drawn), measured.rate(laplace, Drawn)};
        for (std::size_t k = 0; k < here.size(); ++k) {
          than_bare.push_back({where, here[k], bare});
          if (n == kPeople.back()) least_power = std::min(least_power, here[k].share);
          if (!before.empty()) by_privacy.push_back({where, before[k], here[k]});
        }
        before = here;
        than_asymptotic.push_back({where, here[1], here[0]});
        largest_loss = std::max(largest_loss, here[0].share - here[1].share);
        TACET_TRY(const planning::PlannedPower planned,
                  planning::gof_plan_power(plan_of(h, zcdp_noise(rho_of(epsilon))), inference::GofStatistic::Classical, n));
        limits.emplace_back(where, compared(here[0], planned.power, 0, settings));
      }
    }
  }
  found.verdicts.push_back(is_at_most("no private test has more power than GOF without privacy", than_bare));
  found.verdicts.push_back(is_at_most("less privacy gives more power, for each test", by_privacy));
  Verdict monte_carlo = is_at_most("MCGOF has empirically less power than AsymptGOF", than_asymptotic,
                                   "The critical value of 59 draws varies, which costs power.");
  monte_carlo.numbers.push_back({"largest_loss", largest_loss});
  found.verdicts.push_back(std::move(monte_carlo));
  found.verdicts.push_back(
      all_agree("the power of AsymptGOF is that of Theorem 6.1.11, without its normal term, which vanishes", limits, "Beside `plan gof`."));
  found.verdicts.push_back(holds("more people recover the power of GOF", least_power > 0.99, {{"least_power", least_power}},
                                 fmt::format("The least power of the private tests with {:.0f} people", kPeople.back())));
  found.verdicts.push_back(holds("GOF itself has difficulty with these alternatives for reasonable numbers of people", most_bare < 0.2,
                                 {{"power_at_1000", most_bare}}, "Without privacy, the larger of both alternatives"));
  return {};
}

/// The people that a power of 0.8 needs, with privacy over without.
Status conclude_people(Findings& found) {
  Table table{"people",
              "People needed for a power of 0.8, by the limit for large n",
              {"alternative", "epsilon", "without privacy", "AsymptGOF", "ratio", "1/epsilon"},
              {}};
  double most = 0;
  for (const Hypotheses& h : rogers_hypotheses()) {
    const planning::GofPlan bare = plan_of(h, no_noise());
    TACET_TRY(const double few, planning::people_for_power(planning::gof_power_plan(bare), inference::GofStatistic::Classical, kPower));
    for (const double epsilon : kRogersEpsilons) {
      const planning::GofPlan plan = plan_of(h, zcdp_noise(rho_of(epsilon)));
      TACET_TRY(const double many, planning::people_for_power(planning::gof_power_plan(plan), inference::GofStatistic::Classical, kPower));
      table.rows.push_back({h.name, epsilon, few, many, many / few, 1 / epsilon});
      most = std::max(most, many / few * epsilon);
    }
  }
  found.verdicts.push_back(holds("privacy multiplies the number of people by less than 1/epsilon (section 6.5)", most < 1,
                                 {{"largest_factor_times_epsilon", most}},
                                 "For a power of 0.8, by `plan gof`; the factors are in the table"));
  found.tables.push_back(std::move(table));
  return {};
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  add_figures(measured, found);
  TACET_CHECK(conclude_orders(measured, found));
  TACET_CHECK(conclude_people(found));
  found.tables.push_back(table_of(measured));
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_figures_11_12",
          .title = "Goodness of fit: the power of tests that know their noise",
          .paper = "Rogers, Figures 11 and 12 (section 6.4.1)",
          .shows =
              "How often tests that know their noise find a deviation of 0.01 that the captions name. The pictures are not in the text of "
              "the paper, and the numbers of people are ours. The captions have 10,000 trials and the text 1,000; here are 10,000.",
          .version = 1,
          .seconds = 2,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figures_11_12

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_6_7 {
namespace {

constexpr std::size_t kPaperTrials = 100000, kInAHurry = 20000, kBlock = 20000;
constexpr std::array kPeople = {500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6};
/// Runs of MCGOF. The paper's picture has one for each point.
constexpr std::size_t kRuns = 10000, kRunsInAHurry = 2000, kRunBlock = 1000;
/// Of Figure 7.
constexpr double kEpsilon = 0.1;

enum NoiseKind : std::uint8_t { Gaussian, Laplace };
constexpr std::array kKinds = {Gaussian, Laplace};

mechanisms::NoiseDistribution noise_of(NoiseKind kind) { return kind == Gaussian ? zcdp_noise(rho_of(kEpsilon)) : laplace_noise(kEpsilon); }

std::string level_cell(const NullHypothesis& null, double epsilon, double n) {
  return fmt::format("level {} {} n={}", null.name, privacy_of(zcdp_noise(rho_of(epsilon))), n);
}

std::string critical_cell(const NullHypothesis& null, NoiseKind kind, double n) {
  return fmt::format("critical {} {} n={}", null.name, privacy_of(noise_of(kind)), n);
}

/// Sums: rejections by AsymptGOF.
Result<Sums> run_level(const std::vector<double>& null, double n, double epsilon, Piece& piece) {
  TACET_TRY(const inference::GofSetting setting, classical_gof(null, n, zcdp_noise(rho_of(epsilon))));
  TACET_TRY(const double critical, inference::gof_critical(setting.design, setting.statistic, kRogersAlpha));
  double rejected = 0;
  for (const double t : inference::simulate_gof(setting, null, {.draws = piece.trials, .seed = piece.seed, .threads = 1}))
    rejected += t > critical ? 1 : 0;
  return Sums{rejected};
}

/// Sums: rejections of a fresh table by MCGOF; its critical value; how often that is at most the
/// critical value of AsymptGOF.
Result<Sums> run_criticals(const std::vector<double>& null, double n, NoiseKind kind, Piece& piece) {
  TACET_TRY(const inference::GofSetting setting, classical_gof(null, n, noise_of(kind)));
  TACET_TRY(const double asymptotic, inference::gof_critical(setting.design, setting.statistic, kRogersAlpha));
  const std::vector<double> criticals = mcgof_criticals(setting, piece.trials, piece.seed);
  const std::vector<double> fresh =
      inference::simulate_gof(setting, null, {.draws = piece.trials, .seed = piece.stream.word(), .threads = 1});
  Sums sums(3, 0.0);
  for (std::size_t i = 0; i < piece.trials; ++i) {
    sums[0] += fresh[i] > criticals[i] ? 1 : 0;
    sums[1] += criticals[i];
    sums[2] += criticals[i] <= asymptotic ? 1 : 0;
  }
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const NullHypothesis& null : null_hypotheses()) {
    for (const double n : kPeople) {
      for (const double epsilon : kRogersEpsilons) {
        all.push_back({level_cell(null, epsilon, n), effort.of(kPaperTrials, kInAHurry), kBlock,
                       [&null, n, epsilon](Piece& piece) { return run_level(null.p, n, epsilon, piece); }});
      }
      for (const NoiseKind kind : kKinds) {
        all.push_back({critical_cell(null, kind, n), effort.of(kRuns, kRunsInAHurry), kRunBlock,
                       [&null, n, kind](Piece& piece) { return run_criticals(null.p, n, kind, piece); }});
      }
    }
  }
  return all;
}

/// P[the 57th of 59 draws is at most the 0.95 quantile]: at least 57 of them are.
double chance_below_quantile() {
  const double below = 1 - kRogersAlpha;
  double chance = 0, ways = 1;
  for (int above = 0; above <= 2; ++above) {
    const int rest = static_cast<int>(kRogersDraws) - above;
    chance += ways * std::pow(below, rest) * std::pow(kRogersAlpha, above);
    ways *= static_cast<double>(rest) / (above + 1);
  }
  return chance;
}

/// The critical values of AsymptGOF at rho = 0.00125, by quadrature of the distribution of
/// Theorem 6.1.7 for these hypotheses, in Python.
struct Independent {
  double n;
  std::array<double, 2> critical;  // of the first two hypotheses
};
constexpr std::array kIndependent = {Independent{1e3, {37.61305390933223, 46.65304757286322}},
                                     Independent{1e4, {10.674514387272426, 11.545218762634883}},
                                     Independent{1e5, {8.097239430441466, 8.181112111324488}}};

Result<double> asymptotic_critical(const NullHypothesis& null, double n) {
  TACET_TRY(const inference::GofSetting setting, classical_gof(null.p, n, zcdp_noise(rho_of(kEpsilon))));
  return inference::gof_critical(setting.design, setting.statistic, kRogersAlpha);
}

Result<Verdict> agrees_with_quadrature() {
  std::vector<std::pair<std::string, Comparison>> compared;
  for (const Independent& one : kIndependent) {
    for (std::size_t i = 0; i < one.critical.size(); ++i) {
      const NullHypothesis& null = null_hypotheses()[i];
      TACET_TRY(const double critical, asymptotic_critical(null, one.n));
      compared.emplace_back(fmt::format("{}, n = {}", null.name, one.n), Comparison{critical, one.critical[i], 1e-9 * one.critical[i]});
    }
  }
  return all_agree("the critical values of AsymptGOF agree with an independent evaluation of (6.9)", compared);
}

Status conclude_levels(const Measured& measured, Findings& found) {
  Table table{"levels", "Type I errors of AsymptGOF at 0.05", {"null", "privacy", "n", "type I error"}, {}};
  report::Figure figure{.title = "Rogers, Figure 6: type I error of AsymptGOF", .panels = {}, .columns = 3};
  const std::vector<double> people(kPeople.begin(), kPeople.end());
  std::vector<std::pair<std::string, Comparison>> levels;
  for (const NullHypothesis& null : null_hypotheses()) {
    report::Panel panel{.title = null.name, .x = {"people", true}, .y = {"rejected"}, .series = {}};
    for (const double epsilon : kRogersEpsilons) {
      const std::string privacy = privacy_of(zcdp_noise(rho_of(epsilon)));
      std::vector<Rate> rates;
      for (const double n : kPeople) {
        rates.push_back(measured.rate(level_cell(null, epsilon, n)));
        levels.emplace_back(fmt::format("{}, {}, n = {}", null.name, privacy, n),
                            compared(rates.back(), kRogersAlpha, 0, null_hypotheses().size() * kRogersEpsilons.size() * kPeople.size()));
        table.rows.push_back({null.name, privacy, n, rates.back().share});
      }
      panel.series.push_back(rates_by_people(privacy, people, rates));
    }
    panel.series.push_back(level_line(people));
    figure.panels.push_back(std::move(panel));
  }
  found.verdicts.push_back(all_agree("AsymptGOF has the level 0.05 in all cases", levels));
  found.figures.push_back(std::move(figure));
  found.tables.push_back(std::move(table));
  return {};
}

Status conclude_criticals(const Measured& measured, Findings& found) {
  Table table{"criticals",
              "Critical values at 0.05",
              {"null", "n", "AsymptGOF", "MCGOF with Gaussian noise", "MCGOF with Laplace noise", "its type I error, Gaussian",
               "its type I error, Laplace"},
              {}};
  report::Figure figure{.title = "Rogers, Figure 7: critical values, rho = 0.00125 and epsilon = 0.1", .panels = {}, .columns = 3};
  std::vector<std::pair<std::string, Comparison>> levels, below;
  const std::size_t settings = null_hypotheses().size() * kPeople.size();
  TACET_TRY(const double classical, pearson_critical(3));
  double least = 1e300, least_at_1000 = 1e300;
  for (const NullHypothesis& null : null_hypotheses()) {
    report::Series asymptotic{"AsymptGOF", {}, report::Mark::LineAndPoints};
    std::array<report::Series, 2> drawn = {report::Series{"MCGOF with Gaussian noise, mean", {}, report::Mark::Points},
                                           report::Series{"MCGOF with Laplace noise, mean", {}, report::Mark::Points}};
    for (const double n : kPeople) {
      TACET_TRY(const double critical, asymptotic_critical(null, n));
      least = std::min(least, critical / classical);
      if (n == 1e3) least_at_1000 = std::min(least_at_1000, critical / classical);
      asymptotic.points.push_back({n, critical});
      std::vector<Entry> row = {null.name, n, critical};
      for (const NoiseKind kind : kKinds) {
        drawn[kind].points.push_back({n, measured.mean(critical_cell(null, kind, n), 1)});
        row.emplace_back(drawn[kind].points.back().y);
      }
      for (const NoiseKind kind : kKinds) {
        const Rate level = measured.rate(critical_cell(null, kind, n));
        levels.emplace_back(fmt::format("{}, {}, n = {}", null.name, privacy_of(noise_of(kind)), n),
                            compared(level, kRogersAlpha, 0, settings * kKinds.size()));
        row.emplace_back(level.share);
      }
      below.emplace_back(fmt::format("{}, n = {}", null.name, n),
                         compared(measured.rate(critical_cell(null, Gaussian, n), 2), chance_below_quantile(), 0, settings));
      table.rows.push_back(std::move(row));
    }
    const report::Series pearson{"classical", {{kPeople.front(), classical}, {kPeople.back(), classical}}, report::Mark::Line};
    figure.panels.push_back({.title = null.name,
                             .x = {"people", true},
                             .y = {"critical value", true},
                             .series = {asymptotic, drawn[Gaussian], drawn[Laplace], pearson}});
  }
  found.verdicts.push_back(
      holds("for reasonably sized data the critical values must be much larger than the classical one", least > 1 && least_at_1000 > 3,
            {{"least_ratio_at_1000", least_at_1000}, {"least_ratio", least}, {"classical", classical}},
            "As multiples of the classical one: the least over the hypotheses at 1,000 people, and at all numbers of people"));
  found.verdicts.push_back(all_agree("MCGOF with m = 59 has the level 0.05, with both noises (Theorem 6.1.5)", levels,
                                     "With 59 draws the bound of the theorem is reached: 3 of 60 ranks reject."));
  found.verdicts.push_back(
      all_agree("the critical values of MCGOF are those of AsymptGOF, up to the chance of 59 draws", below,
                "The share of runs whose critical value is at most that of AsymptGOF, beside the share for draws from its distribution."));
  TACET_TRY(Verdict quadrature, agrees_with_quadrature());
  found.verdicts.push_back(std::move(quadrature));
  found.figures.push_back(std::move(figure));
  found.tables.push_back(std::move(table));
  return {};
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  TACET_CHECK(conclude_levels(measured, found));
  TACET_CHECK(conclude_criticals(measured, found));
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_figures_6_7",
          .title = "Goodness of fit: levels and critical values of tests that know their noise",
          .paper = "Rogers, Figures 6 and 7 (section 6.3.1)",
          .shows =
              "Goodness-of-fit tests that know their noise keep their level: by the limit for large n (AsymptGOF), and with 59 simulated "
              "tables (MCGOF). The pictures are not in the text of the paper; hypotheses and numbers of people are those of Figure 5. "
              "The paper draws one critical value of MCGOF for each point, here it is the mean of 10,000 runs.",
          .version = 1,
          .seconds = 1,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figures_6_7

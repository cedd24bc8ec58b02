#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/planning/gof_plan.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figure_5 {
namespace {

constexpr double kEpsilon = 0.1;
constexpr std::size_t kPaperTrials = 10000;
constexpr std::array kPeople = {500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7};

struct Noise {
  const char* name;
  mechanisms::NoiseDistribution distribution;
};
const std::array kNoises = {Noise{"Gaussian noise, rho = 0.00125", zcdp_noise(rho_of(kEpsilon))},
                            Noise{"Laplace noise, epsilon = 0.1", laplace_noise(kEpsilon)},
                            Noise{"without noise", no_noise(/*scale=*/0.01)}};
constexpr std::size_t kGaussian = 0, kLaplace = 1, kWithout = 2;

std::string cell_name(const NullHypothesis& null, const Noise& noise, double n) {
  return fmt::format("{} {} n={}", null.name, noise.name, n);
}

/// Sums: rejections, the statistic and its square.
Result<Sums> run(const std::vector<double>& null, double n, const mechanisms::NoiseDistribution& noise, Piece& piece) {
  TACET_TRY(const inference::GofSetting setting, classical_gof(null, n, noise));
  TACET_TRY(const double critical, pearson_critical(static_cast<double>(null.size()) - 1));
  Sums sums(3, 0.0);
  for (const double t : inference::simulate_gof(setting, null, {.draws = piece.trials, .seed = piece.seed, .threads = 1})) {
    sums[0] += t > critical ? 1 : 0;
    sums[1] += t;
    sums[2] += t * t;
  }
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const NullHypothesis& null : null_hypotheses()) {
    for (const Noise& noise : kNoises) {
      for (const double n : kPeople) {
        all.push_back({cell_name(null, noise, n), effort.of(kPaperTrials, kPaperTrials), kPaperTrials,
                       [&null, &noise, n](Piece& piece) { return run(null.p, n, noise.distribution, piece); }});
      }
    }
  }
  return all;
}

/// A mean beside what it must be.
Comparison mean_compared(const Measured& measured, const std::string& cell, double exact, std::size_t count) {
  const double mean = measured.mean(cell, 1), variance = measured.mean(cell, 2) - mean * mean;
  return {mean, exact, allowed_errors(count) * std::sqrt(std::max(variance, 0.0) / measured.trials(cell))};
}

double added_by_noise(const std::vector<double>& p, double n, const mechanisms::NoiseDistribution& noise) {
  double added = 0;
  for (const double cell : p) added += inference::cell_noise(noise).variance / (n * cell);
  return added;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table table{"levels", "Type I errors of the unmodified test at 0.05", {"null", "noise", "n", "type I error", "for large n"}, {}};
  report::Figure figure{.title = "Rogers, Figure 5: type I error of the unmodified test", .panels = {}, .columns = 3};
  const std::vector<double> people(kPeople.begin(), kPeople.end());
  std::vector<std::pair<std::string, Comparison>> limits, vanishing, without, means;
  const std::size_t settings = null_hypotheses().size() * kPeople.size();
  double least_at_10000 = 1, least_at_1000 = 1, most_apart = 0;
  for (const NullHypothesis& null : null_hypotheses()) {
    report::Panel panel{.title = null.name, .x = {"people", true}, .y = {"rejected"}, .series = {}};
    for (std::size_t k = 0; k < kNoises.size(); ++k) {
      const Noise& noise = kNoises[k];
      const planning::GofPlan plan{.null = null.p, .alternative = null.p, .noise = noise.distribution, .alpha = kRogersAlpha};
      std::vector<Rate> rates;
      for (const double n : kPeople) {
        const std::string cell = cell_name(null, noise, n), where = fmt::format("{}, n = {}", null.name, n);
        const Rate rate = measured.rate(cell);
        TACET_TRY(const double limit, planning::gof_naive_level(plan, n));
        rates.push_back(rate);
        table.rows.push_back({null.name, std::string(noise.name), n, rate.share, limit});
        if (k == kWithout) {
          without.emplace_back(where, compared(rate, kRogersAlpha, 0, settings));
          continue;
        }
        const double mean = static_cast<double>(null.p.size()) - 1 + added_by_noise(null.p, n, noise.distribution);
        means.emplace_back(fmt::format("{}, {}", noise.name, where), mean_compared(measured, cell, mean, 2 * settings));
        if (k == kGaussian) limits.emplace_back(where, compared(rate, limit, 0, settings));
        if (k == kLaplace)
          most_apart = std::max(most_apart, std::abs(rate.share - measured.rate(cell_name(null, kNoises[kGaussian], n)).share));
        if (n == 1e3) least_at_1000 = std::min(least_at_1000, rate.share);
        if (n == 1e4) least_at_10000 = std::min(least_at_10000, rate.share);
        if (n == kPeople.back()) {
          vanishing.emplace_back(fmt::format("{}, {}", noise.name, where), compared(rate, kRogersAlpha, 0, 2 * null_hypotheses().size()));
        }
      }
      panel.series.push_back(rates_by_people(noise.name, people, rates));
    }
    panel.series.push_back(level_line(people));
    figure.panels.push_back(std::move(panel));
  }
  found.verdicts.push_back(holds("the unmodified test does not keep its level even for relatively large n",
                                 least_at_1000 > 0.2 && least_at_10000 > 0.1,
                                 {{"least_at_1000", least_at_1000}, {"least_at_10000", least_at_10000}},
                                 "The least over the hypotheses and both noises, at 1,000 and 10,000 people, where 0.05 is wanted"));
  found.verdicts.push_back(all_agree("without noise the test has the level 0.05 (Theorem 6.1.1)", without));
  found.verdicts.push_back(
      all_agree("with Gaussian noise its level is that of the distribution of Theorem 6.1.7", limits, "Beside `plan gof`."));
  const double gaussian = inference::cell_noise(kNoises[kGaussian].distribution).variance;
  found.verdicts.push_back(agrees("epsilon = 0.1 and rho = epsilon^2/8 give noise of the same variance",
                                  {inference::cell_noise(kNoises[kLaplace].distribution).variance, gaussian, 1e-9 * gaussian},
                                  fmt::format("The levels of the unmodified test are then at most {:.2g} apart", most_apart)));
  found.verdicts.push_back(
      all_agree("noise makes the expected statistic larger (Lemma 6.1.4)", means,
                "The lemma says that it is at least that without noise; exactly, it is greater by the sum of 1/(rho n p_i)."));
  found.verdicts.push_back(all_agree("noise of a fixed variance does no harm as n grows (Lemma 6.1.3)", vanishing,
                                     fmt::format("The level at {:.0e} people.", kPeople.back())));
  found.figures.push_back(std::move(figure));
  found.tables.push_back(std::move(table));
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_figure_5",
          .title = "Goodness of fit: the unmodified test on noisy counts",
          .paper = "Rogers, Figure 5 (section 6.1.1)",
          .shows =
              "Pearson's test of goodness of fit on noisy counts, as if they had no noise. The picture is not in the text of the paper; "
              "of its hypotheses the text names the first two, and the numbers of people are ours.",
          .version = 1,
          .seconds = 0.1,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figure_5

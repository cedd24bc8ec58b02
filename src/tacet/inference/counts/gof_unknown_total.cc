#include "tacet/inference/counts/gof_unknown_total.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/numeric/noise_sum.h"

namespace tacet::inference {
namespace {

/// The part of alpha that is spent on the totals.
constexpr double kMissedPart = 1.0 / 50;

numeric::NoiseSum noise_of_total(const mechanisms::CountRelease& release) {
  const auto cells = static_cast<double>(release.values.size());
  if (release.noise.structure == mechanisms::NoiseStructure::SumZero) return numeric::NoiseSum(0);
  if (release.noise.family == kernel::NoiseFamily::Laplace && release.noise.support == mechanisms::NoiseSupport::Continuous)
    return numeric::NoiseSum(0, {{.weight = release.noise.scale, .times = cells}});
  // Sums of noise on the integers are nearly normal; half a step covers the lattice.
  const double half_step = release.noise.support == mechanisms::NoiseSupport::Integers ? 0.5 : 0;
  return numeric::NoiseSum(cells * cell_noise(release.noise).variance, {}, half_step);
}

}  // namespace

PossibleTotals possible_totals(const mechanisms::CountRelease& release, double miss) {
  const double total = block_sum(release.values);
  const double reach = noise_of_total(release).two_sided_quantile(miss);
  return {std::max(1.0, std::ceil(total - reach)), std::floor(total + reach)};
}

Status decide_over_totals(GofTest& test, const mechanisms::CountRelease& release, const std::vector<double>& null,
                          const GofOptions& options) {
  const double miss = options.alpha * kMissedPart;
  const PossibleTotals possible = possible_totals(release, miss);
  if (possible.low > possible.high) {
    leave_open(test, "the noisy counts sum to less than one person, so that no table of that size can be drawn");
    return {};
  }
  Simulation simulation = options.simulation;
  simulation.draws = simulation.draws.value_or(usual_draws(null.size(), options.alpha));
  TACET_CHECK(check_draws(*simulation.draws, options.alpha - miss));
  double largest = 0;
  double critical = 0;
  std::optional<double> statistic;
  for (int i = 0; i < kSizes; ++i) {
    const double people = std::nearbyint(possible.low + (possible.high - possible.low) * i / (kSizes - 1));
    TACET_CHECK(check_simulated(null.size(), people));
    TACET_TRY(GofDesign design, GofDesign::of(null, people, cell_noise(release.noise)));
    const GofSetting setting{std::move(design), GofStatistic::Classical, noise_source(release), false, options.denoise, true};
    if (!statistic) {
      TACET_TRY(statistic, gof_statistic_of(setting, release.values));
    }
    const MonteCarloAnswer found = compare(*statistic, simulate_gof(setting, setting.design.null(), simulation), options.alpha - miss);
    largest = std::max(largest, found.p_value);
    critical = std::max(critical, found.critical);
    if (possible.low == possible.high) break;
  }
  // Told in the unit of the classical statistic: divided by the released total.
  const double unit = std::max(1.0, block_sum(release.values));
  test.statistic = *statistic / unit;
  test.critical = critical / unit;
  test.p_value = std::min(1.0, largest + miss);
  test.outcome = decide(*test.p_value, options.alpha);
  test.draws = simulation.draws;
  test.null_distribution = fmt::format(
      "{} simulated tables for each of {} sizes from {:.0f} to {:.0f} people, which the noisy total leaves possible; the largest p-value "
      "of them, plus {:.2g} for the sizes beyond",
      *simulation.draws, kSizes, possible.low, possible.high, miss);
  return {};
}

}  // namespace tacet::inference

#include "tacet/inference/estimates/estimate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/noise_of_cells.h"
#include "tacet/numeric/noise_quantile.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

/// Larger than the relative error of every quantile of continuous noise, so that rounding cannot
/// lower the level.
constexpr double kQuantileSlack = 1e-8;
/// Larger than the relative error of a tail of noise on the integers.
constexpr double kTailSlack = 1e-6;
/// Larger than the relative error of a rounded value and of its sum or difference with a margin.
constexpr double kRoundingSlack = 0x1p-50;
/// Larger than the error of a projected value, relative to the largest value of the table.
constexpr double kProjectionSlack = 1e-9;

/// In units of the noise scale, for all cells together or for one.
double quantile(const NoiseDistribution& noise, std::size_t cells, double alpha, bool simultaneous) {
  if (noise.structure == NoiseStructure::SumZero) {
    if (cells == 1) return 0;
    return simultaneous ? numeric::max_quantile_sum_zero(cells, alpha) : numeric::marginal_quantile_sum_zero(cells, alpha);
  }
  const std::size_t together = simultaneous ? cells : 1;
  return noise.family == NoiseFamily::Gaussian ? numeric::max_quantile_gaussian(together, alpha)
                                               : numeric::max_quantile_laplace(together, alpha);
}

/// The integer bounds of every true count.
Result<Bounds> possible_counts(const CountRelease& release, const EstimateOptions& options) {
  Bounds possible{0, release.n ? *release.n : HUGE_VAL};
  if (!options.bounds) return possible;
  possible = {std::max(possible.lower, std::ceil(options.bounds->lower)), std::min(possible.upper, std::floor(options.bounds->upper))};
  if (possible.lower <= possible.upper) return possible;
  return Error::invalid("bounds", fmt::format("{},{}", options.bounds->lower, options.bounds->upper),
                        "must leave a whole number that a count can be, from 0 to n", "for example: project = bounds bounds = 0,500");
}

CostMeaning meaning_of(const EstimateOptions& options) {
  if (options.shrink != Shrinkage::None) return CostMeaning::UnbiasedEstimate;
  return options.project == Projection::None ? CostMeaning::Exact : CostMeaning::UpperBound;
}

/// The interval of one true count, which is an integer and possible.
void add_interval(Estimate& estimate, double value, double margin, const Bounds& possible) {
  // A released double and the two differences below are rounded; an interval that ends at an
  // integer must contain it.
  const double reach = margin + kRoundingSlack * (std::abs(value) + margin);
  // True counts are integers from 0 to n; an interval without any of them is replaced by the
  // nearest one.
  const double nearest = std::clamp(std::round(value), possible.lower, possible.upper);
  estimate.lower.push_back(std::min(nearest, std::clamp(std::ceil(value - reach), possible.lower, possible.upper)) + 0.0);
  estimate.upper.push_back(std::max(nearest, std::clamp(std::floor(value + reach), possible.lower, possible.upper)) + 0.0);
}

/// Half the width of an interval for a cell that keeps this share of the noise variance.
double margin_with_known_sums(const CountRelease& release, double share, double quantile_of_all) {
  const auto cells = static_cast<double>(release.values.size());
  // A line of the projection has the length sqrt(share), so its sum of absolute values is at most
  // sqrt(share cells): this much of the rounding errors of all cells, and of those of arithmetic.
  const double rounding = std::sqrt(share * cells) * release.grid.value_or(0) / 2;
  return release.noise.scale * std::sqrt(share) * quantile_of_all * (1 + kQuantileSlack) + rounding;
}

Result<Estimate> with_known_sums(const CountRelease& release, const EstimateOptions& options, const Bounds& possible) {
  if (options.shrink != Shrinkage::None || options.project != Projection::None) {
    return Error::invalid("known", fmt::format("given with shrink {} and project {}", name(options.shrink), name(options.project)),
                          "goes without shrink and project");
  }
  TACET_TRY(KeptSums kept, keep_known_sums(release.values, release.noise, release.n, options.known));
  const std::size_t cells = release.values.size();
  const double alpha = 1 - options.confidence;
  Estimate result{};
  if (release.noise.family == NoiseFamily::Gaussian && !discrete_noise(release.noise)) {
    const double together = numeric::max_quantile_gaussian(options.intervals == IntervalKind::Simultaneous ? cells : 1, alpha);
    // The projection is computed in doubles.
    double largest = 1;
    for (const double value : release.values) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < cells; ++i) {
      const double margin = margin_with_known_sums(release, kept.noise_share[i], together) + kProjectionSlack * largest;
      add_interval(result, kept.values[i], margin, possible);
      result.margin = std::max(result.margin, margin);
    }
  } else {
    // No narrower intervals are proven for other noise.
    result.margin = count_margin(release.noise, release.grid, cells, alpha, options.intervals);
    for (const double value : release.values) add_interval(result, value, result.margin, possible);
  }
  result.values = std::move(kept.values);
  result.cost = result.cost_bound = noise_variance(release.noise) * static_cast<double>(cells - kept.rank);
  result.cost_is = CostMeaning::Exact;
  return result;
}

}  // namespace

double count_margin(const NoiseDistribution& noise, std::optional<double> grid, std::size_t cells, double alpha, IntervalKind kind) {
  const bool simultaneous = kind == IntervalKind::Simultaneous;
  if (const auto discrete = discrete_noise(noise)) return discrete->max_quantile(simultaneous ? cells : 1, alpha * (1 - kTailSlack));
  const double ideal = noise.scale * quantile(noise, cells, alpha, simultaneous) * (1 + kQuantileSlack);
  if (!grid) return ideal;
  // A projected cell has its own rounding error and its share of the others': at most half a step
  // each.
  if (noise.structure == NoiseStructure::SumZero) return ideal + *grid;
  // |round(x)| <= q exactly when |x| < q + 1/2: the least such q, in steps of the grid.
  return *grid * std::max(0.0, std::ceil(ideal / *grid - 0.5));
}

Result<Estimate> estimate(const CountRelease& release, const EstimateOptions& options) {
  TACET_CHECK(check_confidence(options.confidence));
  TACET_TRY(const Bounds possible, possible_counts(release, options));
  if (!options.known.empty()) return with_known_sums(release, options, possible);
  TACET_TRY(Denoised denoised,
            denoise(release.values, release.noise, release.n, {options.shrink, options.project, options.bounds, options.target}));
  Estimate result{};
  result.margin = count_margin(release.noise, release.grid, release.values.size(), 1 - options.confidence, options.intervals);
  for (const double value : release.values) add_interval(result, value, result.margin, possible);
  result.values = std::move(denoised.values);
  result.cost_bound = denoised.cost_bound;
  result.unbiased_cost = denoised.unbiased_cost;
  result.cost_is = meaning_of(options);
  result.cost = result.cost_is == CostMeaning::UnbiasedEstimate ? *denoised.unbiased_cost : denoised.cost_bound;
  return result;
}

}  // namespace tacet::inference

#include "tacet/planning/clip.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tacet/numeric/weighted_chi2.h"

namespace tacet::planning {
namespace {

constexpr std::size_t kMostCoordinates = 1'000'000;
constexpr std::int64_t kMostRows = 1'000'000'000'000'000;

Status check_clip(std::span<const double> standard_deviations, std::int64_t n) {
  if (standard_deviations.empty() || standard_deviations.size() > kMostCoordinates) {
    return Error::invalid("sd", fmt::format("a list of {}", standard_deviations.size()), "must be 1 to 10^6 standard deviations",
                          "for example: sd = 0.5,2");
  }
  for (const double sd : standard_deviations) {
    if (!(sd >= 1e-30 && sd <= 1e30))
      return Error::invalid("sd", fmt::format("{}", sd), "must be a finite number greater than 0, between 1e-30 and 1e30");
  }
  if (n < 2 || n > kMostRows) return Error::invalid("n", fmt::format("{}", n), "must be a whole number between 2 and 10^15");
  return {};
}

/// The length that a vector with these variances exceeds with probability 1/n.
Result<double> length_quantile(const std::vector<double>& variances, std::int64_t n) {
  TACET_TRY(const numeric::WeightedChi2 distribution, numeric::WeightedChi2::of_weights(variances));
  return std::sqrt(distribution.upper_quantile(1 / static_cast<double>(n)));
}

}  // namespace

Result<ClipPlan> plan_clip(std::span<const double> standard_deviations, std::int64_t n) {
  TACET_CHECK(check_clip(standard_deviations, n));
  const double sum = std::accumulate(standard_deviations.begin(), standard_deviations.end(), 0.0);
  const double largest = *std::max_element(standard_deviations.begin(), standard_deviations.end());
  ClipPlan plan{};
  std::vector<double> scaled;
  std::vector<double> variances;
  double squares = 0;
  for (const double sd : standard_deviations) {
    plan.factors.push_back(1 / std::sqrt(sd * sum));
    scaled.push_back(sd / sum);
    variances.push_back(sd * sd);
    squares += sd * sd;
  }
  TACET_TRY(plan.clip, length_quantile(scaled, n));
  plan.error = 4 * plan.clip * plan.clip * sum * sum;
  TACET_TRY(plan.isotropic_clip, length_quantile(variances, n));
  plan.isotropic_error = 4 * plan.isotropic_clip * plan.isotropic_clip * static_cast<double>(standard_deviations.size());
  const double log_n = std::log(static_cast<double>(n));
  if (log_n <= squares / (18 * largest * largest)) plan.bernstein_error = 4 * sum * (std::sqrt(8 * log_n * squares) + sum);
  return plan;
}

}  // namespace tacet::planning

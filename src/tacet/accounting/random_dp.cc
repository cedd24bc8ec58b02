#include "tacet/accounting/random_dp.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/check.h"
#include "tacet/accounting/gaussian_curve.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::accounting {
namespace {

constexpr double kMore = 1 + 1e-11;  // more than the error of a quantile

Status check_count(const char* name, std::int64_t value, std::int64_t most) {
  if (value >= 1 && value <= most) return {};
  return Error::invalid(name, fmt::format("{}", value), fmt::format("must be between 1 and {}", most));
}
Status check_rows(std::int64_t n) { return check_count("n", n, 1'000'000'000'000'000); }
Status check_covariance(std::span<const double> covariance) {
  TACET_CHECK(check_count("number of eigenvalues", static_cast<std::int64_t>(covariance.size()), 1'000'000));
  for (const double value : covariance) TACET_CHECK(check_between("eigenvalue", value, 1e-30, "1e-30", 1e30, "at most 1e30"));
  return {};
}

Result<RandomDpNoise> noise_for(const RandomDp& promise, double squared) {
  const double sensitivity = std::sqrt(squared * kMore);
  TACET_TRY(const GaussianScale scale, calibrate_gaussian(ForEpsilonDelta{promise.epsilon(), promise.delta()}, L2{sensitivity}));
  return RandomDpNoise{promise, sensitivity, scale.sigma};
}

/// D(g)^2.
Result<double> whitened_squared(const RandomDp& promise, std::int64_t coordinates, std::int64_t n) {
  const numeric::ChiTerm term{.weight = 1, .df = static_cast<double>(coordinates)};
  TACET_TRY(const auto distribution, numeric::WeightedChi2::of(std::span(&term, 1)));
  return 2 / static_cast<double>(n) * distribution.upper_quantile(promise.gamma());
}

}  // namespace

Result<RandomDp> RandomDp::of(double epsilon, double delta, double gamma) {
  TACET_CHECK(check_between("gamma", gamma, kLeastDelta, "1e-300", 1 - 0x1p-53, "less than 1"));
  // Refuses a promise that no noise can keep.
  TACET_TRY(const ForMu reachable, mu_for(ForEpsilonDelta{epsilon, delta}));
  (void)reachable;
  return RandomDp(epsilon, delta, gamma);
}

Result<RandomDpNoise> calibrate_whitened_mean(const RandomDp& promise, std::int64_t coordinates, std::int64_t n) {
  TACET_CHECK(check_count("number of coordinates", coordinates, 1'000'000));
  TACET_CHECK(check_rows(n));
  TACET_TRY(const double squared, whitened_squared(promise, coordinates, n));
  return noise_for(promise, squared);
}

Result<RandomDpNoise> calibrate_mean_on_whitened_set(const RandomDp& promise, std::span<const double> covariance, std::int64_t n) {
  TACET_CHECK(check_covariance(covariance));
  TACET_CHECK(check_rows(n));
  TACET_TRY(const double squared, whitened_squared(promise, static_cast<std::int64_t>(covariance.size()), n));
  return noise_for(promise, squared * *std::max_element(covariance.begin(), covariance.end()) / static_cast<double>(n));
}

Result<RandomDpNoise> calibrate_mean(const RandomDp& promise, std::span<const double> covariance, std::int64_t n) {
  TACET_CHECK(check_covariance(covariance));
  TACET_CHECK(check_rows(n));
  TACET_TRY(const auto distribution, numeric::WeightedChi2::of_weights(covariance));
  const auto rows = static_cast<double>(n);
  return noise_for(promise, 2 / rows * distribution.upper_quantile(promise.gamma()) / rows);
}

}  // namespace tacet::accounting

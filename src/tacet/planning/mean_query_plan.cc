#include "tacet/planning/mean_query_plan.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tacet/accounting/check.h"
#include "tacet/inference/level.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/inference/means/mean_hypothesis.h"
#include "tacet/inference/means/mean_region.h"
#include "tacet/inference/means/noisy_mean.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/numeric/normal.h"
#include "tacet/numeric/weighted_chi2.h"
#include "tacet/planning/combination.h"
#include "tacet/planning/people_needed.h"
#include "tacet/planning/query_map.h"

namespace tacet::planning {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using mechanisms::matrix_view;
using Matrix = mechanisms::RowMatrix;

Status check_mean_plan(const MeanPlan& plan, MeanQuery query, double n, bool population) {
  if (!plan.covariance && (population || !has_ranges(query))) {
    return Error::invalid("covariance", "missing",
                          population ? "must be given for the population: sampling error depends on it"
                                     : "must be given: rows are clipped at a length that depends on it",
                          "for the people in the file: for = data query = bounded range = 400,150");
  }
  if (plan.dimension() < 1 || plan.dimension() > kernel::kMostColumns) {
    return Error::invalid(plan.covariance ? "covariance" : "range", fmt::format("of {} columns", plan.dimension()),
                          fmt::format("must have 1 to {} columns", kernel::kMostColumns));
  }
  if (plan.covariance) TACET_CHECK(inference::check_covariance(plan.covariance->values, plan.dimension()));
  TACET_CHECK(accounting::check_between("mu", plan.mu, 1e-6, "1e-6", 1e6, "at most 1e6", "for example: mu = 0.5"));
  TACET_CHECK(accounting::check_between("n", n, 2, "2", 1e15, "at most 1e15", "for example: n = 500"));
  if (!has_ranges(query)) return {};
  if (plan.ranges.size() != plan.dimension()) {
    return Error::invalid("range", fmt::format("{} numbers", plan.ranges.size()),
                          fmt::format("must be one for each of the {} columns", plan.dimension()), "for example: range = 400,150");
  }
  for (const double range : plan.ranges)
    TACET_CHECK(accounting::check_between("range", range, 1e-50, "1e-50", 1e50, "at most 1e50", "for example: range = 400,150"));
  return {};
}

Error only_for_tests(MeanQuery query) {
  return Error::of(Code::Unsupported, fmt::format("the query {} is of one number, so it has no region", name(query)),
                   "ask for query = whitened, or plan a test");
}

/// The map of a query that clips all of a row.
Result<QueryMap> clipped_query(const MeanPlan& plan, MeanQuery query, double n) {
  const ClipChoice one_in_n{.n = static_cast<std::int64_t>(n)};
  if (query == MeanQuery::Whitened) return whitened_map(*plan.covariance, one_in_n);
  std::vector<double> sd;
  for (std::size_t j = 0; j < plan.dimension(); ++j) sd.push_back(std::sqrt(plan.covariance->at(j, j)));
  return scaled_map(sd, one_in_n);
}

/// The release of such a query, with its noise left out and the mean at the centre.
Result<inference::NoisyMean> blank_mean(const MeanPlan& plan, MeanQuery query, double n) {
  TACET_TRY(QueryMap clipped, clipped_query(plan, query, n));
  mechanisms::QueryRelease release{};
  release.header.statement = query == MeanQuery::Whitened ? R"({"by": "covariance"})" : R"({"by": "sd"})";
  for (std::size_t j = 0; j < plan.dimension(); ++j) release.columns.push_back(fmt::format("{}", j));
  release.centre.assign(plan.dimension(), 0);
  release.map = std::move(clipped.map);
  release.radius = clipped.radius;
  release.scale = 2 * clipped.radius / plan.mu;
  release.parts = {{.n = n, .sums = std::vector<double>(plan.dimension())}};
  return inference::noisy_mean(release);
}

inference::MeanDistributionOptions of_population(const MeanPlan& plan) {
  return {.target = inference::MeanTarget::Population, .covariance = plan.covariance->values};
}

/// The covariance of the estimate's error, without clipping.
Result<Matrix> error_covariance(const MeanPlan& plan, MeanQuery query, double n, bool population) {
  TACET_TRY(const mechanisms::Matrix noise, mean_noise(plan, query, n));
  Matrix out = matrix_view(noise);
  if (population) out += matrix_view(*plan.covariance) / n;
  return out;
}

double power_of(double separation, double alpha) { return numeric::normal_lower(separation - numeric::normal_upper_quantile(alpha)); }

/// The most power of one column alone.
double column_power(const MeanPlan& plan, const std::vector<double>& eta, double n, double alpha, bool population) {
  double most = 0;
  for (std::size_t j = 0; j < eta.size(); ++j) {
    const double noise = plan.ranges[j] / (plan.mu * n);
    const double variance = noise * noise + (population ? plan.covariance->at(j, j) / n : 0);
    most = std::max(most, std::abs(eta[j]) / std::sqrt(variance));
  }
  return power_of(most, alpha);
}

double combination_radius(const MeanPlan& plan, MeanQuery query, double distance, double n) {
  return query == MeanQuery::NormalCombination ? best_radius({distance, plan.mu, n}) : rare_radius(n);
}

/// The logarithm of the volume; empty if so many rows may be clipped that there is no region.
Result<std::optional<double>> region_volume(const MeanPlan& plan, MeanQuery query, double n, double confidence, bool population) {
  TACET_CHECK(inference::check_confidence(confidence));
  TACET_CHECK(check_mean_plan(plan, query, n, population));
  if (is_for_test(query)) return only_for_tests(query);
  if (population && !has_ranges(query)) {
    TACET_TRY(const inference::NoisyMean mean, blank_mean(plan, query, n));
    TACET_TRY(const inference::MeanRegion region,
              inference::mean_region(mean, {.confidence = confidence, .distribution = of_population(plan)}));
    return region.no_answer ? std::optional<double>() : std::optional(region.log_volume);
  }
  TACET_TRY(const Matrix covariance, error_covariance(plan, query, n, population));
  TACET_TRY(const auto distribution,
            numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = static_cast<double>(plan.dimension())}}));
  const std::vector<double> shape(covariance.data(), covariance.data() + covariance.size());
  return std::optional(inference::log_ellipsoid_volume(shape, plan.dimension(), std::sqrt(distribution.upper_quantile(1 - confidence))));
}

}  // namespace

Status check_alternative(const std::vector<double>& eta, std::size_t columns) {
  if (eta.size() != columns) {
    return Error::invalid("eta", fmt::format("{} numbers", eta.size()), fmt::format("must be one for each of the {} columns", columns),
                          "for example: eta = 10,5");
  }
  if (std::all_of(eta.begin(), eta.end(), [](double value) { return value == 0; }))
    return Error::invalid("eta", "all zeros", "must differ from the mean 0 that is tested");
  return {};
}

Result<mechanisms::Matrix> mean_noise(const MeanPlan& plan, MeanQuery query, double n) {
  TACET_CHECK(check_mean_plan(plan, query, n, /*population=*/false));
  if (is_for_test(query)) return only_for_tests(query);
  const std::size_t d = plan.dimension();
  if (has_ranges(query)) {
    mechanisms::Matrix noise = mechanisms::Matrix::zeros(d, d);
    const auto weight = [&](std::size_t j) {
      return query == MeanQuery::Bounded ? 1 : query == MeanQuery::LeastSquares ? std::sqrt(plan.ranges[j]) : plan.ranges[j];
    };
    double squares = 0;
    for (std::size_t j = 0; j < d; ++j) squares += weight(j) * weight(j);
    for (std::size_t j = 0; j < d; ++j) noise.at(j, j) = std::pow(plan.ranges[j] / (weight(j) * plan.mu * n), 2) * squares;
    return noise;
  }
  TACET_TRY(const inference::NoisyMean mean, blank_mean(plan, query, n));
  return mechanisms::Matrix{d, d, inference::noise_covariance(mean)};
}

Result<double> mean_test_power(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double n, double alpha,
                               bool population) {
  TACET_CHECK(inference::check_alpha(alpha));
  TACET_CHECK(check_mean_plan(plan, query, n, population));
  TACET_CHECK(check_alternative(eta, plan.dimension()));
  if (query == MeanQuery::Column) return column_power(plan, eta, n, alpha, population);
  if (query == MeanQuery::Combination || query == MeanQuery::NormalCombination) {
    if (!population) {
      return Error::of(Code::Unsupported, fmt::format("the query {} is for the population", name(query)),
                       "for the people in the file: query = column, the best of all combinations");
    }
    const double distance = best_direction(*plan.covariance, eta).distance;
    return combination_power({distance, plan.mu, n}, combination_radius(plan, query, distance, n), alpha);
  }
  if (population && !has_ranges(query)) {
    TACET_TRY(const inference::NoisyMean mean, blank_mean(plan, query, n));
    TACET_TRY(const inference::MeanTest test, inference::test_mean(mean, {.null = std::vector<double>(plan.dimension()),
                                                                          .alternative = eta,
                                                                          .alpha = alpha,
                                                                          .distribution = of_population(plan)}));
    // An alternative a hundred deviations away is found without such care.
    if (test.power) return *test.power;
  }
  const auto shift = mechanisms::vector_view(eta);
  TACET_TRY(const Matrix covariance, error_covariance(plan, query, n, population));
  return power_of(std::sqrt(shift.dot(covariance.llt().solve(shift))), alpha);
}

Result<double> people_for_mean_test(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double power, double alpha,
                                    bool population) {
  constexpr double kLeast = 2;
  TACET_TRY(const double people, people_needed(power, alpha, kMostPeople, [&](double n) {
              return mean_test_power(plan, query, eta, std::max(n, kLeast), alpha, population);
            }));
  return std::max(people, kLeast);
}

Result<double> mean_log_volume(const MeanPlan& plan, MeanQuery query, double n, double confidence, bool population) {
  TACET_TRY(const std::optional<double> volume, region_volume(plan, query, n, confidence, population));
  if (volume) return *volume;
  return Error::of(Code::Unsupported,
                   fmt::format("with {:.6g} people so many rows may be clipped that the bias of their mean is unknown", n),
                   "ask for query = whitened, more people or more privacy to be spent");
}

Result<double> people_for_mean_region(const MeanPlan& plan, MeanQuery query, double log_volume, double confidence, bool population) {
  constexpr double kLeast = 2;
  TACET_TRY(const double least, mean_log_volume(plan, query, kMostPeople, confidence, population));
  if (least > log_volume) {
    return Error::of(Code::Unsupported, fmt::format("{:.3g} people do not make the region so small", kMostPeople),
                     "ask for a larger volume, or spend more");
  }
  // A power of 1 if the volume is small enough, and 0 otherwise.
  const auto small_enough = [&](double n) -> Result<double> {
    TACET_TRY(const std::optional<double> reached, region_volume(plan, query, std::max(n, kLeast), confidence, population));
    return reached && *reached <= log_volume ? 1.0 : 0.0;
  };
  TACET_TRY(const double people, people_needed(0.5, 0, kMostPeople, small_enough));
  return std::max(people, kLeast);
}

Result<std::optional<double>> mean_clipped_share(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double n) {
  TACET_CHECK(check_mean_plan(plan, query, n, /*population=*/false));
  if (has_ranges(query)) return std::optional<double>();
  if (is_for_test(query)) {
    TACET_CHECK(check_alternative(eta, plan.dimension()));
    const double distance = best_direction(*plan.covariance, eta).distance;
    const double radius = combination_radius(plan, query, distance, n);
    return std::optional(numeric::normal_upper(radius - distance / 2) + numeric::normal_upper(radius + distance / 2));
  }
  TACET_TRY(const QueryMap clipped, clipped_query(plan, query, n));
  TACET_TRY(const double share, clipped_share(clipped, *plan.covariance));
  return std::optional(share);
}

RangeGains range_gains(const std::vector<double>& ranges) {
  const auto d = static_cast<double>(ranges.size());
  double sum = 0;
  double squares = 0;
  double logs = 0;
  for (const double range : ranges) {
    sum += range;
    squares += range * range;
    logs += std::log(range);
  }
  return {std::exp(logs - d / 2 * std::log(squares / d)), d * squares / (sum * sum)};
}

}  // namespace tacet::planning

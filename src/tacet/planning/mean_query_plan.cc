#include "tacet/planning/mean_query_plan.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tacet/accounting/check.h"
#include "tacet/inference/level.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/inference/means/mean_region.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/numeric/normal.h"
#include "tacet/numeric/weighted_chi2.h"
#include "tacet/planning/clip.h"
#include "tacet/planning/people_needed.h"

namespace tacet::planning {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix_of(const mechanisms::Matrix& matrix) {
  return Eigen::Map<const Matrix>(matrix.values.data(), static_cast<Index>(matrix.rows), static_cast<Index>(matrix.columns));
}

Status check_mean_plan(const MeanPlan& plan, MeanQuery query, double n) {
  if (plan.dimension() < 1 || plan.dimension() > kernel::kMostColumns) {
    return Error::invalid("covariance", fmt::format("a matrix of {} x {}", plan.covariance.rows, plan.covariance.columns),
                          fmt::format("must have 1 to {} columns", kernel::kMostColumns));
  }
  TACET_CHECK(inference::check_covariance(plan.covariance.values, plan.dimension()));
  TACET_CHECK(accounting::check_between("mu", plan.mu, 1e-6, "1e-6", 1e6, "at most 1e6", "for example: mu = 0.5"));
  TACET_CHECK(accounting::check_between("n", n, 2, "2", 1e15, "at most 1e15", "for example: n = 500"));
  if (query != MeanQuery::Bounded) return {};
  if (plan.ranges.size() != plan.dimension()) {
    return Error::invalid("range", fmt::format("{} numbers", plan.ranges.size()),
                          fmt::format("must be one for each of the {} columns", plan.dimension()), "for example: range = 400,150");
  }
  for (const double range : plan.ranges)
    TACET_CHECK(accounting::check_between("range", range, 1e-50, "1e-50", 1e50, "at most 1e50", "for example: range = 400,150"));
  return {};
}

/// The covariance of the estimate's error.
Result<Matrix> error_covariance(const MeanPlan& plan, MeanQuery query, double n, bool population) {
  TACET_TRY(const mechanisms::Matrix noise, mean_noise(plan, query, n));
  Matrix out = matrix_of(noise);
  if (population) out += matrix_of(plan.covariance) / n;
  return out;
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
  TACET_CHECK(check_mean_plan(plan, query, n));
  const std::size_t d = plan.dimension();
  mechanisms::Matrix noise = mechanisms::Matrix::zeros(d, d);
  const double unit = 1 / (plan.mu * n);  // the noise for one unit of sensitivity
  if (query == MeanQuery::Bounded) {
    for (std::size_t j = 0; j < d; ++j) noise.at(j, j) = std::pow(plan.ranges[j] * unit, 2) * static_cast<double>(d);
    return noise;
  }
  const auto people = static_cast<std::int64_t>(n);
  if (query == MeanQuery::Whitened) {
    TACET_TRY(const ClipPlan clip, plan_clip(std::vector<double>(d, 1.0), people));
    const double variance = std::pow(2 * clip.isotropic_clip * unit, 2);
    for (std::size_t i = 0; i < d * d; ++i) noise.values[i] = variance * plan.covariance.values[i];
    return noise;
  }
  std::vector<double> sd;
  for (std::size_t j = 0; j < d; ++j) sd.push_back(std::sqrt(plan.covariance.at(j, j)));
  TACET_TRY(const ClipPlan clip, plan_clip(sd, people));
  for (std::size_t j = 0; j < d; ++j) noise.at(j, j) = std::pow(2 * clip.clip * unit / clip.factors[j], 2);
  return noise;
}

Result<double> mean_test_power(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double n, double alpha) {
  TACET_CHECK(inference::check_alpha(alpha));
  TACET_CHECK(check_alternative(eta, plan.dimension()));
  const Eigen::Map<const VectorXd> shift(eta.data(), static_cast<Index>(eta.size()));
  TACET_TRY(const Matrix covariance, error_covariance(plan, query, n, true));
  return numeric::normal_lower(std::sqrt(shift.dot(covariance.llt().solve(shift))) - numeric::normal_upper_quantile(alpha));
}

Result<double> people_for_mean_test(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double power, double alpha) {
  constexpr double kLeast = 2;
  TACET_TRY(const double people, people_needed(power, alpha, kMostPeople,
                                               [&](double n) { return mean_test_power(plan, query, eta, std::max(n, kLeast), alpha); }));
  return std::max(people, kLeast);
}

Result<double> mean_log_volume(const MeanPlan& plan, MeanQuery query, double n, double confidence, bool population) {
  TACET_CHECK(inference::check_confidence(confidence));
  TACET_TRY(const Matrix covariance, error_covariance(plan, query, n, population));
  TACET_TRY(const auto distribution,
            numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = static_cast<double>(plan.dimension())}}));
  const std::vector<double> shape(covariance.data(), covariance.data() + covariance.size());
  return inference::log_ellipsoid_volume(shape, plan.dimension(), std::sqrt(distribution.upper_quantile(1 - confidence)));
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
    TACET_TRY(const double reached, mean_log_volume(plan, query, std::max(n, kLeast), confidence, population));
    return reached <= log_volume ? 1.0 : 0.0;
  };
  TACET_TRY(const double people, people_needed(0.5, 0, kMostPeople, small_enough));
  return std::max(people, kLeast);
}

}  // namespace tacet::planning

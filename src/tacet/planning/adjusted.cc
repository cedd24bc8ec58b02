#include "tacet/planning/adjusted.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/check.h"
#include "tacet/inference/level.h"
#include "tacet/inference/means/clipped_normal.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/numeric/normal.h"
#include "tacet/numeric/weighted_chi2.h"
#include "tacet/planning/mean_query_plan.h"

namespace tacet::planning {
namespace {

using Eigen::VectorXd;
using mechanisms::RowMatrix;
using mechanisms::vector_view;
using numeric::WeightedChi2;

constexpr double kMostCondition = 1e12;
constexpr double kMostEpsilon = 700;  // calibration.h

Status check_adjusted(const AdjustedQuestion& question) {
  const std::size_t d = question.covariance.rows;
  if (d < 1 || d > kernel::kMostColumns || question.covariance.columns != d || question.covariance.values.size() != d * d) {
    return Error::invalid("covariance", fmt::format("{} numbers", question.covariance.values.size()),
                          fmt::format("must be a square matrix of at most {0} by {0} numbers", kernel::kMostColumns));
  }
  TACET_CHECK(check_alternative(question.eta, d));
  TACET_CHECK(accounting::check_between("n", question.n, 1, "1", 1e15, "at most 1e15", "for example: n = 50"));
  TACET_CHECK(accounting::check_between("gamma", question.gamma, 1e-12, "1e-12", 0.5, "at most 0.5", "for example: gamma = 0.0001"));
  return inference::check_alpha(question.alpha);
}

/// Mean and variances of whitened rows that count as 0 beyond a length: those along the mean.
struct RemovedRows {
  double mean, variance;
};

Result<RemovedRows> removed_rows(double d, double length, double radius) {
  const auto within = [&](double df) -> Result<double> {
    TACET_TRY(const WeightedChi2 square,
              WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = df, .noncentrality = length * length}}));
    return square.lower(radius * radius);
  };
  // E[f(|v|) v] = m E f(X), X^2 noncentral with d + 2 degrees of freedom, and so on:
  // docs/explanation/clipped_rows.md
  TACET_TRY(const double kept, within(d + 2));
  TACET_TRY(const double squares, within(d + 4));
  return RemovedRows{length * kept, kept + length * length * (squares - kept * kept)};
}

/// The power of a test on noisy means of trimmed rows: under the null hypothesis their mean is 0.
double trimmed_power(double mean, double null_variance, double variance, double noise, double n, double z) {
  const double squared = noise * noise;
  return numeric::normal_lower((mean - z * std::sqrt(null_variance / n + squared)) / std::sqrt(variance / n + squared));
}

}  // namespace

Result<AdjustedPlan> plan_adjusted(const AdjustedQuestion& question) {
  TACET_CHECK(check_adjusted(question));
  const auto d = static_cast<Eigen::Index>(question.covariance.rows);
  const RowMatrix covariance = mechanisms::matrix_view(question.covariance);
  if ((covariance - covariance.transpose()).cwiseAbs().maxCoeff() > 1e-9 * covariance.cwiseAbs().maxCoeff())
    return Error::invalid("covariance", "not symmetric", "must be symmetric and positive definite");
  const Eigen::SelfAdjointEigenSolver<RowMatrix> solver(covariance / question.n);
  const VectorXd& lambda = solver.eigenvalues();
  if (!(lambda.minCoeff() * kMostCondition > lambda.maxCoeff()))
    return Error::invalid("covariance", "singular or not positive definite", "must be symmetric and positive definite");
  const VectorXd eta = solver.eigenvectors().transpose() * vector_view(question.eta);

  TACET_TRY(const auto unit,
            accounting::calibrate_gaussian(accounting::ForEpsilonDelta{question.epsilon, question.delta}, accounting::L2{1}));
  TACET_TRY(const WeightedChi2 chi2, WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = static_cast<double>(d)}}));
  TACET_TRY(const WeightedChi2 weighted, WeightedChi2::of_weights(std::vector<double>(lambda.begin(), lambda.end())));
  AdjustedPlan plan{};
  const double length = std::sqrt(chi2.upper_quantile(question.gamma));
  plan.D_g = length * std::sqrt(2 / question.n);
  plan.D_fg = plan.D_g * std::sqrt(lambda.maxCoeff());
  plan.D_f = std::sqrt(2 * weighted.upper_quantile(question.gamma) / question.n);
  plan.sigma_g = unit.sigma * plan.D_g;
  plan.sigma_fg = unit.sigma * plan.D_fg;
  plan.sigma_f = unit.sigma * plan.D_f;

  // In the basis of the eigenvectors everything is diagonal.
  const double z = numeric::normal_upper_quantile(question.alpha);
  const double signal = (eta.array().square() / lambda.array()).sum();  // eta' (S/n)^-1 eta
  const auto optimal = [&](double sigma) {
    return numeric::normal_lower(std::sqrt((eta.array().square() / (lambda.array() + sigma * sigma)).sum()) - z);
  };
  const VectorXd with_noise = lambda.array() + plan.sigma_f * plan.sigma_f;
  const double naive_sd = std::sqrt(((eta.array() / lambda.array()).square() * with_noise.array()).sum());
  plan.super_naive_Hf_level = numeric::normal_upper(z * std::sqrt(signal) / naive_sd);
  plan.naive_Hf = numeric::normal_lower(signal / naive_sd - z);
  plan.opt_Hg = optimal(plan.sigma_fg);
  plan.opt_Hf = optimal(plan.sigma_f);
  plan.adjusted = numeric::normal_lower(std::sqrt(signal / (1 + plan.sigma_g * plan.sigma_g)) - z);
  const auto volume_ratio = [&](double sigma) {
    return std::exp(0.5 * ((lambda.array() * (1 + plan.sigma_g * plan.sigma_g)) / (lambda.array() + sigma * sigma)).log().sum());
  };
  plan.vol_ratio_g_over_f = volume_ratio(plan.sigma_f);
  plan.vol_ratio_g_over_fg = volume_ratio(plan.sigma_fg);

  // Differential privacy: the noise of the mean of whitened rows within `length`.
  const double trimmed_noise = 2 * length * unit.sigma / question.n;
  const double distance = std::sqrt(signal / question.n);
  plan.trimmed = trimmed_power(distance, 1, 1, trimmed_noise, question.n, z);
  TACET_TRY(const auto four,
            accounting::calibrate_gaussian(accounting::ForEpsilonDelta{std::min(4 * question.epsilon, kMostEpsilon), question.delta},
                                           accounting::L2{1}));
  plan.trimmed_4_epsilon = trimmed_power(distance, 1, 1, 2 * length * four.sigma / question.n, question.n, z);
  // Beyond a hundred deviations (clipped_normal.h) every power is 1.
  const double within = std::min(distance, 100.0);
  const inference::ClippedNormal rows{.dimension = question.covariance.rows, .variance = 1, .radius = length};
  plan.clipped =
      trimmed_power(within * rows.kept(within), rows.variances(0).along, rows.variances(within).along, trimmed_noise, question.n, z);
  TACET_TRY(const RemovedRows null, removed_rows(static_cast<double>(d), 0, length));
  TACET_TRY(const RemovedRows alternative, removed_rows(static_cast<double>(d), within, length));
  plan.removed = trimmed_power(alternative.mean, null.variance, alternative.variance, trimmed_noise, question.n, z);
  return plan;
}

Result<std::vector<AdjustedPlan>> adjusted_curve(const AdjustedQuestion& question, const std::vector<double>& epsilons) {
  std::vector<AdjustedPlan> plans;
  for (const double epsilon : epsilons) {
    AdjustedQuestion at = question;
    at.epsilon = epsilon;
    TACET_TRY(const AdjustedPlan plan, plan_adjusted(at));
    plans.push_back(plan);
  }
  return plans;
}

}  // namespace tacet::planning

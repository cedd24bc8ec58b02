#include "tacet/planning/adjusted.h"

#include <Eigen/Dense>
#include <cmath>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/check.h"
#include "tacet/inference/level.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/numeric/normal.h"
#include "tacet/numeric/weighted_chi2.h"
#include "tacet/planning/mean_query_plan.h"

namespace tacet::planning {
namespace {

using Eigen::VectorXd;
using numeric::WeightedChi2;
using AdjustedMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kMostCondition = 1e12;

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

}  // namespace

Result<AdjustedPlan> plan_adjusted(const AdjustedQuestion& question) {
  TACET_CHECK(check_adjusted(question));
  const auto d = static_cast<Eigen::Index>(question.covariance.rows);
  const AdjustedMatrix covariance = Eigen::Map<const AdjustedMatrix>(question.covariance.values.data(), d, d);
  if ((covariance - covariance.transpose()).cwiseAbs().maxCoeff() > 1e-9 * covariance.cwiseAbs().maxCoeff())
    return Error::invalid("covariance", "not symmetric", "must be symmetric and positive definite");
  const Eigen::SelfAdjointEigenSolver<AdjustedMatrix> solver(covariance / question.n);
  const VectorXd& lambda = solver.eigenvalues();
  if (!(lambda.minCoeff() * kMostCondition > lambda.maxCoeff()))
    return Error::invalid("covariance", "singular or not positive definite", "must be symmetric and positive definite");
  const VectorXd eta = solver.eigenvectors().transpose() * Eigen::Map<const VectorXd>(question.eta.data(), d);

  TACET_TRY(const auto unit,
            accounting::calibrate_gaussian(accounting::ForEpsilonDelta{question.epsilon, question.delta}, accounting::L2{1}));
  TACET_TRY(const WeightedChi2 chi2, WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = static_cast<double>(d)}}));
  TACET_TRY(const WeightedChi2 weighted, WeightedChi2::of_weights(std::vector<double>(lambda.begin(), lambda.end())));
  AdjustedPlan plan{};
  plan.sigma_g = unit.sigma * std::sqrt(2 * chi2.upper_quantile(question.gamma) / question.n);
  plan.sigma_fg = plan.sigma_g * std::sqrt(lambda.maxCoeff());
  plan.sigma_f = unit.sigma * std::sqrt(2 * weighted.upper_quantile(question.gamma) / question.n);

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
  return plan;
}

}  // namespace tacet::planning

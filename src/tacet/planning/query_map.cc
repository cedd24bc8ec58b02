#include "tacet/planning/query_map.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/check.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/numeric/normal.h"
#include "tacet/numeric/weighted_chi2.h"
#include "tacet/planning/clip.h"
#include "tacet/planning/combination.h"

namespace tacet::planning {
namespace {

using mechanisms::matrix_view;
using mechanisms::RowMatrix;

Status check_square(const mechanisms::Matrix& covariance) {
  if (covariance.rows != covariance.columns || covariance.rows == 0) {
    return Error::invalid("covariance", fmt::format("a matrix of {} x {}", covariance.rows, covariance.columns), "must be a square matrix");
  }
  return inference::check_covariance(covariance.values, covariance.rows);
}

/// The share of rows to clip. A radius stands alone.
Result<double> share_of(const ClipChoice& clip) {
  if (clip.gamma && clip.radius) return Error::invalid("radius", "given with gamma", "must be left out, or gamma");
  if (clip.gamma) {
    TACET_CHECK(accounting::check_between("gamma", *clip.gamma, 1e-15, "1e-15", 0.5, "at most 0.5", "for example: gamma = 0.001"));
    return *clip.gamma;
  }
  if (!clip.n) {
    return Error::invalid("n", "missing", "must be given: rows are clipped at the length that one row in n exceeds",
                          "for example: n = 20000");
  }
  return 1 / static_cast<double>(*clip.n);
}

Result<double> checked_radius(double radius) {
  TACET_CHECK(accounting::check_between("radius", radius, 1e-100, "1e-100", 1e100, "at most 1e100", "for example: radius = 3"));
  return radius;
}

/// clip.h needs some n, which a share or a radius makes irrelevant.
ClipQuestion question_of(const ClipChoice& clip) { return {.n = clip.n.value_or(2), .gamma = clip.gamma, .radius = clip.radius}; }

Status check_clip_choice(const ClipChoice& clip) {
  if (clip.radius && !clip.gamma) return {};
  TACET_TRY([[maybe_unused]] const double share, share_of(clip));
  return {};
}

/// The length that a share of normal rows with this covariance exceeds.
Result<double> length_of(const RowMatrix& covariance, double share) {
  const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<RowMatrix>(covariance, Eigen::EigenvaluesOnly).eigenvalues();
  // Eigenvalues that rounding left at 0 do not matter beside the largest.
  const Eigen::VectorXd weights = eigenvalues.cwiseMax(1e-14 * eigenvalues.maxCoeff());
  TACET_TRY(const auto length, numeric::WeightedChi2::of_weights(std::vector<double>(weights.begin(), weights.end())));
  return std::sqrt(length.upper_quantile(share));
}

}  // namespace

mechanisms::Matrix diagonal(const std::vector<double>& values) {
  mechanisms::Matrix matrix = mechanisms::Matrix::zeros(values.size(), values.size());
  for (std::size_t j = 0; j < values.size(); ++j) matrix.at(j, j) = values[j];
  return matrix;
}

Result<QueryMap> whitened_map(const mechanisms::Matrix& covariance, const ClipChoice& clip) {
  TACET_CHECK(check_square(covariance));
  const RowMatrix sigma = matrix_view(covariance);
  // Correlations are whitened, so that the units of the columns do not matter.
  const Eigen::VectorXd units = sigma.diagonal().cwiseSqrt().cwiseInverse();
  const RowMatrix correlation = units.asDiagonal() * sigma * units.asDiagonal();
  const RowMatrix root = Eigen::SelfAdjointEigenSolver<RowMatrix>(correlation).operatorInverseSqrt() * units.asDiagonal();
  QueryMap query{mechanisms::matrix_from(root), 0};
  if (clip.radius && !clip.gamma) {
    TACET_TRY(query.radius, checked_radius(*clip.radius));
    return query;
  }
  TACET_TRY(const double share, share_of(clip));
  TACET_TRY(const auto length,
            numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = static_cast<double>(covariance.rows)}}));
  query.radius = std::sqrt(length.upper_quantile(share));
  return query;
}

Result<QueryMap> scaled_map(const std::vector<double>& sd, const ClipChoice& clip) {
  TACET_CHECK(check_clip_choice(clip));
  ClipQuestion question = question_of(clip);
  question.sd = sd;
  TACET_TRY(const ClipPlan plan, plan_clip(question));
  return QueryMap{diagonal(plan.best_factors), plan.best_clip};
}

Result<QueryMap> least_squares_map(const mechanisms::Matrix& covariance, const ClipChoice& clip) {
  TACET_CHECK(check_square(covariance));
  TACET_CHECK(check_clip_choice(clip));
  ClipQuestion question = question_of(clip);
  question.covariance = covariance;
  TACET_TRY(const ClipPlan plan, plan_clip(question));
  return QueryMap{plan.best_map, plan.best_clip};
}

Result<QueryMap> weighted_map(const std::vector<double>& weights, const std::optional<mechanisms::Matrix>& covariance,
                              const ClipChoice& clip) {
  for (const double weight : weights)
    TACET_CHECK(accounting::check_between("weights", weight, 1e-30, "1e-30", 1e30, "at most 1e30", "for example: weights = 1,0.5"));
  QueryMap query{diagonal(weights), 0};
  if (clip.radius && !clip.gamma) {
    TACET_TRY(query.radius, checked_radius(*clip.radius));
    return query;
  }
  if (!covariance) {
    return Error::invalid("radius", "missing", "must be given with weights, unless sd or a covariance says how long rows are",
                          "for example: radius = 3");
  }
  TACET_CHECK(check_square(*covariance));
  if (covariance->rows != weights.size())
    return Error::invalid("weights", fmt::format("{} numbers", weights.size()), "must be one for each column of the covariance");
  TACET_TRY(const double share, share_of(clip));
  const RowMatrix map = matrix_view(query.map);
  TACET_TRY(query.radius, length_of(map * matrix_view(*covariance) * map.transpose(), share));
  return query;
}

Result<QueryMap> test_map(const mechanisms::Matrix& covariance, const std::vector<double>& eta, const ClipChoice& clip,
                          const std::optional<double>& mu) {
  TACET_CHECK(check_square(covariance));
  if (eta.size() != covariance.rows) {
    return Error::invalid("direction", fmt::format("{} numbers", eta.size()),
                          fmt::format("must be one for each of the {} columns", covariance.rows));
  }
  if (std::all_of(eta.begin(), eta.end(), [](double value) { return value == 0; }))
    return Error::invalid("direction", "all zeros", "must have a number other than 0");
  const BestDirection best = best_direction(covariance, eta);
  QueryMap query{{1, eta.size(), best.weights}, 0};
  if (clip.radius && !clip.gamma) {
    TACET_TRY(query.radius, checked_radius(*clip.radius));
  } else if (mu && !clip.gamma && clip.n) {
    query.radius = best_radius({.distance = best.distance, .mu = *mu, .n = static_cast<double>(*clip.n)});
  } else {
    TACET_TRY(const double share, share_of(clip));
    query.radius = rare_radius(1 / share);
  }
  return query;
}

Result<double> clipped_share(const QueryMap& query, const mechanisms::Matrix& covariance) {
  const RowMatrix map = matrix_view(query.map);
  const RowMatrix mapped = map * matrix_view(covariance) * map.transpose();
  const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<RowMatrix>(mapped, Eigen::EigenvaluesOnly).eigenvalues();
  const Eigen::VectorXd weights = eigenvalues.cwiseMax(1e-14 * eigenvalues.maxCoeff());
  TACET_TRY(const auto length, numeric::WeightedChi2::of_weights(std::vector<double>(weights.begin(), weights.end())));
  return length.upper(query.radius * query.radius);
}

}  // namespace tacet::planning

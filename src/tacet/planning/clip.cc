#include "tacet/planning/clip.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/check.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::planning {
namespace {

using mechanisms::matrix_view;
using mechanisms::RowMatrix;
using mechanisms::vector_view;
using numeric::ChiTerm;
using numeric::WeightedChi2;

constexpr std::size_t kMostCoordinates = 1'000'000;
constexpr std::int64_t kMostRows = 1'000'000'000'000'000;
constexpr double kLeastShare = 1e-15;
constexpr double kMostShare = 0.5;
/// Up to so many different standard deviations the gradient is exact, or approximate.
constexpr std::size_t kMostExact = 64;
constexpr std::size_t kMostOptimised = 1000;

Status check_deviations(std::span<const double> sd) {
  if (sd.empty() || sd.size() > kMostCoordinates) {
    return Error::invalid("sd", fmt::format("a list of {}", sd.size()), "must be 1 to 10^6 standard deviations", "for example: sd = 0.5,2");
  }
  for (const double one : sd) {
    if (!(one >= 1e-30 && one <= 1e30))
      return Error::invalid("sd", fmt::format("{}", one), "must be a finite number greater than 0, between 1e-30 and 1e30");
  }
  return {};
}

Status check_clip(const ClipQuestion& question) {
  if (question.covariance) {
    if (!question.sd.empty()) return Error::invalid("sd", "given with a covariance", "must be left out: the covariance has the variances");
    const mechanisms::Matrix& covariance = *question.covariance;
    if (covariance.rows < 1 || covariance.rows > kernel::kMostColumns || covariance.columns != covariance.rows) {
      return Error::invalid("covariance", fmt::format("a matrix of {} x {}", covariance.rows, covariance.columns),
                            fmt::format("must be a square matrix of 1 to {} columns", kernel::kMostColumns));
    }
    TACET_CHECK(inference::check_covariance(covariance.values, covariance.rows));
  } else {
    TACET_CHECK(check_deviations(question.sd));
  }
  if (question.n < 2 || question.n > kMostRows)
    return Error::invalid("n", fmt::format("{}", question.n), "must be a whole number between 2 and 10^15");
  if (question.gamma && question.radius) return Error::invalid("radius", "given with gamma", "must be left out, or gamma");
  if (question.gamma) {
    TACET_CHECK(
        accounting::check_between("gamma", *question.gamma, kLeastShare, "1e-15", kMostShare, "at most 0.5", "for example: gamma = 0.001"));
  }
  if (question.radius)
    TACET_CHECK(accounting::check_between("radius", *question.radius, 1e-3, "0.001", 1e3, "at most 1000", "for example: radius = 3"));
  const std::size_t columns = question.covariance ? question.covariance->rows : question.sd.size();
  if (!question.offset.empty() && question.offset.size() != columns) {
    return Error::invalid("offset", fmt::format("{} numbers", question.offset.size()),
                          fmt::format("must be one for each of the {} columns", columns), "for example: offset = 0.1,0");
  }
  for (const double one : question.offset) {
    if (!(std::abs(one) <= 1e50)) return Error::invalid("offset", fmt::format("{}", one), "must be finite, and at most 1e50 in size");
  }
  return {};
}

/// The squared length of the mapped rows, and what 1 in each coordinate of the noise costs.
struct MappedRows {
  std::vector<ChiTerm> length;
  double cost;  // the trace of the inverse of map'map
};

/// Rows that are clipped to a length with this square.
struct Clipped {
  double square, share, error;
};

Result<Clipped> clipped_at(const MappedRows& rows, double square) {
  TACET_TRY(const WeightedChi2 length, WeightedChi2::of(rows.length));
  return Clipped{square, length.upper(square), 4 * square * rows.cost};
}

Result<Clipped> clipped_for(const MappedRows& rows, double share) {
  TACET_TRY(const WeightedChi2 length, WeightedChi2::of(rows.length));
  const double square = length.upper_quantile(share);
  return Clipped{square, share, 4 * square * rows.cost};
}

double mean_square(const MappedRows& rows) {
  double sum = 0;
  for (const ChiTerm& term : rows.length) sum += term.weight * term.df;
  return sum;
}

/// Principal axes with the same standard deviation.
struct Axes {
  double variance;
  double count;
};

MappedRows weighted_axes(const std::vector<Axes>& axes, const std::vector<double>& weights) {
  MappedRows rows{{}, 0};
  for (std::size_t j = 0; j < axes.size(); ++j) {
    rows.length.push_back({.weight = weights[j], .df = axes[j].count});
    rows.cost += axes[j].count * axes[j].variance / weights[j];
  }
  return rows;
}

/// s with K'(s) = square, K the logarithm of the moment generating function.
double saddle_of(const std::vector<ChiTerm>& terms, double square) {
  double largest = 0;
  for (const ChiTerm& term : terms) largest = std::max(largest, term.weight);
  double low = 0;  // quantiles of at most a half lie beyond the mean, or near it
  double high = 0.5 / largest;
  constexpr int kHalvings = 200;
  for (int i = 0; i < kHalvings; ++i) {
    const double s = (low + high) / 2;
    double mean = 0;
    for (const ChiTerm& term : terms) mean += term.df * term.weight / (1 - 2 * term.weight * s);
    (mean < square ? low : high) = s;
  }
  return low;
}

/// As quantile_slopes, nearly.
std::vector<double> saddle_slopes(const std::vector<ChiTerm>& terms, double saddle) {
  std::vector<double> slopes;
  for (const ChiTerm& term : terms) slopes.push_back(term.df * term.weight / (1 - 2 * term.weight * saddle));
  return slopes;
}

/// Proportional to the derivatives of the quantile by the logarithms of the weights.
Result<std::vector<double>> quantile_slopes(const std::vector<ChiTerm>& terms, double square, double saddle) {
  constexpr double kRounding = 1e-12;
  if (terms.size() > kMostExact) return saddle_slopes(terms, saddle);
  std::vector<double> slopes;
  TACET_TRY(const WeightedChi2 length, WeightedChi2::of(terms));
  const double tail = length.upper(square);
  std::vector<ChiTerm> larger = terms;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    // The derivative of the tail by a weight is df times the density with two more degrees of
    // freedom, and that is a difference of tails: the two are an exponential variable.
    larger[j].df += 2;
    TACET_TRY(const WeightedChi2 longer, WeightedChi2::of(larger));
    larger[j].df -= 2;
    const double more = longer.upper(square) - tail;
    // An axis of far less weight than others makes a difference that rounding hides.
    if (!(more > kRounding * tail)) return saddle_slopes(terms, saddle);
    slopes.push_back(terms[j].df * more / 2);
  }
  return slopes;
}

void normalise(std::vector<double>& weights, const std::vector<Axes>& axes) {
  double sum = 0;
  for (std::size_t j = 0; j < axes.size(); ++j) sum += axes[j].count * weights[j];
  for (double& weight : weights) weight /= sum;
}

struct Best {
  std::vector<double> weights;
  Clipped clipped;
};

Result<Best> best_of(const std::vector<Axes>& axes, std::vector<double> weights, double share) {
  normalise(weights, axes);
  TACET_TRY(const Clipped clipped, clipped_for(weighted_axes(axes, weights), share));
  return Best{std::move(weights), clipped};
}

/// The weights of the least error. At the optimum each axis has the same part in the quantile as in
/// the cost; a step in log w towards it is damped by the curvature at the saddle point, and halved
/// while it does not help.
Result<Best> best_weights(const std::vector<Axes>& axes, double share) {
  std::vector<double> start;
  for (const Axes& one : axes) start.push_back(std::sqrt(one.variance));
  TACET_TRY(Best best, best_of(axes, start, share));  // Lemma 3.1
  std::vector<double> whitened(axes.size(), 1.0);
  std::vector<double> isotropic;
  for (const Axes& one : axes) isotropic.push_back(one.variance);
  for (std::vector<double>* other : {&whitened, &isotropic}) {
    TACET_TRY(Best tried, best_of(axes, std::move(*other), share));
    if (tried.clipped.error < best.clipped.error) best = std::move(tried);
  }
  if (axes.size() == 1 || axes.size() > kMostOptimised) return best;
  constexpr int kMostSteps = 100;
  constexpr int kHalvings = 20;
  constexpr double kSettled = 1e-7;  // in log w; the error is quadratic in it
  for (int step = 0; step < kMostSteps; ++step) {
    const MappedRows rows = weighted_axes(axes, best.weights);
    const double saddle = saddle_of(rows.length, best.clipped.square);
    TACET_TRY(std::vector<double> parts, quantile_slopes(rows.length, best.clipped.square, saddle));
    const double total = std::accumulate(parts.begin(), parts.end(), 0.0);
    std::vector<double> moves;
    double largest = 0;
    for (std::size_t j = 0; j < axes.size(); ++j) {
      const double of_cost = axes[j].count * axes[j].variance / best.weights[j] / rows.cost;
      const double tilt = 2 * best.weights[j] * saddle;
      moves.push_back(std::log(of_cost / (parts[j] / total)) / (2 + tilt / (1 - tilt)));
      largest = std::max(largest, std::abs(moves.back()));
    }
    if (largest <= kSettled) return best;
    bool better = false;
    double length = 1;
    for (int half = 0; half < kHalvings && !better; ++half, length /= 2) {
      std::vector<double> moved = best.weights;
      for (std::size_t j = 0; j < axes.size(); ++j) moved[j] *= std::exp(length * moves[j]);
      TACET_TRY(Best tried, best_of(axes, std::move(moved), share));
      better = tried.clipped.error < best.clipped.error;
      if (better) best = std::move(tried);
    }
    if (!better) return best;
  }
  return best;
}

/// The share of rows for which the best clipping length is this radius: a larger radius for a
/// smaller share.
Result<double> share_of_radius(const std::vector<Axes>& axes, double radius) {
  double low = std::log(kLeastShare);
  double high = std::log(kMostShare);
  const auto radius_at = [&](double log_share) -> Result<double> {
    TACET_TRY(const Best best, best_weights(axes, std::exp(log_share)));
    return std::sqrt(best.clipped.square);
  };
  TACET_TRY(const double longest, radius_at(low));
  TACET_TRY(const double shortest, radius_at(high));
  if (!(radius <= longest && radius >= shortest)) {
    return Error::invalid(
        "radius", fmt::format("{}", radius),
        fmt::format("must be from {:.4g} to {:.4g} here, times the root mean square length of the rows", shortest, longest),
        "give gamma, the share of rows to clip");
  }
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    TACET_TRY(const double reached, radius_at(middle));
    (reached > radius ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

/// The rows of a question in their principal axes; for independent columns these are the columns.
struct ClipRows {
  std::vector<double> variances;  // of the axes
  std::vector<double> offsets;    // along the axes; empty: none
  RowMatrix axes;                 // a column for each axis; empty: the columns themselves
};

ClipRows rows_of(const ClipQuestion& question) {
  ClipRows rows;
  if (!question.covariance) {
    for (const double sd : question.sd) rows.variances.push_back(sd * sd);
    rows.offsets = question.offset;
    return rows;
  }
  const Eigen::SelfAdjointEigenSolver<RowMatrix> solver(matrix_view(*question.covariance));
  rows.variances.assign(solver.eigenvalues().begin(), solver.eigenvalues().end());
  rows.axes = solver.eigenvectors();
  if (question.offset.empty()) return rows;
  const Eigen::VectorXd along = rows.axes.transpose() * vector_view(question.offset);
  rows.offsets.assign(along.begin(), along.end());
  return rows;
}

/// The squared length of rows whose axes have these variances after mapping.
std::vector<ChiTerm> length_terms(const ClipRows& rows, const std::vector<double>& weights) {
  std::vector<ChiTerm> terms;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double away = rows.offsets.empty() ? 0 : rows.offsets[j] * rows.offsets[j] / rows.variances[j];
    terms.push_back({.weight = weights[j], .df = 1, .noncentrality = away});
  }
  return terms;
}

/// ClipRows whose columns are multiplied by factors.
MappedRows multiplied(const ClipQuestion& question, const ClipRows& rows, const std::vector<double>& factors) {
  MappedRows mapped{{}, 0};
  for (const double factor : factors) mapped.cost += 1 / (factor * factor);
  if (!question.covariance) {
    std::vector<double> weights;
    for (std::size_t j = 0; j < factors.size(); ++j) weights.push_back(rows.variances[j] * factors[j] * factors[j]);
    mapped.length = length_terms(rows, weights);
    return mapped;
  }
  const auto d = static_cast<Eigen::Index>(factors.size());
  const auto by = vector_view(factors);
  const RowMatrix product = by.asDiagonal() * matrix_view(*question.covariance) * by.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<RowMatrix> solver(product);
  ClipRows turned;
  for (Eigen::Index j = 0; j < d; ++j) turned.variances.push_back(std::max(solver.eigenvalues()[j], 1e-14 * solver.eigenvalues()[d - 1]));
  if (!question.offset.empty()) {
    const Eigen::VectorXd along = solver.eigenvectors().transpose() * (by.asDiagonal() * vector_view(question.offset));
    turned.offsets.assign(along.begin(), along.end());
  }
  mapped.length = length_terms(turned, turned.variances);
  return mapped;
}

/// Clips rows at a radius over their root mean square length, or for a share of them.
Result<Clipped> clip_rows(const MappedRows& rows, const std::optional<double>& radius, double share) {
  return radius ? clipped_at(rows, *radius * *radius * mean_square(rows)) : clipped_for(rows, share);
}

std::vector<Axes> grouped(const std::vector<double>& variances) {
  std::map<double, double> counts;
  for (const double variance : variances) counts[variance] += 1;
  std::vector<Axes> axes;
  axes.reserve(counts.size());
  for (const auto& [variance, count] : counts) axes.push_back({variance, count});
  return axes;
}

/// The bounds of the paper, for independent columns at the centre.
void add_bounds(const std::vector<double>& sd, double share, ClipPlan& plan) {
  const double sum = std::accumulate(sd.begin(), sd.end(), 0.0);
  const double squares = std::inner_product(sd.begin(), sd.end(), sd.begin(), 0.0);
  const double largest = *std::max_element(sd.begin(), sd.end());
  const double log_n = -std::log(share);
  if (log_n <= squares / (18 * largest * largest)) plan.bernstein_error = 4 * sum * (std::sqrt(8 * log_n * squares) + sum);
  plan.chebyshev_error = 4 * sum * (std::sqrt(2 * squares / share) + sum);
}

}  // namespace

Result<ClipPlan> plan_clip(const ClipQuestion& question) {
  TACET_CHECK(check_clip(question));
  const ClipRows rows = rows_of(question);
  const std::vector<Axes> axes = grouped(rows.variances);
  ClipPlan plan{};
  plan.gamma = question.gamma.value_or(1 / static_cast<double>(question.n));
  if (question.radius) {
    TACET_TRY(plan.gamma, share_of_radius(axes, *question.radius));
  }
  std::vector<double> sd = question.sd;
  for (std::size_t j = 0; question.covariance && j < question.covariance->rows; ++j) sd.push_back(std::sqrt(question.covariance->at(j, j)));
  const double sum = std::accumulate(sd.begin(), sd.end(), 0.0);
  for (const double one : sd) plan.factors.push_back(1 / std::sqrt(one * sum));
  TACET_TRY(const Clipped lemma, clip_rows(multiplied(question, rows, plan.factors), question.radius, plan.gamma));
  plan.clip = std::sqrt(lemma.square);
  plan.error = lemma.error;
  const double trace = std::accumulate(rows.variances.begin(), rows.variances.end(), 0.0);
  const auto d = static_cast<double>(rows.variances.size());
  TACET_TRY(const Clipped isotropic, clip_rows({length_terms(rows, rows.variances), d}, question.radius, plan.gamma));
  plan.isotropic_clip = std::sqrt(isotropic.square);
  plan.isotropic_error = isotropic.error;
  const std::vector<double> ones(rows.variances.size(), 1.0);
  TACET_TRY(const Clipped whitened, clip_rows({length_terms(rows, ones), trace}, question.radius, plan.gamma));
  plan.whitened_clip = std::sqrt(whitened.square);
  plan.whitened_error = whitened.error;
  TACET_TRY(const Best best, best_weights(axes, plan.gamma));
  std::map<double, double> weight_of;
  for (std::size_t j = 0; j < axes.size(); ++j) weight_of[axes[j].variance] = best.weights[j];
  std::vector<double> weights;
  double cost = 0;
  for (const double variance : rows.variances) {
    weights.push_back(weight_of[variance]);
    plan.best_factors.push_back(std::sqrt(weights.back() / variance));
    cost += variance / weights.back();
  }
  TACET_TRY(const Clipped least, clip_rows({length_terms(rows, weights), cost}, question.radius, plan.gamma));
  plan.best_clip = std::sqrt(least.square);
  plan.best_error = least.error;
  if (question.covariance) {
    const RowMatrix map = vector_view(plan.best_factors).asDiagonal() * rows.axes.transpose();
    plan.best_map = mechanisms::Matrix{question.covariance->rows, question.covariance->rows, {map.data(), map.data() + map.size()}};
  } else if (question.offset.empty()) {
    add_bounds(sd, question.radius ? lemma.share : plan.gamma, plan);
  }
  return plan;
}

Result<ClipPlan> plan_clip(std::span<const double> standard_deviations, std::int64_t n) {
  return plan_clip({.sd = {standard_deviations.begin(), standard_deviations.end()}, .n = n});
}

}  // namespace tacet::planning

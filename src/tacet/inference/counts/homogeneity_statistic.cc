#include "tacet/inference/counts/homogeneity_statistic.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "tacet/inference/block_sum.h"

namespace tacet::inference {
namespace {

/// The quadratic form on tables with sum 0, whose kernel is the tables of equal cells: diag(w) +
/// outer w w' + mixed (w 1' + 1 w') + flat 1 1'.
struct HomogeneityForm {
  double outer, mixed, flat;
};

/// With h = sum of p^2 w, which is 1 - t g without cancellation; flat = a/(1 - a (1 - d g/sum w)).
HomogeneityForm form_of(double t, bool total_public, double cells, double sum_w, double g, double h) {
  const double flat = total_public ? sum_w / (cells * g) : (1 - t * cells) * sum_w / (cells * cells * h);
  return {total_public ? t / g : -t * t / h, -flat * cells / sum_w, flat};
}

}  // namespace

HomogeneityStatistic::HomogeneityStatistic(GofStatistic kind, std::size_t cells, std::vector<GroupNoise> noise)
    : kind_(kind),
      cells_(cells),
      noise_(std::move(noise)),
      pooled_(cells),
      mean_(cells),
      right_(cells),
      diagonal_(cells),
      weights_(noise_.size() * cells),
      shares_(noise_.size()) {}

double HomogeneityStatistic::evaluate(std::span<const double> values, std::span<const double> people) {
  if (std::any_of(people.begin(), people.end(), [](double n) { return !(n > 0); })) return std::numeric_limits<double>::infinity();
  return kind_ == GofStatistic::Classical ? classical(values, people) : projected(values, people);
}

void HomogeneityStatistic::pool(std::span<const double> values, std::span<const double> people, std::span<const double> weights) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::fill(mean_.begin(), mean_.end(), 0.0);
  for (std::size_t i = 0; i < groups(); ++i) {
    const double part = weights[i] / all / people[i];
    for (std::size_t j = 0; j < cells_; ++j) mean_[j] += part * values[i * cells_ + j];
  }
}

void HomogeneityStatistic::make_positive(double people) {
  const double least = 1 / std::max(people, 1.0);
  for (std::size_t j = 0; j < cells_; ++j) pooled_[j] = std::max(mean_[j], least);
  const double sum = block_sum(pooled_);
  for (double& p : pooled_) p /= sum;
}

double HomogeneityStatistic::classical(std::span<const double> values, std::span<const double> people) {
  pool(values, people, people);
  make_positive(std::accumulate(people.begin(), people.end(), 0.0));
  double total = 0;
  for (std::size_t i = 0; i < groups(); ++i) {
    total += block_sum(cells_, [&](std::size_t j) {
      const double expected = people[i] * pooled_[j];
      const double deviation = values[i * cells_ + j] - expected;
      return deviation * deviation / expected;
    });
  }
  return total;
}

double HomogeneityStatistic::projected(std::span<const double> values, std::span<const double> people) {
  const auto d = static_cast<double>(cells_);
  const auto r = static_cast<Eigen::Index>(groups());
  const double everybody = std::accumulate(people.begin(), people.end(), 0.0);
  // The plug-in weights groups by the inverse of the variance of a cell with probability 1/d.
  for (std::size_t i = 0; i < groups(); ++i) shares_[i] = people[i] / (1 / d + noise_[i].variance / people[i]);
  pool(values, people, shares_);
  make_positive(everybody);

  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(right_.begin(), right_.end(), 0.0);
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(r + 1, r + 1);
  double found = 0;
  for (std::size_t i = 0; i < groups(); ++i) {
    const double n = people[i];
    const double t = noise_[i].variance / n;
    double* w = weights_.data() + i * cells_;
    double sum_w = 0;
    double g = 0;
    double h = 0;
    double linear = 0;
    double squares = 0;
    for (std::size_t j = 0; j < cells_; ++j) {
      w[j] = 1 / (pooled_[j] + t);
      const double z = values[i * cells_ + j] / n - mean_[j];
      sum_w += w[j];
      g += pooled_[j] * w[j];
      h += pooled_[j] * pooled_[j] * w[j];
      linear += w[j] * z;
      squares += w[j] * z * z;
      diagonal_[j] += n * w[j];
    }
    const HomogeneityForm form = form_of(t, noise_[i].total_public, d, sum_w, g, h);
    found += n * (squares + form.outer * linear * linear);
    for (std::size_t j = 0; j < cells_; ++j) right_[j] += n * w[j] * (values[i * cells_ + j] / n - mean_[j] + form.outer * linear);
    const auto at = static_cast<Eigen::Index>(i);
    c(at, at) = n * form.outer;
    c(at, r) = c(r, at) = n * form.mixed;
    c(r, r) += n * form.flat;
  }
  // This addition changes only tables of equal cells, and makes the matrix invertible.
  c(r, r) += everybody;
  const double level = block_sum(right_) / d;
  for (double& b : right_) b -= level;

  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(r + 1, r + 1);
  Eigen::VectorXd projection = Eigen::VectorXd::Zero(r + 1);
  const auto column = [&](Eigen::Index i, std::size_t j) { return i == r ? 1.0 : weights_[static_cast<std::size_t>(i) * cells_ + j]; };
  for (std::size_t j = 0; j < cells_; ++j) {
    for (Eigen::Index i = 0; i <= r; ++i) {
      const double scaled = column(i, j) / diagonal_[j];
      projection[i] += scaled * right_[j];
      for (Eigen::Index k = 0; k <= i; ++k) gram(i, k) += scaled * column(k, j);
    }
  }
  const Eigen::MatrixXd folded = Eigen::MatrixXd::Identity(r + 1, r + 1) + c * gram.selfadjointView<Eigen::Lower>();
  const Eigen::VectorXd fold = Eigen::PartialPivLU<Eigen::MatrixXd>(folded).solve(c * projection);
  double gained = 0;
  for (std::size_t j = 0; j < cells_; ++j) {
    double step = right_[j];
    for (Eigen::Index i = 0; i <= r; ++i) step -= column(i, j) * fold[i];
    step /= diagonal_[j];
    gained += right_[j] * step;
    mean_[j] += step;
  }
  make_positive(everybody);
  return std::max(0.0, found - gained);
}

}  // namespace tacet::inference

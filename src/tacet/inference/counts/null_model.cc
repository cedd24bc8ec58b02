#include "tacet/inference/counts/null_model.h"

#include <algorithm>
#include <cmath>

namespace tacet::inference {
namespace {

/// The least margin in a first guess, in people: smaller ones cannot be estimated.
constexpr double kLeastMargin = 0.5;
/// A margin below exp(-60) of the largest is treated as outside the parameter space.
constexpr double kMostLogOdds = 60;

/// Probabilities from log-odds against the first; false if one is too extreme.
bool shares_of(std::span<const double> log_odds, std::vector<double>& shares) {
  shares.assign(1, 1.0);
  double sum = 1;
  for (const double value : log_odds) {
    if (!(std::abs(value) <= kMostLogOdds)) return false;
    shares.push_back(std::exp(value));
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;
  return true;
}

}  // namespace

std::unique_ptr<ModelDerivative> NullModel::derivative() const { return std::make_unique<DenseDerivative>(*this); }

std::vector<double> FixedNull::guess(std::span<const double> /*values*/) const { return {}; }

bool FixedNull::probabilities(std::span<const double> /*theta*/, std::span<double> p) const {
  std::copy(null_.begin(), null_.end(), p.begin());
  return true;
}

void FixedNull::jacobian(std::span<const double> /*theta*/, std::span<const double> /*p*/, std::span<double> /*out*/) const {}

IndependentMargins::Margins IndependentMargins::margins(std::span<const double> table) const {
  Margins margins{std::vector<double>(rows_), std::vector<double>(columns_)};
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < columns_; ++j) {
      margins.rows[i] += table[i * columns_ + j];
      margins.columns[j] += table[i * columns_ + j];
    }
  }
  return margins;
}

std::vector<double> IndependentMargins::guess(std::span<const double> values) const {
  Margins found = margins(values);
  std::vector<double> theta;
  theta.reserve(parameters());
  for (std::vector<double>* side : {&found.rows, &found.columns}) {
    for (double& margin : *side) margin = std::max(margin, kLeastMargin);
    for (std::size_t i = 1; i < side->size(); ++i)
      theta.push_back(std::clamp(std::log((*side)[i] / side->front()), -kMostLogOdds, kMostLogOdds));
  }
  return theta;
}

std::unique_ptr<ModelDerivative> IndependentMargins::derivative() const { return std::make_unique<MarginsDerivative>(rows_, columns_); }

bool IndependentMargins::probabilities(std::span<const double> theta, std::span<double> p) const {
  thread_local std::vector<double> rows;
  thread_local std::vector<double> columns;
  if (!shares_of(theta.first(rows_ - 1), rows) || !shares_of(theta.subspan(rows_ - 1), columns)) return false;
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t j = 0; j < columns_; ++j) p[i * columns_ + j] = rows[i] * columns[j];
  return true;
}

void IndependentMargins::jacobian(std::span<const double> /*theta*/, std::span<const double> p, std::span<double> out) const {
  const Margins share = margins(p);
  const std::size_t s = parameters();
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < columns_; ++j) {
      const std::size_t cell = i * columns_ + j;
      double* row = out.data() + cell * s;
      for (std::size_t k = 1; k < rows_; ++k) row[k - 1] = p[cell] * ((i == k ? 1 : 0) - share.rows[k]);
      for (std::size_t k = 1; k < columns_; ++k) row[rows_ + k - 2] = p[cell] * ((j == k ? 1 : 0) - share.columns[k]);
    }
  }
}

}  // namespace tacet::inference

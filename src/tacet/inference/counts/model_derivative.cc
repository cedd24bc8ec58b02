#include "tacet/inference/counts/model_derivative.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tacet/inference/counts/null_model.h"
#include "tacet/numeric/vector_math.h"

namespace tacet::inference {
namespace {

/// Of the central differences that give second derivatives.
constexpr double kDifference = 1e-4;

TACET_INLINE double total(const double (&sums)[8]) {
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

TACET_VECTORISED double dot(const double* values, const double* factors, std::size_t count) {
  double sums[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= count; j += 8)
    for (std::size_t k = 0; k < 8; ++k) sums[k] += values[j + k] * factors[j + k];
  for (; j < count; ++j) sums[0] += values[j] * factors[j];
  return total(sums);
}

/// Adds scale * values to the sums of the columns. Returns the sum of values * factors.
TACET_VECTORISED double fold_row(const double* values, const double* factors, std::size_t columns, double scale, double* column_sums) {
  for (std::size_t j = 0; j < columns; ++j) column_sums[j] += scale * values[j];
  return dot(values, factors, columns);
}

/// The same with weights * (shift + changes) for the values.
TACET_VECTORISED double fold_changed_row(const double* weights, const double* changes, double shift, const double* factors,
                                         std::size_t columns, double scale, double* column_sums) {
  double sums[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= columns; j += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      const double value = weights[j + k] * (shift + changes[j + k]);
      column_sums[j + k] += scale * value;
      sums[k] += value * factors[j + k];
    }
  }
  for (; j < columns; ++j) {
    const double value = weights[j] * (shift + changes[j]);
    column_sums[j] += scale * value;
    sums[0] += value * factors[j];
  }
  return total(sums);
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

DenseDerivative::DenseDerivative(const NullModel& model) : model_(model), jacobian_(model.cells() * model.parameters()) {}

std::size_t DenseDerivative::directions() const { return model_.parameters(); }

void DenseDerivative::move(std::span<const double> theta, std::span<const double> step, std::span<double> out) const {
  for (std::size_t k = 0; k < theta.size(); ++k) out[k] = theta[k] + step[k];
}

void DenseDerivative::at(std::span<const double> theta, std::span<const double> p) {
  theta_.assign(theta.begin(), theta.end());
  model_.jacobian(theta, p, jacobian_);
}

void DenseDerivative::transposed(std::span<const double> f, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < f.size(); ++i)
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += f[i] * jacobian_[i * out.size() + k];
}

void DenseDerivative::weighted(std::span<const double> weights, std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double* row = jacobian_.data() + i * x.size();
    const double change = weights[i] * std::inner_product(x.begin(), x.end(), row, 0.0);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += change * row[k];
  }
}

void DenseDerivative::diagonal(std::span<const double> weights, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double* row = jacobian_.data() + i * out.size();
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += weights[i] * row[k] * row[k];
  }
}

void DenseDerivative::second_derivative(std::span<const double> f, std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  double longest = 0;
  for (const double change : x) longest = std::max(longest, std::abs(change));
  if (!(longest > 0)) return;
  moved_.resize(x.size());
  p_.resize(f.size());
  other_.resize(jacobian_.size());
  const std::size_t s = out.size();
  for (const double step : {kDifference / longest, -kDifference / longest}) {
    for (std::size_t k = 0; k < s; ++k) moved_[k] = theta_[k] + step * x[k];
    if (!model_.probabilities(moved_, p_)) {
      std::fill(out.begin(), out.end(), 0.0);
      return;
    }
    model_.jacobian(moved_, p_, other_);
    for (std::size_t i = 0; i < f.size(); ++i)
      for (std::size_t k = 0; k < s; ++k) out[k] += f[i] * other_[i * s + k] / (2 * step);
  }
}

MarginsDerivative::MarginsDerivative(std::size_t rows, std::size_t columns)
    : row_(rows), column_(columns), row_square_(rows), column_square_(columns), row_sums_(rows), column_sums_(columns) {}

// theta has logarithms against the first row and the first column.
void MarginsDerivative::move(std::span<const double> theta, std::span<const double> step, std::span<double> out) const {
  const std::size_t rows = row_.size();
  for (std::size_t i = 1; i < rows; ++i) out[i - 1] = theta[i - 1] + (step[i] - step[0]);
  for (std::size_t j = 1; j < column_.size(); ++j) out[rows + j - 2] = theta[rows + j - 2] + (step[rows + j] - step[rows]);
}

MarginsDerivative::Means MarginsDerivative::means(std::span<const double> x) const {
  const std::size_t rows = row_.size();
  return {dot(x.data(), row_.data(), rows), dot(x.data() + rows, column_.data(), column_.size())};
}

void MarginsDerivative::at(std::span<const double> /*theta*/, std::span<const double> p) {
  // p is a product, so its first row and column, divided by their sums, are the margins.
  for (std::size_t j = 0; j < column_.size(); ++j) column_[j] = p[j];
  for (std::size_t i = 0; i < row_.size(); ++i) row_[i] = p[i * column_.size()];
  for (std::vector<double>* side : {&row_, &column_}) {
    const double sum = sum_of(*side);
    for (double& share : *side) share /= sum;
  }
  for (std::size_t i = 0; i < row_.size(); ++i) row_square_[i] = row_[i] * row_[i];
  for (std::size_t j = 0; j < column_.size(); ++j) column_square_[j] = column_[j] * column_[j];
}

void MarginsDerivative::transposed(std::span<const double> f, std::span<double> out) const {
  const std::size_t columns = column_.size();
  std::fill(column_sums_.begin(), column_sums_.end(), 0.0);
  double mean = 0;
  for (std::size_t i = 0; i < row_.size(); ++i) {
    row_sums_[i] = fold_row(f.data() + i * columns, column_.data(), columns, row_[i], column_sums_.data());
    mean += row_[i] * row_sums_[i];
  }
  for (std::size_t i = 0; i < row_.size(); ++i) out[i] = row_[i] * (row_sums_[i] - mean);
  for (std::size_t j = 0; j < columns; ++j) out[row_.size() + j] = column_[j] * (column_sums_[j] - mean);
}

void MarginsDerivative::weighted(std::span<const double> weights, std::span<const double> x, std::span<double> out) const {
  const std::size_t rows = row_.size();
  const std::size_t columns = column_.size();
  const Means mean = means(x);
  // p_ij^2 is the product of the squares of the margins.
  std::fill(column_sums_.begin(), column_sums_.end(), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    row_sums_[i] = row_square_[i] * fold_changed_row(weights.data() + i * columns, x.data() + rows, x[i] - mean.rows - mean.columns,
                                                     column_square_.data(), columns, row_square_[i], column_sums_.data());
    total += row_sums_[i];
  }
  for (std::size_t i = 0; i < rows; ++i) out[i] = row_sums_[i] - row_[i] * total;
  for (std::size_t j = 0; j < columns; ++j) out[rows + j] = column_square_[j] * column_sums_[j] - column_[j] * total;
}

// (J' f)_k is the sum of p_kj f_kj less row_k F, where F is the sum of p f; each factor changes by
// its share of dp.
void MarginsDerivative::second_derivative(std::span<const double> f, std::span<const double> x, std::span<double> out) const {
  const std::size_t rows = row_.size();
  const std::size_t columns = column_.size();
  const Means mean = means(x);
  std::fill(column_sums_.begin(), column_sums_.end(), 0.0);
  double all = 0;      // F
  double changed = 0;  // the change of F
  for (std::size_t i = 0; i < rows; ++i) {
    const double* row = f.data() + i * columns;
    row_sums_[i] = row_[i] * fold_changed_row(row, x.data() + rows, x[i] - mean.rows - mean.columns, column_.data(), columns, row_[i],
                                              column_sums_.data());
    changed += row_sums_[i];
    all += row_[i] * dot(row, column_.data(), columns);
  }
  const auto bend = [&](double sum, double share, double change) { return sum - share * (change * all + changed); };
  for (std::size_t i = 0; i < rows; ++i) out[i] = bend(row_sums_[i], row_[i], x[i] - mean.rows);
  for (std::size_t j = 0; j < columns; ++j) out[rows + j] = bend(column_[j] * column_sums_[j], column_[j], x[rows + j] - mean.columns);
}

void MarginsDerivative::diagonal(std::span<const double> weights, std::span<double> out) const {
  const std::size_t rows = row_.size();
  const std::size_t columns = column_.size();
  std::fill(column_sums_.begin(), column_sums_.end(), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    row_sums_[i] =
        row_square_[i] * fold_row(weights.data() + i * columns, column_square_.data(), columns, row_square_[i], column_sums_.data());
    total += row_sums_[i];
  }
  const auto length = [total](double sum, double share) { return sum * (1 - 2 * share) + share * share * total; };
  for (std::size_t i = 0; i < rows; ++i) out[i] = length(row_sums_[i], row_[i]);
  for (std::size_t j = 0; j < columns; ++j) out[rows + j] = length(column_square_[j] * column_sums_[j], column_[j]);
}

}  // namespace tacet::inference

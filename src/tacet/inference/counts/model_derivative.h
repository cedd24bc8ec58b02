// tacet/inference/counts/model_derivative.h: products with the derivative of p(theta), for fits.
//
//   IndependentMargins model(2, 3);
//   std::unique_ptr<ModelDerivative> derivative = model.derivative();
//   std::vector<double> theta = model.guess(release.values), p(model.cells());
//   model.probabilities(theta, p);
//   derivative->at(theta, p);
//   std::vector<double> slope(derivative->directions());
//   derivative->transposed(p, slope);     // slope_k = the sum of p_i times dp_i along k
//
// J is the matrix of the derivatives of d probabilities along s directions. A fit needs only
// products with it. For most models DenseDerivative stores J, and the directions are the
// parameters. For the margins of a large table products are computed without it, and every row and
// every column has a direction: two more than parameters, since only differences matter. Without a
// category that all others are compared with, conjugate gradients take few steps.
// Domain   as the model's. An object has buffers of its own: use one for each thread.
// Cost     DenseDerivative: d s for each product. MarginsDerivative: d + s.
// Checked  tests/inference/null_model_test.cc: both give the same products.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tacet::inference {

class NullModel;

class ModelDerivative {
 public:
  ModelDerivative() = default;
  ModelDerivative(const ModelDerivative&) = delete;
  ModelDerivative& operator=(const ModelDerivative&) = delete;
  virtual ~ModelDerivative() = default;

  virtual std::size_t directions() const = 0;
  /// theta after a step along the directions
  virtual void move(std::span<const double> theta, std::span<const double> step, std::span<double> out) const = 0;

  /// The derivative at theta, where p is p(theta).
  virtual void at(std::span<const double> theta, std::span<const double> p) = 0;

  /// out = J' f
  virtual void transposed(std::span<const double> f, std::span<double> out) const = 0;
  /// out = J' diag(weights) J x
  virtual void weighted(std::span<const double> weights, std::span<const double> x, std::span<double> out) const = 0;
  /// out = the diagonal of J' diag(weights) J
  virtual void diagonal(std::span<const double> weights, std::span<double> out) const = 0;
  /// out = the change of J' f along x: the second derivatives of p, weighted by f, times x
  virtual void second_derivative(std::span<const double> f, std::span<const double> x, std::span<double> out) const = 0;
};

/// For any model, from its Jacobian.
class DenseDerivative final : public ModelDerivative {
 public:
  /// `model` must outlive it.
  explicit DenseDerivative(const NullModel& model);

  std::size_t directions() const override;
  void move(std::span<const double> theta, std::span<const double> step, std::span<double> out) const override;
  void at(std::span<const double> theta, std::span<const double> p) override;
  void transposed(std::span<const double> f, std::span<double> out) const override;
  void weighted(std::span<const double> weights, std::span<const double> x, std::span<double> out) const override;
  void diagonal(std::span<const double> weights, std::span<double> out) const override;
  /// By differences, to a relative 10^-8; 0 beside a border of the parameter space.
  void second_derivative(std::span<const double> f, std::span<const double> x, std::span<double> out) const override;

 private:
  const NullModel& model_;
  std::vector<double> theta_, jacobian_;
  mutable std::vector<double> moved_, p_, other_;
};

/// Of IndependentMargins: dp_ij = p_ij (x_i + y_j - their mean), x and y the changes of the
/// logarithms of rows and columns.
class MarginsDerivative final : public ModelDerivative {
 public:
  MarginsDerivative(std::size_t rows, std::size_t columns);

  std::size_t directions() const override { return row_.size() + column_.size(); }
  void move(std::span<const double> theta, std::span<const double> step, std::span<double> out) const override;
  void at(std::span<const double> theta, std::span<const double> p) override;
  void transposed(std::span<const double> f, std::span<double> out) const override;
  void weighted(std::span<const double> weights, std::span<const double> x, std::span<double> out) const override;
  void diagonal(std::span<const double> weights, std::span<double> out) const override;
  void second_derivative(std::span<const double> f, std::span<const double> x, std::span<double> out) const override;

 private:
  /// The means of the changes of rows and of columns.
  struct Means {
    double rows, columns;
  };
  Means means(std::span<const double> x) const;

  std::vector<double> row_, column_;                // the margins
  std::vector<double> row_square_, column_square_;  // and their squares
  mutable std::vector<double> row_sums_, column_sums_;
};

}  // namespace tacet::inference

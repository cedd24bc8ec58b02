// tacet/inference/counts/null_model.h: a hypothesis about a table with unknown parameters:
// p(theta) and its Jacobian.
//
// Derive from NullModel to write your own. Goodness of fit (no parameter) and independence (the
// margins) are two instances.
//
//   class HardyWeinberg final : public NullModel {    // (a^2, 2ab, b^2), a = 1/(1 + exp(-theta))
//     std::size_t cells() const override { return 3; }
//     std::size_t parameters() const override { return 1; }
//     std::vector<double> guess(std::span<const double> values) const override;
//     bool probabilities(std::span<const double> theta, std::span<double> p) const override;
//     void jacobian(std::span<const double> theta, std::span<const double> p,
//                   std::span<double> out) const override;
//   };
//
//   // inference/counts/composite_hypothesis.h
//   CompositeTest test = *test_composite_hypothesis(release, HardyWeinberg{}, {.alpha = 0.05});
//
// Prefer parameters that may have any value (log-odds rather than probabilities): then a fit never
// reaches a border.
// Checked  tests/inference/null_model_test.cc: Jacobians against differences, for both instances.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "tacet/inference/counts/model_derivative.h"

namespace tacet::inference {

class NullModel {
 public:
  NullModel() = default;
  NullModel(const NullModel&) = default;
  NullModel& operator=(const NullModel&) = default;
  virtual ~NullModel() = default;

  virtual std::size_t cells() const = 0;
  /// Fewer than cells() - 1, and none redundant.
  virtual std::size_t parameters() const = 0;

  /// A simple estimate from noisy counts (Rogers' phi): consistent, and inside the parameter space
  /// for any values.
  virtual std::vector<double> guess(std::span<const double> values) const = 0;

  /// Writes positive probabilities with sum 1. False if theta is outside the parameter space.
  virtual bool probabilities(std::span<const double> theta, std::span<double> p) const = 0;

  /// out[i * parameters() + k] = the derivative of p_i by theta_k; p is p(theta).
  virtual void jacobian(std::span<const double> theta, std::span<const double> p, std::span<double> out) const = 0;

  /// Products with the Jacobian, for fits. By default from jacobian(); large tables need a quicker
  /// way.
  virtual std::unique_ptr<ModelDerivative> derivative() const;

  /// The longest step of a parameter in a fit. Log-odds after a longer step could have vanishing
  /// probabilities, from which the fit does not return.
  virtual double longest_step() const { return 2; }
};

/// Given probabilities: nothing to estimate.
class FixedNull final : public NullModel {
 public:
  /// Positive probabilities with sum 1, see probabilities_of in gof_statistic.h.
  explicit FixedNull(std::vector<double> null) : null_(std::move(null)) {}

  std::size_t cells() const override { return null_.size(); }
  std::size_t parameters() const override { return 0; }
  std::vector<double> guess(std::span<const double> values) const override;
  bool probabilities(std::span<const double> theta, std::span<double> p) const override;
  void jacobian(std::span<const double> theta, std::span<const double> p, std::span<double> out) const override;

 private:
  std::vector<double> null_;
};

/// p_ij = row_i column_j, the cells row by row. theta: the logarithms of row_i/row_1 for i > 1,
/// then of column_j/column_1 for j > 1.
class IndependentMargins final : public NullModel {
 public:
  IndependentMargins(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {}

  std::size_t cells() const override { return rows_ * columns_; }
  std::size_t parameters() const override { return rows_ + columns_ - 2; }
  /// The margins of the values (Rogers 7.24), at least half a person each.
  std::vector<double> guess(std::span<const double> values) const override;
  bool probabilities(std::span<const double> theta, std::span<double> p) const override;
  void jacobian(std::span<const double> theta, std::span<const double> p, std::span<double> out) const override;

  std::unique_ptr<ModelDerivative> derivative() const override;

  struct Margins {
    std::vector<double> rows, columns;
  };
  /// Of any table of this shape, with any total.
  Margins margins(std::span<const double> table) const;

 private:
  std::size_t rows_, columns_;
};

}  // namespace tacet::inference

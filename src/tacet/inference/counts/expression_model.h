// tacet/inference/counts/expression_model.h: a hypothesis whose probabilities are written as
// expressions of unknown parameters.
//
//   const std::vector<ModelParameter> a = {{"a", 0, 1}};
//   ExpressionModel model = *ExpressionModel::of(a, {"a^2", "2*a*(1 - a)", "(1 - a)^2"});
//   // Or by name: Hardy-Weinberg for 3 cells, binomial and geometric for any number of them.
//   ExpressionModel same = *ExpressionModel::named(NamedModel::HardyWeinberg, /*cells=*/3);
//   CompositeTest test = *test_composite_hypothesis(release, model, {.alpha = 0.05});
//   model.parameters_at(test.theta);        // the estimate of a
//
// expression.h describes the language. Each parameter lies strictly between two numbers; a fit
// moves its log-odds between them.
// Theorem  Jacobians by forward differentiation, exactly. The first guess is the least-squares fit,
//          which is consistent if the model is identified.
// Domain   1 to 20 parameters, fewer than cells - 1; 2 to 10,000 cells. The expressions must be
//          positive with sum 1 within 10^-9 at 32 points of the parameter space, or it is
//          InvalidArgument.
// Error    that of doubles.
// Cost     a pass over the expressions for each evaluation.
// Checked  tests/inference/expression_model_test.cc: Jacobians against differences, level of the
//          test, refusals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/counts/expression.h"
#include "tacet/inference/counts/null_model.h"

namespace tacet::inference {

enum class NamedModel : std::uint8_t {
  HardyWeinberg,  // a^2, 2 a (1 - a), (1 - a)^2
  Binomial,       // the number of successes in cells - 1 trials
  Geometric,      // proportional to q^k for k = 0, 1, ...
};
constexpr auto names_of(NamedModel) {
  return std::to_array<Named<NamedModel>>(
      {{NamedModel::HardyWeinberg, "hardy-weinberg"}, {NamedModel::Binomial, "binomial"}, {NamedModel::Geometric, "geometric"}});
}

class ExpressionModel final : public NullModel {
 public:
  static Result<ExpressionModel> of(std::vector<ModelParameter> parameters, const std::vector<std::string>& cells);
  static Result<ExpressionModel> named(NamedModel model, std::size_t cells);

  std::size_t cells() const override { return cells_.size(); }
  std::size_t parameters() const override { return parameters_.size(); }
  std::vector<double> guess(std::span<const double> values) const override;
  bool probabilities(std::span<const double> theta, std::span<double> p) const override;
  void jacobian(std::span<const double> theta, std::span<const double> p, std::span<double> out) const override;

  const std::vector<ModelParameter>& named_parameters() const { return parameters_; }
  /// The parameters themselves, from their log-odds.
  std::vector<double> parameters_at(std::span<const double> theta) const;

 private:
  ExpressionModel(std::vector<ModelParameter> parameters, std::vector<Expression> cells)
      : parameters_(std::move(parameters)), cells_(std::move(cells)) {}
  Status check() const;

  std::vector<ModelParameter> parameters_;
  std::vector<Expression> cells_;
};

}  // namespace tacet::inference

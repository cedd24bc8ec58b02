// tacet/inference/counts/expression.h: arithmetic of parameters, with its derivatives.
//
//   const std::vector<ModelParameter> parameters = {{"a", 0, 1}};
//   const Expression heterozygous = *parse_expression("2*a*(1 - a)", parameters);
//   std::vector<double> slope(1);
//   evaluate(heterozygous, std::vector<double>{0.3}, slope);    // 0.42
//   slope[0];                                                   // 0.8, the derivative by a
//
// Expressions have numbers, parameters, + - * / ^ with the usual precedence, brackets, and exp,
// log, sqrt.
// Domain   at most 2000 characters, brackets 50 deep; otherwise InvalidArgument.
// Error    that of doubles; derivatives by forward differentiation, without differences.
// Cost     linear in the operations and the parameters.
// Checked  tests/inference/expression_model_test.cc: derivatives against differences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tacet/base/result.h"

namespace tacet::inference {

struct ModelParameter {
  std::string name;
  double lower, upper;  // it lies strictly between them
};

/// A parsed expression: steps of a stack machine.
struct Expression {
  enum class Op : std::uint8_t { Number, Parameter, Add, Subtract, Multiply, Divide, Power, Negate, Exp, Log, Sqrt };
  struct Step {
    Op op;
    double number = 0;          // of Number
    std::size_t parameter = 0;  // of Parameter
  };
  std::vector<Step> steps;
};
/// InvalidArgument, naming "expression", with the place of the error.
Result<Expression> parse_expression(const std::string& text, const std::vector<ModelParameter>& parameters);
/// The value, and the derivatives by all parameters in `slope`.
double evaluate(const Expression& expression, std::span<const double> parameters, std::span<double> slope);

}  // namespace tacet::inference

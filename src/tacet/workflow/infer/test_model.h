// tacet/workflow/infer/test_model.h: tests whether a release follows a model with unknown
// parameters.
//
//   ModelTest test = *test_model(genotypes, {.name = NamedModel::HardyWeinberg});
//   test.outcome;
//   test.estimates;                // of the parameters: a = 0.61
//   ModelTest own = *test_model(genotypes, {.parameters = {{"a", 0, 1}},
//                                           .cells = {"a^2", "2*a*(1 - a)", "(1 - a)^2"}});
//
// The test knows the noise of the release, or how people randomised their own reports. It reads no
// data and costs no privacy.
// Domain   inference/counts/expression_model.h.
// Error    inference/counts/composite_hypothesis.h and inference/local/local_independence.h.
// Cost     a fit, and one for each simulated table.
// Checked  tests/workflow/test_model_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/expression_model.h"
#include "tacet/workflow/infer/count_test.h"
#include "tacet/workflow/infer/table_release.h"

namespace tacet {

using inference::ModelParameter;
using inference::NamedModel;

/// A model by its name, or by its parameters and an expression for each cell.
struct ModelRequest {
  std::optional<NamedModel> name = {};
  std::vector<ModelParameter> parameters = {};
  std::vector<std::string> cells = {};
};

/// The level, the statistic and the method.
struct ModelOptions {
  double alpha = 0.05;
  std::optional<GofStatistic> statistic = {};  // empty: projected
  GofMethod method = GofMethod::Automatic;
  Simulation simulation = {};
};

/// An estimated parameter.
struct ModelEstimate {
  std::string name;
  double value;
};

/// The test, with the member of the model that fits best.
struct ModelTest : CountTest {
  std::optional<double> n = {};                    // if it is public
  std::vector<ModelEstimate> estimates = {};       // empty if no people remain for a fit
  std::optional<std::vector<double>> fitted = {};  // a probability for each cell
};

/// Do the people behind a release follow the model?
Result<ModelTest> test_model(const CountRelease& release, const ModelRequest& model, const ModelOptions& options = {},
                             const Context& context = {});
Result<ModelTest> test_model(const LocalRelease& release, const ModelRequest& model, const ModelOptions& options = {},
                             const Context& context = {});
Result<ModelTest> test_model(const TableRelease& release, const ModelRequest& model, const ModelOptions& options = {},
                             const Context& context = {});

}  // namespace tacet

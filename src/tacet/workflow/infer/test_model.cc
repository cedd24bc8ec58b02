#include "tacet/workflow/infer/test_model.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/composite_hypothesis.h"
#include "tacet/inference/local/local_independence.h"
#include "tacet/workflow/infer/one_each.h"

namespace tacet {
namespace {

using inference::ExpressionModel;

Result<ExpressionModel> model_of(const ModelRequest& request, const mechanisms::ReleasedTable& table) {
  if (request.name.has_value() != request.cells.empty()) {
    return Error::invalid("model", request.name ? "given twice" : "missing",
                          "must be a name, or parameters with an expression for each cell", "for example: model = hardy-weinberg");
  }
  if (request.name) return ExpressionModel::named(*request.name, table.values.size());
  if (request.cells.size() != table.values.size()) {
    return Error::invalid("cells", fmt::format("{} expressions", request.cells.size()),
                          fmt::format("must be one for each of the {} cells of the release", table.values.size()));
  }
  return ExpressionModel::of(request.parameters, request.cells);
}

ModelTest model_answer(const ExpressionModel& model, std::optional<double> n, inference::CompositeTest tested,
                       const inference::GofOptions& options) {
  ModelTest test{count_test(std::move(tested.test), options), n};
  if (tested.fitted.empty()) return test;
  test.fitted = std::move(tested.fitted);
  const std::vector<double> values = model.parameters_at(tested.theta);
  for (std::size_t k = 0; k < values.size(); ++k) test.estimates.push_back({model.named_parameters()[k].name, values[k]});
  return test;
}

}  // namespace

Result<ModelTest> test_model(const CountRelease& release, const ModelRequest& model, const ModelOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  TACET_TRY(const ExpressionModel hypothesis, model_of(model, release));
  const inference::GofOptions asked = gof_options(options, context);
  TACET_TRY(inference::CompositeTest tested, inference::test_composite_hypothesis(release, hypothesis, asked));
  return model_answer(hypothesis, release.n, std::move(tested), asked);
}

Result<ModelTest> test_model(const LocalRelease& release, const ModelRequest& model, const ModelOptions& options, const Context& context) {
  TACET_TRY(const ExpressionModel hypothesis, model_of(model, release));
  const inference::GofOptions asked = gof_options(options, context);
  TACET_TRY(inference::CompositeTest tested, inference::test_local_hypothesis(release, hypothesis, asked));
  return model_answer(hypothesis, release.n, std::move(tested), asked);
}

Result<ModelTest> test_model(const TableRelease& release, const ModelRequest& model, const ModelOptions& options, const Context& context) {
  return std::visit([&](const auto& table) { return test_model(table, model, options, context); }, release);
}

}  // namespace tacet

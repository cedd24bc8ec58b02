#include "tacet/workflow/infer/independence.h"

#include <utility>

#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/marginal.h"
#include "tacet/inference/local/local_independence.h"
#include "tacet/workflow/infer/denoised_before.h"
#include "tacet/workflow/infer/one_each.h"

namespace tacet {
namespace {

IndependenceTest independence_answer(const mechanisms::ReleasedTable& table, std::optional<double> n, inference::CompositeTest tested,
                                     const inference::GofOptions& options) {
  IndependenceTest test{count_test(std::move(tested.test), options), n};
  if (!tested.fitted.empty()) test.fitted = Matrix{table.shape[0], table.shape[1], std::move(tested.fitted)};
  if (table.axes.size() != 2) return test;
  test.rows = table.axes[0].name;
  test.columns = table.axes[1].name;
  return test;
}

}  // namespace

Result<CountRelease> tested_table(const CountRelease& release, const IndependenceOptions& options) {
  if (!options.rows && !options.columns) return release;
  if (!options.rows || !options.columns) {
    return Error::invalid(options.rows ? "columns" : "rows", "missing", "must name the other variable of the table",
                          "for example: rows = smoking columns = disease");
  }
  return inference::marginal(release, {*options.rows, *options.columns});
}

Result<IndependenceTest> test_independence(const CountRelease& release, const IndependenceOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  TACET_TRY(const CountRelease table, tested_table(release, options));
  const inference::GofOptions asked = gof_options(options, context);
  TACET_TRY(inference::CompositeTest tested, inference::test_independence(table, asked));
  return independence_answer(table, table.n, std::move(tested), asked);
}

Result<IndependenceTest> test_independence(const LocalRelease& release, const IndependenceOptions& options, const Context& context) {
  if (options.rows || options.columns) {
    return Error::invalid("release", "local reports", "must be counts with noise where rows and columns are named",
                          "local reports of two variables are tested as they are: leave rows and columns out");
  }
  const inference::GofOptions asked = gof_options(options, context);
  TACET_TRY(inference::CompositeTest tested, inference::test_local_independence(release, asked));
  return independence_answer(release, release.n, std::move(tested), asked);
}

Result<IndependenceTest> test_independence(const DenoisedRelease& release, const IndependenceOptions& options, const Context& context) {
  if (options.rows || options.columns) {
    return Error::invalid("release", "a table that was denoised", "must be as its noise left it where rows and columns are named",
                          "a table of two variables is tested as it is: leave rows and columns out");
  }
  inference::GofOptions asked = gof_options(options, context);
  TACET_TRY(asked.denoise, denoised_before(release, inference::Shrinkage::None, inference::Projection::None));
  TACET_TRY(inference::CompositeTest tested, inference::test_independence(release.table, asked));
  return independence_answer(release.table, release.table.n, std::move(tested), asked);
}

Result<IndependenceTest> test_independence(const TestedTable& release, const IndependenceOptions& options, const Context& context) {
  return std::visit([&](const auto& table) { return test_independence(table, options, context); }, release);
}

}  // namespace tacet

#include "tacet/workflow/infer/test_mean.h"

#include <numeric>
#include <utility>

namespace tacet {
namespace {

/// For a query of one combination, means of all columns are those of the combination.
std::vector<double> of_combination(const inference::NoisyMean& mean, std::vector<double> means) {
  if (mean.direction.size() < 2 || means.size() != mean.direction.size()) return means;
  return {std::inner_product(means.begin(), means.end(), mean.direction.begin(), 0.0)};
}

}  // namespace

Result<MeanTestAnswer> test_mean(const MeanRelease& release, const MeanTestRequest& request, const Context& context) {
  TACET_TRY(const MeanQuestion question, mean_question(release, request.means, context));
  context.tell("testing");
  std::optional<std::vector<double>> alternative = request.alternative;
  if (alternative) alternative = of_combination(question.mean, *alternative);
  TACET_TRY(MeanTest test, inference::test_mean(question.mean, {.null = of_combination(question.mean, request.null),
                                                                .alternative = alternative,
                                                                .analysis = request.analysis,
                                                                .alpha = request.alpha,
                                                                .distribution = question.distribution}));
  MeanBasis basis = question.basis();
  basis.method = test.method;
  basis.draws = test.draws;
  if (test.draws) basis.seed = request.means.seed;
  basis.includes = test.includes;
  basis.leaves_out = test.leaves_out;
  return MeanTestAnswer{std::move(basis), std::move(test), request};
}

}  // namespace tacet

#include "tacet/workflow/infer/test_mean.h"

#include <utility>

namespace tacet {

Result<MeanTestAnswer> test_mean(const MeanRelease& release, const MeanTestRequest& request, const Context& context) {
  TACET_TRY(const MeanQuestion question, mean_question(release, request.means, context));
  context.tell("testing");
  TACET_TRY(MeanTest test, inference::test_mean(question.mean, {.null = request.null,
                                                                .alternative = request.alternative,
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

#include "tacet/workflow/infer/mean_region.h"

#include <utility>

namespace tacet {

Result<MeanRegionAnswer> mean_region(const MeanRelease& release, const MeanRegionRequest& request, const Context& context) {
  TACET_TRY(const MeanQuestion question, mean_question(release, request.means, context));
  context.tell("computing the region");
  TACET_TRY(MeanRegion region,
            inference::mean_region(question.mean, {.confidence = request.confidence, .distribution = question.distribution}));
  MeanRegionAnswer answer{
      .basis = question.basis(), .confidence = request.confidence, .region = {}, .reason = region.no_answer, .shrunk = {}};
  if (request.shrinkage) {
    TACET_TRY(answer.shrunk, inference::shrink_means(question.mean, *request.shrinkage));
  }
  answer.basis.method = region.method;
  answer.basis.draws = region.draws;
  if (region.draws || region.simultaneous_draws) answer.basis.seed = request.means.seed;
  answer.basis.includes = region.includes;
  answer.basis.leaves_out = region.leaves_out;
  if (!answer.reason) answer.region = std::move(region);
  return answer;
}

}  // namespace tacet

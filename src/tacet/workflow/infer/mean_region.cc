#include "tacet/workflow/infer/mean_region.h"

#include <cmath>
#include <utility>

namespace tacet {

Result<MeanRegionAnswer> mean_region(const MeanRelease& release, const MeanRegionRequest& request, const Context& context) {
  TACET_TRY(const MeanQuestion question, mean_question(release, request.means, context));
  context.tell("computing the region");
  const std::size_t groups = group_count(release);
  if (request.all_groups && groups == 1)
    return Error::invalid("all-groups", "true", "goes with a release that has groups", "leave all-groups out");
  const double confidence = request.all_groups ? std::pow(request.confidence, 1 / static_cast<double>(groups)) : request.confidence;
  TACET_TRY(MeanRegion region, inference::mean_region(question.mean, {.confidence = confidence, .distribution = question.distribution}));
  MeanRegionAnswer answer{.basis = question.basis(),
                          .confidence = confidence,
                          .together = request.all_groups ? std::optional(request.confidence) : std::nullopt,
                          .region = {},
                          .reason = region.no_answer,
                          .shrunk = {}};
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

#include <utility>

#include "tacet/service/all_verbs.h"
#include "tacet/service/means_plan.h"

namespace tacet::service::plan_two_sample_verb {
namespace {

Result<MeansPlanReply> run(const MeansPlanFields& fields, const Context& context) {
  TACET_TRY(const MeansPlanRequest request, read_means_plan(fields));
  TACET_TRY(TwoSamplePlan plan, plan_two_sample(request, context));
  return with_curve_files(std::move(plan), fields.files);
}

}  // namespace

Verb make() {
  return verb<MeansPlanFields, MeansPlanReply>(
      {.name = "plan two-sample",
       .summary = "How often a noisy two-sample test will find a difference of means, or the people that a wanted power needs",
       .example =
           "tacet plan two-sample --schema patients.toml --columns ldl,hdl --sd 35,15 --difference 4,-2 --n 2000 --membership public "
           "--rho 0.02",
       .library = LibraryFunction{"plan_two_sample", "tacet/workflow/plan/plan_two_sample.h"},
       .request = means_plan_request("the difference of the means"),
       .answer = means_plan_answer(),
       .run = run,
       .words = means_plan_words});
}

}  // namespace tacet::service::plan_two_sample_verb

#include <cstdint>
#include <utility>

#include "tacet/service/all_verbs.h"
#include "tacet/service/means_plan.h"

namespace tacet::service::plan_k_sample_verb {
namespace {

struct Request {
  std::uint64_t groups = 0;
  MeansPlanFields plan;
};

Result<MeansPlanReply> run(const Request& asked, const Context& context) {
  TACET_TRY(const MeansPlanRequest request, read_means_plan(asked.plan));
  TACET_TRY(KSamplePlan plan, plan_k_sample(asked.groups, request, context));
  return with_curve_files(std::move(plan), asked.plan.files);
}

}  // namespace

Verb make() {
  return verb<Request, MeansPlanReply>(
      {.name = "plan k-sample",
       .summary = "How often a noisy comparison of several means will find one group that differs, or the people that a wanted power needs",
       .example = "tacet plan k-sample --groups 4 --columns 2 --lower 0 --upper 200 --sd 30 --difference 3 --n 2000 --membership public "
                  "--rho 0.05",
       .library = LibraryFunction{"plan_k_sample", "tacet/workflow/plan/plan_two_sample.h"},
       .request =
           RequestTable<Request>()
               .required("groups", &Request::groups, "K", "how many groups there are")
               .include(&Request::plan, means_plan_request("the difference of the mean of one group, the last, from that of all others")),
       .answer = means_plan_answer(),
       .run = run,
       .words = means_plan_words});
}

}  // namespace tacet::service::plan_k_sample_verb

#include <string>
#include <utility>

#include "tacet/service/all_verbs.h"
#include "tacet/service/count_plan_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/plan/goodness_of_fit_plan.h"

namespace tacet::service::plan_gof_verb {
namespace {

struct Request {
  std::string null, alternative;
  CountPlanFields plan;
};
using Reply = CountPlanReply;

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(const mechanisms::Flattened null, read_table(request.null, "null"));
  TACET_TRY(const mechanisms::Flattened alternative, read_table(request.alternative, "alternative"));
  if (null.shape != alternative.shape) return Error::invalid("alternative", "a table of another shape", "must have the shape of the null");
  TACET_TRY(CountTestPlan plan, plan_goodness_of_fit(null.values, alternative.values, options_of(request.plan), context));
  return count_plan_reply(std::move(plan), request.plan.files, {"Goodness of fit", "this alternative"});
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "plan gof",
       .summary = "The power of a goodness-of-fit test on a noisy table, or the people that a wanted power needs",
       .example = "tacet plan gof --null null.json --alternative alternative.json --n 1468 --rho 0.01",
       .library = LibraryFunction{"plan_goodness_of_fit", "tacet/workflow/plan/goodness_of_fit_plan.h"},
       .request = RequestTable<Request>()
                      .required("null", &Request::null, "FILE", "a JSON array of probabilities")
                      .required("alternative", &Request::alternative, "FILE", "the probabilities to suppose instead")
                      .include(&Request::plan, count_plan_table()),
       .answer = count_plan_answer(),
       .run = run,
       .words = count_plan_words});
}

}  // namespace tacet::service::plan_gof_verb

#include <string>
#include <utility>

#include "tacet/service/all_verbs.h"
#include "tacet/service/count_plan_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/plan/independence_plan.h"

namespace tacet::service::plan_independence_verb {
namespace {

struct Request {
  std::string alternative;
  CountPlanFields plan;
};
using Reply = CountPlanReply;

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(const Matrix alternative, read_matrix(request.alternative, "alternative"));
  TACET_TRY(CountTestPlan plan, plan_independence(alternative, options_of(request.plan), context));
  return count_plan_reply(std::move(plan), request.plan.files, {"Independence", "this dependence"});
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "plan independence",
       .summary = "The power of a test of independence on a noisy table, or the people that a wanted power needs",
       .example = "tacet plan independence --alternative alternative.json --n 5000 --rho 0.01",
       .library = LibraryFunction{"plan_independence", "tacet/workflow/plan/independence_plan.h"},
       .request = RequestTable<Request>()
                      .required("alternative", &Request::alternative, "FILE", "a JSON table of probabilities that are not independent")
                      .include(&Request::plan, count_plan_table(CountPlanFor::TablesAndReports)),
       .answer = count_plan_answer(),
       .run = run,
       .words = count_plan_words});
}

}  // namespace tacet::service::plan_independence_verb

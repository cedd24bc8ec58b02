#include <string>
#include <utility>

#include "tacet/service/all_verbs.h"
#include "tacet/service/count_plan_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/plan/homogeneity_plan.h"

namespace tacet::service::plan_homogeneity_verb {
namespace {

struct Request {
  std::string alternative;
  GroupsPlan groups;
  CountPlanFields plan;
};
using Reply = CountPlanReply;

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(const Matrix alternative, read_matrix(request.alternative, "alternative"));
  TACET_TRY(CountTestPlan plan, plan_homogeneity(alternative, options_of(request.plan), request.groups, context));
  return count_plan_reply(std::move(plan), request.plan.files, {"Homogeneity", "this difference"});
}

}  // namespace

Verb make() {
  const auto groups = [](auto member) { return [member](Request& request) -> auto& { return request.groups.*member; }; };
  return verb<Request, Reply>({.name = "plan homogeneity",
                               .summary = "The power of a comparison of groups on noisy tables, or the people that a wanted power needs",
                               .example = "tacet plan homogeneity --alternative groups.json --n 4000 --rho 0.01",
                               .library = LibraryFunction{"plan_homogeneity", "tacet/workflow/plan/homogeneity_plan.h"},
                               .request = RequestTable<Request>()
                                              .required("alternative", &Request::alternative, "FILE",
                                                        "a JSON table with the probabilities of each group in a row that sums to 1")
                                              .field("shares", groups(&GroupsPlan::shares), "s,t",
                                                     "how the people are shared among the groups; equally if not given")
                                              .field("one-release", groups(&GroupsPlan::one_release), "",
                                                     "the groups are the categories of a column of one release, and their totals are noisy")
                                              .include(&Request::plan, count_plan_table(CountPlanFor::Tables))
                                              .include(&Request::plan, denoised_plan_table()),
                               .answer = count_plan_answer(),
                               .run = run,
                               .words = count_plan_words});
}

}  // namespace tacet::service::plan_homogeneity_verb

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/service/all_verbs.h"
#include "tacet/service/count_plan_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/plan/goodness_of_fit_plan.h"

namespace tacet::service::plan_gof_verb {
namespace {

struct Request {
  std::string null;
  std::optional<std::string> alternative;
  std::optional<double> hardest;
  CountPlanFields plan;
};
using Reply = CountPlanReply;

/// The alternative of the request: a file, or the hardest of a size.
Result<std::vector<double>> alternative_of(const Request& request, const mechanisms::Flattened& null) {
  if (request.alternative.has_value() == request.hardest.has_value()) {
    return Error::invalid("alternative", request.hardest ? "given with hardest" : "missing",
                          "must be given, or hardest in its place: the size of the deviation that is hardest to find",
                          "for example: hardest = 0.01");
  }
  if (request.hardest) return hardest_alternative(null.values, *request.hardest);
  TACET_TRY(mechanisms::Flattened alternative, read_table(*request.alternative, "alternative"));
  if (null.shape != alternative.shape) return Error::invalid("alternative", "a table of another shape", "must have the shape of the null");
  return std::move(alternative.values);
}

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(const mechanisms::Flattened null, read_table(request.null, "null"));
  TACET_TRY(const std::vector<double> alternative, alternative_of(request, null));
  TACET_TRY(CountTestPlan plan, plan_goodness_of_fit(null.values, alternative, options_of(request.plan), context));
  TACET_TRY(Reply reply, count_plan_reply(std::move(plan), request.plan.files, {"Goodness of fit", "this alternative"}));
  if (request.hardest) reply.alternative = alternative;
  return reply;
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "plan gof",
       .summary = "The power of a goodness-of-fit test on a noisy table, or the people that a wanted power needs",
       .example = "tacet plan gof --null null.json --alternative alternative.json --n 1468 --rho 0.01",
       .library = LibraryFunction{"plan_goodness_of_fit", "tacet/workflow/plan/goodness_of_fit_plan.h"},
       .request = RequestTable<Request>()
                      .required("null", &Request::null, "FILE", "a JSON array of probabilities; 0 for cells that nobody can be in")
                      .field("alternative", &Request::alternative, "FILE", "the probabilities to suppose instead")
                      .field("hardest", &Request::hardest, "SIZE",
                             "in place of alternative: the deviation that is hardest to find, with a largest change of SIZE")
                      .include(&Request::plan, count_plan_table(CountPlanFor::TablesAndReports))
                      .include(&Request::plan, denoised_plan_table()),
       .answer = count_plan_answer().value("alternative", &Reply::alternative, "the probabilities of hardest; null for a file"),
       .run = run,
       .words = count_plan_words});
}

}  // namespace tacet::service::plan_gof_verb

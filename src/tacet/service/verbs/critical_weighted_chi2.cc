#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/critical_answer.h"
#include "tacet/workflow/infer/critical_value.h"

namespace tacet::service::critical_weighted_chi2_verb {
namespace {

Result<CriticalReply> run(const CriticalWeightedChi2Request& request, const Context& /*context*/) {
  TACET_TRY(const double critical, critical_weighted_chi2(request));
  return CriticalReply{critical, request.alpha, fmt::format("a sum of {} weighted chi-square variables", request.weights.size())};
}

}  // namespace

Verb make() {
  using Request = CriticalWeightedChi2Request;
  return verb<Request, CriticalReply>(
      {.name = "critical weighted-chi2",
       .summary = "The critical value of a weighted sum of chi-square variables",
       .example = "tacet critical weighted-chi2 --weights 3,1,1 --alpha 0.05",
       .library = LibraryFunction{"critical_weighted_chi2", "tacet/workflow/infer/critical_value.h"},
       .request = RequestTable<Request>()
                      .required("weights", &Request::weights, "w,...", "the weights, one degree of freedom each")
                      .required("alpha", &Request::alpha, "A", "the probability to exceed the critical value"),
       .answer = critical_answer(),
       .run = run,
       .words = critical_words});
}

}  // namespace tacet::service::critical_weighted_chi2_verb

#include "tacet/service/all_verbs.h"
#include "tacet/service/critical_answer.h"
#include "tacet/workflow/infer/critical_value.h"

namespace tacet::service::critical_gwas_verb {
namespace {

struct Request {
  std::uint64_t n;
  double rho, alpha;
};

Result<CriticalReply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(const double critical, gwas_critical(static_cast<double>(request.n), request.rho, request.alpha));
  return CriticalReply{critical, request.alpha, "chi-square with 2 degrees of freedom plus the Gaussian noise of output perturbation"};
}

}  // namespace

Verb make() {
  return verb<Request, CriticalReply>(
      {.name = "critical gwas",
       .summary = "The critical value of a noised chi-square statistic of a 3 x 2 table (output perturbation)",
       .example = "tacet critical gwas --n 1000 --rho 0.01 --alpha 0.05",
       .library = LibraryFunction{"gwas_critical", "tacet/workflow/infer/critical_value.h"},
       .request = RequestTable<Request>()
                      .required("n", &Request::n, "N", "the number of people")
                      .required("rho", &Request::rho, "R", "the privacy of the release in rho")
                      .required("alpha", &Request::alpha, "A", "the probability to exceed the critical value"),
       .answer = critical_answer(),
       .run = run,
       .words = critical_words});
}

}  // namespace tacet::service::critical_gwas_verb

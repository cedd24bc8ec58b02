#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/critical_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/infer/critical_value.h"

namespace tacet::service::critical_gof_verb {
namespace {

struct Request {
  std::string null;  // the file
  CriticalGofRequest gof;
};

Result<CriticalReply> run(const Request& request, const Context& context) {
  CriticalGofRequest gof = request.gof;
  TACET_TRY(mechanisms::Flattened null, read_table(request.null, "null"));
  gof.null = std::move(null.values);
  TACET_TRY(const CriticalGof found, critical_gof(gof, context));
  return CriticalReply{found.critical, gof.alpha,
                       fmt::format("the {} goodness-of-fit statistic of {} cells for large n", name(found.statistic), found.cells),
                       found.df};
}

}  // namespace

Verb make() {
  return verb<Request, CriticalReply>(
      {.name = "critical gof",
       .summary = "The critical value of a goodness-of-fit statistic of a table with Gaussian noise",
       .example = "tacet critical gof --null null.json --n 1468 --rho 0.125 --alpha 0.05",
       .library = LibraryFunction{"critical_gof", "tacet/workflow/infer/critical_value.h"},
       .request = RequestTable<Request>()
                      .required("null", &Request::null, "FILE", "a JSON array of probabilities")
                      .required(
                          "n", [](Request& r) -> auto& { return r.gof.n; }, "N", "the number of people")
                      .required(
                          "rho", [](Request& r) -> auto& { return r.gof.rho; }, "R",
                          "the privacy of the release in rho; a table has noise of variance 1/rho")
                      .required(
                          "alpha", [](Request& r) -> auto& { return r.gof.alpha; }, "A", "the probability to exceed the critical value")
                      .field(
                          "statistic", [](Request& r) -> auto& { return r.gof.statistic; }, "S", "the statistic"),
       .answer = critical_answer(),
       .run = run,
       .words = critical_words});
}

}  // namespace tacet::service::critical_gof_verb

#include "tacet/service/all_verbs.h"
#include "tacet/service/tradeoff_answer.h"

namespace tacet::service::tradeoff_laplace_verb {
namespace {

struct Request {
  std::vector<double> shift;
  double scale = 1;
  TradeoffOutput output;
};

Result<TradeoffReply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(const TradeOff curve, laplace_tradeoff(request.shift, request.scale));
  return tradeoff_reply({curve}, request.output);
}

}  // namespace

Verb make() {
  return verb<Request, TradeoffReply>({.name = "tradeoff laplace",
                                       .summary = "The trade-off curve of Laplace noise on one or several numbers",
                                       .example = "tacet tradeoff laplace --shift 1,-1 --alpha 0.05",
                                       .library = LibraryFunction{"laplace_tradeoff", "tacet/workflow/privacy/tradeoff.h"},
                                       .request = RequestTable<Request>()
                                                      .required("shift", &Request::shift, "a,b", "how far a neighbour moves each number")
                                                      .field("scale", &Request::scale, "B", "the scale of the noise, in the units of shift")
                                                      .include(&Request::output, tradeoff_output()),
                                       .answer = tradeoff_answer(),
                                       .run = run,
                                       .words = tradeoff_words});
}

}  // namespace tacet::service::tradeoff_laplace_verb

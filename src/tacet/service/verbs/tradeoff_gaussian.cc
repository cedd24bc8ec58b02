#include "tacet/service/all_verbs.h"
#include "tacet/service/tradeoff_answer.h"

namespace tacet::service::tradeoff_gaussian_verb {
namespace {

struct Request {
  std::vector<double> mu;
  TradeoffOutput output;
};

Result<TradeoffReply> run(const Request& request, const Context& /*context*/) {
  std::vector<TradeOff> curves;
  for (const double mu : request.mu) {
    TACET_TRY(TradeOff curve, TradeOff::gaussian(mu));
    curves.push_back(std::move(curve));
  }
  return tradeoff_reply(curves, request.output);
}

}  // namespace

Verb make() {
  return verb<Request, TradeoffReply>(
      {.name = "tradeoff gaussian",
       .summary = "The trade-off curve of mu-GDP: how well neighbours can be told apart",
       .example = "tacet tradeoff gaussian --mu 1 --alpha 0.05",
       .library = LibraryFunction{"tradeoff_table", "tacet/workflow/privacy/tradeoff.h"},
       .request =
           RequestTable<Request>().required("mu", &Request::mu, "M", "mu, one or several").include(&Request::output, tradeoff_output()),
       .answer = tradeoff_answer(),
       .run = run,
       .words = tradeoff_words});
}

}  // namespace tacet::service::tradeoff_gaussian_verb

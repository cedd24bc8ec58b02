#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/workflow/infer/critical_value.h"

namespace tacet::service::tail_weighted_chi2_verb {
namespace {

struct Reply {
  TailWeightedChi2 tail;
  double at;
  std::size_t terms;
};

Result<Reply> run(const TailWeightedChi2Request& request, const Context& /*context*/) {
  TACET_TRY(const TailWeightedChi2 tail, tail_weighted_chi2(request));
  return Reply{tail, request.at, request.weights.size()};
}

std::string words(const Reply& reply) {
  const TailWeightedChi2& tail = reply.tail;
  std::string out = fmt::format("A sum of {} weighted chi-square variables exceeds {:.10g} with probability {:.10g}.\n", reply.terms,
                                reply.at, tail.upper);
  if (tail.bernstein) out += fmt::format("Bernstein's inequality (Lemma 3.2) bounds this by {:.6g}.\n", *tail.bernstein);
  if (tail.chebyshev) out += fmt::format("Chebyshev's inequality bounds it by {:.6g}.\n", *tail.chebyshev);
  return out + "No data was read.\n";
}

template <class T>
auto of_tail(T TailWeightedChi2::* member) {
  return [member](const Reply& reply) { return reply.tail.*member; };
}

}  // namespace

Verb make() {
  using Request = TailWeightedChi2Request;
  return verb<Request, Reply>(
      {.name = "tail weighted-chi2",
       .summary = "How often a weighted sum of chi-square variables exceeds a value",
       .example = "tacet tail weighted-chi2 --weights 3,1,1 --at 14.2",
       .library = LibraryFunction{"tail_weighted_chi2", "tacet/workflow/infer/critical_value.h"},
       .request = RequestTable<Request>()
                      .required("weights", &Request::weights, "w,...", "the weights")
                      .required("at", &Request::at, "Q", "the value")
                      .field("df", &Request::df, "k,...", "the degrees of freedom of each variable; 1 if not given")
                      .field("noncentrality", &Request::noncentrality, "c,...", "the noncentrality of each variable; 0 if not given"),
       .answer = AnswerTable<Reply>()
                     .value("upper", of_tail(&TailWeightedChi2::upper), "the probability to exceed the value")
                     .value("lower", of_tail(&TailWeightedChi2::lower), "the probability not to exceed it")
                     .value("density", of_tail(&TailWeightedChi2::density), "the density at the value")
                     .value("mean", of_tail(&TailWeightedChi2::mean), "the mean of the sum")
                     .value("variance", of_tail(&TailWeightedChi2::variance), "its variance")
                     .value("bernstein", of_tail(&TailWeightedChi2::bernstein),
                            "the bound on upper by Bernstein's inequality (Aggregation, Lemma 3.2); null where its condition fails")
                     .value("chebyshev", of_tail(&TailWeightedChi2::chebyshev),
                            "the bound on upper by Chebyshev's inequality; null below the mean")
                     .value("at", &Reply::at, "the value"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::tail_weighted_chi2_verb

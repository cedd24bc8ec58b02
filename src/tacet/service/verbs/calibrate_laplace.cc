#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/laplace_fields.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/workflow/privacy/calibrate.h"

namespace tacet::service::calibrate_laplace_verb {
namespace {

struct Request {
  std::optional<Digits> l1;
  std::optional<PrivacyAmount> loss;
  LaplaceFields theorem;
};

struct Reply {
  PrivacyAmount promise;
  LaplaceCalibration noise;
};

Result<Reply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(const LaplaceCalibration noise, calibrate_laplace({.l1 = *request.l1,
                                                               .loss = *request.loss,
                                                               .rule = request.theorem.rule,
                                                               .neighbours = request.theorem.neighbours,
                                                               .dimension = request.theorem.dimension}));
  return Reply{*request.loss, noise};
}

std::string words(const Reply& reply) {
  const std::string promise = promise_words(reply.promise);
  if (!reply.noise.proven) {
    return fmt::format("Scale {} is conjectured, not proven, to keep {}. It is shown for comparison; no release uses it.\n",
                       reply.noise.scale, promise);
  }
  return fmt::format("Add Laplace noise of scale {} to every coordinate.\nThat keeps {} ({}).\n", reply.noise.scale, promise,
                     reply.noise.theorem);
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "calibrate laplace",
       .summary = "The least Laplace noise that keeps a promise, never too little",
       .example = "tacet calibrate laplace --l1 2 --mu 1 --rule table --neighbours replace-one",
       .library = LibraryFunction{"calibrate_laplace", "tacet/workflow/privacy/calibrate.h"},
       .request = RequestTable<Request>()
                      .required("l1", &Request::l1, "S", "the L1 sensitivity: how far one person moves the statistic")
                      .include(&Request::loss, privacy_table_of({{"epsilon", "E", "pure epsilon", FieldKind::Number},
                                                                 {"mu", "M", "or mu (Gaussian privacy)", FieldKind::Number}}))
                      .include(&Request::theorem, laplace_table("with mu: the theorem to use")),
       .answer = AnswerTable<Reply>()
                     .value(
                         "scale", [](const Reply& reply) { return reply.noise.scale; }, "the scale of the noise of every coordinate")
                     .value(
                         "rule", [](const Reply& reply) { return std::string(reply.noise.rule ? name(*reply.noise.rule) : "pure"); },
                         "the rule that gave it; pure for an epsilon")
                     .value(
                         "proven", [](const Reply& reply) { return reply.noise.proven; }, "false for a conjecture, which no release uses")
                     .value(
                         "holds_for",
                         [](const Reply& reply) { return std::string(holds_for(reply.noise.rule.value_or(LaplaceMuRule::Universal))); },
                         "the statistics for which the rule holds")
                     .value(
                         "promise", [](const Reply& reply) { return promise_words(reply.promise); }, "what is kept")
                     .value(
                         "theorem", [](const Reply& reply) { return std::string(reply.noise.theorem); }, "why it keeps the promise"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::calibrate_laplace_verb

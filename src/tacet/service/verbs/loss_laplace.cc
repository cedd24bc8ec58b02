#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/laplace_fields.h"
#include "tacet/workflow/amount_words.h"
#include "tacet/workflow/privacy/laplace_guarantee.h"

namespace tacet::service::loss_laplace_verb {
namespace {

struct Request {
  std::optional<Digits> l1, scale;
  LaplaceFields theorem;
};

Result<LaplaceGuarantee> run(const Request& request, const Context& /*context*/) {
  return laplace_guarantee({.statistic = request.theorem.statistic(*request.l1),
                            .scale = *request.scale,
                            .rule = request.theorem.rule.value_or(LaplaceMuRule::Universal)});
}

/// A bound stays one with fewer digits: it is rounded up.
std::string shown(double bound) { return short_amount(bound, AmountIs::Spent); }

std::string words(const LaplaceGuarantee& loss) {
  std::string out =
      fmt::format("This Laplace noise is pure with epsilon {}, rho-zCDP with rho {}, and ", shown(loss.epsilon), shown(loss.rho));
  if (!loss.proven) {
    return out +
           fmt::format("conjectured, not proven, to be mu-GDP with mu {}; proven is mu {}.\n", shown(loss.mu), shown(loss.mu_of_epsilon));
  }
  out += fmt::format("mu-GDP with mu {}\n({}).\n", shown(loss.mu), theorem_of(loss.rule));
  if (loss.rule != LaplaceMuRule::Universal) out += fmt::format("The epsilon alone would imply mu {}.\n", shown(loss.mu_of_epsilon));
  return out;
}

}  // namespace

Verb make() {
  return verb<Request, LaplaceGuarantee>(
      {.name = "loss laplace",
       .summary = "What Laplace noise of a given scale gives away, in epsilon, rho and mu",
       .example = "tacet loss laplace --l1 2 --scale 2 --rule table --neighbours replace-one",
       .library = LibraryFunction{"laplace_guarantee", "tacet/workflow/privacy/laplace_guarantee.h"},
       .request = RequestTable<Request>()
                      .required("l1", &Request::l1, "S", "the L1 sensitivity: how far one person moves the statistic")
                      .required("scale", &Request::scale, "B", "the scale of the noise in every number")
                      .include(&Request::theorem, laplace_table("the theorem for mu")),
       .answer = AnswerTable<LaplaceGuarantee>()
                     .value("epsilon", &LaplaceGuarantee::epsilon, "the pure epsilon, l1/scale")
                     .value("rho", &LaplaceGuarantee::rho, "the rho of zero-concentrated privacy")
                     .value("mu", &LaplaceGuarantee::mu, "the mu of Gaussian privacy, by the rule")
                     .value("mu_of_epsilon", &LaplaceGuarantee::mu_of_epsilon, "the mu that the epsilon alone implies, for comparison")
                     .value("rule", &LaplaceGuarantee::rule, "the rule of mu")
                     .value("proven", &LaplaceGuarantee::proven, "false for the mu of a conjecture")
                     .value(
                         "holds_for", [](const LaplaceGuarantee& loss) { return std::string(holds_for(loss.rule)); },
                         "the statistics for which the rule holds")
                     .value(
                         "theorem", [](const LaplaceGuarantee& loss) { return std::string(theorem_of(loss.rule)); }, "why mu holds"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::loss_laplace_verb

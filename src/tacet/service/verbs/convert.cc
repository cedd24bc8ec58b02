#include "tacet/workflow/privacy/convert.h"

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/workflow/amount_words.h"

namespace tacet::service::convert_verb {
namespace {

struct Request {
  std::optional<Digits> rho, xi, mu, delta, epsilon;
};

/// One of (epsilon, delta) from the other.
struct ToDp {
  GaussianAmount from;
  std::optional<Digits> delta, epsilon;  // the one that was given
  std::optional<Digits> xi;              // with rho
  DpConversion found;
};
struct ToRho {
  Mu from;
  ZcdpGuarantee found;
};
using Reply = std::variant<ToDp, ToRho, PureConversion>;

Result<Reply> from_epsilon(const Request& request) {
  TACET_TRY(const PureConversion found,
            request.delta ? convert_pure(EpsilonDelta{*request.epsilon, *request.delta}) : convert_pure(Epsilon{*request.epsilon}));
  return Reply(found);
}

Result<Reply> run(const Request& request, const Context& /*context*/) {
  if (request.rho && request.mu)
    return Error::invalid("privacy", "given twice", "must be one of rho, mu, or epsilon alone", "leave one of them out");
  if (!request.rho && !request.mu && !request.epsilon) {
    return Error::invalid("privacy", "missing", "must be one of rho, mu, or epsilon alone", "for example: rho = 0.125 and delta = 1e-6");
  }
  if (request.xi && !request.rho)
    return Error::invalid("xi", request.xi->text().substr(0, 40), "goes with rho: (xi, rho)-zCDP", "leave it out, or give rho");
  if (!request.rho && !request.mu) return from_epsilon(request);
  if (request.epsilon && request.delta) {
    return Error::invalid("target", "epsilon and delta", "must be only one of them: the other one is the answer",
                          "leave epsilon out to get it");
  }
  if (!request.epsilon && !request.delta) {
    if (request.rho) {
      return Error::invalid("target", "missing", "must be delta (for an epsilon) or epsilon (for a delta)", "for example: delta = 1e-6");
    }
    TACET_TRY(const ZcdpGuarantee found, rho_of(Mu{*request.mu}));
    return Reply(ToRho{Mu{*request.mu}, found});
  }
  const GaussianAmount from = request.rho ? GaussianAmount(Rho{*request.rho}) : GaussianAmount(Mu{*request.mu});
  TACET_TRY(const DpConversion found, request.delta ? epsilon_at_delta(from, *request.delta, request.xi.value_or(0))
                                                    : delta_at_epsilon(from, *request.epsilon, request.xi.value_or(0)));
  return Reply(ToDp{from, request.delta, request.epsilon, request.xi, found});
}

std::string name_of(const GaussianAmount& amount) { return std::holds_alternative<Rho>(amount) ? "rho" : "mu"; }
std::string digits_of(const GaussianAmount& amount) {
  return std::visit([](const auto& one) { return one.value.text(); }, amount);
}

/// A bound stays one with fewer digits: it is rounded up.
std::string shown(double bound) { return short_amount(bound, AmountIs::Spent); }

std::string words(const Reply& reply) {
  if (const auto* pure = std::get_if<PureConversion>(&reply)) {
    return fmt::format("A pure epsilon is rho-zCDP with rho {} ({}),\nand mu-GDP with mu {} ({}).\n", shown(pure->rho.zcdp.rho),
                       pure->rho.theorem, shown(pure->mu.mu), pure->mu.theorem);
  }
  if (const auto* to_rho = std::get_if<ToRho>(&reply)) {
    return fmt::format("mu {} is rho-zCDP with rho {} ({}).\n", to_rho->from.value.text(), shown(to_rho->found.zcdp.rho),
                       to_rho->found.theorem);
  }
  const auto& dp = std::get<ToDp>(reply);
  const DpGuarantee& best = dp.found.best;
  std::string out =
      fmt::format("{}{} {} is (epsilon {}, delta {})-DP, by {}.\n", dp.xi ? fmt::format("xi {} with ", dp.xi->text()) : "",
                  name_of(dp.from), short_amount(digits_of(dp.from), AmountIs::Spent),
                  dp.epsilon ? dp.epsilon->text() : shown(best.epsilon), dp.delta ? dp.delta->text() : shown(best.delta), best.theorem);
  if (dp.found.of_rho) {
    out += fmt::format("By Rogers, Theorem 2.2.4 it would be {}", shown(dp.found.of_rho->theorem_2_2_4));
    if (const auto gaussian = dp.found.of_rho->if_gaussian)
      out += fmt::format("; if the noise is known to be Gaussian it is {} (ask with mu)", shown(*gaussian));
    out += ".\n";
  }
  return out;
}

/// A function of one kind of answer as a function of any: nothing of another kind.
template <class Kind, class Part>
auto of(Part part) {
  return [part](const Reply& reply) -> decltype(part(std::get<Kind>(reply))) {
    if (const auto* kind = std::get_if<Kind>(&reply)) return part(*kind);
    return std::nullopt;
  };
}
using Number = std::optional<double>;
using Text = std::optional<std::string>;

std::optional<double> of_rho(const ToDp& dp, double RhoTheorems::* member) {
  return dp.found.of_rho ? Number((*dp.found.of_rho).*member) : std::nullopt;
}

Json from_json(const Reply& reply) {
  if (const auto* dp = std::get_if<ToDp>(&reply)) {
    Json from = {{name_of(dp->from), digits_of(dp->from)}};
    if (dp->xi) from["xi"] = dp->xi->text();
    return from;
  }
  if (const auto* to_rho = std::get_if<ToRho>(&reply)) return {{"mu", to_rho->from.value.text()}};
  return nullptr;
}

Json target_json(const Reply& reply) {
  const auto* dp = std::get_if<ToDp>(&reply);
  if (dp == nullptr) return nullptr;
  return dp->delta ? Json{{"delta", dp->delta->text()}} : Json{{"epsilon", dp->epsilon->text()}};
}

AnswerTable<Reply> answer_table() {
  const Json digits = {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  const auto zcdp = [](const Reply& reply) -> const ZcdpGuarantee* {
    if (const auto* to_rho = std::get_if<ToRho>(&reply)) return &to_rho->found;
    if (const auto* pure = std::get_if<PureConversion>(&reply)) return &pure->rho;
    return nullptr;
  };
  return AnswerTable<Reply>()
      .value("epsilon", of<ToDp>([](const ToDp& dp) { return dp.delta ? Number(dp.found.best.epsilon) : std::nullopt; }),
             "for the delta that was given")
      .unless_null()
      .value("delta", of<ToDp>([](const ToDp& dp) { return dp.epsilon ? Number(dp.found.best.delta) : std::nullopt; }),
             "for the epsilon that was given")
      .unless_null()
      .value(
          "rho", [zcdp](const Reply& reply) { return zcdp(reply) != nullptr ? Number(zcdp(reply)->zcdp.rho) : std::nullopt; },
          "of a mu or of a pure epsilon")
      .unless_null()
      .value("mu", of<PureConversion>([](const PureConversion& pure) { return Number(pure.mu.mu); }), "of a pure epsilon")
      .unless_null()
      .value(
          "rule",
          [zcdp](const Reply& reply) {
            return std::string(zcdp(reply) != nullptr ? zcdp(reply)->rule : std::get<ToDp>(reply).found.best.rule);
          },
          "the rule that gave it")
      .value(
          "theorem",
          [zcdp](const Reply& reply) {
            return std::string(zcdp(reply) != nullptr ? zcdp(reply)->theorem : std::get<ToDp>(reply).found.best.theorem);
          },
          "where the rule is proven")
      .value("mu_rule", of<PureConversion>([](const PureConversion& pure) { return Text(pure.mu.rule); }), "the rule that gave mu")
      .unless_null()
      .value("mu_theorem", of<PureConversion>([](const PureConversion& pure) { return Text(pure.mu.theorem); }),
             "where that rule is proven")
      .unless_null()
      .value("theorem_2_2_4", of<ToDp>([](const ToDp& dp) { return of_rho(dp, &RhoTheorems::theorem_2_2_4); }),
             "of rho: by Rogers, Theorem 2.2.4")
      .unless_null()
      .value("optimal", of<ToDp>([](const ToDp& dp) { return of_rho(dp, &RhoTheorems::optimal); }),
             "of rho: by the best order of the Renyi divergence")
      .unless_null()
      .value("if_gaussian", of<ToDp>([](const ToDp& dp) { return dp.found.of_rho ? dp.found.of_rho->if_gaussian : std::nullopt; }),
             "of rho: if the noise is known to be Gaussian")
      .unless_null()
      .json("from", from_json, digits, "the rho or mu of the request")
      .unless_null()
      .json("target", target_json, digits, "the delta or epsilon of the request")
      .unless_null();
}

}  // namespace

Verb make() {
  return verb<Request, Reply>({.name = "convert",
                               .summary = "What a promise in one currency says in another, rounded to the safe side",
                               .example = "tacet convert --rho 0.125 --delta 1e-6",
                               .library = LibraryFunction{"epsilon_at_delta", "tacet/workflow/privacy/convert.h"},
                               .request = RequestTable<Request>()
                                              .field("rho", &Request::rho, "R", "from rho (zero-concentrated privacy)")
                                              .field("xi", &Request::xi, "X", "with rho: the xi of (xi, rho)-zCDP; 0 if not given")
                                              .field("mu", &Request::mu, "M", "from mu (Gaussian privacy); alone: its rho")
                                              .field("delta", &Request::delta, "D", "the delta for which an epsilon is wanted")
                                              .field("epsilon", &Request::epsilon, "E",
                                                     "the epsilon for which a delta is wanted; alone: a pure epsilon, to rho and mu"),
                               .answer = answer_table(),
                               .run = run,
                               .words = words});
}

}  // namespace tacet::service::convert_verb

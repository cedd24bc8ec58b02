#include <cmath>

#include <fmt/format.h>

#include "tacet/accounting/conversion.h"
#include "tacet/exact/rounding.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

enum class Toward : std::uint8_t { Nothing, Delta, Epsilon };  // what the other of (epsilon, delta) is asked for

/// A parameter, rounded up: what is given away is never understated.
template <class Parameter>
Result<double> parameter_up(const std::string& text) {
  TACET_TRY(const Parameter parsed, Parameter::parse(text));
  return exact::least_double_at_least(parsed.value().to_rational());
}

/// Delta and epsilon as targets are rounded down: the answer holds for what was asked.
Result<double> target_delta(const std::string& text) {
  TACET_TRY(const privacy::Delta parsed, privacy::Delta::parse(text));
  if (parsed.value().is_zero()) {
    return Error::invalid("delta", text.substr(0, 40), "must be greater than 0: neither rho nor mu implies a pure epsilon",
                          "for example: --delta 1e-6");
  }
  return exact::greatest_double_at_most(parsed.value().to_rational());
}
Result<double> target_epsilon(const std::string& text) {
  TACET_TRY(const privacy::Epsilon parsed, privacy::Epsilon::parse(text));
  return exact::greatest_double_at_most(parsed.value().to_rational());
}

Json guarantee_json(const accounting::DpGuarantee& guarantee, Toward toward) {
  Json json = {{"rule", guarantee.rule}, {"theorem", guarantee.theorem}};
  if (toward == Toward::Delta) json["delta"] = guarantee.delta;
  if (toward == Toward::Epsilon) json["epsilon"] = guarantee.epsilon;
  return json;
}

double value_of(const accounting::DpGuarantee& guarantee, Toward toward) {
  return toward == Toward::Delta ? guarantee.delta : guarantee.epsilon;
}

Result<Json> from_rho(const Json& request, Toward toward) {
  TACET_TRY(const double rho, parameter_up<privacy::Rho>(*number_field(request, "rho")));
  const double mu = exact::least_double_root_at_least(mpq_class(rho) * 2);
  if (toward == Toward::Nothing)
    return Error::invalid("target", "missing", "must be --delta (for an epsilon) or --epsilon (for a delta)", "for example: --delta 1e-6");
  accounting::ZcdpToDp both{};
  accounting::DpGuarantee if_gaussian{};
  if (toward == Toward::Epsilon) {
    TACET_TRY(const double delta, target_delta(*number_field(request, "delta")));
    TACET_TRY(both, accounting::epsilon_of_zcdp({0, rho}, delta));
    TACET_TRY(if_gaussian, accounting::epsilon_of_gdp(mu, delta));
  } else {
    TACET_TRY(const double epsilon, target_epsilon(*number_field(request, "epsilon")));
    TACET_TRY(both, accounting::delta_of_zcdp({0, rho}, epsilon));
    TACET_TRY(if_gaussian, accounting::delta_of_gdp(mu, epsilon));
  }
  Json json = guarantee_json(both.best, toward);
  json["theorem_2_2_4"] = value_of(both.theorem_2_2_4, toward);
  json["optimal"] = value_of(both.optimal, toward);
  json["if_gaussian"] = value_of(if_gaussian, toward);
  return json;
}

Result<Json> from_mu(const Json& request, Toward toward) {
  TACET_TRY(const double mu, parameter_up<privacy::Mu>(*number_field(request, "mu")));
  if (toward == Toward::Nothing) {
    TACET_TRY(const accounting::ZcdpGuarantee zcdp, accounting::zcdp_of_gdp(mu));
    return Json{{"rho", zcdp.zcdp.rho}, {"rule", zcdp.rule}, {"theorem", zcdp.theorem}};
  }
  accounting::DpGuarantee guarantee{};
  if (toward == Toward::Epsilon) {
    TACET_TRY(const double delta, target_delta(*number_field(request, "delta")));
    TACET_TRY(guarantee, accounting::epsilon_of_gdp(mu, delta));
  } else {
    TACET_TRY(const double epsilon, target_epsilon(*number_field(request, "epsilon")));
    TACET_TRY(guarantee, accounting::delta_of_gdp(mu, epsilon));
  }
  return guarantee_json(guarantee, toward);
}

Result<Json> from_epsilon(const Json& request) {
  TACET_TRY(const double epsilon, parameter_up<privacy::Epsilon>(*number_field(request, "epsilon")));
  if (const auto delta = number_field(request, "delta")) {
    TACET_TRY(const privacy::Delta parsed, privacy::Delta::parse(*delta));
    if (!parsed.value().is_zero()) {
      return Error::of(Code::Unsupported, fmt::format("(epsilon, delta)-DP with delta {} implies neither a mu nor a rho", *delta),
                       "for Gaussian noise that keeps it: tacet calibrate gaussian --l2 1 --epsilon E --delta D");
    }
  }
  TACET_TRY(const accounting::ZcdpGuarantee zcdp, accounting::zcdp_of_pure(epsilon));
  TACET_TRY(const accounting::GdpGuarantee gdp, accounting::gdp_of_pure(epsilon));
  return Json{{"rho", zcdp.zcdp.rho},    {"mu", gdp.mu},        {"rule", zcdp.rule},
              {"theorem", zcdp.theorem}, {"mu_rule", gdp.rule}, {"mu_theorem", gdp.theorem}};
}

Result<Json> run(const Json& request, const Context& /*context*/) {
  const bool rho = request.contains("rho");
  const bool mu = request.contains("mu");
  const bool epsilon = request.contains("epsilon");
  const bool delta = request.contains("delta");
  if (rho && mu) return Error::invalid("privacy", "given twice", "must be one of rho, mu, or epsilon alone", "leave one of them out");
  if (!rho && !mu && !epsilon)
    return Error::invalid("privacy", "missing", "must be one of rho, mu, or epsilon alone", "for example: --rho 0.125 --delta 1e-6");
  if (!rho && !mu) return from_epsilon(request);
  if (epsilon && delta) {
    return Error::invalid("target", "epsilon and delta", "must be only one of them: the other one is the answer",
                          "leave --epsilon out to get it");
  }
  const Toward toward = delta ? Toward::Epsilon : epsilon ? Toward::Delta : Toward::Nothing;
  TACET_TRY(Json json, rho ? from_rho(request, toward) : from_mu(request, toward));
  const char* from = rho ? "rho" : "mu";
  json["from"] = {{from, *number_field(request, from)}};
  if (toward != Toward::Nothing) {
    const char* target = delta ? "delta" : "epsilon";
    json["target"] = {{target, *number_field(request, target)}};
  }
  return json;
}

std::string words(const Json& result) {
  const auto number = [&result](const char* name) { return fmt::format("{}", result.at(name).get<double>()); };
  if (!result.contains("from")) {
    return fmt::format("A pure epsilon is rho-zCDP with rho {} ({}),\nand mu-GDP with mu {} ({}).\n", number("rho"),
                       result.at("theorem").get<std::string>(), number("mu"), result.at("mu_theorem").get<std::string>());
  }
  const auto from = result.at("from").begin();
  const std::string start = fmt::format("{} {} is ", from.key(), from.value().get<std::string>());
  if (!result.contains("target"))
    return start + fmt::format("rho-zCDP with rho {} ({}).\n", number("rho"), result.at("theorem").get<std::string>());
  const auto target = result.at("target").begin();
  const bool epsilon = result.contains("epsilon");
  std::string out = start + (epsilon ? fmt::format("(epsilon {}, delta {})-DP", number("epsilon"), target.value().get<std::string>())
                                     : fmt::format("(epsilon {}, delta {})-DP", target.value().get<std::string>(), number("delta")));
  out += fmt::format(", by {}.\n", result.at("theorem").get<std::string>());
  if (result.contains("theorem_2_2_4")) {
    out += fmt::format("By Rogers, Theorem 2.2.4 it would be {}; if the noise is known to be Gaussian it is {} (ask with --mu).\n",
                       number("theorem_2_2_4"), number("if_gaussian"));
  }
  return out;
}

}  // namespace

Verb convert_verb() {
  return {"convert",
          "What a promise in one currency says in another, rounded to the safe side",
          "tacet convert --rho 0.125 --delta 1e-6",
          {{"rho", "R", "from rho (zero-concentrated privacy)", FieldKind::Number},
           {"mu", "M", "from mu (Gaussian privacy); alone: its rho", FieldKind::Number},
           {"delta", "D", "the delta for which an epsilon is wanted", FieldKind::Number},
           {"epsilon", "E", "the epsilon for which a delta is wanted; alone: a pure epsilon, to rho and mu", FieldKind::Number}},
          run,
          words};
}

}  // namespace tacet::service

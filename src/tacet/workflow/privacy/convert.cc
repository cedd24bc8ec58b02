#include "tacet/workflow/privacy/convert.h"

#include <string>
#include <variant>

#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/exact/rounding.h"
#include "tacet/privacy/parameters.h"

namespace tacet {
namespace {

/// A parameter of a promise, rounded up: the loss is never understated.
template <class Parameter>
Result<double> parameter_up(const Digits& digits) {
  TACET_TRY(const Parameter parsed, Parameter::parse(digits.text()));
  return exact::least_double_at_least(parsed.value().to_rational());
}

/// Targets are rounded down: the answer then holds for the target.
Result<double> target_delta(const Digits& digits) {
  TACET_TRY(const privacy::Delta parsed, privacy::Delta::parse(digits.text()));
  if (parsed.value().is_zero()) {
    return Error::invalid("delta", digits.text().substr(0, 40), "must be greater than 0: neither rho nor mu implies a pure epsilon",
                          "for example: delta = 1e-6");
  }
  return exact::greatest_double_at_most(parsed.value().to_rational());
}
Result<double> target_epsilon(const Digits& digits) {
  TACET_TRY(const privacy::Epsilon parsed, privacy::Epsilon::parse(digits.text()));
  return exact::greatest_double_at_most(parsed.value().to_rational());
}

/// One of (epsilon, delta) for the other, by the rules of either currency.
struct Sought {
  Result<accounting::ZcdpToDp> (*of_zcdp)(accounting::Zcdp loss, double target);
  Result<DpGuarantee> (*of_gdp)(double mu, double target);
  double DpGuarantee::* found;
};

Result<DpConversion> convert(const GaussianAmount& loss, double target, const Sought& sought, const Digits& xi_digits) {
  TACET_TRY(const Decimal exact_xi, checked_xi(xi_digits));
  const double xi = xi_up(exact_xi);
  if (xi > 0 && std::holds_alternative<Mu>(loss))
    return Error::invalid("xi", xi_digits.text().substr(0, 40), "goes with rho: (xi, rho)-zCDP", "leave it out");
  if (const auto* given = std::get_if<Mu>(&loss)) {
    TACET_TRY(const double mu, parameter_up<privacy::Mu>(given->value));
    TACET_TRY(const DpGuarantee exact, sought.of_gdp(mu, target));
    return DpConversion{exact, std::nullopt};
  }
  TACET_TRY(const double rho, parameter_up<privacy::Rho>(std::get<Rho>(loss).value));
  TACET_TRY(const accounting::ZcdpToDp both, sought.of_zcdp({xi, rho}, target));
  RhoTheorems theorems{both.theorem_2_2_4.*sought.found, both.optimal.*sought.found, std::nullopt};
  if (xi == 0) {
    const double mu = exact::least_double_root_at_least(mpq_class(rho) * 2);
    TACET_TRY(const DpGuarantee if_gaussian, sought.of_gdp(mu, target));
    theorems.if_gaussian = if_gaussian.*sought.found;
  }
  return DpConversion{both.best, theorems};
}

}  // namespace

Result<Decimal> checked_xi(const Digits& digits) {
  const auto xi = Decimal::parse(digits.text());
  static const Decimal least = *Decimal::parse("1e-100");
  static const Decimal most(1'000'000);
  if (!xi || !(xi->is_zero() || (*xi >= least && *xi <= most)))
    return Error::invalid("xi", digits.text().substr(0, 40), "must be 0 or a number between 1e-100 and 1e6", "for example: xi = 0.1");
  return *xi;
}

double xi_up(const Decimal& xi) { return xi.is_zero() ? 0 : exact::least_double_at_least(xi.to_rational()); }

Result<DpConversion> epsilon_at_delta(const GaussianAmount& loss, const Digits& delta, const Digits& xi) {
  TACET_TRY(const double target, target_delta(delta));
  return convert(loss, target, {accounting::epsilon_of_zcdp, accounting::epsilon_of_gdp, &DpGuarantee::epsilon}, xi);
}

Result<DpConversion> delta_at_epsilon(const GaussianAmount& loss, const Digits& epsilon, const Digits& xi) {
  TACET_TRY(const double target, target_epsilon(epsilon));
  return convert(loss, target, {accounting::delta_of_zcdp, accounting::delta_of_gdp, &DpGuarantee::delta}, xi);
}

Result<ZcdpGuarantee> rho_of(const Mu& mu) {
  TACET_TRY(const double up, parameter_up<privacy::Mu>(mu.value));
  return accounting::zcdp_of_gdp(up);
}

Result<PureConversion> convert_pure(const Epsilon& epsilon) {
  TACET_TRY(const double up, parameter_up<privacy::Epsilon>(epsilon.value));
  TACET_TRY(const ZcdpGuarantee rho, accounting::zcdp_of_pure(up));
  TACET_TRY(const GdpGuarantee mu, accounting::gdp_of_pure(up));
  return PureConversion{rho, mu};
}

Result<PureConversion> convert_pure(const EpsilonDelta& loss) {
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(loss.epsilon.text()));
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(loss.delta.text()));
  if (delta.value().is_zero()) return convert_pure(Epsilon{loss.epsilon});
  return Error::of(Code::Unsupported, fmt::format("(epsilon, delta)-DP with delta {} implies neither a mu nor a rho", loss.delta.text()),
                   "`calibrate gaussian` tells the Gaussian noise that keeps it, and its mu and rho");
}

}  // namespace tacet

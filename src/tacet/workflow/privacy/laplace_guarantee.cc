#include "tacet/workflow/privacy/laplace_guarantee.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/laplace_gdp.h"
#include "tacet/accounting/short_decimal.h"
#include "tacet/base/decimal.h"
#include "tacet/exact/rounding.h"
#include "tacet/privacy/noise_proofs.h"

namespace tacet {
namespace {

constexpr int kEpsilonDigits = 17;

/// l1/scale, rounded up. bound_up has checked both.
Result<Decimal> epsilon_of(const LaplaceGuaranteeRequest& request) {
  for (const auto& [name, digits] : {std::pair("l1", &request.statistic.l1), std::pair("scale", &request.scale)}) {
    if (const auto bound = accounting::bound_up(name, digits->text()); !bound) return bound.error();
  }
  TACET_TRY(const Decimal l1, Decimal::parse(request.statistic.l1.text()));
  TACET_TRY(const Decimal scale, Decimal::parse(request.scale.text()));
  Decimal epsilon = accounting::short_decimal_up(l1.to_rational() / scale.to_rational(), kEpsilonDigits);
  if (epsilon.approximate() >= 1e-8 && epsilon.approximate() <= 100) return epsilon;
  return Error::invalid("scale", request.scale.text().substr(0, 40), "must be such that l1/scale lies between 1e-8 and 100",
                        "`tradeoff laplace` draws the curve of other noise");
}

Result<Decimal> mu_by(LaplaceMuRule rule, const Decimal& epsilon) {
  if (rule == LaplaceMuRule::Universal) return privacy::mu_of_pure_up(epsilon);
  if (rule == LaplaceMuRule::Table) return accounting::laplace_table_mu(epsilon);
  return accounting::laplace_numbers_mu(epsilon);
}

double up(const mpq_class& value) { return exact::least_double_at_least(value); }

}  // namespace

Result<LaplaceGuarantee> laplace_guarantee(const LaplaceGuaranteeRequest& request) {
  TACET_CHECK(check_rule(request.rule, request.statistic));
  TACET_TRY(const Decimal epsilon, epsilon_of(request));
  TACET_TRY(const Decimal mu, mu_by(request.rule, epsilon));
  TACET_TRY(const Decimal universal, privacy::mu_of_pure_up(epsilon));
  const mpq_class ratio = epsilon.to_rational();
  // A table changes in two cells, by half of l1 each.
  const mpq_class rho =
      request.rule == LaplaceMuRule::Table ? mpq_class(2 * privacy::laplace_rho_up(ratio / 2)) : privacy::laplace_rho_up(ratio);
  return LaplaceGuarantee{
      up(ratio), up(rho), up(mu.to_rational()), up(universal.to_rational()), request.rule, request.rule != LaplaceMuRule::Conjecture12};
}

}  // namespace tacet

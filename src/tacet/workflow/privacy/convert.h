// tacet/workflow/privacy/convert.h: converts a promise from one currency to another.
//
//   DpConversion at = *epsilon_at_delta(Rho(0.125), 1e-6);
//   at.best.epsilon;                                 // 2.4190887, by at.best.theorem
//   at.of_rho->if_gaussian;                          // 2.2540398, if the noise is Gaussian
//   double delta = delta_at_epsilon(Mu(0.5), 1)->best.delta;
//   double rho = rho_of(Mu(0.5))->zcdp.rho;          // 0.125
//   double mu = convert_pure(Epsilon(1))->mu.mu;     // 1.2320354
//
// The loss is rounded up to a double and the target down, so every answer is an upper bound. A
// conversion without a theorem is refused: (epsilon, delta) with a delta above 0 implies neither
// rho nor mu.
// Domain, error and cost are those of accounting/conversion.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>

#include "tacet/accounting/conversion.h"
#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/privacy/parameters.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using accounting::DpGuarantee;
using accounting::GdpGuarantee;
using accounting::ZcdpGuarantee;

/// The epsilon or delta of a rho by each theorem, and that of Gaussian noise with this rho.
struct RhoTheorems {
  double theorem_2_2_4, optimal;
  std::optional<double> if_gaussian;  // nothing with a xi: no Gaussian noise has one
};
/// The best guarantee, and those of other theorems.
struct DpConversion {
  DpGuarantee best;
  std::optional<RhoTheorems> of_rho;  // empty from mu, whose curve is exact
};

/// The xi of (xi, rho)-zCDP: 0, or between 1e-100 and 1e6.
Result<Decimal> checked_xi(const Digits& digits);
/// The least double that is at least this xi.
double xi_up(const Decimal& xi);

/// The least epsilon for this delta, and the least delta for this epsilon. With a xi, which goes
/// with rho only, of (xi, rho)-zCDP.
Result<DpConversion> epsilon_at_delta(const GaussianAmount& loss, const Digits& delta, const Digits& xi = 0);
Result<DpConversion> delta_at_epsilon(const GaussianAmount& loss, const Digits& epsilon, const Digits& xi = 0);

/// The least rho of Gaussian noise with this mu.
Result<ZcdpGuarantee> rho_of(const Mu& mu);

/// What a pure epsilon is in rho and in mu.
struct PureConversion {
  ZcdpGuarantee rho;
  GdpGuarantee mu;
};
/// For any mechanism with a pure epsilon. A delta of 0 is pure; Unsupported for any other.
Result<PureConversion> convert_pure(const Epsilon& epsilon);
Result<PureConversion> convert_pure(const EpsilonDelta& loss);

}  // namespace tacet

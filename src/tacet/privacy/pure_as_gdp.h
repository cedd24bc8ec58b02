// tacet/privacy/pure_as_gdp.h: the mu that a pure loss costs a budget in mu, as a decimal that a ledger can keep.
//
//   Decimal mu = *mu_of_pure_up(*Decimal::parse("1"));      // 1.2320353854
//
// What a ledger adds up must be the same decimal on every machine, whatever its mathematical library, so that the sums can be
// derived again from the losses: the inequality is decided between integers (privacy/noise_proofs.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"

namespace tacet::privacy {

/// The least mu such that every epsilon-DP mechanism is mu-GDP, on a grid of 10^-10 of the power of ten in epsilon.
/// Theorem  Lee et al. (2022), (12): it is if and only if epsilon <= log(Phi(mu/2)/Phi(-mu/2)).
/// Domain   0 < epsilon <= 100; below 1e-9 it is counted as 1e-9. Outside: InvalidArgument.
/// Error    one-sided: never below the true mu, and above it by a relative 1e-9 at most (for epsilon >= 1e-9).
/// Cost     2 ms at epsilon = 1, 7 ms at epsilon = 100; nothing when a thread asks for the same again.
/// Checked  tests/currency/pure_as_gdp_test.cc, against accounting/conversion.h in both directions, and MPFR through it.
Result<Decimal> mu_of_pure_up(const Decimal& epsilon);

}  // namespace tacet::privacy

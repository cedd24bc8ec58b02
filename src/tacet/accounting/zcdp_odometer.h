// tacet/accounting/zcdp_odometer.h: what rho or mu add up to, valid at every moment.
//
// "rho adds up" holds for a budget that was set beforehand. It is not a reading: an analyst who
// watches the total and stops at a moment of their choice can exceed the epsilon of the total so
// far more often than its delta says. These readings hold at every moment, also if each loss was
// chosen after the last result:
//
//   double epsilon = *zcdp_odometer(/*rho=*/0.1, /*delta=*/1e-6);     // 2.32; preset: 1.99
//   rogers_zcdp_odometer(0.1, 1e-6, /*n=*/100000);                    // 3.97
//
// For Gaussian noise rho is mu^2/2. A pure epsilon is at most rho = epsilon^2/2.
// Theorem  docs/explanation/odometers.md. Let L be the privacy loss and S the sum of rho_i so far.
//          For all weights w on lambda > 0, M = sum w(lambda) exp(lambda L - lambda (1 + lambda)
//          S) is a supermartingale. The reading is the least R with (1 - e^(R - L))_+ <= delta M
//          for all L. So at every stopping time P[E] <= E_Q[e^R 1_E] + delta for every event E.
//          The weights are on 2^(j/2), j = -6..40, proportional to (1 + |j - 8|/2)^(-3/2).
//          rogers_zcdp_odometer: Rogers 5.7.5 and 5.7.6, S + sqrt(4 S (log(48 e) + 2 log(log(n)/
//          delta))) for 2 S in [1/n^2, 1]; elsewhere it has no bound.
// Domain   rho 0 or 10^-30 to 10^6; 10^-300 <= delta < 1; n >= 2. Outside: InvalidArgument.
// Error    one-sided: never below the formula, at most a relative 10^-9 above it.
// Cost     1 ms.
// Checked  tests/accounting/zcdp_odometer_test.cc: independent values, and analysts who stop when
//          they like.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "tacet/base/result.h"

namespace tacet::accounting {

/// The epsilon that holds now, for losses whose rhos add up to `rho` so far.
Result<double> zcdp_odometer(double rho, double delta);

/// The same by the dissertation; nothing outside of its range.
Result<std::optional<double>> rogers_zcdp_odometer(double rho, double delta, std::uint64_t n);

}  // namespace tacet::accounting

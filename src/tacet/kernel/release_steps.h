// tacet/kernel/release_steps.h: what the releases of numbers have in common. Internal to the kernel.
//
//   TACET_TRY(const double epsilon, pure_epsilon(grant.loss(), "Laplace"));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <gmpxx.h>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

mpz_class to_big(Int128 value);
Int128 from_big(const mpz_class& value);  // at least 0, below 2^127

/// The largest pure epsilon, rounded down to a double, that implies what the loss promises. `noise` names the noise that asks.
/// Theorem  mu and rho: Lee et al. (2022), (12), by privacy/conversion.h.
/// Domain   losses without delta; Unsupported otherwise.
/// Error    one-sided, down: a relative 10^-12 at most.   Cost  below 20 microseconds.   Checked  tests/kernel/release_k_norm_test.cc
Result<double> pure_epsilon(const privacy::Loss& loss, std::string_view noise);

}  // namespace tacet::kernel

// tacet/kernel/release_steps.h: what the releases of numbers have in common. Internal to the kernel.
//
//   TACET_TRY(const double epsilon, pure_epsilon(grant.loss(), "Laplace"));
//   TACET_TRY(const CubePlan plan, plan_k_norm_for(box, epsilon));              // a part of it, where several releases share a grant
//
// Plans for an epsilon keep the theorems of release_k_norm.h and release_numbers.h with it in place of the loss; they read no data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <gmpxx.h>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"
#include "tacet/kernel/release_k_norm.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

mpz_class to_big(Int128 value);
Int128 from_big(const mpz_class& value);  // at least 0, below 2^127

/// The largest pure epsilon, rounded down to a double, that implies what the loss promises. `noise` names the noise that asks.
/// Theorem  mu and rho: Lee et al. (2022), (12), by privacy/conversion.h.
/// Domain   losses without delta; Unsupported otherwise.
/// Error    one-sided, down: a relative 10^-12 at most.   Cost  below 20 microseconds.   Checked  tests/kernel/release_k_norm_test.cc
Result<double> pure_epsilon(const privacy::Loss& loss, std::string_view noise);

Result<CubePlan> plan_k_norm_for(const BoxSensitivity& box, double epsilon);
Result<NumbersPlan> plan_laplace_for(const BoxSensitivity& box, const std::vector<double>& weights, double epsilon);

/// The values with their noise, appended to `ticks`, which after an error are of no use: they never leave.
Status add_noise(const std::vector<Int128>& values, const CubePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);
Status add_noise(const std::vector<Int128>& values, const NumbersPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);

}  // namespace tacet::kernel

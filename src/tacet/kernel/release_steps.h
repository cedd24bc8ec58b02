// tacet/kernel/release_steps.h: what the releases have in common. Internal to the kernel.
//
//   TACET_TRY(const Grant paid, pay(std::move(grant), plan, statistic));      // first of all: nothing is opened before it
//   const auto opened = Vault::trusted_open(std::move(statistic));
//   TACET_CHECK(add_noise(values, plan, bits, ticks));
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/release_k_norm.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

/// Consumes the grant and proves that the planned noise keeps what it paid for. Refused if it was spent before, or charged for other neighbours or
/// another dataset.
template <class Plan, class Value, class Bound>
Result<Grant> pay(Grant&& grant, const Plan& plan, const Sensitive<Value, Bound>& statistic) {
  TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
  Grant consumed = std::move(grant);
  if (Status kept = check_scales(plan, statistic.sensitivity(), consumed.loss()); !kept.ok())
    return std::move(kept).error().after_charge(consumed.spent_words());
  return consumed;
}

/// The values with their noise, appended to `ticks`, which after an error are of no use: they never leave. The plan has been checked.
Status add_noise(const std::vector<Int128>& values, const CubePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);
Status add_noise(const std::vector<Int128>& values, const NumbersPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);

}  // namespace tacet::kernel

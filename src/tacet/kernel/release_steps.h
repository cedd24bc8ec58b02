// tacet/kernel/release_steps.h: what the releases have in common. Internal to the kernel.
//
//   TACET_TRY(const Grant paid, pay(std::move(grant), plan, statistic));      // first of all: nothing is opened before it
//   const auto opened = Vault::trusted_open(std::move(statistic));
//   TACET_TRY(NoisyCube noisy, with_noise(NoisyCube{...}, paid, [&](auto& ticks) { return add_noise(*opened, plan, bits, ticks); }));
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"
#include "tacet/exact/rounded_noise.h"
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

/// Fills `noisy.ticks` by `add(ticks)`. Where that fails, or there are no random bits, nothing leaves, and the error says what was spent.
template <class Noisy, class Add>
Result<Noisy> with_noise(Noisy noisy, const Grant& paid, const Add& add) {
  Status added;
  try {
    added = add(noisy.ticks);
  } catch (const exact::EntropyFailure&) {
    added = Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was published");
  }
  if (!added.ok()) return std::move(added).error().after_charge(paid.spent_words());
  return noisy;
}

/// Of scale 2^grid_log2 scale, which is exact: a power of two times a double.
Result<exact::RoundedNoise> noise_of(NoiseFamily family, double scale, int grid_log2);
/// value * unit + noise, appended to `ticks`. Internal if that does not fit 128 bits.
Status append_noisy(Int128 value, Int128 unit, Int128 noise, std::vector<Int128>& ticks);

/// The values with their noise, appended to `ticks`. The plan has been checked, and has a scale for each of them, or else Internal.
Status add_noise(const std::vector<Int128>& values, const CubePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);
Status add_noise(const std::vector<Int128>& values, const NumbersPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);

}  // namespace tacet::kernel

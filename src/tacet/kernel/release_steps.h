// tacet/kernel/release_steps.h: the only way from a sealed value to a released one. Internal.
//
//   return Publisher::publish<NoisyCube>(std::move(sums), cube_plan, std::move(grant), bits);
// It consumes the grant, proves the noise, opens the value, adds noise, and wipes the value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"
#include "tacet/exact/rounded_noise.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/release_cube_products.h"
#include "tacet/kernel/release_k_norm.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/kernel/vault.h"

namespace tacet::kernel {

/// Appends the noisy values to `ticks`. Internal unless the checked plan has a scale for each.
Status add_noise(const std::vector<std::int64_t>& values, const NoisePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);
Status add_noise(const std::vector<Int128>& values, const NumbersPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);
Status add_noise(const std::vector<Int128>& values, const CubePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);
Status add_noise(const std::vector<Int128>& values, const CubeProductsPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks);

/// Noise alone: together with the published values it would reveal the exact ones.
struct Wiped {
  std::vector<Int128> noise{};
  ~Wiped() { wipe(noise); }
};

class Publisher {
 public:
  /// Refused as Grant::check_for says. Every later error says what was spent.
  template <class Noisy, class Value, class Bound, class Plan>
  static Result<Released<Noisy>> publish(Sensitive<Value, Bound>&& statistic, const Plan& plan, Grant&& grant, exact::RandomBits& bits) {
    TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
    const Grant paid = std::move(grant);
    const Bound bound = statistic.sensitivity();
    Status added = check_scales(plan, bound, paid.loss());
    std::vector<Int128> ticks;
    if (added.ok()) {
      const auto opened = Vault::trusted_open(std::move(statistic));
      try {
        added = add_noise(*opened, plan, bits, ticks);
      } catch (const exact::EntropyFailure&) {
        added = Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was published");
      }
    }
    if (!added.ok()) return std::move(added).error().after_charge(paid.spent_words());
    if constexpr (std::same_as<Bound, Sensitivity>) {
      return Released<Noisy>({std::move(ticks), plan, bound, paid.loss(), paid.receipt()});
    } else {
      return Released<Noisy>({std::move(ticks), plan, bound.relation, paid.loss(), paid.receipt()});
    }
  }
};

/// Noise of scale 2^grid_log2 scale, which is exact.
Result<exact::RoundedNoise> noise_of(NoiseFamily family, double scale, int grid_log2);
/// value * unit + noise, appended to `ticks`. Internal if that does not fit 128 bits.
Status append_noisy(Int128 value, Int128 unit, Int128 noise, std::vector<Int128>& ticks);

}  // namespace tacet::kernel

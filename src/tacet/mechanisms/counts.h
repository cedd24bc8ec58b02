// tacet/mechanisms/counts.h: the mechanisms that publish a table of counts.
//
//   gaussian        y = x + s Z                                          (Lee, Theorem 1)
//   rank-deficient  y = x + s (I - 11'/p) Z, which keeps the public total
//                                                        (Lee, Theorem 2 and Example 1)
//   laplace         y = x + s L, L with independent Laplace coordinates  (Dwork et al. 2006)
//
// The rank-deficient mechanism adds Gaussian noise and then subtracts the error of the total from
// all cells equally. The public n shows that error. This is post-processing of an exact release,
// so the guarantee is exact too.
//
//   CountMechanism mechanism = CountMechanism::RankDeficient;
//   NoisePlan plan = *plan_counts(mechanism, sensitivity, loss);      // before charging
//   CountRelease r = describe_counts(released, mechanism, {{"smoking", {"never", "current"}}},
//                                    terms.people(/*rows=*/1468), "counts by smoking");
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/kernel/release.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

enum class CountMechanism : std::uint8_t { Gaussian, RankDeficient, Laplace };
constexpr auto names_of(CountMechanism) {
  return std::to_array<Named<CountMechanism>>(
      {{CountMechanism::Gaussian, "gaussian"}, {CountMechanism::RankDeficient, "rank-deficient"}, {CountMechanism::Laplace, "laplace"}});
}
kernel::NoiseFamily family(CountMechanism mechanism);
/// The mechanism that was asked for; if none was, Laplace for a pure loss and otherwise Gaussian.
CountMechanism choose_mechanism(const std::optional<CountMechanism>& asked, const privacy::Loss& loss);

/// The noise that the mechanism adds for `loss`, or why it cannot. Reads no data; call it before
/// charging.
Result<kernel::NoisePlan> plan_counts(CountMechanism mechanism, const kernel::Sensitivity& sensitivity, const privacy::Loss& loss);

/// The public record of a release of counts; projects for the rank-deficient mechanism.
CountRelease describe_counts(const kernel::Released<kernel::NoisyVector>& released, CountMechanism mechanism, std::vector<ReleaseAxis> axes,
                             const std::optional<kernel::PublicFact<std::int64_t>>& n, std::string statement);

/// y - 1 (sum y - total)/p: the nearest table with that total.
void keep_total(std::vector<double>& values, double total);

}  // namespace tacet::mechanisms

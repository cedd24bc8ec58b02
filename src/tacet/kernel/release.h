// tacet/kernel/release.h: adds noise to private data. Everything after it is post-processing.
//
// release() takes a sealed integer vector x, consumes a Grant, and publishes
//   y_j = x_j 2^k + round(2^k s Z_j),     in ticks of 2^-k,
//
// where Z_j are independent, exact standard Gaussian or Laplace deviates, rounded correctly
// (exact/rounded_noise.h). As x_j 2^k is an integer, y is the ideal mechanism, rounded: every
// guarantee of the ideal mechanism holds for the published bits.
//   NoisePlan plan = *mechanisms::plan_noise(NoiseFamily::Gaussian, sensitivity, loss);
//   Grant grant = *ledger.charge(request);                                    // durable from here
//   Released<NoisyVector> out = *release(std::move(counts), plan, std::move(grant), bits);
//
// The plan is not trusted: right before noise is drawn, check_scales (kernel/scale_check.h)
// decides in exact arithmetic that s keeps the loss of the grant for the sensitivity of the value.
// If not, nothing is published.
// Theorem  Gaussian: s^2 >= l2^2/mu^2 gives mu-GDP, mu^2/2-zCDP and the (epsilon, delta) of its
//          curve. Laplace: s >= l1/epsilon gives epsilon-DP, and mu and rho by their rules.
//          Sources: docs/explanation/noise_of_a_release.md. Rounding is post-processing.
// Domain   2^-40 <= s <= 2^60; 1 to 10^8 cells.
// Timing   varies with the draws; see docs/explanation/threats.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

enum class NoiseFamily : std::uint8_t { Gaussian, Laplace };
constexpr auto names_of(NoiseFamily) {
  return std::to_array<Named<NoiseFamily>>({{NoiseFamily::Gaussian, "gaussian"}, {NoiseFamily::Laplace, "laplace"}});
}

/// A proposal: the noise and its grid.
struct NoisePlan {
  NoiseFamily family;
  double scale;   // s: standard deviation or Laplace scale, in the units of the statistic
  int grid_log2;  // k: the least k >= 0 with 2^-k <= s/1024
};

/// What has left: mechanisms/noisy_values.h has the values as doubles.
template <class Plan>
struct Noisy {
  std::vector<Int128> ticks;  // the values, in the units of the plan
  Plan plan;
  Relation relation;
  privacy::Loss loss;
  Receipt receipt;
};
using NoisyVector = Noisy<NoisePlan>;  // in units of 2^-plan.grid_log2

class Publisher;  // kernel/release.cc

/// A value that has been published: free to read, copy and print. Only releases make one.
template <class T>
class Released {
 public:
  const T& value() const { return value_; }

 private:
  friend class Publisher;
  explicit Released(T value) : value_(std::move(value)) {}
  T value_;
};

/// Fails before drawing if the grant does not pay for it; EntropyUnavailable if `bits` fails.
Result<Released<NoisyVector>> release(Sensitive<std::vector<std::int64_t>>&& statistic, const NoisePlan& plan, Grant&& grant,
                                      exact::RandomBits& bits);

}  // namespace tacet::kernel

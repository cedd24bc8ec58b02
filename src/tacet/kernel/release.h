// tacet/kernel/release.h: where private data meets randomness. Everything after it is post-processing.
//
// release() takes a sealed integer vector x, consumes a Grant, and publishes
//
//   y_j = x_j 2^k + round(2^k s Z_j),     in ticks of 2^-k,
//
// with Z_j independent exact standard Gaussian or Laplace deviates, rounded correctly (exact/rounded_noise.h). As x_j 2^k is an
// integer, y is the rounding of the ideal real-valued mechanism, so each of its guarantees holds for the bits that leave.
//
//   NoisePlan plan = *mechanisms::plan_noise(NoiseFamily::Gaussian, sensitivity, loss);     // before charging: can it be done at all?
//   Grant grant = *ledger.charge(request);                                                  // durable from here on
//   Released<NoisyVector> out = *release(std::move(counts), plan, std::move(grant), bits);
//
// Whoever made the plan is not trusted: right before noise is drawn, check_scales (kernel/scale_check.h) decides in exact arithmetic that
// the scale s keeps the loss that the grant paid for, given the sensitivity that the value carries. If its noise is too small, nothing is published.
// Theorem  Gaussian: s^2 >= l2^2/mu^2 gives mu-GDP (Dong, Roth & Su 2022, Theorem 1) and mu^2/2-zCDP (Bun & Steinke 2016,
//          Proposition 1.6), and for a mu that allows it (epsilon, delta)-DP (Balle & Wang 2018). Laplace: s >= l1/epsilon gives epsilon-DP
//          (Dwork et al. 2006); mu-GDP by the rules of Lee et al. (2022), rho by Harrison & Manurangsi (2025): all in
//          privacy/noise_proofs.h. Rounding is post-processing.
// Domain   2^-40 <= s <= 2^60; 1 to 10^8 cells.
// Timing   varies with the draws; see docs/explanation/threats.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

enum class NoiseFamily : std::uint8_t { Gaussian, Laplace };
std::string_view name(NoiseFamily family);  // "gaussian", "laplace"

/// A proposal: how much noise, and on which grid.
struct NoisePlan {
  NoiseFamily family;
  double scale;   // s: standard deviation (Gaussian) or scale (Laplace), in the statistic's own units
  int grid_log2;  // k: the result is a multiple of 2^-k; the least k >= 0 with 2^-k <= s/1024
};

struct NoisyVector {
  std::vector<Int128> ticks;  // the values, in units of 2^-plan.grid_log2
  NoisePlan plan;
  Sensitivity sensitivity;
  privacy::Loss loss;
  Receipt receipt;
};

class Publisher;  // kernel/release_steps.h

/// A value that has left: free to read, copy and print. Made by release() alone, in one of its forms.
template <class T>
class Released {
 public:
  const T& value() const { return value_; }

 private:
  friend class Publisher;
  explicit Released(T value) : value_(std::move(value)) {}
  T value_;
};

/// Fails before drawing if the grant is spent or does not pay for this noise, and with EntropyUnavailable if `bits` fails.
Result<Released<NoisyVector>> release(Sensitive<std::vector<std::int64_t>>&& statistic, const NoisePlan& plan, Grant&& grant,
                                      exact::RandomBits& bits);

}  // namespace tacet::kernel

// tacet/kernel/release.h: where private data meets randomness. Everything after it is post-processing.
//
// release() takes a sealed integer vector x, consumes a Grant, and publishes
//
//   y_j = x_j 2^k + round(2^k s Z_j),     in ticks of 2^-k,
//
// with Z_j independent exact standard Gaussian or Laplace deviates, rounded correctly (exact/rounded_noise.h). As x_j 2^k is an
// integer, y is the rounding of the ideal real-valued mechanism, so each of its guarantees holds for the bits that leave.
//
//   NoisePlan plan = *plan_noise(NoiseFamily::Gaussian, sensitivity, loss);      // before charging: can it be done at all?
//   Grant grant = *ledger.charge(request);                                        // durable from here on
//   Released<NoisyVector> out = *release(std::move(counts), NoiseFamily::Gaussian, std::move(grant), bits);
//
// The scale s is not an argument: it is computed here from the sensitivity that the value carries and the loss that the
// grant paid for, rounded up. Misuse does not compile (tests/compile_fail).
// Theorem  Gaussian: s^2 >= l2^2/mu^2 gives mu-GDP (Dong, Roth & Su 2022, Theorem 1) and mu^2/2-zCDP (Bun & Steinke 2016,
//          Proposition 1.6), and for the largest mu that allows it (epsilon, delta)-DP (Balle & Wang 2018; privacy/calibration.h).
//          Laplace: s >= l1/epsilon gives epsilon-DP (Dwork et al. 2006); mu-GDP by the rules of Lee et al. (2022)
//          (privacy/laplace_gdp.h): the table rule for counts, the universal one for the rest. Rounding is post-processing.
// Domain   2^-40 <= s <= 2^60; 1 to 10^8 cells.
// Error    s is never too small. For rho, mu and epsilon it is the least double that satisfies the inequality, decided in exact
//          rational arithmetic; for (epsilon, delta), and Laplace noise for mu, at most a relative 10^-12 above that.
// Timing   varies with the draws; see docs/threats.md.
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

struct NoisePlan {
  NoiseFamily family;
  double scale;   // s: standard deviation (Gaussian) or scale (Laplace), in the statistic's own units
  int grid_log2;  // k: the result is a multiple of 2^-k; the least k >= 0 with 2^-k <= s/1024
};

/// The noise that `loss` buys for this sensitivity. Reads no data.
Result<NoisePlan> plan_noise(NoiseFamily family, const Sensitivity& sensitivity, const privacy::Loss& loss);

struct NoisyVector {
  std::vector<Int128> ticks;  // the values, in units of 2^-plan.grid_log2
  NoisePlan plan;
  Sensitivity sensitivity;
  privacy::Loss loss;
  Receipt receipt;
};

struct NoisyNumbers;       // kernel/release_numbers.h
struct NoisyCube;          // kernel/release_k_norm.h
struct NoisyCubeProducts;  // kernel/release_cube_products.h
struct NoisyEigen;         // kernel/release_eigen.h

/// A value that has left: free to read, copy and print. Made by release() alone, in one of its forms.
template <class T>
class Released {
 public:
  const T& value() const { return value_; }

 private:
  friend Result<Released<NoisyVector>> release(Sensitive<std::vector<std::int64_t>>&&, NoiseFamily, Grant&&, exact::RandomBits&);
  friend Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, BoxSensitivity>&&, NoiseFamily, const std::vector<double>&,
                                                Grant&&, exact::RandomBits&);
  friend Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&&, NoiseFamily, Grant&&,
                                                exact::RandomBits&);
  friend Result<Released<NoisyCube>> release_k_norm(Sensitive<std::vector<Int128>, BoxSensitivity>&&, Grant&&, exact::RandomBits&);
  friend Result<Released<NoisyCubeProducts>> release_cube_products(Sensitive<std::vector<Int128>, BoxSensitivity>&&,
                                                                   const std::vector<double>&, Grant&&, exact::RandomBits&);
  friend Result<Released<NoisyEigen>> release_eigen(Sensitive<std::vector<Int128>, BoxSensitivity>&&, const std::vector<double>&, Grant&&,
                                                    exact::RandomBits&);
  explicit Released(T value) : value_(std::move(value)) {}
  T value_;
};

/// Fails before drawing if the grant is spent or does not pay for this family, and with EntropyUnavailable if `bits` fails.
Result<Released<NoisyVector>> release(Sensitive<std::vector<std::int64_t>>&& statistic, NoiseFamily family, Grant&& grant,
                                      exact::RandomBits& bits);

}  // namespace tacet::kernel

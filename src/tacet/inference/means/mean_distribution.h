// tacet/inference/means/mean_distribution.h: the distribution of the error of an estimated mean,
// for regions and tests.
//
//   MeanDistribution error = *MeanDistribution::of(
//       mean, {.target = MeanTarget::Population, .covariance = sigma});
//   // q with P[e' W^-1 e > q] = 0.05, e the error of the estimate, W = error.covariance()
//   error.quadratic_quantile(0.05);
//
// For the data (the mean of the rows in the file), e is the noise. For the population, e is the
// noise plus the sampling error, which is normal with the covariance of a row over n. That
// covariance is given, or estimated from the noisy second moments of the release. Three methods
// give the distribution of e:
//
//   Exact      Gaussian noise, known covariance: e is normal with covariance W, and e' W^-1 e is
//              chi-square
//   Simulated  other noise, known covariance: draws of e, with a fixed seed
//   Bootstrap  private covariance: releases are simulated from the estimates (normal rows, their
//              mean and sample covariance, the noise of every released number), and each is
//              estimated as the real one was, with its own W*. The distribution is that of e*
//              relative to W*, and never lighter than with a known W.
//
// Theorem  Order statistics of draws have the level k/(B + 1) exactly (monte_carlo.h). The largest
//          |e_j|/sd_j of normal errors: exact if they are independent; 10^4 draws if they are
//          correlated, and at most the bound of Sidak (1967), which is never too small. Bootstrap:
//          measured, not proven (tests/inference/mean_coverage_test.cc).
// Domain   1 to 64 means; draws as monte_carlo.h; Bootstrap: more people than columns + 1, and no
//          "ed" noise.
// Error    Exact 10^-12; otherwise that of the draws.
// Cost     Exact microseconds (correlated errors: 10^4 draws of d^2); Simulated 10^5 draws of d^2
//          (2 10^4 beyond 10 columns); Bootstrap 10^4 draws of d^3 (2 10^3 beyond 10 columns).
// Checked  tests/inference/mean_region_test.cc, mean_hypothesis_test.cc, mean_coverage_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/means/noisy_mean.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::inference {

enum class MeanTarget : std::uint8_t { Data, Population };
constexpr auto names_of(MeanTarget) {
  return std::to_array<Named<MeanTarget>>({{MeanTarget::Data, "data"}, {MeanTarget::Population, "population"}});
}

enum class MeanMethod : std::uint8_t { Exact, Simulated, Bootstrap };
constexpr auto names_of(MeanMethod) {
  return std::to_array<Named<MeanMethod>>(
      {{MeanMethod::Exact, "exact"}, {MeanMethod::Simulated, "simulated"}, {MeanMethod::Bootstrap, "bootstrap"}});
}

struct MeanDistributionOptions {
  MeanTarget target = MeanTarget::Data;
  /// Public, of a row (of the means' coordinates); for the population only.
  std::optional<std::vector<double>> covariance = {};
  std::optional<std::size_t> draws = {};  // empty: as many as the cost line says
  Simulation simulation = {};             // seed, threads, progress; its draws are ignored
  /// For tests: draws only the distribution of a'e/sqrt(a'Wa), a = W^-1 towards.
  std::optional<std::vector<double>> towards = {};
  /// These weights in place of W^-1 towards. Not with Bootstrap.
  std::optional<std::vector<double>> weights = {};
};

class MeanDistribution {
 public:
  /// InvalidArgument for an invalid covariance or one of another size; Unsupported if no
  /// covariance is known.
  static Result<MeanDistribution> of(const NoisyMean& mean, const MeanDistributionOptions& options);

  const std::vector<double>& covariance() const { return covariance_; }  // W, row by row
  const std::vector<double>& sampling() const { return sampling_; }      // its part from sampling
  double deviation(std::size_t j) const;                                 // sqrt(W_jj)
  MeanMethod method() const { return method_; }
  std::optional<std::size_t> draws() const { return draws_; }  // empty: exact
  /// The draws of largest_quantile alone, if errors are correlated and normal.
  std::optional<std::size_t> draws_of_largest() const {
    return largest_normal_.empty() ? std::nullopt : std::optional(largest_normal_.size());
  }
  /// "chi-square with 2 degrees of freedom".
  std::string words() const;

  double quadratic_quantile(double alpha) const;
  double quadratic_p_value(double q) const;
  double marginal_quantile(std::size_t j, double alpha) const;  // of |e_j|/deviation(j)
  double largest_quantile(double alpha) const;                  // of the largest of them
  double linear_quantile(double alpha) const;                   // needs `towards` or `weights`
  double linear_p_value(double t) const;
  /// P[a'e/sqrt(a'Wa) + shift > critical].
  double linear_power(double shift, double critical) const;

 private:
  MeanDistribution() = default;
  Status draw(const NoisyMean& mean, const MeanDistributionOptions& options);
  double quantile(double exact, const std::vector<double>& sorted, double alpha) const;
  double p_value(double exact, const std::vector<double>& sorted, double statistic) const;

  std::size_t dimension_ = 0;
  std::vector<double> covariance_, sampling_;
  MeanMethod method_ = MeanMethod::Exact;
  std::optional<std::size_t> draws_;
  std::uint64_t seed_ = 0;
  std::string family_;
  bool sampled_ = false;
  std::vector<double> quadratic_, largest_, linear_;  // sorted
  std::vector<double> largest_normal_;                // for normal e; empty: independent, or unused
  std::vector<std::vector<double>> marginal_;         // sorted
};

/// Why this release gives no distribution: the group is empty, or has too few people for a private
/// covariance.
std::optional<std::string> why_no_distribution(const NoisyMean& mean, const MeanDistributionOptions& options);

/// InvalidArgument, naming "covariance", unless it is a symmetric positive definite d x d matrix
/// with a condition below 10^12.
Status check_covariance(const std::vector<double>& matrix, std::size_t dimension);

}  // namespace tacet::inference

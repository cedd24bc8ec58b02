// tacet/inference/means/mean_distribution.h: how far an estimated mean strays from the true one: its covariance, and the laws that regions and tests need.
//
//   MeanDistribution law = *MeanDistribution::of(mean, {.target = MeanTarget::Population, .covariance = sigma});
//   law.quadratic_quantile(0.05)     // q with P[e' W^-1 e > q] = 0.05, e the error of the estimate, W = law.covariance()
//
// For the data (the mean of the rows in the file) e is the noise. For the population e is the noise and the sampling error, which is normal with the
// covariance of a row over n: given, or estimated from the noisy second moments of the release. Three ways to the law of e:
//
//   Exact      Gaussian noise, covariance known: e is normal with covariance W, and e' W^-1 e chi-square
//   Simulated  other noise, covariance known: draws of e, with a fixed seed
//   Bootstrap  covariance private: worlds are drawn from the estimates (normal rows, their mean and sample covariance, the noise of every figure
//              in the file), each is estimated as the release was, with a W of its own; laws are those of e* relative to W*, and never lighter
//              than if W were known
//
// Theorem  order statistics of draws have the level k/(B + 1) exactly (monte_carlo.h). Largest |e_j|/sd_j of normal errors: exact where they are
//          independent; 10^4 draws where they are correlated, and no more than Sidak (1967), which is never too small. Bootstrap: measured, not proven (tests/inference/mean_coverage_test.cc).
// Domain   1 to 64 means; draws as monte_carlo.h; Bootstrap: more people than columns + 1, and no "ed" noise.
// Error    Exact 10^-12; draws: their number says.
// Cost     Exact microseconds (correlated errors: 10^4 draws of d^2); Simulated 10^5 draws of d^2 (2 10^4 beyond
//          10 columns); Bootstrap 10^4 draws of d^3 (2 10^3).
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
  std::optional<std::vector<double>> covariance = {};  // public, of a row (of the means' coordinates); population only
  std::optional<std::size_t> draws = {};               // nothing: as many as the cost line says
  Simulation simulation = {};                          // seed, threads, progress; its draws are not looked at
  /// For tests: the law of a'e/sqrt(a'Wa) alone is drawn, a = W^-1 towards.
  std::optional<std::vector<double>> towards = {};
  /// In place of W^-1 towards: these weights. Not with Bootstrap.
  std::optional<std::vector<double>> weights = {};
};

class MeanDistribution {
 public:
  /// InvalidArgument for a covariance that is none or has another size; Unsupported where no covariance is known.
  static Result<MeanDistribution> of(const NoisyMean& mean, const MeanDistributionOptions& options);

  const std::vector<double>& covariance() const { return covariance_; }  // W, row by row
  const std::vector<double>& sampling() const { return sampling_; }      // the part of W that sampling makes; empty for the data
  double deviation(std::size_t j) const;                                 // sqrt(W_jj)
  MeanMethod method() const { return method_; }
  std::size_t draws() const { return draws_; }
  /// Behind largest_quantile where errors are correlated and normal; 0 otherwise.
  std::size_t draws_of_largest() const { return largest_normal_.size(); }
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
  std::size_t draws_ = 0;
  std::uint64_t seed_ = 0;
  std::string family_;
  bool sampled_ = false;
  std::vector<double> quadratic_, largest_, linear_;  // sorted
  std::vector<double> largest_normal_;                // of |e_j|/sd_j if e were normal; empty: independent, or not wanted
  std::vector<std::vector<double>> marginal_;         // sorted
};

/// Why no distribution follows from this release, whatever is done: nobody is in the group, or too few
/// people for a private covariance.
std::optional<std::string> why_no_distribution(const NoisyMean& mean, const MeanDistributionOptions& options);

/// InvalidArgument, naming "covariance", unless it is a symmetric positive definite d x d matrix with a condition below 10^12.
Status check_covariance(const std::vector<double>& matrix, std::size_t dimension);

}  // namespace tacet::inference

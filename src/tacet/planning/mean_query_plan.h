// tacet/planning/mean_query_plan.h: the power of a test and the volume of a region for noisy
// means.
//
//   MeanPlan plan{.covariance = {2, 2, {400, 100, 100, 225}}, .mu = 0.5};
//   // The test of mean 0 against eta, with 500 people.
//   double p = *mean_test_power(plan, MeanQuery::Whitened, {10, 5}, 500, 0.05);
//   double v = *mean_log_volume(plan, MeanQuery::Whitened, 500, 0.95, /*population=*/true);
//
// Rows are normal with a known covariance S. Noise is Gaussian for the privacy mu, under
// replace-one. Three queries give the means:
//
//   Whitened  release query --covariance: rows S^-1/2 x clipped to the length R that one in n
//             exceeds; noise of covariance (2R/(mu n))^2 S
//   Scaled    release query --sd: rows multiplied by the factors b of clip.h and clipped likewise
//   Bounded   release mean --goal region: columns within public ranges; noise of standard deviation
//             range_j sqrt(d)/(mu n)
//
// Theorem  Adjusted, section 3: with W = S/n + noise, the likelihood-ratio test has power
//          Phi(sqrt(eta' W^-1 eta) - z), and the region has the volume V_d q^(d/2) sqrt(det W), q
//          the chi-square quantile. For the data alone W is the noise.
// Domain   1 to 64 columns; S positive definite; 2 <= n <= 10^15; 10^-6 <= mu <= 10^6; 10^-9 <=
//          alpha <= 0.5. Clipping is assumed to be rare.
// Error    relative 10^-10.
// Cost     a quantile and an eigenproblem for each n.
// Checked  tests/planning/mean_query_plan_test.cc: independent values of plan adjusted, simulated
//          releases.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"

namespace tacet::planning {

enum class MeanQuery : std::uint8_t { Whitened, Scaled, Bounded };
constexpr auto names_of(MeanQuery) {
  return std::to_array<Named<MeanQuery>>(
      {{MeanQuery::Whitened, "whitened"}, {MeanQuery::Scaled, "scaled"}, {MeanQuery::Bounded, "bounded"}});
}

struct MeanPlan {
  mechanisms::Matrix covariance;  // of a row
  double mu;
  std::vector<double> ranges = {};  // upper - lower of each column; for Bounded

  std::size_t dimension() const { return covariance.rows; }
};

/// InvalidArgument, naming "eta", unless the alternative has a number for each column and is not 0.
Status check_alternative(const std::vector<double>& eta, std::size_t columns);

/// The covariance of the noise in the means.
Result<mechanisms::Matrix> mean_noise(const MeanPlan& plan, MeanQuery query, double n);

Result<double> mean_test_power(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double n, double alpha);
/// The least n with this power: people_needed.h.
Result<double> people_for_mean_test(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double power, double alpha);

Result<double> mean_log_volume(const MeanPlan& plan, MeanQuery query, double n, double confidence, bool population);
/// The least n with a volume of at most e^log_volume.
Result<double> people_for_mean_region(const MeanPlan& plan, MeanQuery query, double log_volume, double confidence, bool population);

}  // namespace tacet::planning

// tacet/planning/mean_query_plan.h: the power of a test and the volume of a region for noisy
// means.
//
//   MeanPlan plan{.covariance = mechanisms::Matrix{2, 2, {400, 100, 100, 225}}, .mu = 0.5};
//   // The test of mean 0 against eta, with 500 people.
//   double p = *mean_test_power(plan, MeanQuery::Combination, {10, 5}, 500, 0.05);
//   double v = *mean_log_volume(plan, MeanQuery::Whitened, 500, 0.95, /*population=*/true);
//
// Rows are normal with a known covariance S. Noise is Gaussian for the privacy mu, under
// replace-one. Queries that clip rows, with their centre at the mean (query_map.h):
//
//   Whitened             release query --covariance
//   Scaled               release query --sd, with the standard deviations of S
//   Combination          release query --goal test: one combination, for tests only; one row in n
//                        is clipped
//   NormalCombination    release query --goal normal-test: the same, clipped for the most power
//
// Queries of columns within public ranges r (release mean), with noise of standard deviation
// r_j |w|/(w_j mu n) in column j:
//
//   Bounded        --goal region: w_j = 1, the smallest region (Adjusted, Theorem 2.1)
//   LeastSquares   --goal least-squares: w_j = sqrt(r_j) (Aggregation, Theorem 5)
//   Isotropic      --goal isotropic: w_j = r_j, the query as it is
//   Column         --goal test:eta: the one best column, for tests only (Adjusted, Theorem 2.4)
//
// Theorem  Adjusted, sections 2 and 3: with W = S/n + noise, the likelihood-ratio test has power
//          Phi(sqrt(eta' W^-1 eta) - z), and the region has the volume V_d q^(d/2) sqrt(det W), q
//          the chi-square quantile. For the data alone W is the noise. For the population, a
//          query that clips rows is what inference makes of a release without noise
//          (inference/means): clipping is corrected for, or its largest bias allowed for.
// Domain   1 to 64 columns; S positive definite, not needed by queries with ranges for the data;
//          2 <= n <= 10^15; 10^-6 <= mu <= 10^6; 10^-9 <= alpha <= 0.5.
// Error    relative 10^-10, and 10^-4 in the bound on the bias of clipping.
// Cost     a quantile and an eigenproblem for each n; Scaled the factors of clip.h too.
// Checked  tests/planning/mean_query_plan_test.cc: by hand, and against inference on releases of
//          the same design.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"

namespace tacet::planning {

enum class MeanQuery : std::uint8_t { Whitened, Scaled, Bounded, LeastSquares, Isotropic, Column, Combination, NormalCombination };
constexpr auto names_of(MeanQuery) {
  using enum MeanQuery;
  return std::to_array<Named<MeanQuery>>({{Whitened, "whitened"},
                                          {Scaled, "scaled"},
                                          {Bounded, "bounded"},
                                          {LeastSquares, "least-squares"},
                                          {Isotropic, "isotropic"},
                                          {Column, "column"},
                                          {Combination, "combination"},
                                          {NormalCombination, "normal-combination"}});
}
/// Whether a query has public ranges in place of clipping.
constexpr bool has_ranges(MeanQuery query) {
  using enum MeanQuery;
  return query == Bounded || query == LeastSquares || query == Isotropic || query == Column;
}
/// Whether a query is of one number, which tests one alternative and has no region.
constexpr bool is_for_test(MeanQuery query) {
  using enum MeanQuery;
  return query == Column || query == Combination || query == NormalCombination;
}

struct MeanPlan {
  std::optional<mechanisms::Matrix> covariance;  // of a row
  double mu;
  std::vector<double> ranges = {};  // upper - lower of each column

  std::size_t dimension() const { return covariance ? covariance->rows : ranges.size(); }
};

/// InvalidArgument, naming "eta", unless the alternative has a number for each column and is not 0.
Status check_alternative(const std::vector<double>& eta, std::size_t columns);

/// The covariance of the noise in the means. Not of queries for tests: Unsupported.
Result<mechanisms::Matrix> mean_noise(const MeanPlan& plan, MeanQuery query, double n);

Result<double> mean_test_power(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double n, double alpha,
                               bool population = true);
/// The least n with this power: people_needed.h.
Result<double> people_for_mean_test(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double power, double alpha,
                                    bool population = true);

/// Unsupported if so many rows may be clipped that inference would give no region.
Result<double> mean_log_volume(const MeanPlan& plan, MeanQuery query, double n, double confidence, bool population);
/// The least n with a volume of at most e^log_volume.
Result<double> people_for_mean_region(const MeanPlan& plan, MeanQuery query, double log_volume, double confidence, bool population);

/// The share of normal rows that a query clips; empty for queries with ranges.
Result<std::optional<double>> mean_clipped_share(const MeanPlan& plan, MeanQuery query, const std::vector<double>& eta, double n);

/// What weighted queries of bounded columns gain over the isotropic one, for the data.
struct RangeGains {
  double volume_ratio;  // of regions: Bounded over Isotropic (Adjusted, Theorem 2.1)
  double error_ratio;   // of squared errors: Isotropic over LeastSquares (Aggregation, Theorem 5)
};
RangeGains range_gains(const std::vector<double>& ranges);

}  // namespace tacet::planning

#include "tacet/inference/means/mean_region.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/listed_matrix.h"
#include "tacet/inference/means/clip_bias.h"
#include "tacet/inference/means/clipped_normal.h"
#include "tacet/numeric/noise_quantile.h"

namespace tacet::inference {
namespace {

struct Widening {
  double form = 0;           // of the radius
  std::vector<double> mean;  // of each interval
};

/// A covariance after a linear map.
std::vector<double> carried(const std::vector<double>& map, const std::vector<double>& covariance, std::size_t dimension) {
  const auto by = square_view(map, dimension);
  const Matrix out = by * square_view(covariance, dimension) * by.transpose();
  return listed((out + out.transpose()) / 2);
}

/// The largest bias of clipping, for normal rows; empty if there is no bound.
Result<std::optional<double>> clipping_bound(const NoisyMean& mean, const std::vector<double>& row, const MeanDistribution& distribution,
                                             double alpha) {
  ClippedRows rows = clipped_rows(*mean.clipping, row, mean.estimate);
  rows.distance += mapped_reach(*mean.clipping, distribution.covariance(), distribution.quadratic_quantile(alpha));
  return clip_bias_from_clipped(rows);
}

Intervals around(const std::vector<double>& center, const std::vector<double>& half) {
  Intervals out;
  for (std::size_t j = 0; j < half.size(); ++j) {
    out.lower.push_back(center[j] - half[j]);
    out.upper.push_back(center[j] + half[j]);
  }
  return out;
}

}  // namespace

double log_ellipsoid_volume(const std::vector<double>& shape, std::size_t dimension, double radius) {
  const Matrix root = Eigen::LLT<Matrix>(square_view(shape, dimension)).matrixL();
  const auto k = static_cast<double>(dimension);
  return k / 2 * std::log(std::numbers::pi) - std::lgamma(k / 2 + 1) + k * std::log(radius) + root.diagonal().array().log().sum();
}

void say_what_is_included(const NoisyMean& mean, const MeanDistributionOptions& options, ClippingIn clipping,
                          std::vector<std::string>& includes, std::vector<std::string>& leaves_out) {
  includes.push_back(fmt::format("the {} noise of the release", name(mean.family)));
  if (mean.people_sd) includes.push_back(fmt::format("the noise in the number of {}", name(mean.counted)));
  if (options.target == MeanTarget::Population) {
    includes.emplace_back("the sampling error of as many people, taken for normal");
    if (!options.covariance && !mean.row_covariance) includes.emplace_back("that the covariance of a row is estimated from noisy values");
  } else {
    leaves_out.push_back(fmt::format("sampling error: it is about the {} in the file, not about a population", name(mean.counted)));
  }
  if (clipping == ClippingIn::Corrected) includes.emplace_back("what clipping did to the mean, which is corrected for, of normal rows");
  if (clipping == ClippingIn::Bounded) includes.emplace_back("the most that clipping moves the mean of normal rows");
  if (mean.clipping && clipping == ClippingIn::Nothing)
    leaves_out.emplace_back("clipping: it is about the mean of the rows as they were clipped");
  leaves_out.emplace_back("values beyond their bounds, which count as the bound, and missing ones, which count as the schema says");
  leaves_out.emplace_back("rounding of each value to the resolution of its column");
}

Result<MeanRegion> mean_region(const NoisyMean& mean, const MeanRegionOptions& options) {
  MeanRegion none{};
  none.no_answer = why_no_distribution(mean, options.distribution);
  if (none.no_answer) return none;
  TACET_TRY(const MeanDistribution distribution, MeanDistribution::of(mean, options.distribution));
  return mean_region(mean, distribution, options);
}

Result<MeanRegion> mean_region(const NoisyMean& mean, const MeanDistribution& distribution, const MeanRegionOptions& options) {
  TACET_CHECK(check_confidence(options.confidence));
  MeanRegion region{};
  region.center = mean.estimate;
  const std::size_t d = mean.dimension();
  double alpha = 1 - options.confidence;
  if (const auto draws = distribution.draws()) TACET_CHECK(check_draws(*draws, alpha));
  Widening widening{.mean = std::vector<double>(d)};
  std::vector<double> shape = distribution.covariance();
  // For the population, a region that ignores clipping would not keep its level.
  if (mean.clipping && options.distribution.target == MeanTarget::Population) {
    std::vector<double> row = distribution.sampling();
    for (double& value : row) value *= mean.people;
    if (const auto rows = spherical_rows(*mean.clipping, row)) {
      const auto unclipped = unclipped_mean(*rows, *mean.clipping, mean.estimate);
      if (unclipped) {
        region.center = unclipped->mean;
        shape = noise_covariance(mean);
        for (std::size_t i = 0; i < d * d; ++i) shape[i] += unclipped->row_covariance[i] / mean.people;
        shape = carried(unclipped->error, shape, d);
        region.clip_bias = unclipped->moved;
        region.clipping = ClippingIn::Corrected;
      }
    } else {
      TACET_TRY(region.clip_bias, clipping_bound(mean, row, distribution, kClippingShare * alpha));
      if (region.clip_bias) {
        region.clipping = ClippingIn::Bounded;
        alpha *= 1 - kClippingShare;
        const ClipReach reach = clip_reach(*mean.clipping, distribution.covariance());
        widening.form = *region.clip_bias * reach.of_form;
        for (std::size_t j = 0; j < d; ++j) widening.mean[j] = *region.clip_bias * reach.of_mean[j];
      }
    }
    if (!region.clip_bias) {
      region.no_answer = "so many rows may have been clipped that the bias of their mean is unknown; release again with a nearer centre";
      return region;
    }
  }
  region.radius = std::sqrt(distribution.quadratic_quantile(alpha)) + widening.form;
  region.log_volume = log_ellipsoid_volume(shape, d, region.radius);
  region.volume = std::exp(region.log_volume);
  // The distribution has the correlations before the correction; Sidak's bound is valid for any.
  const double largest =
      region.clipping == ClippingIn::Corrected ? numeric::max_quantile_gaussian(d, alpha) : distribution.largest_quantile(alpha);
  std::vector<double> marginal;
  std::vector<double> simultaneous;
  for (std::size_t j = 0; j < d; ++j) {
    const double deviation = std::sqrt(shape[j * d + j]);
    marginal.push_back(distribution.marginal_quantile(j, alpha) * deviation + widening.mean[j]);
    simultaneous.push_back(largest * deviation + widening.mean[j]);
  }
  region.shape = {d, d, std::move(shape)};
  region.marginal = around(region.center, marginal);
  region.simultaneous = around(region.center, simultaneous);
  region.method = distribution.method();
  region.draws = distribution.draws();
  if (region.clipping != ClippingIn::Corrected) region.simultaneous_draws = distribution.draws_of_largest();
  region.distribution = distribution.words();
  region.private_covariance = distribution.method() == MeanMethod::Bootstrap;
  say_what_is_included(mean, options.distribution, region.clipping, region.includes, region.leaves_out);
  return region;
}

std::vector<std::pair<double, double>> outline(const MeanRegion& region, std::size_t i, std::size_t j, std::size_t points) {
  const double a = std::sqrt(region.shape.at(i, i));
  const double b = region.shape.at(i, j) / a;
  const double c = std::sqrt(std::max(0.0, region.shape.at(j, j) - b * b));
  std::vector<std::pair<double, double>> out;
  for (std::size_t k = 0; k < points; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k % (points - 1)) / static_cast<double>(points - 1);
    const double x = region.radius * std::cos(angle);
    const double y = region.radius * std::sin(angle);
    out.emplace_back(region.center[i] + a * x, region.center[j] + b * x + c * y);
  }
  return out;
}

}  // namespace tacet::inference

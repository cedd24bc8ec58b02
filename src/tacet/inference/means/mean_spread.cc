#include "tacet/inference/means/mean_spread.h"

#include <algorithm>
#include <cmath>

namespace tacet::inference {

using Eigen::Index;

Matrix noise_of_mean(const MeanSummary& group) {
  const auto d = static_cast<Index>(group.dimension());
  Matrix noise = Matrix::Zero(d, d);
  for (Index j = 0; j < d; ++j) noise(j, j) = group.noise.variance(static_cast<std::size_t>(j));
  if (!group.people_sd) return noise;
  const Eigen::VectorXd mean = vector_view(group.mean);
  const double relative = *group.people_sd / group.people;
  return noise + relative * relative * mean * mean.transpose();
}

MeanSpread spread_of(const std::vector<MeanSummary>& groups) {
  const std::size_t d = groups.front().dimension();
  std::vector<double> average(groups.front().covariance.size());
  double all = 0;
  double people = 0;
  for (const MeanSummary& group : groups) {
    all += 1 / group.people;
    people += group.people;
  }
  double product_noise = 0;
  double square_noise = 0;
  double rank = 0;
  double mean_noise = 0;
  for (const MeanSummary& group : groups) {
    const double share = groups.size() > 2 ? group.people / people : 1 / group.people / all;
    for (std::size_t i = 0; i < average.size(); ++i) average[i] += share * group.covariance[i];
    product_noise += std::pow(share * group.covariance_noise, 2);
    square_noise += std::pow(share * group.variance_noise, 2);
    for (std::size_t j = 0; j < d; ++j) mean_noise += group.noise.variance(j) / static_cast<double>(d);
    rank += share * share / std::max(1.0, group.people - 1);  // Welch (1938)
  }
  const HiddenCovariance hidden = covariance_for_tests(average, std::sqrt(product_noise), std::sqrt(square_noise), mean_noise / all);
  return {.covariance = square_view(hidden.matrix, d),
          .weighting = square_view(hidden.weighting, d),
          .seen = square_view(average, d),
          .product_noise = std::sqrt(product_noise),
          .rank = 1 / (rank + hidden.wobble),
          .rank_of_people = 1 / rank};
}

}  // namespace tacet::inference

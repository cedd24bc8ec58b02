#include "tacet/inference/means/shrunk_means.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tacet/inference/listed_matrix.h"

namespace tacet::inference {
namespace {

constexpr std::size_t kFewestToShrink = 3;  // dimensions

Status check_shrinkage(const NoisyMean& mean, const MeanShrinkage& shrinkage) {
  const std::string shown(name(shrinkage.towards));
  if (mean.family != UnitNoise::Gaussian) {
    return Error::invalid("shrink", shown,
                          fmt::format("is proven for Gaussian noise only, and this release has {} noise", name(mean.family)),
                          "leave shrink out");
  }
  if (mean.people_sd) {
    return Error::invalid("shrink", shown, "needs a public number of people, since noise in it makes the noise of means depend on them",
                          "leave shrink out");
  }
  const std::size_t fewest = kFewestToShrink + (shrinkage.towards == ShrinkTowards::Common ? 1 : 0);
  if (mean.dimension() < fewest) {
    return Error::invalid("shrink", shown, fmt::format("needs at least {} means, and this release has {}", fewest, mean.dimension()),
                          "leave shrink out");
  }
  const bool wanted = shrinkage.towards == ShrinkTowards::Target;
  if (!wanted && !shrinkage.target.empty())
    return Error::invalid("target", fmt::format("{} numbers", shrinkage.target.size()), "goes with shrink = target");
  if (wanted && shrinkage.target.size() != mean.dimension()) {
    return Error::invalid("target", fmt::format("{} numbers", shrinkage.target.size()),
                          fmt::format("must have a number for each of the {} means", mean.dimension()),
                          "for example: shrink = target target = 0,0,0");
  }
  for (const double one : shrinkage.target) {
    if (!std::isfinite(one)) return Error::invalid("target", fmt::format("{}", one), "must be finite numbers");
  }
  return {};
}

}  // namespace

Result<ShrunkMeans> shrink_means(const NoisyMean& mean, const MeanShrinkage& shrinkage) {
  TACET_CHECK(check_shrinkage(mean, shrinkage));
  const std::size_t d = mean.dimension();
  const auto size = static_cast<Eigen::Index>(d);
  const std::vector<double> covariance = noise_covariance(mean);
  const Eigen::LLT<Matrix> factored(square_view(covariance, d));
  if (factored.info() != Eigen::Success)
    return Error::of(Code::Unsupported, "means without noise in some direction are not shrunk", "leave shrink out");
  const Eigen::Map<const Eigen::VectorXd> noisy(mean.estimate.data(), size);
  Eigen::VectorXd centre(size);
  auto dimensions = static_cast<double>(d);
  if (shrinkage.towards == ShrinkTowards::Target) {
    centre = Eigen::Map<const Eigen::VectorXd>(shrinkage.target.data(), size);
  } else {
    const Eigen::VectorXd weights = factored.solve(Eigen::VectorXd::Ones(size));
    centre.setConstant(weights.dot(noisy) / weights.sum());
    dimensions -= 1;
  }
  const Eigen::VectorXd away = noisy - centre;
  const double distance = away.dot(factored.solve(away));
  ShrunkMeans shrunk{std::vector<double>(d), 0, 0, static_cast<double>(d)};
  const bool beyond = distance > dimensions - 2;
  if (beyond) shrunk.factor = 1 - (dimensions - 2) / distance;
  Eigen::Map<Eigen::VectorXd>(shrunk.values.data(), size) = centre + shrunk.factor * away;
  // Stein's estimate: d - (k - 2)^2/W, or d + W - 2 k at the target itself.
  shrunk.cost = shrunk.cost_bound + (beyond ? -(dimensions - 2) * (dimensions - 2) / distance : distance - 2 * dimensions);
  return shrunk;
}

}  // namespace tacet::inference

#include "tacet/inference/noise_of_cells.h"

namespace tacet::inference {

using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseSupport;

std::optional<numeric::DiscreteNoise> discrete_noise(const NoiseDistribution& noise) {
  if (noise.support == NoiseSupport::Continuous) return std::nullopt;
  return noise.family == NoiseFamily::Gaussian ? numeric::DiscreteNoise::gaussian(noise.scale)
                                               : numeric::DiscreteNoise::geometric(noise.scale);
}

double noise_variance(const NoiseDistribution& noise) {
  if (const auto discrete = discrete_noise(noise)) return discrete->variance();
  return noise.scale * noise.scale * (noise.family == NoiseFamily::Laplace ? 2 : 1);
}

bool is_smooth_gaussian(const NoiseDistribution& noise) {
  return noise.family == NoiseFamily::Gaussian && (noise.support == NoiseSupport::Continuous || noise.scale >= kSmoothDiscreteScale);
}

}  // namespace tacet::inference

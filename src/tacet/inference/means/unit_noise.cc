#include "tacet/inference/means/unit_noise.h"

#include <array>

#include "tacet/numeric/insecure_gamma.h"

namespace tacet::inference {

UnitNoise noise_of_sums(const mechanisms::MomentRelease& release) {
  if (release.mechanism == mechanisms::MomentMechanism::Gaussian) return UnitNoise::Gaussian;
  // The sums of "ed" have Laplace noise.
  return release.draw_size() > 0 ? UnitNoise::KNorm : UnitNoise::Laplace;
}

double unit_variance(UnitNoise family, std::size_t draw_size) {
  const auto d = static_cast<double>(draw_size);
  if (family == UnitNoise::Gaussian) return 1;
  return family == UnitNoise::Laplace ? 2 : (d + 1) * (d + 2) / 3;
}

void draw_unit_noise(UnitNoise family, std::size_t draw_size, numeric::InsecureStream& stream, std::span<double> out) {
  if (family == UnitNoise::Gaussian) return stream.fill_normal(out);
  if (family == UnitNoise::Laplace) return stream.fill_laplace(out);
  std::array<double, 1> size{};
  numeric::fill_gamma(stream, static_cast<double>(draw_size) + 1, size);
  stream.fill_uniform(out);
  for (double& value : out) value = size[0] * (2 * value - 1);
}

void draw_release_noise(const mechanisms::MomentRelease& release, numeric::InsecureStream& stream, std::span<double> out) {
  const std::size_t shared = release.draw_size();
  if (shared == 0 || shared == out.size()) return draw_unit_noise(noise_of_sums(release), shared, stream, out);
  draw_unit_noise(UnitNoise::KNorm, shared, stream, out.first(shared));
  // k-norm+laplace: the products have noise of their own.
  draw_unit_noise(UnitNoise::Laplace, 0, stream, out.subspan(shared));
}

void draw_square_noise(mechanisms::MomentMechanism mechanism, std::size_t shared, std::size_t sums, numeric::InsecureStream& stream,
                       std::span<double> out) {
  using enum mechanisms::MomentMechanism;
  if (mechanism == Gaussian) return stream.fill_normal(out);
  if (mechanism == KNorm) return draw_unit_noise(UnitNoise::KNorm, shared, stream, out);
  if (mechanism != CubeProducts) return stream.fill_laplace(out);
  draw_unit_noise(UnitNoise::KNorm, shared, stream, out.first(sums));
  stream.fill_laplace(out.subspan(sums));
}

}  // namespace tacet::inference

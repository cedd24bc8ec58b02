#include "tacet/kernel/release.h"

#include <cmath>

#include "tacet/kernel/release_steps.h"

namespace tacet::kernel {

Status add_noise(const std::vector<std::int64_t>& values, const NoisePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  if (values.empty() || values.size() > 100'000'000) return Error::of(Code::Internal, "a release must have 1 to 10^8 cells");
  TACET_TRY(const exact::RoundedNoise noise, noise_of(plan.family, plan.scale, plan.grid_log2));
  ticks.reserve(values.size());
  // |value| 2^k < 2^(63 + 50), and a draw is below 2^126: their sum fits.
  for (const std::int64_t value : values) TACET_CHECK(append_noisy(value, Int128{1} << plan.grid_log2, noise.draw(bits), ticks));
  return {};
}

Result<exact::RoundedNoise> noise_of(NoiseFamily family, double scale, int grid_log2) {
  const double ticks = std::ldexp(scale, grid_log2);
  return family == NoiseFamily::Gaussian ? exact::RoundedNoise::gaussian(ticks) : exact::RoundedNoise::laplace(ticks);
}

Status append_noisy(Int128 value, Int128 unit, Int128 noise, std::vector<Int128>& ticks) {
  const auto scaled = checked_multiply<Int128>(value, unit);
  const auto sum = scaled ? checked_add<Int128>(*scaled, noise) : std::nullopt;
  if (!sum) return Error::of(Code::Internal, "a noisy value does not fit 128 bits");
  ticks.push_back(*sum);
  return {};
}

Result<Released<NoisyVector>> release(Sensitive<std::vector<std::int64_t>>&& statistic, const NoisePlan& plan, Grant&& grant,
                                      exact::RandomBits& bits) {
  return Publisher::publish<NoisyVector>(std::move(statistic), plan, std::move(grant), bits);
}

}  // namespace tacet::kernel

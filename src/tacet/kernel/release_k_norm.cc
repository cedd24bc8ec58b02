#include "tacet/kernel/release_k_norm.h"

#include <utility>

#include "tacet/exact/k_norm.h"
#include "tacet/kernel/release_steps.h"

namespace tacet::kernel {

double CubePlan::scale_of(std::size_t j) const { return static_cast<double>(scale) / static_cast<double>(multiples[j]); }

double NoisyCube::value(std::size_t j) const { return static_cast<double>(ticks[j]) / static_cast<double>(plan.multiples[j]); }

Status add_noise(const std::vector<Int128>& values, const CubePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  TACET_TRY(const auto noise, exact::KNormNoise::of(plan.stretch, static_cast<UInt128>(plan.scale), 1));
  if (values.size() != plan.multiples.size()) return Error::of(Code::Internal, "a box must have a bound for every coordinate");
  ticks.reserve(values.size());
  for (std::size_t from = 0; from < values.size(); from += plan.stretch) {
    const Wiped z{noise.draw(bits)};
    for (std::size_t j = 0; j < plan.stretch; ++j) TACET_CHECK(append_noisy(values[from + j], plan.multiples[from + j], z.noise[j], ticks));
  }
  return {};
}

Result<Released<NoisyCube>> release_k_norm(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, const CubePlan& plan, Grant&& grant,
                                           exact::RandomBits& bits) {
  return Publisher::publish<NoisyCube>(std::move(statistic), plan, std::move(grant), bits);
}

}  // namespace tacet::kernel

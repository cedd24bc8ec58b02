#include "tacet/kernel/release_numbers.h"

#include <cmath>
#include <utility>

#include "tacet/kernel/release_steps.h"

namespace tacet::kernel {
double NoisyNumbers::value(std::size_t j) const { return std::ldexp(static_cast<double>(ticks[j]), -plan.grid_log2[j]); }

Status add_noise(const std::vector<Int128>& values, const NumbersPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  if (values.size() != plan.scale.size()) return Error::of(Code::Internal, "a plan must have a scale for every coordinate");
  ticks.reserve(values.size());
  for (std::size_t j = 0; j < values.size(); ++j) {
    TACET_TRY(const exact::RoundedNoise noise, noise_of(plan.family, plan.scale[j], plan.grid_log2[j]));
    TACET_CHECK(append_noisy(values[j], Int128{1} << plan.grid_log2[j], noise.draw(bits), ticks));
  }
  return {};
}

Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits) {
  return Publisher::publish<NoisyNumbers>(std::move(statistic), plan, std::move(grant), bits);
}

Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits) {
  return Publisher::publish<NoisyNumbers>(std::move(statistic), plan, std::move(grant), bits);
}

}  // namespace tacet::kernel

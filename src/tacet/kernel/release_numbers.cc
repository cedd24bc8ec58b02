#include "tacet/kernel/release_numbers.h"

#include <cmath>
#include <functional>
#include <utility>

#include "tacet/exact/rounded_noise.h"
#include "tacet/kernel/release_steps.h"
#include "tacet/kernel/vault.h"

namespace tacet::kernel {
namespace {

using DrawNoise = std::function<Int128(exact::RandomBits&)>;

Result<DrawNoise> noise_of(NoiseFamily family, double scale) {
  if (family == NoiseFamily::Gaussian) {
    TACET_TRY(const auto noise, exact::RoundedGaussian::of(scale));
    return DrawNoise([noise](exact::RandomBits& bits) { return noise.draw(bits); });
  }
  TACET_TRY(const auto noise, exact::RoundedLaplace::of(scale));
  return DrawNoise([noise](exact::RandomBits& bits) { return noise.draw(bits); });
}

/// What both releases do.
template <class Bound>
Result<NoisyNumbers> publish(Sensitive<std::vector<Int128>, Bound>&& statistic, const NumbersPlan& plan, Grant&& grant,
                             exact::RandomBits& bits) {
  const Relation relation = statistic.sensitivity().relation;
  TACET_TRY(const Grant paid, pay(std::move(grant), plan, statistic));
  const auto opened = Vault::trusted_open(std::move(statistic));
  const std::vector<Int128>& values = *opened;
  if (values.size() != plan.scale.size())
    return Error::of(Code::Internal, "a plan must have a scale for every coordinate").after_charge(paid.spent_words());
  NoisyNumbers noisy{{}, plan, relation, paid.loss(), paid.receipt()};
  if (Status status = add_noise(values, plan, bits, noisy.ticks); !status.ok())
    return std::move(status).error().after_charge(paid.spent_words());
  return noisy;
}

}  // namespace

double NoisyNumbers::value(std::size_t j) const { return std::ldexp(static_cast<double>(ticks[j]), -plan.grid_log2[j]); }

Status add_noise(const std::vector<Int128>& values, const NumbersPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  ticks.reserve(values.size());
  try {
    for (std::size_t j = 0; j < values.size(); ++j) {
      TACET_TRY(const DrawNoise draw, noise_of(plan.family, std::ldexp(plan.scale[j], plan.grid_log2[j])));
      const auto scaled = checked_multiply<Int128>(values[j], Int128{1} << plan.grid_log2[j]);
      const auto sum = scaled ? checked_add<Int128>(*scaled, draw(bits)) : std::nullopt;
      if (!sum) return Error::of(Code::Internal, "a noisy value does not fit 128 bits");
      ticks.push_back(*sum);
    }
  } catch (const exact::EntropyFailure&) {
    ticks.clear();
    return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was published");
  }
  return {};
}

Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits) {
  TACET_TRY(NoisyNumbers noisy, publish(std::move(statistic), plan, std::move(grant), bits));
  return Released<NoisyNumbers>(std::move(noisy));
}

Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits) {
  TACET_TRY(NoisyNumbers noisy, publish(std::move(statistic), plan, std::move(grant), bits));
  return Released<NoisyNumbers>(std::move(noisy));
}

}  // namespace tacet::kernel

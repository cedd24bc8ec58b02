#include "tacet/kernel/release.h"

#include <cmath>

#include "tacet/exact/rounded_noise.h"
#include "tacet/kernel/release_steps.h"
#include "tacet/kernel/vault.h"

namespace tacet::kernel {
namespace {

constexpr std::size_t kMostCells = 100'000'000;

template <class Noise>
Status add_noise(const std::vector<std::int64_t>& values, int grid_log2, const Noise& noise, exact::RandomBits& bits,
                 std::vector<Int128>& ticks) {
  // |value| 2^k < 2^(63 + 50), and a draw is below 2^126: their sum fits.
  ticks.reserve(values.size());
  try {
    for (const std::int64_t value : values) {
      const auto sum = checked_add<Int128>(Int128{value} * (Int128{1} << grid_log2), noise.draw(bits));
      if (!sum) return Error::of(Code::Internal, "a noisy value does not fit 128 bits");
      ticks.push_back(*sum);
    }
  } catch (const exact::EntropyFailure&) {
    ticks.clear();
    return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was published");
  }
  return {};
}

Status add_noise(const std::vector<std::int64_t>& values, const NoisePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  const double scale = std::ldexp(plan.scale, plan.grid_log2);  // exact: a power of two times a double
  if (plan.family == NoiseFamily::Gaussian) {
    TACET_TRY(const auto noise, exact::RoundedGaussian::of(scale));
    return add_noise(values, plan.grid_log2, noise, bits, ticks);
  }
  TACET_TRY(const auto noise, exact::RoundedLaplace::of(scale));
  return add_noise(values, plan.grid_log2, noise, bits, ticks);
}

}  // namespace

std::string_view name(NoiseFamily family) { return family == NoiseFamily::Gaussian ? "gaussian" : "laplace"; }

Result<Released<NoisyVector>> release(Sensitive<std::vector<std::int64_t>>&& statistic, const NoisePlan& plan, Grant&& grant,
                                      exact::RandomBits& bits) {
  const Sensitivity sensitivity = statistic.sensitivity();
  TACET_TRY(const Grant paid, pay(std::move(grant), plan, statistic));
  const auto opened = Vault::trusted_open(std::move(statistic));
  const std::vector<std::int64_t>& values = *opened;
  if (values.empty() || values.size() > kMostCells)
    return Error::of(Code::Internal, "a release must have 1 to 10^8 cells").after_charge(paid.spent_words());
  NoisyVector noisy{{}, plan, sensitivity, paid.loss(), paid.receipt()};
  if (Status status = add_noise(values, plan, bits, noisy.ticks); !status.ok())
    return std::move(status).error().after_charge(paid.spent_words());
  return Released<NoisyVector>(std::move(noisy));
}

}  // namespace tacet::kernel

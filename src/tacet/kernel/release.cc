#include "tacet/kernel/release.h"

#include <cmath>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/rounded_noise.h"
#include "tacet/exact/rounding.h"
#include "tacet/kernel/vault.h"
#include "tacet/privacy/calibration.h"
#include "tacet/privacy/laplace_gdp.h"

namespace tacet::kernel {
namespace {

constexpr double kLeastScale = 0x1p-40;
constexpr double kLargestScale = 0x1p60;
constexpr double kTicksPerScale = 1024;  // rounding to the grid changes the noise's variance by less than one part in 10^7
constexpr std::size_t kMostCells = 100'000'000;

mpq_class integer(std::int64_t value) { return mpq_class(mpz_class(static_cast<long>(value))); }

/// The least scale that makes Gaussian noise as private as `loss` says.
Result<double> gaussian_scale(const Sensitivity& sensitivity, const privacy::Loss& loss) {
  const mpq_class l2_squared = integer(sensitivity.l2_squared);
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss))
    return exact::least_double_root_at_least(l2_squared / gaussian->mu_squared.to_rational());
  TACET_TRY(const privacy::ForMu allowed, privacy::mu_for(loss));
  return exact::least_double_root_at_least(l2_squared / (mpq_class(allowed.mu) * allowed.mu));
}

/// The least scale that is proven to make Laplace noise mu-GDP. Changes are integers, so that their bounds tell their shapes: with l1 = 1
/// one coordinate moves by 1; with l1 = 2 and l2^2 = 2 at most two move, by 1 each, which is the table rule.
Result<double> laplace_scale_for_mu(const Sensitivity& sensitivity, const privacy::GaussianLoss& loss) {
  TACET_TRY(const privacy::Mu mu, privacy::mu_down(loss));
  const Decimal l1(static_cast<long>(sensitivity.l1));
  const bool one = sensitivity.l1 == 1;
  const bool pair = sensitivity.l1 == 2 && sensitivity.l2_squared == 2;
  TACET_TRY(const privacy::LaplaceScale scale, one    ? privacy::laplace_scale_one_or_two_dimensional(mu, l1, 1)
                                               : pair ? privacy::laplace_scale_table(mu, l1)
                                                      : privacy::laplace_scale_universal(mu, l1));
  return scale.value();
}

Result<double> laplace_scale(const Sensitivity& sensitivity, const privacy::Loss& loss) {
  if (const auto* pure = std::get_if<privacy::PureLoss>(&loss))
    return exact::least_double_at_least(integer(sensitivity.l1) / pure->epsilon.to_rational());
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) return laplace_scale_for_mu(sensitivity, *gaussian);
  return Error::of(Code::Unsupported, "Laplace noise needs no delta, and none is taken for it", "give epsilon alone, or mu or rho");
}

/// The least k >= 0 with 2^-k <= scale/1024.
int grid_for(double scale) {
  int k = 0;
  while (std::ldexp(scale, k) < kTicksPerScale) ++k;
  return k;
}

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

Result<NoisePlan> plan_noise(NoiseFamily family, const Sensitivity& sensitivity, const privacy::Loss& loss) {
  if (sensitivity.l1 <= 0 || sensitivity.l2_squared <= 0) return Error::of(Code::Internal, "a sensitivity must be positive");
  TACET_TRY(const double scale, family == NoiseFamily::Gaussian ? gaussian_scale(sensitivity, loss) : laplace_scale(sensitivity, loss));
  if (!(scale >= kLeastScale && scale <= kLargestScale)) {
    return Error::invalid("noise scale", fmt::format("{}", scale), "must lie between 2^-40 and 2^60",
                          scale < kLeastScale ? "ask for less epsilon, rho or mu" : "ask for more epsilon, rho or mu");
  }
  return NoisePlan{family, scale, grid_for(scale)};
}

Result<Released<NoisyVector>> release(Sensitive<std::vector<std::int64_t>>&& statistic, NoiseFamily family, Grant&& grant,
                                      exact::RandomBits& bits) {
  TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
  const Grant consumed = std::move(grant);
  const std::string spent = consumed.spent_words();
  auto plan = plan_noise(family, statistic.sensitivity(), consumed.loss());
  if (!plan) return std::move(plan).error().after_charge(spent);

  const Sensitivity sensitivity = statistic.sensitivity();
  const auto opened = Vault::trusted_open(std::move(statistic));
  const std::vector<std::int64_t>& values = *opened;
  if (values.empty() || values.size() > kMostCells)
    return Error::of(Code::Internal, "a release must have 1 to 10^8 cells").after_charge(spent);
  NoisyVector noisy{{}, *plan, sensitivity, consumed.loss(), consumed.receipt()};
  if (Status status = add_noise(values, *plan, bits, noisy.ticks); !status.ok()) return std::move(status).error().after_charge(spent);
  return Released<NoisyVector>(std::move(noisy));
}

}  // namespace tacet::kernel

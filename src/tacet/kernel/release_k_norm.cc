#include "tacet/kernel/release_k_norm.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/k_norm.h"
#include "tacet/kernel/release_steps.h"
#include "tacet/kernel/vault.h"

namespace tacet::kernel {
namespace {

constexpr int kMostLog2 = 60;        // of a coordinate's bound
constexpr int kFinerThanBound = 20;  // 2^m is this many bits above the largest bound: what the c_j lose by rounding down
constexpr int kScaleLog2 = 30;       // of the least s: what it gains by rounding up
constexpr double kLeastEpsilon = 0x1p-20;
constexpr double kLargestEpsilon = 0x1p20;
constexpr std::size_t kMostCoordinates = 1'000'000;

Status check_box(const BoxSensitivity& box) {
  const std::size_t size = box.most.size();
  if (size == 0 || size > kMostCoordinates || box.groups == 0 || size % box.groups != 0 || box.touched < 1 || box.touched > box.groups)
    return Error::of(Code::Internal, "a box must have 1 to 10^6 coordinates in stretches of equal length");
  if (size / box.groups > exact::KNormNoise::kMostCoordinates) {
    return Error::invalid("coordinates", fmt::format("{}", size / box.groups),
                          fmt::format("must be at most {} for K-norm noise", exact::KNormNoise::kMostCoordinates),
                          "release fewer numbers at once");
  }
  if (*std::max_element(box.most.begin(), box.most.end()) > (Int128{1} << kMostLog2))
    return Error::invalid("bound", "above 2^60 steps", "must be at most 2^60 steps for K-norm noise", "declare a coarser resolution");
  return {};
}

/// A coordinate that cannot change is treated as one that can, by one unit.
Int128 bound_of(Int128 most) { return std::max<Int128>(most, 1); }

}  // namespace

double CubePlan::scale_of(std::size_t j) const { return static_cast<double>(scale) / static_cast<double>(multiples[j]); }

double CubePlan::variance_of(std::size_t j) const {
  const auto d = static_cast<double>(stretch);
  return (d + 1) * (d + 2) / 3 * scale_of(j) * scale_of(j);
}

double NoisyCube::value(std::size_t j) const { return static_cast<double>(ticks[j]) / static_cast<double>(plan.multiples[j]); }

Result<CubePlan> plan_k_norm(const BoxSensitivity& box, const privacy::Loss& loss) {
  TACET_TRY(const double epsilon, pure_epsilon(loss, "K-norm"));
  return plan_k_norm_for(box, epsilon);
}

Result<CubePlan> plan_k_norm_for(const BoxSensitivity& box, double epsilon) {
  TACET_CHECK(check_box(box));
  const mpq_class part = mpq_class(epsilon) / static_cast<unsigned long>(box.touched);
  if (part < kLeastEpsilon || part > kLargestEpsilon) {
    return Error::invalid("epsilon", fmt::format("{}", part.get_d()), "must lie between 2^-20 and 2^20 for K-norm noise",
                          part < kLeastEpsilon ? "ask for more epsilon, rho or mu" : "ask for less epsilon, rho or mu");
  }
  // The least m with 2^m >= 2^20 most_j for every j, and s = 2^m/part >= 2^30. As most_j <= 2^60 and part >= 2^-20: m <= 80 and s <= 2^100.
  mpz_class cube = 1;
  const mpz_class largest = to_big(bound_of(*std::max_element(box.most.begin(), box.most.end())));
  while (cube < (largest << kFinerThanBound) || cube < part * (mpz_class(1) << kScaleLog2)) cube *= 2;
  const mpq_class exact_scale = mpq_class(cube) / part;
  mpz_class scale;
  mpz_cdiv_q(scale.get_mpz_t(), exact_scale.get_num_mpz_t(), exact_scale.get_den_mpz_t());
  CubePlan plan{from_big(scale), {}, box.most.size() / box.groups};
  plan.multiples.reserve(box.most.size());
  const Int128 side = from_big(cube);
  for (const Int128 most : box.most) plan.multiples.push_back(side / bound_of(most));
  return plan;
}

Status add_noise(const std::vector<Int128>& values, const CubePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  TACET_TRY(const auto noise, exact::KNormNoise::of(plan.stretch, static_cast<UInt128>(plan.scale), 1));
  ticks.reserve(values.size());
  try {
    for (std::size_t from = 0; from < values.size(); from += plan.stretch) {
      const std::vector<Int128> z = noise.draw(bits);
      for (std::size_t j = 0; j < plan.stretch; ++j) {
        const auto scaled = checked_multiply<Int128>(values[from + j], plan.multiples[from + j]);
        const auto sum = scaled ? checked_add<Int128>(*scaled, z[j]) : std::nullopt;
        if (!sum) {
          ticks.clear();
          return Error::of(Code::Internal, "a noisy value does not fit 128 bits");
        }
        ticks.push_back(*sum);
      }
    }
  } catch (const exact::EntropyFailure&) {
    ticks.clear();
    return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was published");
  }
  return {};
}

Result<Released<NoisyCube>> release_k_norm(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, Grant&& grant,
                                           exact::RandomBits& bits) {
  TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
  const Grant consumed = std::move(grant);
  Result<CubePlan> plan = plan_k_norm(statistic.sensitivity(), consumed.loss());
  if (!plan) return std::move(plan).error().after_charge(consumed.spent_words());
  const Relation relation = statistic.sensitivity().relation;
  const auto opened = Vault::trusted_open(std::move(statistic));
  const std::vector<Int128>& values = *opened;
  if (values.size() != plan->multiples.size())
    return Error::of(Code::Internal, "a box must have a bound for every coordinate").after_charge(consumed.spent_words());
  NoisyCube noisy{{}, *std::move(plan), relation, consumed.loss(), consumed.receipt()};
  if (Status status = add_noise(values, noisy.plan, bits, noisy.ticks); !status.ok())
    return std::move(status).error().after_charge(consumed.spent_words());
  return Released<NoisyCube>(std::move(noisy));
}

}  // namespace tacet::kernel

#include "tacet/kernel/release.h"

#include <cmath>
#include <utility>

#include "tacet/exact/k_norm.h"
#include "tacet/exact/rounded_noise.h"
#include "tacet/kernel/first_above.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/kernel/vault.h"

namespace tacet::kernel {
namespace {

/// Noise alone: together with the published values it would reveal the exact ones.
struct Wiped {
  std::vector<Int128> noise{};
  ~Wiped() { wipe(noise); }
};

/// Noise of scale 2^grid_log2 scale, which is exact.
Result<exact::RoundedNoise> noise_of(NoiseFamily family, double scale, int grid_log2) {
  const double ticks = std::ldexp(scale, grid_log2);
  return family == NoiseFamily::Gaussian ? exact::RoundedNoise::gaussian(ticks) : exact::RoundedNoise::laplace(ticks);
}

/// value * unit + noise, appended to `ticks`. Internal if that does not fit 128 bits.
Status append_noisy(Int128 value, Int128 unit, Int128 noise, std::vector<Int128>& ticks) {
  const auto scaled = checked_multiply<Int128>(value, unit);
  const auto sum = scaled ? checked_add<Int128>(*scaled, noise) : std::nullopt;
  if (!sum) return Error::of(Code::Internal, "a noisy value does not fit 128 bits");
  ticks.push_back(*sum);
  return {};
}

// add_noise appends noisy values to `ticks`. Internal unless the plan has a scale for each.
Status add_noise(const std::vector<std::int64_t>& values, const NoisePlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  if (values.empty() || values.size() > 100'000'000) return Error::of(Code::Internal, "a release must have 1 to 10^8 cells");
  TACET_TRY(const exact::RoundedNoise noise, noise_of(plan.family, plan.scale, plan.grid_log2));
  ticks.reserve(values.size());
  for (const std::int64_t value : values) TACET_CHECK(append_noisy(value, Int128{1} << plan.grid_log2, noise.draw(bits), ticks));
  return {};
}

Status add_noise(const std::vector<Int128>& values, const NumbersPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  if (values.size() != plan.scale.size()) return Error::of(Code::Internal, "a plan must have a scale for every coordinate");
  ticks.reserve(values.size());
  for (std::size_t j = 0; j < values.size(); ++j) {
    TACET_TRY(const exact::RoundedNoise noise, noise_of(plan.family, plan.scale[j], plan.grid_log2[j]));
    TACET_CHECK(append_noisy(values[j], Int128{1} << plan.grid_log2[j], noise.draw(bits), ticks));
  }
  return {};
}

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

Status add_noise(const std::vector<Int128>& values, const CubeProductsPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  if (values.size() != plan.size()) return Error::of(Code::Internal, "a box must have a bound for every coordinate");
  // First the noise of each part, on zeros: no copy of an exact value is made.
  Wiped cube, products;
  TACET_CHECK(add_noise(std::vector<Int128>(plan.cube.multiples.size()), plan.cube, bits, cube.noise));
  TACET_CHECK(add_noise(std::vector<Int128>(plan.products.scale.size()), plan.products, bits, products.noise));
  for (std::size_t j = 0; j < values.size(); ++j) {
    const std::size_t at = plan.place(j);
    const bool product = plan.is_product(j);
    const Int128 unit = product ? Int128{1} << plan.products.grid_log2[at] : plan.cube.multiples[at];
    TACET_CHECK(append_noisy(values[j], unit, product ? products.noise[at] : cube.noise[at], ticks));
  }
  return {};
}

/// Every failure of a paid step says what was spent.
template <class Step>
auto when_paid(const Grant& paid, const Step& step) -> decltype(step()) {
  try {
    auto done = step();
    return done.ok() ? std::move(done) : std::move(done).error().after_charge(paid.spent_words());
  } catch (const exact::EntropyFailure&) {
    return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was published")
        .after_charge(paid.spent_words());
  }
}

Int128 size_of(Int128 value) { return value < 0 ? -value : value; }

}  // namespace

/// The only way from a sealed value to a released one.
class Publisher {
 public:
  /// Consumes the grant, proves the noise, opens the value, adds the noise, and wipes the value.
  template <class Value, class Bound, class Plan>
  static Result<Released<Noisy<Plan>>> publish(Sensitive<Value, Bound>&& statistic, const Plan& plan, Grant&& grant,
                                               exact::RandomBits& bits) {
    TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
    const Grant paid = std::move(grant);
    const Relation relation = statistic.sensitivity().relation;
    std::vector<Int128> ticks;
    Status added = when_paid(paid, [&]() -> Status {
      TACET_CHECK(check_scales(plan, statistic.sensitivity(), paid.loss()));
      const auto opened = Vault::trusted_open(std::move(statistic));
      return add_noise(*opened, plan, bits, ticks);
    });
    if (!added.ok()) return std::move(added).error();
    return Released<Noisy<Plan>>({std::move(ticks), plan, relation, paid.loss(), paid.receipt()});
  }
};

Result<Released<NoisyVector>> release(Sensitive<std::vector<std::int64_t>>&& statistic, const NoisePlan& plan, Grant&& grant,
                                      exact::RandomBits& bits) {
  return Publisher::publish(std::move(statistic), plan, std::move(grant), bits);
}

Result<Released<NoisyNumbers>> release(SealedBox&& statistic, const NumbersPlan& plan, Grant&& grant, exact::RandomBits& bits) {
  return Publisher::publish(std::move(statistic), plan, std::move(grant), bits);
}

Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&& statistic, const NumbersPlan& plan, Grant&& grant,
                                       exact::RandomBits& bits) {
  return Publisher::publish(std::move(statistic), plan, std::move(grant), bits);
}

Result<Released<NoisyCube>> release_k_norm(SealedBox&& statistic, const CubePlan& plan, Grant&& grant, exact::RandomBits& bits) {
  return Publisher::publish(std::move(statistic), plan, std::move(grant), bits);
}

Result<Released<NoisyCubeProducts>> release_cube_products(SealedBox&& statistic, const CubeProductsPlan& plan, Grant&& grant,
                                                          exact::RandomBits& bits) {
  return Publisher::publish(std::move(statistic), plan, std::move(grant), bits);
}

// The size of a Laplace deviate is an exponential one, rounded.
Result<FirstAbove> FirstAbove::begin(const Plan& plan, Grant&& grant, exact::RandomBits& bits) {
  return when_paid(grant, [&]() -> Result<FirstAbove> {
    TACET_TRY(const exact::RoundedNoise level, exact::RoundedNoise::laplace(plan.level));
    TACET_TRY(const exact::RoundedNoise own, exact::RoundedNoise::laplace(plan.own));
    const mpq_class most(plan.most);
    TACET_CHECK(check_pure(most / mpq_class(plan.level) + 2 * most / mpq_class(plan.own), grant.loss()));
    return FirstAbove(std::move(grant), plan.most, own, size_of(level.draw(bits)));
  });
}

Result<bool> FirstAbove::ask(Sensitive<std::vector<std::int64_t>>&& statistic, std::int64_t centre, std::int64_t level,
                             exact::RandomBits& bits) {
  TACET_CHECK(paid_.check_for(statistic.sensitivity().relation, statistic.dataset()));
  return when_paid(paid_, [&]() -> Result<bool> {
    if (std::exchange(over_, true) || statistic.sensitivity().l1 > most_)
      return Error::of(Code::Internal, "nothing was paid for a statistic after the first that is above, or for one that changes more");
    const Int128 noise = size_of(own_.draw(bits));
    const auto opened = Vault::trusted_open(std::move(statistic));
    if ((*opened).size() != 1) return Error::of(Code::Internal, "a statistic must be one number");
    over_ = size_of(Int128{(*opened).front()} - centre) + noise > level + noise_;
    return over_;
  });
}

}  // namespace tacet::kernel

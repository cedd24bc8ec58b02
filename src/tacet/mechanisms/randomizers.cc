#include "tacet/mechanisms/randomizers.h"

#include <cmath>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/bernoulli_exp.h"
#include "tacet/exact/rounded_noise.h"
#include "tacet/exact/uniform.h"
#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/privacy/parameters.h"

namespace tacet::mechanisms {
namespace {

/// exp(-epsilon/parts).
Result<CoinOdds> odds_of(const privacy::Epsilon& epsilon, unsigned long parts) {
  TACET_CHECK(check_distribution({LocalKind::Exp, epsilon.value().approximate()}));
  const mpq_class exponent = epsilon.value().to_rational() / parts;
  if (!exponent.get_num().fits_ulong_p() || !exponent.get_den().fits_ulong_p()) {
    return Error::invalid("epsilon", epsilon.value().to_string().substr(0, 40),
                          "must have at most 16 digits behind the point for randomised reports", "for example: epsilon = 1");
  }
  return CoinOdds{exponent.get_num().get_ui(), exponent.get_den().get_ui()};
}

Status check_value(std::size_t value, std::size_t categories) {
  if (value < categories) return {};
  return Error::of(Code::Internal, "a value to be randomised must be one of the categories");
}

bool falls_heads(CoinOdds odds, exact::RandomBits& bits) { return exact::bernoulli_exp_minus(odds.numerator, odds.denominator, bits); }

/// One of `choices`, with weight 1 if it is `favoured` and exp(-odds) otherwise.
std::size_t choose(std::size_t favoured, std::size_t choices, CoinOdds odds, exact::RandomBits& bits) {
  for (;;) {
    const std::size_t choice = exact::uniform_below(choices, bits);
    // The coin is tossed for the favoured one too, so that neither the number of words nor the
    // time reveals which was drawn.
    const bool heads = falls_heads(odds, bits);
    if (choice == favoured || heads) return choice;
  }
}

std::vector<double> noisy_unit(std::size_t value, std::size_t categories, int grid_log2, const exact::RoundedNoise& noise,
                               exact::RandomBits& bits) {
  std::vector<double> report;
  report.reserve(categories);
  for (std::size_t j = 0; j < categories; ++j) {
    const Int128 ticks = (Int128{j == value ? 1 : 0} << grid_log2) + noise.draw(bits);
    report.push_back(std::ldexp(static_cast<double>(ticks), -grid_log2));
  }
  return report;
}

Error no_bits() { return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was reported"); }

}  // namespace

Result<ExpRandomizer> ExpRandomizer::of(std::size_t categories, const privacy::Epsilon& epsilon) {
  TACET_CHECK(check_categories(categories));
  TACET_TRY(const CoinOdds odds, odds_of(epsilon, 1));
  return ExpRandomizer(categories, odds);
}

Result<std::size_t> ExpRandomizer::report(std::size_t value, exact::RandomBits& bits) const {
  TACET_CHECK(check_value(value, categories_));
  try {
    return choose(value, categories_, odds_, bits);
  } catch (const exact::EntropyFailure&) {
    return no_bits();
  }
}

Result<FlipRandomizer> FlipRandomizer::of(std::size_t categories, const privacy::Epsilon& epsilon) {
  TACET_CHECK(check_categories(categories));
  TACET_TRY(const CoinOdds odds, odds_of(epsilon, 2));
  return FlipRandomizer(categories, odds);
}

Result<std::vector<std::uint8_t>> FlipRandomizer::report(std::size_t value, exact::RandomBits& bits) const {
  TACET_CHECK(check_value(value, categories_));
  std::vector<std::uint8_t> report;
  report.reserve(categories_);
  try {
    for (std::size_t j = 0; j < categories_; ++j) report.push_back(static_cast<std::uint8_t>(choose(j == value ? 1 : 0, 2, odds_, bits)));
  } catch (const exact::EntropyFailure&) {
    return no_bits();
  }
  return report;
}

Result<NoiseRandomizer> NoiseRandomizer::of(std::size_t categories, kernel::NoiseFamily family, const privacy::Loss& loss) {
  TACET_CHECK(check_categories(categories));
  TACET_TRY(const kernel::NoisePlan plan, plan_local_noise(family, loss));
  return NoiseRandomizer(categories, plan);
}

Result<std::vector<double>> NoiseRandomizer::report(std::size_t value, exact::RandomBits& bits) const {
  TACET_CHECK(check_value(value, categories_));
  const double scale = std::ldexp(plan_.scale, plan_.grid_log2);
  try {
    TACET_TRY(const auto noise,
              plan_.family == kernel::NoiseFamily::Gaussian ? exact::RoundedNoise::gaussian(scale) : exact::RoundedNoise::laplace(scale));
    return noisy_unit(value, categories_, plan_.grid_log2, noise, bits);
  } catch (const exact::EntropyFailure&) {
    return no_bits();
  }
}

}  // namespace tacet::mechanisms

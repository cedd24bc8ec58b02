#include "tacet/privacy/pure_as_gdp.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/exp_bounds.h"
#include "tacet/exact/normal_bounds.h"
#include "tacet/privacy/conversion.h"

namespace tacet::privacy {
namespace {

const Decimal kLeast = *Decimal::parse("1e-9");
const Decimal kMost(100);

// Phi(-mu/2) is above e^-101 / 2, so it leaves 160 bits and more; the smallest mu takes 30 of them, the 10 digits of the result 36.
constexpr unsigned long kBits = 320;

/// Is e^-epsilon Phi(mu/2) >= Phi(-mu/2)? Never says so wrongly: epsilon and the tail are rounded up, and mu down.
bool implies(const mpq_class& epsilon, const mpq_class& mu) {
  mpz_class epsilon_up;
  const mpz_class scaled_epsilon = epsilon.get_num() << kBits;
  mpz_cdiv_q(epsilon_up.get_mpz_t(), scaled_epsilon.get_mpz_t(), epsilon.get_den_mpz_t());
  mpz_class mu_down;
  const mpz_class scaled_mu = mu.get_num() << kBits;
  mpz_fdiv_q(mu_down.get_mpz_t(), scaled_mu.get_mpz_t(), mu.get_den_mpz_t());
  const mpz_class one = mpz_class(1) << kBits;
  const mpz_class tail = exact::normal_lower_bounds(-mu_down, kBits + 1, kBits).upper;
  return exact::exp_minus_bounds(epsilon_up, kBits, kBits).lower * (one - tail) >= tail * one;
}

}  // namespace

Result<Decimal> mu_of_pure_up(const Decimal& epsilon) {
  if (!epsilon.is_positive() || epsilon > kMost) {
    return Error::invalid("epsilon", epsilon.to_string().substr(0, 40), "must be greater than 0 and at most 100 to be counted in mu",
                          "use less, or a budget in epsilon");
  }
  const Decimal counted = std::max(epsilon, kLeast);
  // Releases come in series with one epsilon, and a history asks for each of them.
  struct Known {
    Decimal epsilon, mu;
  };
  thread_local Known last;
  if (last.epsilon == counted) return last.mu;
  TACET_TRY(const GdpGuarantee guess, gdp_of_pure(counted.approximate()));
  const mpq_class exact = counted.to_rational();
  // The grid follows from epsilon, not from the guess, and the result is the least on it that passes, from wherever one starts.
  const std::string scientific = fmt::format("{:.17e}", counted.approximate());
  const Decimal grid = *Decimal::parse("1e-10") * *Decimal::parse("1" + scientific.substr(scientific.find('e')));
  Decimal mu = Decimal(std::lround(guess.mu / grid.approximate())) * grid;
  constexpr int kMostSteps = 1000;
  int steps = 0;
  while (!implies(exact, mu.to_rational()) && ++steps < kMostSteps) mu = mu + grid;
  while (implies(exact, (mu - grid).to_rational()) && ++steps < kMostSteps) mu = mu - grid;
  if (steps >= kMostSteps) return Error::of(Code::Internal, fmt::format("no mu could be certified for epsilon {}", counted.to_string()));
  last = {counted, mu};
  return mu;
}

}  // namespace tacet::privacy

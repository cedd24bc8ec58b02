#include "tacet/privacy/pure_as_gdp.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/privacy/noise_proofs.h"

namespace tacet::privacy {
namespace {

const Decimal kLeast = *Decimal::parse("1e-9");
const Decimal kMost(100);

/// log(Phi(mu/2)/Phi(-mu/2)), roughly.
double guess_epsilon(double mu) {
  const double half = mu / (2 * std::numbers::sqrt2);
  return mu < 1 ? 2 * std::atanh(std::erf(half)) : std::log(std::erfc(-half)) - std::log(std::erfc(half));
}

/// Its inverse, for epsilon from 1e-9 to 100.
double guess_mu(double epsilon) {
  double low = 1e-9, high = 30;  // 1.2e-9 and 28 are reached
  while (high > low * (1 + 1e-14)) {
    const double middle = std::sqrt(low * high);
    (guess_epsilon(middle) < epsilon ? low : high) = middle;
  }
  return high;
}

/// Is every epsilon-DP mechanism mu-GDP? Surely, if so.
bool implies(const mpq_class& epsilon, const Decimal& mu) { return pure_keeps_mu(epsilon, (mu * mu).to_rational()); }

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
  const mpq_class exact = counted.to_rational();
  // The grid follows from epsilon, not from the guess, and the result is the least on it that passes, from wherever one starts.
  const std::string scientific = fmt::format("{:.17e}", counted.approximate());
  const Decimal grid = *Decimal::parse("1e-10") * *Decimal::parse("1" + scientific.substr(scientific.find('e')));
  Decimal mu = Decimal(std::lround(guess_mu(counted.approximate()) / grid.approximate())) * grid;
  constexpr int kMostSteps = 1000;
  int steps = 0;
  while (!implies(exact, mu) && ++steps < kMostSteps) mu = mu + grid;
  while (implies(exact, mu - grid) && ++steps < kMostSteps) mu = mu - grid;
  if (steps >= kMostSteps) return Error::of(Code::Internal, fmt::format("no mu could be certified for epsilon {}", counted.to_string()));
  last = {counted, mu};
  return mu;
}

}  // namespace tacet::privacy

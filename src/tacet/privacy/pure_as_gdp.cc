#include "tacet/privacy/pure_as_gdp.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/privacy/noise_proofs.h"

namespace tacet::privacy {

Result<Decimal> mu_of_pure_up(const Decimal& epsilon) {
  static const Decimal least = *Decimal::parse("1e-9"), most(100);
  if (!epsilon.is_positive() || epsilon > most) {
    return Error::invalid("epsilon", epsilon.to_string().substr(0, 40), "must be greater than 0 and at most 100 to be counted in mu",
                          "use less, or a budget in epsilon");
  }
  const Decimal counted = std::max(epsilon, least);
  thread_local std::pair<Decimal, Decimal> last;  // series of releases repeat one epsilon
  if (last.first == counted) return last.second;
  const mpq_class exact = counted.to_rational();
  const std::string scientific = fmt::format("{:.17e}", counted.approximate());
  const Decimal grid = *Decimal::parse("1e-10") * *Decimal::parse("1" + scientific.substr(scientific.find('e')));
  // The least multiple of the grid that passes; mu = sqrt(pi/2) epsilon is always enough.
  std::int64_t too_small = 0, enough = 200'000'000'000;
  while (enough - too_small > 1) {
    const std::int64_t middle = too_small + (enough - too_small) / 2;
    const Decimal mu = Decimal(middle) * grid;
    (pure_keeps_mu(exact, (mu * mu).to_rational()) ? enough : too_small) = middle;
  }
  last = {counted, Decimal(enough) * grid};
  return last.second;
}

}  // namespace tacet::privacy

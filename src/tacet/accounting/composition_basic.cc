#include "tacet/accounting/composition_basic.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tacet/exact/directed.h"
#include "tacet/exact/fixed_decimal.h"
#include "tacet/exact/rounding.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

using exact::FixedDecimal;

// Relative error of a few long double operations and library calls (glibc: a few units of 2^-64
// each).
constexpr long double kFew = 0x1p-58L;

template <class Term>
Status check_terms(const std::vector<Term>& terms) {
  if (terms.empty() || terms.size() > LossList::kMostTerms) {
    return Error::invalid("losses", fmt::format("a list of {}", terms.size()),
                          fmt::format("must have at least 1 term and at most {}", LossList::kMostTerms));
  }
  for (const Term& term : terms) {
    if (term.times == 0 || term.times > LossList::kMostTimes) {
      return Error::invalid("times", std::to_string(term.times), fmt::format("must be at least 1 and at most {}", LossList::kMostTimes));
    }
  }
  return {};
}

/// At least the exact value, if `value` has that error.
FixedDecimal at_least(long double value) { return FixedDecimal::at_least(mpq_class(exact::enlarged(value, kFew))); }

Decimal times(const Decimal& value, std::uint64_t count) { return value * Decimal(static_cast<long>(count)); }

}  // namespace

ExactGuarantee basic_composition(const LossList& losses) {
  ExactGuarantee total;
  for (const LossTerm& term : losses.terms()) {
    total.epsilon = total.epsilon + times(term.epsilon(), term.times());
    total.delta = total.delta + times(term.delta(), term.times());
  }
  return total;
}

Result<double> advanced_epsilon(const LossList& losses, const privacy::Delta& delta_g) {
  TACET_TRY(const long double left, losses.delta_left(delta_g));
  FixedDecimal drift;
  FixedDecimal squares;
  for (const LossList::Group& group : losses.groups()) {
    drift += at_least(group.value * std::tanh(group.value / 2)).times(group.times);
    squares += at_least(group.value * group.value).times(group.times);
  }
  const long double spread = std::sqrt(2 * squares.approximate() * -std::log(left));
  return exact::enlarged(drift.approximate() + spread, kFew);
}

Result<privacy::Rho> zcdp_composition(const std::vector<ZcdpTerm>& terms) {
  TACET_CHECK(check_terms(terms));
  Decimal sum;
  for (const ZcdpTerm& term : terms) sum = sum + times(term.rho.value(), term.times);
  return privacy::Rho::of(sum);
}

Result<GdpTotal> gdp_composition(const std::vector<GdpTerm>& terms) {
  TACET_CHECK(check_terms(terms));
  Decimal sum;
  for (const GdpTerm& term : terms) sum = sum + times(term.mu.value() * term.mu.value(), term.times);
  return GdpTotal{sum, exact::least_double_root_at_least(sum.to_rational())};
}

}  // namespace tacet::accounting

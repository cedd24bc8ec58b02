#include "tacet/accounting/losses.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

// A hundred times the error of the sums and library functions below.
constexpr long double kSlack = 0x1p-43L;

Result<Decimal> decimal_of(const char* name, double value, const char* rule) {
  if (!std::isfinite(value)) return Error::invalid(name, fmt::format("{}", value), rule);
  return Decimal::from_shortest(value);
}

}  // namespace

Result<LossTerm> LossTerm::of(const privacy::Epsilon& epsilon, const privacy::Delta& delta, std::uint64_t times) {
  if (times == 0 || times > LossList::kMostTimes) {
    return Error::invalid("times", std::to_string(times), fmt::format("must be at least 1 and at most {}", LossList::kMostTimes));
  }
  return LossTerm(epsilon.value(), delta.value(), times);
}

Result<LossTerm> LossTerm::of(double epsilon, double delta, std::uint64_t times) {
  TACET_TRY(const Decimal first, decimal_of("epsilon", epsilon, "must be a finite number greater than 0"));
  TACET_TRY(const Decimal second, decimal_of("delta", delta, "must be at least 0 and less than 1"));
  TACET_TRY(const privacy::Epsilon checked_epsilon, privacy::Epsilon::of(first));
  TACET_TRY(const privacy::Delta checked_delta, privacy::Delta::of(second));
  return of(checked_epsilon, checked_delta, times);
}

Result<LossList> LossList::of(std::vector<LossTerm> terms) {
  if (terms.empty() || terms.size() > kMostTerms) {
    return Error::invalid("losses", fmt::format("a list of {}", terms.size()),
                          fmt::format("must have at least 1 term and at most {}", kMostTerms));
  }
  std::stable_sort(terms.begin(), terms.end(), [](const LossTerm& a, const LossTerm& b) {
    if (a.epsilon() != b.epsilon()) return a.epsilon() > b.epsilon();
    if (a.delta() != b.delta()) return a.delta() > b.delta();
    return a.times() > b.times();
  });
  LossList list;
  for (const LossTerm& term : terms) {
    list.times_ += term.times();  // at most 10^6 times 10^9
    if (list.groups_.empty() || list.groups_.back().epsilon != term.epsilon()) {
      list.groups_.push_back({term.epsilon(), to_long_double(term.epsilon()), 0});
    }
    list.groups_.back().times += term.times();
    if (!term.delta().is_zero()) list.log_kept_ += static_cast<long double>(term.times()) * std::log1p(-to_long_double(term.delta()));
  }
  if (list.times_ > kMostTimes)
    return Error::invalid("times", std::to_string(list.times_), fmt::format("must be at most {} altogether", kMostTimes));
  const long double struck = -std::expm1(list.log_kept_);
  list.struck_lower_ = struck * (1 - kSlack);
  list.struck_upper_ = std::min(1.0L, struck * (1 + kSlack));
  list.terms_ = std::move(terms);
  return list;
}

Result<long double> LossList::delta_left(const privacy::Delta& delta) const {
  const std::string shown = delta.value().to_string();
  if (delta.value().is_zero()) return Error::invalid("delta", shown, "must be greater than 0 for this rule", "for example: 1e-6");
  const long double target = to_long_double(delta.value());
  if (log_kept_ == 0) return target * (1 - 0x1p-60L);
  const long double left = -std::expm1(std::log1p(-target) - log_kept_) - kSlack * (target + struck_upper_);
  if (left > 0) return left;
  return Error::invalid(
      "delta", shown, fmt::format("must be greater than what the deltas of the losses use up, {:.6g}", static_cast<double>(struck_upper_)));
}

}  // namespace tacet::accounting

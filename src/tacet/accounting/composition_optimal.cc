#include "tacet/accounting/composition_optimal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/composition_basic.h"
#include "tacet/accounting/equal_responses.h"
#include "tacet/accounting/few_responses.h"
#include "tacet/accounting/mixed_responses.h"
#include "tacet/accounting/privacy_loss.h"
#include "tacet/exact/directed.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

// Up to this number of outcomes, every outcome is added.
constexpr std::uint64_t kMostOutcomes = std::uint64_t{1} << 19;
// Up to this number of different responses, every response is a step; more are treated by group.
constexpr std::uint64_t kMostSteps = 8192;
constexpr std::uint64_t kWork = std::uint64_t{1} << 25;  // cells times steps
constexpr std::uint64_t kFewestCells = 1 << 12;
constexpr std::uint64_t kMostCells = 1 << 17;
constexpr long double kSmallest = 1e-300L;

std::vector<Responses> responses_of(const LossList& losses) {
  std::vector<Responses> responses;
  for (const LossList::Group& group : losses.groups()) responses.push_back({group.value, group.times});
  return responses;
}

bool few(const LossList& losses) { return FewResponses::outcomes(responses_of(losses), kMostOutcomes) <= kMostOutcomes; }

MixedResponses follow(const LossList& losses, long double tail) {
  const std::uint64_t cells = std::clamp(kWork / losses.times(), kFewestCells, kMostCells);
  return {responses_of(losses), static_cast<std::size_t>(cells), tail};
}

Bounds outward(const LongBounds& bounds, double most = std::numeric_limits<double>::infinity()) {
  return {exact::reduced(bounds.lower, 0x1p-60L), std::min(most, exact::enlarged(bounds.upper, 0x1p-60L))};
}

std::vector<PrivacyLossTerm> loss_terms(const LossList& losses) {
  std::vector<PrivacyLossTerm> terms;
  for (const LossList::Group& group : losses.groups()) terms.push_back({LossKind::Response, group.value, group.times});
  return terms;
}

LongBounds pure_delta(const LossList& losses, long double epsilon_g) {
  if (losses.groups().size() == 1) return EqualResponses(losses.groups()[0].value, losses.times()).delta(epsilon_g);
  if (few(losses)) return FewResponses(responses_of(losses)).delta(epsilon_g);
  if (losses.times() > kMostSteps) return composed_delta(loss_terms(losses), epsilon_g);
  long double least = 0;  // logarithm of Chernoff's bound on delta
  const std::vector<Responses> responses = responses_of(losses);
  for (int i = -34; i < 34; ++i) {
    const long double t = std::pow(1.5L, i);
    least = std::min(least, cumulant(responses, t).value - t * epsilon_g);
  }
  return follow(losses, std::clamp(std::exp(least) * 1e-6L, kSmallest, 0.5L)).delta(epsilon_g);
}

LongBounds pure_epsilon(const LossList& losses, long double delta) {
  if (losses.groups().size() == 1) return EqualResponses(losses.groups()[0].value, losses.times()).epsilon(delta);
  if (few(losses)) return FewResponses(responses_of(losses)).epsilon(delta);
  if (losses.times() > kMostSteps) return composed_epsilon(loss_terms(losses), delta);
  return follow(losses, delta).epsilon(delta);
}

}  // namespace

Result<Bounds> optimal_delta(const LossList& losses, const privacy::Epsilon& epsilon_g) {
  // If no loss exceeds epsilon_g, delta is 0; decimals decide this.
  LongBounds pure{0, 0};
  if (basic_composition(losses).epsilon > epsilon_g.value()) pure = pure_delta(losses, to_long_double(epsilon_g.value()));
  // Either some delta_i event occurs, or the pure parts count.
  const auto joined = [](long double struck, long double delta) { return struck + (1 - struck) * delta; };
  return outward({joined(losses.struck_lower(), pure.lower), std::min(1.0L, joined(losses.struck_upper(), pure.upper))}, 1);
}

Result<Bounds> optimal_epsilon(const LossList& losses, const privacy::Delta& delta_g) {
  TACET_TRY(const long double left, losses.delta_left(delta_g));
  if (left < kSmallest / 2) {
    return Error::invalid("delta", delta_g.value().to_string(), "must be at least 1e-300 above what the deltas of the losses use up");
  }
  // `left` is rounded down for the upper bound; the true remainder is larger by at most this.
  const long double target = to_long_double(delta_g.value());
  const long double most_left = std::min(target, left + 0x1p-40L * (target + losses.struck_upper()));
  LongBounds bounds = pure_epsilon(losses, left);
  if (losses.struck_upper() > 0) bounds.lower = std::min(bounds.lower, pure_epsilon(losses, most_left).lower);
  return outward(bounds);
}

}  // namespace tacet::accounting

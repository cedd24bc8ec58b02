#include "tacet/inference/counts/proportion.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/tools/roots.hpp>

namespace tacet::inference {
namespace {

/// Noise of at most this standard deviation rounds away: it exceeds half a person with a
/// probability below 10^-15.
constexpr double kRoundsAway = 1.0 / 16;
constexpr double kMostBinomialVariance = 200;
constexpr double kMostBinomialVarianceLaplace = 25;
/// Binomial probabilities further out than this many standard deviations are left out.
constexpr double kBinomialReach = 6;

/// P[X + S >= at] for X binomial(people, t) and noise S.
double noisy_binomial_upper(double people, double t, const numeric::NoiseSum& noise, double at) {
  if (!(t > 0)) return noise.upper(at);
  if (!(t < 1)) return noise.upper(at - people);
  const double sd = std::sqrt(people * t * (1 - t));
  const double mean = people * t;
  const double from = std::max(0.0, std::floor(mean - kBinomialReach * (sd + 1)));
  const double to = std::min(people, std::ceil(mean + kBinomialReach * (sd + 1)));
  double probability = std::exp(std::lgamma(people + 1) - std::lgamma(from + 1) - std::lgamma(people - from + 1) +
                                (from > 0 ? from * std::log(t) : 0) + (from < people ? (people - from) * std::log1p(-t) : 0));
  double sum = 0;
  const auto terms = static_cast<std::size_t>(to - from) + 1;
  for (std::size_t i = 0; i < terms; ++i) {
    const double k = from + static_cast<double>(i);
    if (probability > 0) sum += probability * noise.upper(at - k);
    probability *= (people - k) / (k + 1) * t / (1 - t);
  }
  return std::min(1.0, sum);
}

/// P[X >= at] for X binomial and a whole number `at`.
double binomial_at_least(double people, double t, double at) {
  if (at <= 0) return 1;
  if (at > people) return 0;
  return boost::math::ibeta(at, people - at + 1, t);
}

class Tails {
 public:
  Tails(const GroupedCells& cells, ProportionGroups groups, bool sampled)
      : cells_(cells), groups_(groups), sampled_(sampled), event_(cells.sum(groups.event)), among_(cells.sum(groups.among)) {
    people_ = std::max(1.0, std::nearbyint(among_));
  }
  /// The probability of a number of people at least (direction 1) or at most (-1) as observed.
  double as_extreme(double t, int direction) const {
    const numeric::NoiseSum noise = cells_.noise(deviation_weights(groups_, t), 0);
    // The observation cannot be more possible than 0 or all people; this only widens intervals.
    const double observed = std::clamp(event_ + t * (people_ - among_), 0.0, people_);
    if (!sampled_) return noise.upper(direction * (observed - t * people_));
    if (!(noise.variance() > kRoundsAway * kRoundsAway)) {
      const double k = std::nearbyint(observed);
      return direction > 0 ? binomial_at_least(people_, t, k) : binomial_at_least(people_, 1 - t, people_ - k);
    }
    const double variance = people_ * t * (1 - t);
    const double most = cells_.is_gaussian() ? kMostBinomialVariance : kMostBinomialVarianceLaplace;
    if (variance > most) return cells_.noise(deviation_weights(groups_, t), variance).upper(direction * (observed - t * people_));
    if (direction > 0) return noisy_binomial_upper(people_, t, noise, observed);
    return noisy_binomial_upper(people_, 1 - t, noise, people_ - observed);
  }

 private:
  const GroupedCells& cells_;
  ProportionGroups groups_;
  bool sampled_;
  double event_, among_, people_;
};

/// The border between candidates that are rejected, at `end` of [0, 1], and the estimate.
double limit(const Tails& tails, double estimate, double end, double alpha) {
  const int direction = end < estimate ? 1 : -1;
  const auto excess = [&](double t) { return tails.as_extreme(t, direction) - alpha / 2; };
  if (estimate == end || excess(end) >= 0) return end;
  if (excess(estimate) <= 0) return estimate;
  std::uintmax_t most = 60;
  const auto found = boost::math::tools::toms748_solve(
      excess, std::min(end, estimate), std::max(end, estimate), [](double a, double b) { return std::abs(a - b) <= 1e-7 * (a + b); }, most);
  return end < estimate ? found.first : found.second;
}

}  // namespace

GroupWeights deviation_weights(ProportionGroups groups, double t) {
  return GroupedCells::weights(
      [&](GroupMask mask) { return ((mask >> groups.event & 1) != 0 ? 1.0 : 0.0) - ((mask >> groups.among & 1) != 0 ? t : 0.0); });
}

Proportion estimate_proportion(const GroupedCells& cells, ProportionGroups groups, double alpha) {
  Proportion answer{};
  const GroupWeights all = GroupedCells::weights([&](GroupMask mask) { return (mask >> groups.among & 1) != 0 ? 1.0 : 0.0; });
  answer.people = cells.sum(all);
  if (!(answer.people > cells.noise(all, 0).two_sided_quantile(alpha)) || !(answer.people >= 1)) {
    answer.reason = "the noise may be all that is in the group: its number of people cannot be told from 0";
    return answer;
  }
  const double estimate = std::clamp(cells.sum(groups.event) / answer.people, 0.0, 1.0);
  answer.estimate = estimate;
  for (const bool sampled : {false, true}) {
    const Tails tails(cells, groups, sampled);
    (sampled ? answer.population : answer.file) = {limit(tails, estimate, 0, alpha), limit(tails, estimate, 1, alpha)};
  }
  return answer;
}

}  // namespace tacet::inference

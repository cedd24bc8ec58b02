#include "tacet/inference/counts/proportion_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacet::inference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A number between its two limits, on any scale.
struct Limited {
  double value;
  Interval in;
};

/// Of two numbers with correlation r: the distance of an end of their difference.
double combined(double first, double second, double r) {
  if (std::isinf(first) || std::isinf(second)) return kInfinity;
  return std::sqrt(std::max(0.0, first * first + second * second - 2 * r * first * second));
}

Interval difference(const Limited& a, const Limited& b, double r) {
  const double at = a.value - b.value;
  return {at - combined(a.value - a.in.lower, b.in.upper - b.value, r), at + combined(a.in.upper - a.value, b.value - b.in.lower, r)};
}

/// The roots R of (a - R b)^2 = d1^2 + R^2 d2^2 - 2 r R d1 d2: docs/explanation/proportions.md.
Interval ratio(const Limited& a, const Limited& b, double r) {
  Interval result{0, kInfinity};
  {
    const double d1 = a.value - a.in.lower;
    const double d2 = b.in.upper - b.value;
    const double half = a.value * b.value - r * d1 * d2;
    const double constant = a.value * a.value - d1 * d1;
    const double under = half + std::sqrt(std::max(0.0, half * half - (b.value * b.value - d2 * d2) * constant));
    if (constant > 0 && under > 0) result.lower = constant / under;
  }
  {
    const double d1 = a.in.upper - a.value;
    const double d2 = b.value - b.in.lower;
    const double half = a.value * b.value - r * d1 * d2;
    const double square = b.value * b.value - d2 * d2;
    const double root = std::sqrt(std::max(0.0, half * half - square * (a.value * a.value - d1 * d1)));
    if (square > 0) result.upper = (half + root) / square;
  }
  return result;
}

double logit(double p) { return std::log(p) - std::log1p(-p); }

/// Log odds. The value keeps half a person from 0 and from all, where its log odds would be
/// infinite, but not from a limit.
Limited log_odds(const Proportion& p, const Interval& in) {
  const double half = 0.5 / std::max(p.people, 1.0);
  const double kept = std::clamp(*p.estimate, std::min(half, 0.5), std::max(1 - half, 0.5));
  return {logit(std::clamp(kept, in.lower, in.upper)), {logit(in.lower), logit(in.upper)}};
}

Interval odds_ratio(const Proportion& first, const Interval& in_first, const Proportion& second, const Interval& in_second, double r) {
  const Limited a = log_odds(first, in_first);
  const Limited b = log_odds(second, in_second);
  if (std::isinf(a.value) && std::isinf(b.value) && a.value == b.value) return {0, kInfinity};
  // An exactly empty group, which only a file without noise can show.
  if (std::isinf(a.value) || std::isinf(b.value)) return {std::exp(a.value - b.value), std::exp(a.value - b.value)};
  const Interval logs = difference(a, b, r);
  return {std::exp(logs.lower), std::exp(logs.upper)};
}

/// Of the errors of the two estimates.
double correlation(const GroupedCells& cells, ProportionGroups first, ProportionGroups second, const Comparison& pair, bool sampled) {
  const double p = *pair.first.estimate;
  const double q = *pair.second.estimate;
  const GroupWeights a = deviation_weights(first, p);
  const GroupWeights b = deviation_weights(second, q);
  GroupWeights both{};
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask) both[mask] = a[mask] * b[mask];
  const double covariance = cells.noise_covariance(a, b) + (sampled ? cells.sum(both) : 0);
  const double one = cells.noise_covariance(a, a) + (sampled ? pair.first.people * p * (1 - p) : 0);
  const double other = cells.noise_covariance(b, b) + (sampled ? pair.second.people * q * (1 - q) : 0);
  return one > 0 && other > 0 ? std::clamp(covariance / std::sqrt(one * other), -1.0, 1.0) : 0;
}

std::optional<double> measured(const Comparison& pair, Measure measure) {
  const double p = *pair.first.estimate;
  const double q = *pair.second.estimate;
  const double value = measure == Measure::Difference ? p - q : measure == Measure::Ratio ? p / q : p * (1 - q) / (q * (1 - p));
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Interval interval_of(const Comparison& pair, const Interval& first, const Interval& second, Measure measure, double r) {
  const Limited a{*pair.first.estimate, first};
  const Limited b{*pair.second.estimate, second};
  if (measure == Measure::Ratio) return ratio(a, b, r);
  if (measure == Measure::OddsRatio) return odds_ratio(pair.first, first, pair.second, second, r);
  const Interval found = difference(a, b, r);
  return {std::max(found.lower, -1.0), std::min(found.upper, 1.0)};
}

}  // namespace

Comparison compare_proportions(const GroupedCells& cells, ProportionGroups first, ProportionGroups second, Measure measure, double alpha) {
  Comparison pair{};
  pair.first = estimate_proportion(cells, first, alpha);
  pair.second = estimate_proportion(cells, second, alpha);
  pair.file = pair.population = measure == Measure::Difference ? Interval{-1, 1} : Interval{0, kInfinity};
  if (pair.first.reason || pair.second.reason) {
    pair.reason = pair.first.reason ? pair.first.reason : pair.second.reason;
    return pair;
  }
  pair.estimate = measured(pair, measure);
  pair.file = interval_of(pair, pair.first.file, pair.second.file, measure, correlation(cells, first, second, pair, false));
  pair.population =
      interval_of(pair, pair.first.population, pair.second.population, measure, correlation(cells, first, second, pair, true));
  if (std::isinf(pair.population.upper))
    pair.reason = "the proportion in the denominator cannot be told from one that makes it infinite, so there is no upper end";
  return pair;
}

}  // namespace tacet::inference

#include "tacet/inference/counts/trend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/level.h"

namespace tacet::inference {
namespace {

constexpr double kLeastEvents = 10;
constexpr std::size_t kMostGroups = 1000;

/// The quantities of the test for one table.
struct Score {
  double score = 0, spread = 0, variance = 0;
  double statistic = 0;
  std::vector<double> possible;             // the nearest possible table
  std::vector<double> deviations, squares;  // (e - p)(s - mean) and (s - mean)^2 of each class
  double events = 0, people = 0;
};

std::optional<Score> score_of(const CollapsedTable& table, std::span<const double> values, const std::vector<double>& scores) {
  const std::size_t k = scores.size();
  Score found{};
  found.possible = CollapsedTable::possible(values);
  double mean = 0;
  for (std::size_t i = 0; i < 2 * k; ++i) {
    found.people += found.possible[i];
    mean += found.possible[i] * scores[i % k];
    if (i < k) found.events += found.possible[i];
  }
  if (!(found.people > 0) || !(found.events > 0) || !(found.events < found.people)) return std::nullopt;
  mean /= found.people;
  const double p = found.events / found.people;
  double possible_spread = 0;
  for (std::size_t i = 0; i < 2 * k; ++i) {
    const double from_mean = scores[i % k] - mean;
    found.deviations.push_back(((i < k ? 1 : 0) - p) * from_mean);
    found.squares.push_back(from_mean * from_mean);
    found.score += found.deviations[i] * values[i];
    found.spread += found.squares[i] * values[i];
    possible_spread += found.squares[i] * found.possible[i];
  }
  found.variance = p * (1 - p) * possible_spread + table.noise_covariance(found.deviations, found.deviations);
  if (!(possible_spread > 0) || !(found.variance > 0)) return std::nullopt;
  found.statistic = found.score * found.score / found.variance;
  return found;
}

std::vector<double> null_probabilities(const Score& found) {
  const std::size_t k = found.possible.size() / 2;
  std::vector<double> p(2 * k);
  for (std::size_t j = 0; j < k; ++j) {
    const double group = (found.possible[j] + found.possible[k + j]) / found.people;
    p[j] = group * found.events / found.people;
    p[k + j] = group * (1 - found.events / found.people);
  }
  return p;
}

/// The slopes b with (score - b spread)^2 <= q^2 V(b), V the variance of score - b spread: empty if
/// they are unbounded.
std::optional<Interval> slopes(const CollapsedTable& table, const Score& found, bool sampled, double alpha) {
  const auto joint_variance = [&](const std::vector<double>& a, const std::vector<double>& b) {
    const double sampling =
        sampled ? block_sum(a.size(), [&](std::size_t i) { return found.possible[i] * a[i] * b[i]; }) * found.people / (found.people - 2)
                : 0;
    return sampling + table.noise_covariance(a, b);
  };
  const double at = found.score / found.spread;
  std::vector<double> weights(found.deviations);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= at * found.squares[i];
  const double variance = joint_variance(weights, weights);
  if (!(variance > 0)) return Interval{at, at};
  const double q =
      table.noise(weights, variance - table.noise_covariance(weights, weights)).two_sided_quantile(alpha) / std::sqrt(variance);
  const double a = found.spread * found.spread - q * q * joint_variance(found.squares, found.squares);
  const double b = found.score * found.spread - q * q * joint_variance(found.deviations, found.squares);
  const double c = found.score * found.score - q * q * joint_variance(found.deviations, found.deviations);
  if (!(a > 0) || !(b * b >= a * c)) return std::nullopt;
  const double root = std::sqrt(b * b - a * c);
  return Interval{(b - root) / a, (b + root) / a};
}

void add_slope(TrendTest& answer, const CollapsedTable& table, const Score& found, double alpha) {
  if (!(found.spread > 0)) {
    answer.interval_reason = "the noise hides how the people are spread over the groups";
    return;
  }
  answer.slope = found.score / found.spread;
  answer.file = slopes(table, found, false, alpha);
  if (!answer.file) {
    answer.interval_reason = "the noise hides how the people are spread over the groups, so the slope has no bounds";
    return;
  }
  if (std::min(found.events, found.people - found.events) < kLeastEvents) {
    answer.interval_reason = fmt::format("fewer than {} people have the event, or have it not: too few for an interval", kLeastEvents);
    return;
  }
  answer.population = slopes(table, found, true, alpha);
  if (!answer.population) answer.interval_reason = "noise and sampling hide how the people are spread, so the slope has no bounds";
}

Status check_scores(const std::vector<double>& scores, std::size_t classes) {
  const bool differ = !scores.empty() && *std::max_element(scores.begin(), scores.end()) > *std::min_element(scores.begin(), scores.end());
  if (2 * scores.size() == classes && differ && scores.size() <= kMostGroups) return {};
  return Error::invalid(
      "scores", fmt::format("a list of {}", scores.size()),
      fmt::format("must have a number for each of the {} groups (at most {}), and two of them must differ", classes / 2, kMostGroups),
      "for example: scores = 1,2,3");
}

}  // namespace

Result<TrendTest> test_trend(const CollapsedTable& table, const std::vector<double>& scores, const GofOptions& options) {
  TACET_CHECK(check_alpha(options.alpha));
  TACET_CHECK(check_scores(scores, table.values().size()));
  TrendTest answer{};
  GofTest& test = answer.test;
  test.statistic_kind = GofStatistic::Classical;
  test.df = 1;
  test.method = table.n_public() ? GofMethod::MonteCarlo : GofMethod::Bootstrap;
  if (!(table.people() >= 1)) {
    leave_open(test, "the noisy counts sum to less than one person");
    return answer;
  }
  const std::optional<Score> found = score_of(table, table.values(), scores);
  if (!found) {
    leave_open(test, "in the denoised table everybody or nobody has the event, or all are in one group");
    return answer;
  }
  test.statistic = found->statistic;
  add_slope(answer, table, *found, options.alpha);
  const auto statistic = [&](std::span<const double> values) -> std::optional<double> {
    const auto score = score_of(table, values, scores);
    return score ? std::optional(score->statistic) : std::nullopt;
  };
  TACET_CHECK(decide_collapsed(test, options, table, null_probabilities(*found), statistic, "the fitted margins"));
  return answer;
}

}  // namespace tacet::inference

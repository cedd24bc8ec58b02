#include "tacet/inference/means/t_test.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/means/possible_combination.h"
#include "tacet/inference/means/possible_means.h"
#include "tacet/numeric/insecure_gamma.h"

namespace tacet::inference {
namespace {

using numeric::InsecureStream;

constexpr std::size_t kTTestBlock = 256;

Status check_t_test(const std::vector<ReleasedGroup>& groups, const TTestOptions& options) {
  if (groups.empty() || groups.size() > 2) return Error::invalid("groups", fmt::format("{}", groups.size()), "must be one or two");
  TACET_CHECK(check_alpha(options.alpha));
  if (!(std::abs(options.null) <= 1e100))
    return Error::invalid("null", fmt::format("{}", options.null), "must be finite, and at most 1e100 in size");
  for (const ReleasedGroup& group : groups) {
    const auto why = options.target == MeanTarget::Population ? why_no_population(*group.release) : std::nullopt;
    if (why) {
      return Error::of(Code::Unsupported, *why,
                       "release the covariance with gaussian, laplace or k-norm noise, or ask about the people in the file: for = data");
    }
  }
  return check_draws(options.simulation.draws.value_or(kUsualDraws), options.alpha);
}

Status check_weights(const std::vector<ReleasedGroup>& groups, const std::vector<double>& weights) {
  for (const ReleasedGroup& group : groups) {
    const std::size_t columns = group.release->dimension();
    if (weights.size() != columns) {
      return Error::invalid("direction", fmt::format("{} numbers", weights.size()),
                            fmt::format("must be one for each of the {} columns", columns), "a column that does not count has 0");
    }
  }
  const auto usable = [](double weight) { return std::abs(weight) <= 1e100; };
  if (!std::all_of(weights.begin(), weights.end(), usable))
    return Error::invalid("direction", "too large", "must have finite numbers of at most 1e100 in size");
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; }))
    return Error::invalid("direction", "all zeros", "must have a number other than 0");
  return {};
}

/// 1/(p r) of ChosenWeights.
double chosen_factor(InsecureStream& stream, const ChosenWeights& chosen) {
  if (chosen.columns < 2) return 1;
  const auto others = static_cast<double>(chosen.columns) - 1;
  const auto beta_inverse = [&](double degrees) {
    const double own = numeric::draw_chi_square(stream, std::max(1.0, degrees));
    return 1 + numeric::draw_chi_square(stream, others) / own;
  };
  return beta_inverse(chosen.freedom - others) * beta_inverse(chosen.freedom - others + 1);
}

/// Draws of the error: a possible value of the mean, or of the difference, less the estimate.
std::vector<double> draw_errors(const std::vector<PossibleCombination>& groups, const TTestOptions& options) {
  return simulate(options.simulation, kTTestBlock, [&]() -> BlockOfTables {
    return [own = groups, population = options.target == MeanTarget::Population, chosen = options.chosen](InsecureStream& stream,
                                                                                                          std::span<double> out) mutable {
      for (double& error : out) {
        PossibleError sum{0, 0};
        for (std::size_t g = 0; g < own.size(); ++g) {
          const PossibleError one = own[g].draw(stream);
          sum.noise += (g == 0 ? 1 : -1) * one.noise;
          sum.sampling += (g == 0 ? 1 : -1) * one.sampling;
        }
        if (chosen) sum.sampling *= std::sqrt(chosen_factor(stream, *chosen));
        error = sum.noise + (population ? sum.sampling : 0);
      }
    };
  });
}

}  // namespace

Result<ColumnTest> t_test(const std::vector<ReleasedGroup>& groups, std::size_t column, const TTestOptions& options) {
  std::vector<double> weights(groups.empty() ? 1 : groups.front().release->dimension());
  weights.at(column) = 1;
  return t_test(groups, weights, options);
}

Result<ColumnTest> t_test(const std::vector<ReleasedGroup>& groups, const std::vector<double>& weights, const TTestOptions& options) {
  TACET_CHECK(check_t_test(groups, options));
  TACET_CHECK(check_weights(groups, weights));
  const bool population = options.target == MeanTarget::Population;
  std::vector<PossibleCombination> possible;
  ColumnTest test{};
  double variance = 0;
  double of_variance = 0;
  for (const ReleasedGroup& group : groups) {
    const PossibleCombination& one =
        possible.emplace_back(*group.release, group.group, weights, options.chosen ? options.chosen->raise : 0);
    test.estimate += (possible.size() == 1 ? 1 : -1) * one.estimate();
    variance += population ? one.population_variance() : one.file_variance();
    test.noise_share += one.file_variance();
    of_variance += one.variance_of_variance();
  }
  test.sd = std::sqrt(variance);
  test.noise_share /= variance;
  const double distance = test.estimate - options.null;
  test.statistic = distance / test.sd;
  if (population) test.df = 2 * variance * variance / of_variance;
  std::vector<double> errors = draw_errors(possible, options);
  test.draws = errors.size();
  // A possible value is the estimate plus an error. The null is beyond `less` if few possible
  // values are as large: errors of -distance and more; and so on.
  const double sign = options.alternative == Alternative::Greater ? -1 : 1;
  for (double& error : errors) error = options.alternative == Alternative::TwoSided ? std::abs(error) : sign * error;
  const double statistic = options.alternative == Alternative::TwoSided ? std::abs(distance) : -sign * distance;
  const MonteCarloAnswer answer = compare(statistic, std::move(errors), options.alpha);
  test.p_value = answer.p_value;
  test.critical = answer.critical / test.sd;
  test.outcome = decide(answer.p_value, options.alpha);
  if (options.alternative != Alternative::Less) test.lower = test.estimate - answer.critical;
  if (options.alternative != Alternative::Greater) test.upper = test.estimate + answer.critical;
  return test;
}

}  // namespace tacet::inference

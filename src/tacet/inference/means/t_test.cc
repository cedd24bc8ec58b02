#include "tacet/inference/means/t_test.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/means/possible_means.h"

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

/// Draws of the error: a possible value of the mean, or of the difference, less the estimate.
std::vector<double> draw_errors(const std::vector<PossibleMeans>& groups, const TTestOptions& options) {
  return simulate(options.simulation, kTTestBlock, [&]() -> BlockOfTables {
    return [own = groups, population = options.target == MeanTarget::Population](InsecureStream& stream, std::span<double> out) mutable {
      double file = 0;
      double whole = 0;
      for (double& error : out) {
        error = 0;
        for (std::size_t g = 0; g < own.size(); ++g) {
          own[g].draw(stream, {&file, 1}, population ? std::span(&whole, 1) : std::span<double>());
          error += (g == 0 ? 1 : -1) * (population ? whole : file);
        }
      }
    };
  });
}

}  // namespace

Result<ColumnTest> t_test(const std::vector<ReleasedGroup>& groups, std::size_t column, const TTestOptions& options) {
  TACET_CHECK(check_t_test(groups, options));
  const bool population = options.target == MeanTarget::Population;
  std::vector<PossibleMeans> possible;
  ColumnTest test{};
  double variance = 0;
  double of_variance = 0;
  for (const ReleasedGroup& group : groups) {
    const PossibleMeans& one = possible.emplace_back(*group.release, group.group, column);
    test.estimate += (possible.size() == 1 ? 1 : -1) * one.estimate(0);
    variance += population ? one.population_variance(0) : one.file_variance(0);
    of_variance += one.variance_of_variance(0);
  }
  test.sd = std::sqrt(variance);
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
  test.outcome = decide(answer.p_value, options.alpha);
  if (options.alternative != Alternative::Less) test.lower = test.estimate - answer.critical;
  if (options.alternative != Alternative::Greater) test.upper = test.estimate + answer.critical;
  return test;
}

}  // namespace tacet::inference

#include "tacet/inference/means/mean_differences.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/means/possible_means.h"

namespace tacet::inference {
namespace {

using numeric::InsecureStream;

constexpr std::size_t kMostGroupsOfDifferences = 1000;
constexpr std::size_t kFewCells = 2000;  // groups times columns
constexpr std::size_t kDrawsOfManyCells = 1999;
constexpr std::size_t kDrawsAtATime = 64;

Status check_differences(const std::vector<ReleasedGroup>& groups, const DifferencesOptions& options) {
  if (groups.size() < 2 || groups.size() > kMostGroupsOfDifferences)
    return Error::invalid("groups", fmt::format("{}", groups.size()), fmt::format("must be 2 to {}", kMostGroupsOfDifferences));
  for (const ReleasedGroup& group : groups) {
    if (group.release->dimension() != groups.front().release->dimension()) {
      return Error::invalid("columns", fmt::format("{} and {}", groups.front().release->dimension(), group.release->dimension()),
                            "must be the same in every group");
    }
    if (const auto why = why_no_population(*group.release))
      return Error::of(Code::Unsupported, *why, "release the covariance with gaussian, laplace or k-norm noise");
  }
  TACET_CHECK(check_alpha(options.alpha));
  return check_draws(options.simulation.draws.value_or(kDrawsOfManyCells), options.alpha);
}

/// The largest standardised errors of differences, in one draw of all groups.
class LargestErrors {
 public:
  LargestErrors(const std::vector<PossibleMeans>& groups, const std::vector<PairDifference>& pairs) : groups_(groups), pairs_(pairs) {
    errors_.resize(2 * groups.size() * groups.front().dimension());
  }

  /// For the file, and for the population.
  void draw(InsecureStream& stream, std::span<double> out) {
    const std::size_t d = groups_.front().dimension();
    const std::span<double> all(errors_);
    for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].draw(stream, all.subspan(2 * g * d, d), all.subspan((2 * g + 1) * d, d));
    out[0] = out[1] = 0;
    for (const PairDifference& pair : pairs_) {
      for (std::size_t j = 0; j < d; ++j) {
        const ColumnDifference& column = pair.columns[j];
        const double file = errors_[2 * pair.first * d + j] - errors_[2 * pair.second * d + j];
        const double population = errors_[(2 * pair.first + 1) * d + j] - errors_[(2 * pair.second + 1) * d + j];
        out[0] = std::max(out[0], std::abs(file) / column.file.sd);
        out[1] = std::max(out[1], std::abs(population) / column.population.sd);
      }
    }
  }

 private:
  std::vector<PossibleMeans> groups_;
  const std::vector<PairDifference>& pairs_;
  std::vector<double> errors_;
};

/// Widens the interval to q standard deviations.
void widen(DifferenceInterval& interval, double estimate, double q) {
  interval.lower = estimate - q * interval.sd;
  interval.upper = estimate + q * interval.sd;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> compared_pairs(std::size_t groups, ComparedPairs which) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < (which == ComparedPairs::First ? 1 : groups); ++i) {
    for (std::size_t j = i + 1; j < groups; ++j) pairs.emplace_back(i, j);
  }
  return pairs;
}

Result<MeanDifferences> mean_differences(const std::vector<ReleasedGroup>& groups, const DifferencesOptions& options) {
  TACET_CHECK(check_differences(groups, options));
  std::vector<PossibleMeans> possible;
  for (const ReleasedGroup& group : groups) possible.emplace_back(*group.release, group.group);
  const std::size_t d = possible.front().dimension();
  MeanDifferences found{};
  for (const auto& [first, second] : compared_pairs(groups.size(), options.pairs)) {
    const PossibleMeans& a = possible[first];
    const PossibleMeans& b = possible[second];
    PairDifference pair{first, second, {}};
    for (std::size_t j = 0; j < d; ++j) {
      ColumnDifference column{};
      column.estimate = a.estimate(j) - b.estimate(j);
      column.file.sd = std::sqrt(a.file_variance(j) + b.file_variance(j));
      column.population.sd = std::sqrt(a.population_variance(j) + b.population_variance(j));
      pair.columns.push_back(column);
    }
    found.pairs.push_back(std::move(pair));
  }
  found.draws = options.simulation.draws.value_or(groups.size() * d <= kFewCells ? kUsualDraws : kDrawsOfManyCells);
  Simulation simulation = options.simulation;
  simulation.draws = 2 * found.draws;
  const std::vector<double> drawn = simulate(simulation, 2 * kDrawsAtATime, [&]() -> BlockOfTables {
    return [errors = LargestErrors(possible, found.pairs)](InsecureStream& stream, std::span<double> out) mutable {
      for (std::size_t at = 0; at < out.size(); at += 2) errors.draw(stream, out.subspan(at, 2));
    };
  });
  std::vector<double> file;
  std::vector<double> population;
  for (std::size_t at = 0; at < drawn.size(); at += 2) {
    file.push_back(drawn[at]);
    population.push_back(drawn[at + 1]);
  }
  found.file_quantile = compare(0, std::move(file), options.alpha).critical;
  found.population_quantile = compare(0, std::move(population), options.alpha).critical;
  for (PairDifference& pair : found.pairs) {
    for (ColumnDifference& column : pair.columns) {
      widen(column.file, column.estimate, found.file_quantile);
      widen(column.population, column.estimate, found.population_quantile);
    }
  }
  return found;
}

}  // namespace tacet::inference

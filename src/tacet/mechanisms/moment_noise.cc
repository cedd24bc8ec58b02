#include "tacet/mechanisms/moment_noise.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace tacet::mechanisms {
namespace {

constexpr double kCountParts = 1;
constexpr double kSumParts = 3;
constexpr double kProductParts = 6;

/// Weights of the figures [from, to) whose squares add up to `parts`.
void share(const std::vector<double>& sizes, std::size_t from, std::size_t to, double parts, MomentGoal goal,
           std::vector<double>& weights) {
  double total = 0;
  for (std::size_t j = from; j < to; ++j) {
    weights[j] = goal == MomentGoal::Region ? 1 : std::sqrt(sizes[j]);
    total += weights[j] * weights[j];
  }
  for (std::size_t j = from; j < to; ++j) weights[j] *= std::sqrt(parts / total);
}

}  // namespace

Result<MomentGoal> moment_goal_named(std::string_view name) {
  if (name == "least-squares") return MomentGoal::LeastSquares;
  if (name == "region") return MomentGoal::Region;
  return Error::invalid("goal", std::string(name.substr(0, 40)), "must be least-squares or region",
                        "for one direction: tacet release query");
}

std::string_view name(MomentGoal goal) { return goal == MomentGoal::Region ? "region" : "least-squares"; }

Result<std::vector<double>> moment_weights(const MomentFigures& figures, const std::vector<double>& sizes, MomentGoal goal) {
  if (sizes.size() != figures.size() || figures.columns == 0) return Error::of(Code::Internal, "every figure must have a size");
  for (const double size : sizes) {
    if (!(size > 0 && std::isfinite(size))) return Error::invalid("size", fmt::format("{}", size), "must be finite and greater than 0");
  }
  std::vector<double> weights(sizes.size());
  const std::size_t sums = figures.counts ? 1 : 0;
  const std::size_t products = sums + figures.columns;
  if (figures.counts) share(sizes, 0, 1, kCountParts, goal, weights);
  share(sizes, sums, products, kSumParts, goal, weights);
  if (figures.products) share(sizes, products, sizes.size(), kProductParts, goal, weights);
  return weights;
}

}  // namespace tacet::mechanisms

#include "tacet/mechanisms/moment_noise.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <fmt/format.h>

namespace tacet::mechanisms {
namespace {

using kernel::NoiseFamily;

/// The share of the loss of each kind.
struct TwoSampleParts {
  double counts, sums, squares, others;  // others: products of two columns
};
constexpr double kCountParts = 1;
constexpr double kSumParts = 3;
constexpr double kProductParts = 6;
// Chosen by simulated power at a level of 5 %, which is flat around these values: 30 columns, 1000
// people, epsilon 1; 10 columns, 100 people, epsilon 5; one column, 100 people, epsilon 0.5.
constexpr TwoSampleParts kTwoSampleGaussian = {1, 89, 3, 7};
constexpr TwoSampleParts kTwoSampleLaplace = {1, 91, 6, 2};
// From here on the products of two columns are so many that noise hides them; squares gain more.
constexpr std::size_t kManyColumns = 8;
constexpr TwoSampleParts kTwoSampleLaplaceOfMany = {1, 91, 7, 1};

/// Weights of the values [from, to) whose squares add up to `parts`.
void share(const std::vector<double>& sizes, std::size_t from, std::size_t to, double parts, MomentGoal goal,
           std::vector<double>& weights) {
  double total = 0;
  for (std::size_t j = from; j < to; ++j) {
    weights[j] = goal == MomentGoal::Region ? 1 : goal == MomentGoal::Isotropic ? sizes[j] : std::sqrt(sizes[j]);
    total += weights[j] * weights[j];
  }
  for (std::size_t j = from; j < to; ++j) weights[j] *= std::sqrt(parts / total);
}

/// The shares in the header, for this number of columns.
TwoSampleParts two_sample_parts(const MomentNumbers& numbers, NoiseFamily family) {
  TwoSampleParts parts = family == NoiseFamily::Gaussian   ? kTwoSampleGaussian
                         : numbers.columns >= kManyColumns ? kTwoSampleLaplaceOfMany
                                                           : kTwoSampleLaplace;
  if (!numbers.counts) parts.sums += parts.counts;
  const auto pairs = static_cast<double>(numbers.columns - 1);
  const double products = parts.squares + parts.others;
  if (parts.others > pairs * parts.squares) parts.squares = products / (pairs + 1);
  parts.others = products - parts.squares;
  return parts;
}

/// The share of the loss of each value: equal within its kind.
std::vector<double> two_sample_shares(const MomentNumbers& numbers, NoiseFamily family) {
  const TwoSampleParts parts = two_sample_parts(numbers, family);
  const auto d = static_cast<double>(numbers.columns);
  std::vector<double> shares;
  if (numbers.counts) shares.push_back(parts.counts);
  shares.insert(shares.end(), numbers.columns, parts.sums / d);
  for (std::size_t j = 0; j < numbers.columns; ++j) {
    for (std::size_t k = j; k < numbers.columns; ++k) shares.push_back(j == k ? parts.squares / d : parts.others / (d * (d - 1) / 2));
  }
  return shares;
}

Status check(const MomentNumbers& numbers, const std::vector<double>& sizes, MomentGoal goal) {
  if (sizes.size() != numbers.size() || numbers.columns == 0) return Error::of(Code::Internal, "every number must have a size");
  for (const double size : sizes) {
    if (!(size > 0 && std::isfinite(size))) return Error::invalid("size", fmt::format("{}", size), "must be finite and greater than 0");
  }
  if (goal == MomentGoal::TwoSample && !numbers.products) {
    return Error::of(Code::Unsupported, "a test of equal means needs to know how the rows vary, and no products were asked for",
                     "release a covariance");
  }
  return {};
}

}  // namespace

Result<std::vector<double>> moment_weights(const MomentNumbers& numbers, const std::vector<double>& sizes, MomentGoal goal,
                                           NoiseFamily family) {
  TACET_CHECK(check(numbers, sizes, goal));
  if (goal == MomentGoal::TwoSample) {
    std::vector<double> weights = two_sample_shares(numbers, family);
    if (family == NoiseFamily::Gaussian) {
      for (double& weight : weights) weight = std::sqrt(weight);
    }
    return weights;
  }
  std::vector<double> weights(sizes.size());
  const std::size_t sums = numbers.counts ? 1 : 0;
  const std::size_t products = sums + numbers.columns;
  if (numbers.counts) share(sizes, 0, 1, kCountParts, goal, weights);
  share(sizes, sums, products, kSumParts, goal, weights);
  if (numbers.products) share(sizes, products, sizes.size(), kProductParts, goal, weights);
  return weights;
}

Result<std::vector<double>> with_own_weights(const MomentNumbers& numbers, std::vector<double> weights, const std::vector<double>& own) {
  if (numbers.products) return Error::invalid("weights", "given", "goes with sums and means");
  if (own.size() != numbers.columns) {
    return Error::invalid("weights", fmt::format("{} numbers", own.size()),
                          fmt::format("must be one for each of the {} columns", numbers.columns), "for example: weights = 1,2");
  }
  double given = 0;
  double shared = 0;
  const std::size_t sums = numbers.counts ? 1 : 0;
  for (std::size_t j = 0; j < own.size(); ++j) {
    if (!(own[j] >= 1e-30 && own[j] <= 1e30))
      return Error::invalid("weights", fmt::format("{}", own[j]), "must be greater than 0, between 1e-30 and 1e30");
    given += own[j] * own[j];
    shared += weights[sums + j] * weights[sums + j];
  }
  for (std::size_t j = 0; j < own.size(); ++j) weights[sums + j] = own[j] * std::sqrt(shared / given);
  return weights;
}

Result<std::vector<double>> cube_product_weights(const MomentNumbers& numbers, const std::vector<double>& sizes, MomentGoal goal) {
  TACET_TRY(std::vector<double> weights, moment_weights(numbers, sizes, goal, NoiseFamily::Laplace));
  const auto products = weights.begin() + static_cast<std::ptrdiff_t>((numbers.counts ? 1 : 0) + numbers.columns);
  double before = std::accumulate(weights.begin(), products, 0.0);
  if (goal != MomentGoal::TwoSample) {
    // The cube as a whole has the share of its kinds, because it is one draw.
    before = std::accumulate(products, weights.end(), 0.0) * ((numbers.counts ? kCountParts : 0) + kSumParts) / kProductParts;
  }
  std::vector<double> shared = {before};
  shared.insert(shared.end(), products, weights.end());
  return shared;
}

}  // namespace tacet::mechanisms

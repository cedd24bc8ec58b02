#include "tacet/inference/means/directional_means.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tacet/inference/means/mean_spread.h"
#include "tacet/inference/means/t_test.h"
#include "tacet/numeric/normal.h"

namespace tacet::inference {
namespace {

Status check_direction(const std::vector<double>& alternative, std::size_t columns) {
  if (alternative.size() != columns) {
    return Error::invalid("alternative", fmt::format("{} numbers", alternative.size()),
                          fmt::format("must be one for each of the {} columns", columns),
                          "give the difference that is tested against, first group minus second");
  }
  const auto usable = [](double one) { return std::abs(one) <= 1e100; };
  if (!std::all_of(alternative.begin(), alternative.end(), usable))
    return Error::invalid("alternative", "too large", "must have finite numbers of at most 1e100 in size");
  if (std::all_of(alternative.begin(), alternative.end(), [](double one) { return one == 0; }))
    return Error::invalid("alternative", "all zeros", "must differ from equal means in some column");
  return {};
}

/// Weights in the columns' units, and `raise` of ChosenWeights.
struct DirectionWeights {
  std::vector<double> weights;
  double raise;
};

/// What the noise of products took from the variance of the combination b, of length 1: see
/// docs/explanation/differences.md.
double taken_by_noise(const MeanSpread& spread, double sampling, double mean_noise, const Eigen::VectorXd& b) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(spread.seen);
  const Eigen::Index d = b.size();
  const Eigen::VectorXd along = solver.eigenvectors().transpose() * b;
  const Eigen::VectorXd weighting = (solver.eigenvectors().transpose() * spread.weighting * solver.eigenvectors()).diagonal();
  // The eigenvalues of W^-1, and how its entries change with an entry of the covariance. Those
  // between hidden directions, which are weighted alike, do not.
  const Eigen::VectorXd inverse = (sampling * weighting.array() + mean_noise).inverse().matrix();
  const double hidden = weighting.minCoeff() * (1 + 1e-9);
  const auto slope = [&](Eigen::Index i, Eigen::Index j) {
    return weighting[i] <= hidden && weighting[j] <= hidden ? 0 : -sampling * inverse[i] * inverse[j];
  };
  double taken = 0;
  for (Eigen::Index i = 0; i < d; ++i) {
    double sum = slope(i, i);
    for (Eigen::Index j = 0; j < d; ++j) sum += slope(i, j) * (1 - 2 * along[j] * along[j]);
    taken -= 2 * along[i] * along[i] / inverse[i] * sum;
  }
  return std::max(0.0, taken) * spread.product_noise * spread.product_noise;
}

/// W^-1 e.
DirectionWeights weights_for(const MeanSpread& spread, const std::vector<MeanSummary>& groups, const std::vector<double>& alternative,
                             const mechanisms::MomentRelease& release) {
  const std::size_t d = alternative.size();
  const auto size = static_cast<Eigen::Index>(d);
  double sampling = 0;
  Matrix noise = Matrix::Zero(size, size);
  for (const MeanSummary& group : groups) {
    sampling += 1 / group.people;
    noise += noise_of_mean(group);
  }
  std::vector<double> half(d);
  Eigen::VectorXd target(size);
  for (std::size_t j = 0; j < d; ++j) {
    half[j] = (release.columns[j].upper - release.columns[j].lower) / 2;
    target[static_cast<Eigen::Index>(j)] = alternative[j] / half[j];
  }
  const Matrix error = sampling * spread.weighting + noise;
  const Eigen::VectorXd solved = error.llt().solve(target / target.norm()).normalized();
  DirectionWeights out{std::vector<double>(d), taken_by_noise(spread, sampling, noise.trace() / static_cast<double>(d), solved)};
  for (std::size_t j = 0; j < d; ++j) out.weights[j] = solved[static_cast<Eigen::Index>(j)] / half[j];
  return out;
}

}  // namespace

Result<MeansTest> test_direction(const ReleasedGroup& first, const ReleasedGroup& second, const std::vector<double>& alternative,
                                 const MeansOptions& options) {
  const std::size_t d = first.release->dimension();
  if (second.release->dimension() != d)
    return Error::invalid("columns", fmt::format("{} and {}", d, second.release->dimension()), "must be the same in every group");
  TACET_CHECK(check_direction(alternative, d));
  std::vector<MeanSummary> groups;
  for (const ReleasedGroup& group : {first, second}) {
    TACET_TRY(MeanSummary summary, summarise_mean(*group.release, group.group));
    groups.push_back(std::move(summary));
  }
  const MeanSpread spread = spread_of(groups);
  MeansTest test{};
  test.df = 1;
  if (spread.rank_of_people < static_cast<double>(d)) {
    test.outcome = Outcome::Inconclusive;
    test.reason =
        fmt::format("the groups are too small to say how {} columns vary: they count as {:.3g} people, and at least {} are needed", d,
                    spread.rank_of_people, d);
    return test;
  }
  const auto [weights, raise] = weights_for(spread, groups, alternative, *first.release);
  TACET_TRY(const ColumnTest found, t_test({first, second}, weights,
                                           {.alpha = options.alpha,
                                            .alternative = Alternative::Greater,
                                            .simulation = options.simulation,
                                            .chosen = ChosenWeights{d, std::max(static_cast<double>(d), spread.rank_of_people), raise}}));
  test.statistic = found.statistic;
  test.p_value = found.p_value;
  test.critical = found.critical;
  test.outcome = found.outcome;
  test.draws = found.draws;
  test.noise_share = found.noise_share;
  test.null_distribution =
      fmt::format("{} possible differences along the alternative, by the noise of the release and sampling", found.draws);
  const double along = std::inner_product(weights.begin(), weights.end(), alternative.begin(), 0.0);
  if (options.with_power) test.power = numeric::normal_lower(along / found.sd - found.critical);
  return test;
}

}  // namespace tacet::inference

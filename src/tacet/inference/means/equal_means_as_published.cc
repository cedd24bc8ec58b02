#include "tacet/inference/means/equal_means_as_published.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/listed_matrix.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using numeric::InsecureStream;

/// The nearest covariance that is possible, and a root of it.
struct PaperCovariance {
  Matrix matrix, root;
};

PaperCovariance possible_covariance(const MeanSummary& group) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(square_view(group.covariance, group.dimension()));
  PaperCovariance out;
  out.root = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  out.matrix = out.root * out.root.transpose();
  return out;
}

/// One draw of the noisy mean of a group whose true mean is 0.
VectorXd paper_mean(InsecureStream& stream, const MeanSummary& group, const Matrix& root) {
  std::vector<double> room(group.dimension());
  stream.fill_normal(room);
  const VectorXd sampled = root * vector_view(room) / std::sqrt(group.people);
  std::fill(room.begin(), room.end(), 0.0);
  group.noise.add(stream, room);
  return sampled + vector_view(room);
}

Status check_published(const std::vector<MeanSummary>& groups, const PublishedOptions& options) {
  if (groups.size() != 2) {
    return Error::invalid("method", options.rule == PublishedRule::Bootstrap ? "paper-bootstrap" : "asymptotic",
                          "must be bootstrap for more than two groups", "name two with groups = a,b");
  }
  if (groups[0].dimension() != groups[1].dimension()) {
    return Error::invalid("columns", fmt::format("{} and {}", groups[0].dimension(), groups[1].dimension()),
                          "must be the same in every group");
  }
  TACET_CHECK(check_alpha(options.alpha));
  return check_draws(options.simulation.draws.value_or(kUsualDraws), options.alpha);
}

}  // namespace

Result<MeansTest> equal_means_as_published(const std::vector<MeanSummary>& groups, const PublishedOptions& options) {
  TACET_CHECK(check_published(groups, options));
  const MeanSummary& first = groups[0];
  const MeanSummary& second = groups[1];
  const std::size_t d = first.dimension();
  const PaperCovariance a = possible_covariance(first);
  const PaperCovariance b = possible_covariance(second);
  MeansTest test{};
  test.df = static_cast<double>(d);
  const double freedom = first.people + second.people - 2;
  if (!(freedom > 0)) {
    test.outcome = Outcome::Inconclusive;
    test.reason = "the groups are too small to say how the columns vary";
    return test;
  }
  Matrix pooled = ((first.people - 1) * a.matrix + (second.people - 1) * b.matrix) / freedom;
  for (std::size_t j = 0; j < d; ++j)
    pooled(static_cast<Index>(j), static_cast<Index>(j)) += first.noise.variance(j) + second.noise.variance(j);
  const Eigen::LLT<Matrix> weights(pooled);
  const double h = first.people * second.people / (first.people + second.people);
  const auto statistic_of = [&](const VectorXd& difference) { return h * difference.dot(weights.solve(difference)); };
  const double statistic = statistic_of(vector_view(first.mean) - vector_view(second.mean));
  test.statistic = statistic;
  if (options.rule == PublishedRule::Asymptotic) {
    const auto chi2 = *numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = static_cast<double>(d)}});
    test.critical = chi2.upper_quantile(options.alpha);
    test.p_value = statistic > 0 ? chi2.upper(statistic) : 1;
    test.null_distribution = fmt::format("chi-square with {} degree{} of freedom, as (3.2) of the paper", d, d == 1 ? "" : "s");
  } else {
    std::vector<double> drawn = simulate(options.simulation, 64, [&]() -> BlockOfTables {
      return [&](InsecureStream& stream, std::span<double> out) {
        for (double& value : out) value = statistic_of(paper_mean(stream, first, a.root) - paper_mean(stream, second, b.root));
      };
    });
    std::sort(drawn.begin(), drawn.end());
    const auto all = static_cast<double>(drawn.size());
    test.draws = drawn.size();
    test.critical = drawn[static_cast<std::size_t>(std::max(1.0, std::floor((1 - options.alpha) * all))) - 1];
    test.p_value = static_cast<double>(drawn.end() - std::lower_bound(drawn.begin(), drawn.end(), statistic)) / all;
    test.null_distribution = fmt::format("{} simulated statistics, as Algorithm 3 and (3.3) of the paper", drawn.size());
  }
  test.outcome = statistic > *test.critical ? Outcome::Reject : Outcome::Retain;
  return test;
}

}  // namespace tacet::inference

#include "tacet/inference/means/equal_means.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/listed_matrix.h"
#include "tacet/inference/means/mean_spread.h"

namespace tacet::inference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMostGroups = 1000;
constexpr std::size_t kMostPowerDraws = 499;

/// A matrix R with RR' = `covariance`, which may be singular; lower triangular up to the order of
/// its rows.
MatrixXd root_of(const MatrixXd& covariance) {
  const Eigen::LLT<MatrixXd> definite(covariance);
  if (definite.info() == Eigen::Success) return definite.matrixL();
  const Eigen::LDLT<MatrixXd> semidefinite(covariance);
  const MatrixXd lower = semidefinite.matrixL();
  return semidefinite.transpositionsP().transpose() * (lower * semidefinite.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal());
}

/// The statistic for given weights, and draws of it.
class Contrast {
 public:
  Contrast(const std::vector<MeanSummary>& groups, bool equal) : groups_(groups) {
    const auto d = static_cast<Eigen::Index>(groups.front().dimension());
    const bool together = equal || groups.size() == 2;
    MeanSpread spread = spread_of(together ? groups : std::vector<MeanSummary>{groups.front()});
    rank_ = spread.rank;
    rank_of_people_ = spread.rank_of_people;
    MatrixXd precision = MatrixXd::Zero(d, d);
    double sampled = 0;
    for (const MeanSummary& group : groups) {
      if (!together) spread = spread_of({group});
      rank_ = std::min(rank_, spread.rank);
      rank_of_people_ = std::min(rank_of_people_, spread.rank_of_people);
      const MatrixXd sampling = spread.weighting / group.people;
      weights_.emplace_back((sampling + noise_of_mean(group)).inverse());
      precision += weights_.back();
      sampled += (weights_.back() * sampling).trace();
      draws_.emplace_back(root_of(spread.covariance / group.people));
    }
    common_ = precision.inverse();
    if (groups.size() == 2) difference_ = weights_[0] * common_ * weights_[1];
    sampling_share_ = sampled / static_cast<double>(groups.size() * groups.front().dimension());
    freedom_ = std::max(1.0, rank_ - static_cast<double>(d) + 1);
  }

  double df() const { return static_cast<double>(groups_.front().dimension() * (groups_.size() - 1)); }
  double sampling_share() const { return sampling_share_; }
  double rank_of_people() const { return rank_of_people_; }

  double statistic(const std::vector<VectorXd>& means) const {
    if (difference_.size() > 0) {
      const VectorXd difference = means[0] - means[1];
      return difference.dot(difference_ * difference);
    }
    VectorXd middle = VectorXd::Zero(means.front().size());
    for (std::size_t g = 0; g < means.size(); ++g) middle += weights_[g] * means[g];
    middle = common_ * middle;
    double sum = 0;
    for (std::size_t g = 0; g < means.size(); ++g) sum += (means[g] - middle).dot(weights_[g] * (means[g] - middle));
    return sum;
  }

  /// A draw of the statistic for groups with these true means.
  double draw(numeric::InsecureStream& stream, const std::vector<VectorXd>& truths) const {
    std::vector<VectorXd> means;
    std::vector<double> room(groups_.front().dimension());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      stream.fill_normal(room);
      VectorXd mean = truths[g] + draws_[g] * vector_view(room);
      std::fill(room.begin(), room.end(), 0.0);
      groups_[g].noise.add(stream, room);
      mean += vector_view(room);
      if (const std::optional<double> people_sd = groups_[g].people_sd) {
        std::vector<double> count(1);
        stream.fill_normal(count);
        mean -= *people_sd / groups_[g].people * count[0] * vector_view(groups_[g].mean);
      }
      means.push_back(std::move(mean));
    }
    return statistic(means) / (1 - sampling_share_ + sampling_share_ * chi_square(stream) / rank_);
  }

 private:
  /// With freedom_ degrees of freedom; if these are many, by the cube root approximation of Wilson
  /// & Hilferty (1931).
  double chi_square(numeric::InsecureStream& stream) const {
    std::vector<double> normal(freedom_ < 40 ? static_cast<std::size_t>(freedom_) : 1);
    stream.fill_normal(normal);
    if (freedom_ < 40) {
      double sum = 0;
      for (const double z : normal) sum += z * z;
      return sum;
    }
    const double a = 2 / (9 * freedom_);
    const double root = 1 - a + std::sqrt(a) * normal[0];
    return freedom_ * root * root * root;
  }

  const std::vector<MeanSummary>& groups_;
  std::vector<MatrixXd> weights_, draws_;
  // Of two groups: difference_ = (W_1 + W_2)^-1 = W_1^-1 (W_1^-1 + W_2^-1)^-1 W_2^-1.
  MatrixXd common_, difference_;
  double sampling_share_ = 0, freedom_ = 1, rank_ = 1, rank_of_people_ = 1;
};

Status check(const std::vector<MeanSummary>& groups, const MeansOptions& options) {
  if (groups.size() < 2 || groups.size() > kMostGroups)
    return Error::invalid("groups", fmt::format("{}", groups.size()), fmt::format("must be 2 to {}", kMostGroups));
  for (const MeanSummary& group : groups) {
    if (group.dimension() != groups.front().dimension()) {
      return Error::invalid("columns", fmt::format("{} and {}", groups.front().dimension(), group.dimension()),
                            "must be the same in every group");
    }
    if (group.drawn_directions) {
      return Error::of(Code::Unsupported,
                       "no test of equal means that keeps its level is known for a covariance with the noise of ed: the error in the "
                       "directions of its eigenvectors is not known",
                       "release the covariance with gaussian, laplace or k-norm noise, for two-sample");
    }
  }
  TACET_CHECK(check_alpha(options.alpha));
  return check_draws(options.simulation.draws.value_or(kUsualDraws), options.alpha);
}

std::vector<double> simulate_contrast(const Contrast& contrast, const std::vector<VectorXd>& truths, const Simulation& simulation) {
  return simulate(simulation, 64, [&]() -> BlockOfTables {
    return [&](numeric::InsecureStream& stream, std::span<double> out) {
      for (double& statistic : out) statistic = contrast.draw(stream, truths);
    };
  });
}

/// Why there is no test of these releases.
std::optional<std::string> why_no_test(const Contrast& contrast, double statistic, std::size_t columns) {
  if (contrast.rank_of_people() < static_cast<double>(columns)) {
    return fmt::format("the groups are too small to say how {} columns vary: they count as {:.3g} people, and at least {} are needed",
                       columns, contrast.rank_of_people(), columns);
  }
  if (!std::isfinite(statistic)) return "the values are too large or too small to compute with";
  return std::nullopt;
}

}  // namespace

Result<MeansTest> test_equal_means(const std::vector<MeanSummary>& groups, const MeansOptions& options) {
  TACET_CHECK(check(groups, options));
  const Contrast contrast(groups, options.equal_covariances);
  std::vector<VectorXd> means;
  VectorXd middle = VectorXd::Zero(vector_view(groups.front().mean).size());
  for (const MeanSummary& group : groups) {
    means.emplace_back(vector_view(group.mean));
    middle += means.back() / static_cast<double>(groups.size());
  }
  const double statistic = contrast.statistic(means);
  MeansTest result{};
  result.df = contrast.df();
  result.noise_share = 1 - contrast.sampling_share();
  result.reason = why_no_test(contrast, statistic, groups.front().dimension());
  if (result.reason) {
    result.outcome = Outcome::Inconclusive;
    return result;
  }
  result.statistic = statistic;
  result.draws = options.simulation.draws.value_or(kUsualDraws);
  const std::vector<VectorXd> null(groups.size(), middle);
  const MonteCarloAnswer answer = compare(statistic, simulate_contrast(contrast, null, options.simulation), options.alpha);
  result.p_value = answer.p_value;
  result.critical = answer.critical;
  result.outcome = decide(answer.p_value, options.alpha);
  result.null_distribution =
      fmt::format("{} simulated differences of means, with the noise of the release and the covariances it shows", *result.draws);
  if (!options.with_power) return result;
  const double shrink = statistic > result.df ? std::sqrt((statistic - result.df) / statistic) : 0;
  std::vector<VectorXd> seen;
  for (const VectorXd& mean : means) seen.emplace_back(middle + shrink * (mean - middle));
  Simulation again{
      .draws = std::min(kMostPowerDraws, *result.draws), .seed = options.simulation.seed + 1, .threads = options.simulation.threads};
  const auto others = simulate_contrast(contrast, seen, again);
  result.power = static_cast<double>(std::count_if(others.begin(), others.end(), [&](double t) { return t > answer.critical; })) /
                 static_cast<double>(*again.draws);
  return result;
}

}  // namespace tacet::inference

#include "tacet/planning/two_sample_power.h"

#include <Eigen/Dense>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/equal_means.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::planning {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using inference::MeanSummary;
using inference::Simulation;

constexpr std::size_t kTestDraws = 199;

Status check(const TwoSampleQuestion& question) {
  const std::size_t d = question.difference.size();
  if (d < 1 || d > 64 || question.covariance.size() != d * d) {
    return Error::invalid("covariance", fmt::format("{} numbers", question.covariance.size()),
                          fmt::format("must be a matrix of {0} by {0} numbers, one line for each column", d));
  }
  for (const SampleDesign& group : question.groups) {
    if (!(group.people >= 2 && group.people <= 1e15))
      return Error::invalid("n", fmt::format("{}", group.people), "must be at least 2 people in each group", "for example: --n 1000");
  }
  if (!(question.alpha >= 1e-9 && question.alpha <= 0.5))
    return Error::invalid("alpha", fmt::format("{}", question.alpha), "must be at least 1e-9 and at most 0.5", "for example: --alpha 0.05");
  const auto size = static_cast<Eigen::Index>(d);
  const MatrixXd covariance = Eigen::Map<const MatrixXd>(question.covariance.data(), size, size);
  const bool symmetric = (covariance - covariance.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * covariance.cwiseAbs().maxCoeff();
  if (!symmetric || covariance.llt().info() != Eigen::Success)
    return Error::invalid("covariance", "singular, or not symmetric", "must be symmetric and positive definite");
  if (covariance.diagonal().maxCoeff() > 1) {
    return Error::invalid("covariance", "a variance beyond the bounds", "must be at most the squared half width of its column",
                          "no column between its bounds varies by more");
  }
  return {};
}

MatrixXd covariance_of(const TwoSampleQuestion& question) {
  const auto d = static_cast<Eigen::Index>(question.difference.size());
  return Eigen::Map<const MatrixXd>(question.covariance.data(), d, d);
}

/// What a release of this group might say.
MeanSummary draw_group(numeric::InsecureStream& stream, const SampleDesign& design, const MatrixXd& root, const VectorXd& truth) {
  const Eigen::Index d = truth.size();
  std::vector<double> normals(static_cast<std::size_t>(d + d * d));
  stream.fill_normal(normals);
  const Eigen::Map<const VectorXd> sampled(normals.data(), d);
  const VectorXd exact = truth + root * sampled / std::sqrt(design.people);
  MatrixXd wobble = Eigen::Map<const MatrixXd>(normals.data() + d, d, d);
  wobble = (wobble + wobble.transpose()).eval() / std::sqrt(2 * design.people);
  MatrixXd moments = root * (MatrixXd::Identity(d, d) + wobble) * root.transpose() + exact * exact.transpose();
  // Noise of either family, in sums of many products, is near enough to normal; the means keep their own law.
  stream.fill_normal(normals);
  for (Eigen::Index j = 0; j < d; ++j) {
    for (Eigen::Index k = 0; k <= j; ++k) {
      const double noise = design.covariance_noise * normals[static_cast<std::size_t>(j * d + k)];
      moments(j, k) += noise;
      if (k < j) moments(k, j) += noise;
    }
  }
  MeanSummary summary{};
  summary.people = design.people;
  summary.noise = design.noise;
  summary.covariance_noise = design.covariance_noise;
  summary.mean.assign(exact.begin(), exact.end());
  design.noise.add(stream, summary.mean);
  double mean_noise = 0;
  for (std::size_t j = 0; j < summary.mean.size(); ++j) mean_noise += design.noise.variance(j);
  summary.variance_noise = design.covariance_noise;
  summary.covariance = inference::noisy_covariance({moments.data(), moments.data() + d * d}, summary.mean, mean_noise);
  return summary;
}

}  // namespace

Result<double> two_sample_limit(const TwoSampleQuestion& question) {
  TACET_CHECK(check(question));
  const auto d = static_cast<Eigen::Index>(question.difference.size());
  MatrixXd weights = MatrixXd::Zero(d, d);
  for (const SampleDesign& group : question.groups) {
    weights += covariance_of(question) / group.people;
    for (Eigen::Index j = 0; j < d; ++j) weights(j, j) += group.noise.variance(static_cast<std::size_t>(j));
  }
  const Eigen::Map<const VectorXd> difference(question.difference.data(), d);
  const double noncentrality = difference.dot(weights.llt().solve(difference));
  const auto df = static_cast<double>(d);
  TACET_TRY(const auto null, numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = df}}));
  const auto law = numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = df, .noncentrality = noncentrality}});
  return law ? law->upper(null.upper_quantile(question.alpha)) : 1;  // a noncentrality beyond every doubt
}

Result<TwoSamplePower> two_sample_power(const TwoSampleQuestion& question, const Simulation& simulation) {
  TACET_TRY(const double limit, two_sample_limit(question));
  TACET_CHECK(inference::check_draws({.draws = std::max<std::size_t>(kTestDraws, 2)}, question.alpha));
  const MatrixXd root = covariance_of(question).llt().matrixL();
  const VectorXd difference = Eigen::Map<const VectorXd>(question.difference.data(), static_cast<Eigen::Index>(question.difference.size()));
  const std::vector<double> p_values = inference::simulate(simulation, 8, [&]() -> inference::BlockOfTables {
    return [&](numeric::InsecureStream& stream, std::span<double> out) {
      for (double& p : out) {
        const std::vector<MeanSummary> groups = {draw_group(stream, question.groups[0], root, -difference / 2),
                                                 draw_group(stream, question.groups[1], root, difference / 2)};
        const auto tested = inference::test_equal_means(
            groups,
            {.alpha = question.alpha, .with_power = false, .simulation = {.draws = kTestDraws, .seed = stream.word(), .threads = 1}});
        p = tested ? tested->p_value : 1;
      }
    };
  });
  double found = 0;
  for (const double p : p_values) found += p <= question.alpha ? 1 : 0;
  const auto draws = static_cast<double>(p_values.size());
  const double power = found / draws;
  return TwoSamplePower{power, std::sqrt(power * (1 - power) / draws), limit};
}

}  // namespace tacet::planning

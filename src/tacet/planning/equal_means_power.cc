#include "tacet/planning/equal_means_power.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_f.hpp>
#include <fmt/format.h>

#include "tacet/inference/counts/chi2_power.h"
#include "tacet/inference/level.h"
#include "tacet/inference/means/equal_means.h"
#include "tacet/inference/means/released_group.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/mechanisms/moment_result.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::planning {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using inference::MeanSummary;
using inference::Simulation;
using mechanisms::GroupMoments;
using mechanisms::MomentRelease;

constexpr double kLeastTestDraws = 199;
constexpr double kMostTestDraws = 1999;  // the default draws of the test
constexpr double kRejections = 10;       // draws of a test beyond its critical value
constexpr double kMostNoncentrality = 1e9;

MatrixXd covariance_of(const MeansQuestion& question) {
  const auto d = static_cast<Eigen::Index>(question.release.dimension());
  return Eigen::Map<const MatrixXd>(question.covariance.values.data(), d, d);
}

/// The mean of a group minus the public centres, as in its sums.
VectorXd truth_of(const MeansQuestion& question, std::size_t group) {
  VectorXd truth = mechanisms::vector_view(question.mean) + question.offset(group) * mechanisms::vector_view(question.difference);
  for (Eigen::Index j = 0; j < truth.size(); ++j) truth(j) -= question.release.columns[static_cast<std::size_t>(j)].centre;
  return truth;
}

Status check_list(const MeansQuestion& question, const char* name, const std::vector<double>& values) {
  if (values.size() != question.release.dimension()) {
    return Error::invalid(name, fmt::format("{} numbers", values.size()),
                          fmt::format("must be one for each of the {} columns", question.release.dimension()));
  }
  for (const double value : values) {
    if (!std::isfinite(value)) return Error::invalid(name, fmt::format("{}", value), "must be finite numbers");
  }
  return {};
}

/// All means must lie between the bounds, and no variance may exceed (upper - m)(m - lower), the
/// most that the bounds allow (Bhatia & Davis 2000).
Status check_column(const MeansQuestion& question, std::size_t j) {
  const mechanisms::ReleasedColumn& column = question.release.columns[j];
  const double variance = question.covariance.at(j, j);
  for (const std::size_t group : {std::size_t{0}, question.groups() - 1}) {
    const double mean = question.mean[j] + question.offset(group) * question.difference[j];
    if (!(mean > column.lower && mean < column.upper)) {
      return Error::invalid("difference", fmt::format("{} about {}", question.difference[j], question.mean[j]),
                            fmt::format("must keep all means between the bounds of {}, {} and {}", column.name, column.lower, column.upper),
                            "suppose a smaller difference, or declare wider bounds");
    }
    const double most = (column.upper - mean) * (mean - column.lower);
    if (variance > most) {
      return Error::invalid("covariance", fmt::format("a standard deviation of {:.6g} in {}", std::sqrt(variance), column.name),
                            fmt::format("must be at most {:.6g}", std::sqrt(most)),
                            fmt::format("no column between {} and {} with a mean of {} varies by more", column.lower, column.upper, mean));
    }
  }
  return {};
}

Status check_covariance(const MeansQuestion& question) {
  const std::size_t d = question.release.dimension();
  const mechanisms::Matrix& given = question.covariance;
  if (given.rows != d || given.columns != d || given.values.size() != d * d) {
    return Error::invalid("covariance", fmt::format("a matrix of {} x {}", given.rows, given.columns),
                          fmt::format("must be a matrix of {0} by {0} numbers, one line for each column", d));
  }
  MatrixXd covariance = covariance_of(question);
  if (!covariance.allFinite() || !(covariance.diagonal().minCoeff() > 0))
    return Error::invalid("covariance", "a variance that is not greater than 0", "must be symmetric and positive definite");
  // Correlations do not depend on the units of the columns.
  const VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  covariance = scale.asDiagonal() * covariance * scale.asDiagonal();
  if ((covariance - covariance.transpose()).cwiseAbs().maxCoeff() > 1e-9)
    return Error::invalid("covariance", "not symmetric", "must be symmetric and positive definite");
  if (covariance.llt().info() != Eigen::Success) {
    return Error::invalid("covariance", "not positive definite", "must be symmetric and positive definite",
                          "no rows vary so; is a correlation too strong, or one column made of others?");
  }
  return {};
}

Status check_question(const MeansQuestion& question) {
  const std::size_t d = question.release.dimension();
  if (d < 1 || d > kernel::kMostColumns || question.groups() < 2 || question.groups() > 1000)
    return Error::of(Code::Internal, "a blank release must have 1 to 64 columns and 2 to 1000 groups");
  if (question.release.mechanism == mechanisms::MomentMechanism::Eigen) {
    return Error::invalid("mechanism", "ed", "must be gaussian, laplace, k-norm or k-norm+laplace, whose noise does not depend on the data",
                          "leave it out for what suits the test");
  }
  for (const GroupMoments& group : question.release.parts) {
    if (!(group.people.value >= 2 && group.people.value <= 1e15))
      return Error::invalid("n", fmt::format("{}", group.people.value), "must be 2 to 1e15 people in each group", "for example: n = 1000");
  }
  TACET_CHECK(inference::check_alpha(question.alpha));
  TACET_CHECK(check_list(question, "difference", question.difference));
  TACET_CHECK(check_list(question, "mean", question.mean));
  TACET_CHECK(check_covariance(question));
  for (std::size_t j = 0; j < d; ++j) TACET_CHECK(check_column(question, j));
  return {};
}

/// One group of simulated releases.
class Group {
 public:
  Group(const MeansQuestion& question, std::size_t group)
      : release_(question.release), group_(group), truth_(truth_of(question, group)), root_(covariance_of(question).llt().matrixL()) {}

  GroupMoments draw(numeric::InsecureStream& stream) const {
    const Eigen::Index d = truth_.size();
    const double n = release_.parts[group_].people.value;
    std::vector<double> normals(static_cast<std::size_t>(d + d * d));
    stream.fill_normal(normals);
    const VectorXd mean = truth_ + root_ * Eigen::Map<const VectorXd>(normals.data(), d) / std::sqrt(n);
    MatrixXd wobble = Eigen::Map<const MatrixXd>(normals.data() + d, d, d);
    wobble = (wobble + wobble.transpose()).eval() / std::sqrt(2 * n);
    const mechanisms::RowMatrix moments = root_ * (MatrixXd::Identity(d, d) + wobble) * root_.transpose() + mean * mean.transpose();
    inference::RowAverages rows{std::vector<double>(mean.begin(), mean.end()), {moments.data(), moments.data() + moments.size()}};
    return inference::draw_group(release_, group_, rows, stream);
  }

 private:
  const MomentRelease& release_;
  std::size_t group_;
  VectorXd truth_;
  MatrixXd root_;
};

/// The p-value of one release. A group that is too small by its noisy count has no test, and finds
/// no difference.
std::optional<double> p_value(const MomentRelease& release, const inference::MeansOptions& options) {
  std::vector<MeanSummary> groups;
  for (std::size_t group = 0; group < release.parts.size(); ++group) {
    if (mechanisms::why_no_answer(release, group)) return std::nullopt;
    auto summary = inference::summarise_mean(release, group);
    if (!summary) return std::nullopt;
    groups.push_back(*std::move(summary));
  }
  const auto tested = inference::test_equal_means(groups, options);
  return tested ? tested->p_value : std::nullopt;
}

/// The power for large n if everything but the means is known, with or without the noise of the
/// release.
Result<double> power_by_distribution(const MeansQuestion& question, bool with_noise) {
  const auto d = static_cast<Eigen::Index>(question.release.dimension());
  std::vector<MatrixXd> weights;
  MatrixXd precision = MatrixXd::Zero(d, d);
  VectorXd pulled = VectorXd::Zero(d);
  for (std::size_t g = 0; g < question.groups(); ++g) {
    const GroupMoments& part = question.release.parts[g];
    const double n = part.people.value;
    MatrixXd variance = covariance_of(question) / n;
    if (with_noise) {
      for (Eigen::Index j = 0; j < d; ++j) {
        const double sd = question.release.sum_noise_sd(part.sums[static_cast<std::size_t>(j)].scale) / n;
        variance(j, j) += sd * sd;
      }
      if (part.people.scale > 0) {
        const double relative = question.release.sum_noise_sd(part.people.scale) / n;
        variance += relative * relative * truth_of(question, g) * truth_of(question, g).transpose();
      }
    }
    weights.emplace_back(variance.llt().solve(MatrixXd::Identity(d, d)));
    precision += weights.back();
    pulled += question.offset(g) * weights.back() * mechanisms::vector_view(question.difference);
  }
  const VectorXd middle = precision.llt().solve(pulled);
  double noncentrality = 0;
  for (std::size_t g = 0; g < question.groups(); ++g) {
    const VectorXd away = question.offset(g) * mechanisms::vector_view(question.difference) - middle;
    noncentrality += away.dot(weights[g] * away);
  }
  const auto df = static_cast<double>(question.release.dimension() * (question.groups() - 1));
  TACET_TRY(const auto null, numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = df}}));
  return inference::noncentral_upper(df, noncentrality, null.upper_quantile(question.alpha));
}

}  // namespace

double MeansQuestion::offset(std::size_t group) const { return (group + 1 == groups() ? 1.0 : 0.0) - 1 / static_cast<double>(groups()); }

void MeansQuestion::set_people(const std::vector<double>& people) {
  for (std::size_t g = 0; g < groups(); ++g) release.parts[g].people.value = people[g];
}

Result<double> means_power_limit(const MeansQuestion& question) {
  TACET_CHECK(check_question(question));
  return power_by_distribution(question, true);
}

Result<double> means_power_without_noise(const MeansQuestion& question) {
  TACET_CHECK(check_question(question));
  const auto d = static_cast<double>(question.release.dimension());
  double people = 0;
  for (const GroupMoments& part : question.release.parts) people += part.people.value;
  const double left = people - d - static_cast<double>(question.groups()) + 1;
  if (left < 1) return 0.0;
  if (question.groups() > 2) return power_by_distribution(question, false);
  const double first = question.release.parts[0].people.value;
  const double second = question.release.parts[1].people.value;
  const VectorXd difference = mechanisms::vector_view(question.difference);
  const double squared_distance = difference.dot(covariance_of(question).llt().solve(difference));
  const double noncentrality = std::min(kMostNoncentrality, first / (first + second) * second * squared_distance);
  const double critical = boost::math::quantile(boost::math::complement(boost::math::fisher_f(d, left), question.alpha));
  if (noncentrality <= 0) return question.alpha;
  return boost::math::cdf(boost::math::complement(boost::math::non_central_f(d, left, noncentrality), critical));
}

Result<MeansPower> means_power(const MeansQuestion& question, const Simulation& simulation) {
  TACET_TRY(const double limit, means_power_limit(question));
  if ((kMostTestDraws + 1) * question.alpha < 1 - 1e-12) {
    return Error::invalid("alpha", fmt::format("{}", question.alpha),
                          fmt::format("must be at least {} where power is simulated", 1 / (kMostTestDraws + 1)),
                          "for example: alpha = 0.001");
  }
  constexpr double kInconclusive = 2;  // larger than every p-value
  const double draws_of_a_test = std::clamp(std::ceil(kRejections / question.alpha) - 1, kLeastTestDraws, kMostTestDraws);
  std::vector<Group> groups;
  for (std::size_t g = 0; g < question.groups(); ++g) groups.emplace_back(question, g);
  const std::vector<double> p_values = inference::simulate(simulation, 8, [&]() -> inference::BlockOfTables {
    return [&, release = question.release](numeric::InsecureStream& stream, std::span<double> out) mutable {
      for (double& p : out) {
        for (std::size_t g = 0; g < groups.size(); ++g) release.parts[g] = groups[g].draw(stream);
        p = p_value(release, {.alpha = question.alpha,
                              .with_power = false,
                              .simulation = {.draws = static_cast<std::size_t>(draws_of_a_test), .seed = stream.word(), .threads = 1}})
                .value_or(kInconclusive);
      }
    };
  });
  const auto draws = static_cast<double>(p_values.size());
  const auto found = std::count_if(p_values.begin(), p_values.end(), [&](double p) { return p <= question.alpha; });
  const auto inconclusive = std::count(p_values.begin(), p_values.end(), kInconclusive);
  const double power = static_cast<double>(found) / draws;
  return MeansPower{power, std::sqrt(power * (1 - power) / draws), limit, static_cast<double>(inconclusive) / draws};
}

}  // namespace tacet::planning

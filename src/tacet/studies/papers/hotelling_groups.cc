#include "tacet/studies/papers/hotelling_groups.h"

#include <Eigen/Dense>
#include <cmath>
#include <span>
#include <vector>

#include "tacet/eigen/simulate_eigen.h"
#include "tacet/inference/means/equal_means_as_published.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/studies/cube_groups.h"

namespace tacet::studies {
namespace {

using inference::MeanSummary;
using inference::RowAverages;
using mechanisms::RowMatrix;

constexpr std::size_t kMostRows = 2000;

inference::Simulation draws_of(std::size_t draws, numeric::InsecureStream& stream) {
  return {.draws = draws, .seed = stream.word(), .threads = 1};
}

/// Normal variables of standard deviation 1/2 that lie in [-1, 1] have the density of Example B.
void fill_example_b(numeric::InsecureStream& stream, std::span<double> rows) {
  std::size_t kept = 0;
  while (kept < rows.size()) {
    const std::span<double> left = rows.subspan(kept);
    stream.fill_normal(left);
    for (const double z : left) {
      if (std::abs(z) <= 2) rows[kept++] = z / 2;
    }
  }
}

RowAverages averages_of(const Eigen::MatrixXd& rows) {
  const Eigen::VectorXd mean = rows.rowwise().mean();
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(rows.rows(), rows.rows());
  products.selfadjointView<Eigen::Lower>().rankUpdate(rows, 1 / static_cast<double>(rows.cols()));
  const RowMatrix second = products.selfadjointView<Eigen::Lower>();
  return {{mean.begin(), mean.end()}, {second.data(), second.data() + second.size()}};
}

/// Of many uniform rows: a uniform variable of variance 1 has the fourth moment 9/5, so that its
/// square has the variance 4/5.
RowAverages averages_of_many(numeric::InsecureStream& stream, Eigen::Index d, double n, double sd, double middle) {
  Eigen::MatrixXd normal(d, d + 1);
  stream.fill_normal({normal.data(), static_cast<std::size_t>(normal.size())});
  const Eigen::VectorXd mean = (sd / std::sqrt(n) * normal.col(d).array() + middle).matrix();
  RowMatrix second = mean * mean.transpose();
  for (Eigen::Index j = 0; j < d; ++j) {
    for (Eigen::Index k = 0; k <= j; ++k) {
      const double product = sd * sd * ((j == k ? 1 : 0) + normal(j, k) * std::sqrt((j == k ? 0.8 : 1) / n));
      second(j, k) += product;
      if (j != k) second(k, j) += product;
    }
  }
  return {{mean.begin(), mean.end()}, {second.data(), second.data() + second.size()}};
}

/// The same group with another variance of the noise of its mean.
MeanSummary with_variance(MeanSummary group, const RowAverages& rows, double factor) {
  for (std::size_t j = 0; j < group.mean.size(); ++j) {
    group.mean[j] = rows.mean[j] + std::sqrt(factor) * (group.mean[j] - rows.mean[j]);
    group.noise.scale[j] *= std::sqrt(factor);
  }
  return group;
}

Result<PaperTests> test_as_paper(const std::vector<MeanSummary>& groups, numeric::InsecureStream& stream) {
  using inference::PublishedRule;
  TACET_TRY(const auto bootstrap,
            equal_means_as_published(
                groups, {.rule = PublishedRule::Bootstrap, .alpha = kHotellingAlpha, .simulation = draws_of(kHotellingDraws, stream)}));
  TACET_TRY(const auto asymptotic, equal_means_as_published(groups, {.rule = PublishedRule::Asymptotic, .alpha = kHotellingAlpha}));
  return PaperTests{bootstrap.outcome == inference::Outcome::Reject, asymptotic.outcome == inference::Outcome::Reject,
                    asymptotic.statistic.value_or(0)};
}

}  // namespace

Result<HotellingGroups> HotellingGroups::of(const HotellingDesign& design) {
  // Everything is in half widths.
  TACET_TRY(
      mechanisms::MomentRelease blank,
      blank_cube_groups({.columns = design.columns, .people = design.people, .loss = Epsilon{design.epsilon}, .resolution = "0.002"}));
  return HotellingGroups(design, std::move(blank));
}

RowAverages HotellingGroups::draw_averages(numeric::InsecureStream& stream, double shift) const {
  const auto d = static_cast<Eigen::Index>(design_.columns);
  const double sd = 1 / design_.half_width;
  if (design_.rows == HotellingRows::Uniform && design_.people > kMostRows)
    return averages_of_many(stream, d, static_cast<double>(design_.people), sd, shift);
  Eigen::MatrixXd rows(d, static_cast<Eigen::Index>(design_.people));
  const std::span<double> all(rows.data(), static_cast<std::size_t>(rows.size()));
  if (design_.rows == HotellingRows::ExampleB) {
    fill_example_b(stream, all);
  } else {
    stream.fill_uniform(all);
    rows.array() = std::sqrt(12.0) * sd * (rows.array() - 0.5) + shift;
  }
  return averages_of(rows);
}

Result<MeanSummary> HotellingGroups::paper_group(const RowAverages& rows, numeric::InsecureStream& stream) const {
  const std::size_t d = design_.columns;
  const auto columns = static_cast<double>(d), n = static_cast<double>(design_.people);
  const double quarter = design_.epsilon / 4;
  MeanSummary group{};
  group.people = n;
  group.mean = rows.mean;
  group.noise = {inference::UnitNoise::Laplace, std::vector<double>(d, 2 * columns / (n * quarter)), 0};
  group.noise.add(stream, group.mean);
  // n/(d m^2) times the sample covariance, whose divisor is n - 1.
  mechanisms::Matrix scaled{d, d, rows.second};
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < d; ++k) scaled.at(j, k) = (scaled.at(j, k) - rows.mean[j] * rows.mean[k]) * n / (n - 1) * n / columns;
  }
  const double part = d == 1 ? quarter : quarter / (columns + 1);
  TACET_TRY(mechanisms::Matrix noisy,
            eigen::simulate_eigen(scaled, {.scale = 2 / part, .concentration = part / 4, .absolute = true}, stream));
  for (double& value : noisy.values) value *= columns / n;
  group.covariance = std::move(noisy.values);
  group.drawn_directions = true;
  return group;
}

Result<HotellingTrial> HotellingGroups::trial(numeric::InsecureStream& stream) const {
  const double shift = design_.shift / std::sqrt(static_cast<double>(design_.columns)) / design_.half_width;
  std::vector<MeanSummary> paper, other, ours;
  for (std::size_t g = 0; g < 2; ++g) {
    const RowAverages rows = draw_averages(stream, g == 0 ? 0 : shift);
    TACET_TRY(MeanSummary group, paper_group(rows, stream));
    if (design_.other_variance) other.push_back(with_variance(group, rows, *design_.other_variance));
    paper.push_back(std::move(group));
    mechanisms::MomentRelease release = blank_;
    release.parts = {draw_group(blank_, g, rows, stream)};
    TACET_TRY(MeanSummary own, inference::summarise_mean(release, 0));
    ours.push_back(std::move(own));
  }
  HotellingTrial trial{};
  TACET_TRY(trial.paper, test_as_paper(paper, stream));
  if (design_.other_variance) {
    TACET_TRY(trial.other, test_as_paper(other, stream));
  }
  TACET_TRY(const auto own,
            test_equal_means(ours, {.alpha = kHotellingAlpha, .with_power = false, .simulation = draws_of(kOurDraws, stream)}));
  trial.ours = own.outcome == inference::Outcome::Reject;
  return trial;
}

}  // namespace tacet::studies

#include "tacet/inference/means/difference_region.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/listed_matrix.h"
#include "tacet/inference/means/mean_region.h"
#include "tacet/inference/means/noisy_mean.h"
#include "tacet/inference/means/possible_means.h"
#include "tacet/numeric/insecure_gamma.h"

namespace tacet::inference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using mechanisms::MomentRelease;
using numeric::InsecureStream;

constexpr std::size_t kRegionBlock = 8;
// Smaller diagonal elements of a factor, in units of the half widths, are rounding.
constexpr double kLeastPivot = 1e-9;

VectorXd half_widths(const MomentRelease& release) {
  VectorXd half(static_cast<Index>(release.dimension()));
  for (std::size_t j = 0; j < release.dimension(); ++j)
    half[static_cast<Index>(j)] = (release.columns[j].upper - release.columns[j].lower) / 2;
  return half;
}

VectorXd normal_vector(InsecureStream& stream, Index size) {
  VectorXd z(size);
  stream.fill_normal({z.data(), static_cast<std::size_t>(size)});
  return z;
}

/// A with AA' a Wishart matrix of this many degrees of freedom (Bartlett 1933).
Matrix wishart_factor(InsecureStream& stream, Index d, double freedom) {
  Matrix factor = Matrix::Zero(d, d);
  for (Index i = 0; i < d; ++i) {
    stream.fill_normal({factor.row(i).data(), static_cast<std::size_t>(i)});
    std::array<double, 1> gamma{};
    numeric::fill_gamma(stream, std::max(1.0, (freedom - static_cast<double>(i)) / 2), gamma);
    factor(i, i) = std::sqrt(2 * gamma[0]);
  }
  return factor;
}

/// What one group may be, in half widths: its number of people, the error of its mean (the
/// possible mean less the estimate), and the covariance of its rows, which need not be definite.
struct PossibleGroup {
  double people;
  VectorXd error;
  Matrix covariance;
  Matrix root;  // of the nearest covariance that is possible
};

class PossibleGroups {
 public:
  explicit PossibleGroups(const ReleasedGroup& group)
      : release_(group.release), part_(&group.release->parts[group.group]), half_(half_widths(*group.release)) {
    unit_.resize((part_->people.scale > 0 ? 1 : 0) + part_->sums.size() + part_->products.size());
    const double n = std::max(1.0, part_->people.value);
    estimate_.resize(half_.size());
    for (Index j = 0; j < half_.size(); ++j) estimate_[j] = part_->sums[static_cast<std::size_t>(j)].value / n / half_[j];
  }

  double people() const { return std::max(1.0, part_->people.value); }

  const PossibleGroup& draw(InsecureStream& stream) {
    draw_release_noise(*release_, stream, unit_);
    const Index d = half_.size();
    std::size_t next = 0;
    double n = part_->people.value;
    if (part_->people.scale > 0) n -= part_->people.scale * unit_[next++];
    drawn_.people = n = std::max(1.0, n);
    VectorXd mean(d);
    for (Index j = 0; j < d; ++j) {
      const mechanisms::NoisyNumber& sum = part_->sums[static_cast<std::size_t>(j)];
      mean[j] = (sum.value - sum.scale * unit_[next++]) / n / half_[j];
    }
    drawn_.error = mean - estimate_;
    drawn_.covariance.resize(d, d);
    std::size_t at = 0;
    for (Index j = 0; j < d; ++j) {
      for (Index k = j; k < d; ++k, ++at) {
        const mechanisms::NoisyNumber& product = part_->products[at];
        const double second = (product.value - product.scale * unit_[next++]) / n / (half_[j] * half_[k]);
        drawn_.covariance(j, k) = drawn_.covariance(k, j) = second - mean[j] * mean[k];
      }
    }
    const Eigen::LLT<Matrix> factor(drawn_.covariance);
    if (factor.info() == Eigen::Success) {
      drawn_.root = factor.matrixL();
    } else {
      const Eigen::SelfAdjointEigenSolver<Matrix> solver(drawn_.covariance);
      drawn_.root = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
    }
    return drawn_;
  }

 private:
  const MomentRelease* release_;
  const mechanisms::GroupMoments* part_;
  VectorXd half_, estimate_;
  std::vector<double> unit_;
  PossibleGroup drawn_;
};

/// In units in which the possible covariance of a row is 1: the squared distance that was observed,
/// the squared length of the error, and its part along the observed difference.
struct PossibleDistance {
  double observed, error, along;
};
/// The results of one draw: the quadratic form of the error, and the distance, which is empty if
/// the possible covariance is singular.
struct OneDraw {
  double form;
  std::optional<PossibleDistance> distance;
};
constexpr std::size_t kNumbersOfADraw = 5;

class DifferenceDraws {
 public:
  DifferenceDraws(const ReleasedGroup& first, const ReleasedGroup& second, VectorXd difference, const Matrix& shape)
      : first_(first), second_(second), difference_(std::move(difference)), shape_(shape) {
    // A difference of exactly 0 has no direction; any will do.
    constexpr double kNext = 1e-12;
    if (difference_.isZero(0)) difference_[0] = kNext;
  }

  OneDraw draw(InsecureStream& stream) {
    const PossibleGroup& a = first_.draw(stream);
    const PossibleGroup& b = second_.draw(stream);
    const Index d = difference_.size();
    const VectorXd noise = a.error - b.error;
    const VectorXd za = a.root * normal_vector(stream, d) / std::sqrt(a.people);
    const VectorXd zb = b.root * normal_vector(stream, d) / std::sqrt(b.people);
    // For the region, each group has its own sampling error of the covariance.
    const VectorXd error = noise + sampled(stream, a, first_.people()) - sampled(stream, b, second_.people());
    return {error.dot(shape_.solve(error)), distance(stream, a, b, noise, za - zb)};
  }

 private:
  /// The error of a mean with a possible covariance of the population.
  static VectorXd sampled(InsecureStream& stream, const PossibleGroup& group, double people) {
    const Index d = group.error.size();
    const double freedom = std::max(static_cast<double>(d), std::round(people) - 1);
    const Matrix factor = wishart_factor(stream, d, freedom);
    const VectorXd turned = factor.transpose().triangularView<Eigen::Upper>().solve(normal_vector(stream, d));
    return group.root * turned * std::sqrt((freedom + 1) / group.people);
  }

  /// With C = LL' the covariance of all n rows and AA' a Wishart matrix, the population may have
  /// the covariance n L (AA')^-1 L'. Distances are lengths after T = A' L^-1/sqrt n; the sampling
  /// errors, which have the same covariance, become L^-1 times those of the file.
  std::optional<PossibleDistance> distance(InsecureStream& stream, const PossibleGroup& a, const PossibleGroup& b, const VectorXd& noise,
                                           const VectorXd& sampling) const {
    const double people = first_.people() + second_.people();
    // Along one direction, the precision of a sample has d - 1 degrees of freedom fewer.
    const auto d = static_cast<double>(noise.size());
    const double freedom = std::max(d, std::round(people) - 1 - d);
    const Matrix pooled = (a.people * a.covariance + b.people * b.covariance) / (a.people + b.people);
    const Matrix turn = wishart_factor(stream, noise.size(), freedom).transpose() / std::sqrt(std::round(people));
    const Eigen::LLT<Matrix> factor(pooled);
    if (factor.info() != Eigen::Success || !(factor.matrixLLT().diagonal().minCoeff() > kLeastPivot)) return std::nullopt;
    const VectorXd observed = turn * factor.matrixL().solve(difference_);
    const VectorXd error = turn * factor.matrixL().solve(noise) + factor.matrixL().solve(sampling);
    return PossibleDistance{observed.squaredNorm(), error.squaredNorm(), observed.dot(error) / observed.norm()};
  }

  PossibleGroups first_, second_;
  VectorXd difference_;  // in half widths
  Eigen::LLT<Matrix> shape_;
};

/// How often a draw is as far as the observed distance, if the true one is t: a nondecreasing
/// function of t, up to the error of the draws.
class DistanceCurve {
 public:
  /// `factor` times the observed distance.
  DistanceCurve(const std::vector<OneDraw>& draws, double factor) : draws_(static_cast<double>(draws.size())) {
    for (const OneDraw& draw : draws) {
      if (!draw.distance) {
        ++hidden_;
        continue;
      }
      const auto& [observed, error, along] = *draw.distance;
      // |t u + e| is less than the observed distance between two numbers t, or nowhere.
      const double inside = along * along - error + factor * factor * observed;
      from_.push_back(inside > 0 ? -along - std::sqrt(inside) : -1);
      to_.push_back(inside > 0 ? -along + std::sqrt(inside) : -1);
    }
    std::sort(from_.begin(), from_.end());
    std::sort(to_.begin(), to_.end());
  }
  double hidden() const { return hidden_ / draws_; }
  /// The t where far() reaches `share`; 0 if it does at 0; empty if it never does.
  std::optional<double> reaches(double share, bool hidden_are_far) const {
    if (far(0, hidden_are_far) >= share) return 0.0;
    if (to_.empty() || far(to_.back(), hidden_are_far) < share) return std::nullopt;
    double low = 0;
    double high = to_.back();
    constexpr int kHalvings = 100;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (far(middle, hidden_are_far) >= share ? high : low) = middle;
    }
    return high;
  }

 private:
  /// A draw is as far if t <= from or t >= to. Hidden draws count as far, or as near.
  double far(double t, bool hidden_are_far) const {
    const auto below = static_cast<double>(std::upper_bound(to_.begin(), to_.end(), t) - to_.begin());
    const auto above = static_cast<double>(from_.end() - std::lower_bound(from_.begin(), from_.end(), t));
    return (below + above + (hidden_are_far ? hidden_ : 0)) / draws_;
  }

  double draws_, hidden_ = 0;
  std::vector<double> from_, to_;
};

/// The factor that makes the observed distance one that chance alone exceeds half of the time; 1
/// if it is larger already.
double factor_of_chance(const std::vector<OneDraw>& draws) {
  std::vector<double> ratios;
  for (const OneDraw& draw : draws) {
    if (draw.distance) ratios.push_back(draw.distance->error / draw.distance->observed);
  }
  if (ratios.empty()) return 1;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return std::sqrt(std::max(1.0, *middle));
}

MahalanobisDistance distance_of(const std::vector<OneDraw>& draws, double alpha) {
  const DistanceCurve curve(draws, 1);
  MahalanobisDistance distance{};
  distance.lower = curve.reaches(alpha / 2, true).value_or(0);
  distance.upper = DistanceCurve(draws, factor_of_chance(draws)).reaches(1 - alpha / 2, false);
  if (curve.hidden() < 0.5) distance.estimate = curve.reaches(0.5, false);
  if (!distance.upper || !distance.estimate) {
    distance.reason = fmt::format(
        "noise may hide everything about how the rows vary in some direction ({:.0f} % of possible covariances are singular), so that the "
        "distance has no upper bound",
        100 * curve.hidden());
  }
  return distance;
}

/// The covariance of the error of a group's mean, in half widths.
Matrix error_covariance(const ReleasedGroup& group) {
  const NoisyMean mean = *noisy_mean(*group.release, group.group);
  const std::size_t d = mean.dimension();
  const std::vector<double> noise = noise_covariance(mean);
  const std::vector<double> row = private_row_covariance(*mean.second_moments, mean);
  const VectorXd inverse = half_widths(*group.release).cwiseInverse();
  return inverse.asDiagonal() * (square_view(noise, d) + square_view(row, d) / mean.people) * inverse.asDiagonal();
}

}  // namespace

Result<DifferenceRegion> difference_region(const ReleasedGroup& first, const ReleasedGroup& second,
                                           const DifferenceRegionOptions& options) {
  TACET_CHECK(check_alpha(options.alpha));
  const std::size_t d = first.release->dimension();
  DifferenceRegion region{};
  for (const ReleasedGroup& group : {first, second}) {
    if (const auto why = why_no_population(*group.release))
      return Error::of(Code::Unsupported, *why, "release the covariance with gaussian, laplace or k-norm noise");
    const double people = group.release->parts[group.group].people.value;
    if (std::round(people) < static_cast<double>(d + 2)) {
      region.no_answer = fmt::format("{:.4g} people are too few for a covariance of {} columns: at least {} are needed", people, d, d + 2);
      return region;
    }
  }
  constexpr std::size_t kFewColumns = 2;
  constexpr std::size_t kSomeColumns = 10;
  region.draws = options.draws.value_or(d <= kFewColumns ? kUsualDraws : d <= kSomeColumns ? 1999 : 999);
  TACET_CHECK(check_draws(region.draws, options.alpha));
  const VectorXd half = half_widths(*first.release);
  const std::vector<double> a = first.release->mean(first.group);
  const std::vector<double> b = second.release->mean(second.group);
  const VectorXd difference = vector_view(a) - vector_view(b);
  const Matrix shape = error_covariance(first) + error_covariance(second);
  Simulation simulation = options.simulation;
  simulation.draws = kNumbersOfADraw * region.draws;
  const std::vector<double> drawn = simulate(simulation, kNumbersOfADraw * kRegionBlock, [&]() -> BlockOfTables {
    return [draws = DifferenceDraws(first, second, half.cwiseInverse().cwiseProduct(difference), shape)](InsecureStream& stream,
                                                                                                         std::span<double> out) mutable {
      for (std::size_t at = 0; at < out.size(); at += kNumbersOfADraw) {
        const OneDraw one = draws.draw(stream);
        const PossibleDistance distance = one.distance.value_or(PossibleDistance{});
        const std::array<double, kNumbersOfADraw> numbers{one.form, one.distance ? 1.0 : 0.0, distance.observed, distance.error,
                                                          distance.along};
        std::copy(numbers.begin(), numbers.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
      }
    };
  });
  std::vector<double> forms;
  std::vector<OneDraw> draws;
  for (std::size_t at = 0; at < drawn.size(); at += kNumbersOfADraw) {
    forms.push_back(drawn[at]);
    const PossibleDistance distance{drawn[at + 2], drawn[at + 3], drawn[at + 4]};
    draws.push_back({drawn[at], drawn[at + 1] > 0 ? std::optional(distance) : std::nullopt});
  }
  region.distance = distance_of(draws, options.alpha);
  region.center.assign(difference.data(), difference.data() + difference.size());
  region.radius = std::sqrt(compare(0, std::move(forms), options.alpha).critical);
  const std::vector<double> own = listed(half.asDiagonal() * shape * half.asDiagonal());
  region.shape = {d, d, own};
  region.log_volume = log_ellipsoid_volume(own, d, region.radius);
  region.volume = std::exp(region.log_volume);
  return region;
}

}  // namespace tacet::inference

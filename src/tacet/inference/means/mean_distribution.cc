#include "tacet/inference/means/mean_distribution.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/listed_matrix.h"
#include "tacet/inference/means/mean_errors.h"
#include "tacet/numeric/noise_quantile.h"
#include "tacet/numeric/normal.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using numeric::InsecureStream;

constexpr double kMostCondition = 1e12;
constexpr std::size_t kDrawsInABlock = 16;
constexpr std::size_t kDrawsOfLargest = 9'999;

numeric::WeightedChi2 chi2(std::size_t df) {
  return *numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = static_cast<double>(df)}});
}

bool is_private(const NoisyMean& mean, const MeanDistributionOptions& options) {
  return options.target == MeanTarget::Population && !options.covariance && !mean.row_covariance;
}

/// The statistics of one draw: the quadratic form, the largest standardised error, and each of
/// them; or only the linear statistic.
class Statistics {
 public:
  Statistics(std::size_t dimension, const MeanDistributionOptions& options) : dimension_(dimension) {
    if (options.weights) weights_ = vector_view(*options.weights);
    if (options.towards) towards_ = vector_view(*options.towards);
  }
  bool linear() const { return weights_.size() > 0 || towards_.size() > 0; }
  std::size_t count() const { return linear() ? 1 : dimension_ + 2; }

  void of(const ErrorDraw& draw, std::span<double> out) const {
    if (weights_.size() > 0) {
      out[0] = weights_.dot(draw.error) / std::sqrt(weights_.dot(draw.covariance * weights_));
    } else if (towards_.size() > 0) {
      const VectorXd weights = draw.factor.solve(towards_);
      out[0] = weights.dot(draw.error) / std::sqrt(weights.dot(towards_));
    } else {
      out[0] = draw.error.dot(draw.factor.solve(draw.error));
      out[1] = 0;
      for (std::size_t j = 0; j < dimension_; ++j) {
        const auto at = static_cast<Index>(j);
        out[2 + j] = std::abs(draw.error[at]) / std::sqrt(draw.covariance(at, at));
        out[1] = std::max(out[1], out[2 + j]);
      }
    }
  }

 private:
  std::size_t dimension_;
  VectorXd weights_, towards_;
};

/// A further draw exceeds this with probability alpha at most; infinite if there are too few
/// draws.
double upper_order_statistic(const std::vector<double>& sorted, double alpha) {
  const auto rank = static_cast<std::size_t>(std::ceil((static_cast<double>(sorted.size()) + 1) * (1 - alpha) - 1e-9));
  return rank <= sorted.size() ? sorted[std::max<std::size_t>(rank, 1) - 1] : INFINITY;
}

/// Sorted draws of the largest |z_j| of standard normal z with the correlations of W; empty if
/// they are independent.
std::vector<double> draw_largest_normal(const std::vector<double>& covariance, std::size_t d, const Simulation& simulation) {
  const VectorXd units = square_view(covariance, d).diagonal().cwiseSqrt().cwiseInverse();
  const Matrix correlation = units.asDiagonal() * square_view(covariance, d) * units.asDiagonal();
  constexpr double kIndependent = 1e-9;
  if ((correlation - Matrix::Identity(correlation.rows(), correlation.cols())).cwiseAbs().maxCoeff() < kIndependent) return {};
  const Matrix root = Eigen::LLT<Matrix>(correlation).matrixL();
  Simulation own = simulation;
  own.draws = kDrawsOfLargest;
  std::vector<double> drawn = simulate(own, kDrawsInABlock, [&]() -> BlockOfTables {
    return [&root, z = VectorXd(root.rows())](InsecureStream& stream, std::span<double> out) mutable {
      for (double& value : out) {
        stream.fill_normal({z.data(), static_cast<std::size_t>(z.size())});
        value = (root * z).cwiseAbs().maxCoeff();
      }
    };
  });
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

/// A sorted list for each statistic.
template <class MakeErrors>
std::vector<std::vector<double>> draw_statistics(std::size_t draws, const Simulation& simulation, const Statistics& statistics,
                                                 const MakeErrors& make_errors) {
  const std::size_t count = statistics.count();
  Simulation all = simulation;
  all.draws = draws * count;
  const std::vector<double> drawn = simulate(all, kDrawsInABlock * count, [&]() -> BlockOfTables {
    return [&statistics, count, errors = make_errors()](InsecureStream& stream, std::span<double> out) mutable {
      for (std::size_t at = 0; at < out.size(); at += count) statistics.of(errors.draw(stream), out.subspan(at, count));
    };
  });
  std::vector<std::vector<double>> lists(count);
  for (std::size_t i = 0; i < count; ++i) {
    lists[i].reserve(draws);
    for (std::size_t at = i; at < drawn.size(); at += count) lists[i].push_back(drawn[at]);
    std::sort(lists[i].begin(), lists[i].end());
  }
  return lists;
}

}  // namespace

Status check_covariance(const std::vector<double>& matrix, std::size_t dimension) {
  if (matrix.size() != dimension * dimension) {
    return Error::invalid("covariance", fmt::format("{} numbers", matrix.size()),
                          fmt::format("must be a matrix of {0} by {0} numbers", dimension));
  }
  const auto sigma = square_view(matrix, dimension);
  const Error refused = Error::invalid("covariance", "singular, indefinite or not symmetric", "must be symmetric and positive definite",
                                       "for example a file that holds [[4, 1], [1, 2]]");
  if (!sigma.allFinite() || (sigma - sigma.transpose()).cwiseAbs().maxCoeff() > 1e-9 * sigma.cwiseAbs().maxCoeff()) return refused;
  // Only correlations are checked, so the units of the columns do not matter.
  if (!(sigma.diagonal().minCoeff() > 0)) return refused;
  const VectorXd units = sigma.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix correlation = units.asDiagonal() * sigma * units.asDiagonal();
  const VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(correlation, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(eigenvalues.minCoeff() * kMostCondition > eigenvalues.maxCoeff())) return refused;
  return {};
}

std::optional<std::string> why_no_distribution(const NoisyMean& mean, const MeanDistributionOptions& options) {
  if (mean.no_answer) return mean.no_answer;
  if (!is_private(mean, options) || !mean.second_moments) return std::nullopt;
  const auto least = static_cast<double>(mean.dimension()) + 2;
  if (std::round(mean.people) >= least) return std::nullopt;
  return fmt::format("{:.4g} people are too few for a covariance of {} columns: at least {:g} are needed, or a public covariance",
                     mean.people, mean.dimension(), least);
}

Result<MeanDistribution> MeanDistribution::of(const NoisyMean& mean, const MeanDistributionOptions& options) {
  MeanDistribution distribution;
  const std::size_t d = distribution.dimension_ = mean.dimension();
  distribution.covariance_ = noise_covariance(mean);
  distribution.family_ = mean.second_moments ? name(mean.second_moments->mechanism) : name(mean.family);
  distribution.seed_ = options.simulation.seed;
  const bool exact_noise = mean.family == UnitNoise::Gaussian;
  if (options.target == MeanTarget::Data) {
    if (options.covariance) {
      return Error::invalid("covariance", "given", "goes with the population: the mean of the data has no sampling error",
                            "ask about the population");
    }
    distribution.method_ = exact_noise ? MeanMethod::Exact : MeanMethod::Simulated;
  } else {
    distribution.sampled_ = true;
    const bool from_release = is_private(mean, options);
    if (from_release && !mean.second_moments) {
      return Error::of(Code::Unsupported, "the release holds no second moments, so the sampling error of its means is unknown",
                       "give a public covariance of a row (covariance = FILE), release a covariance, or ask about the people in the file");
    }
    if (from_release && mean.second_moments->mechanism == mechanisms::MomentMechanism::Eigen) {
      return Error::of(
          Code::Unsupported, "no region that keeps its level is known for a covariance with the noise of ed",
          "give a public covariance of a row (covariance = FILE), or release the covariance with gaussian, laplace or k-norm noise");
    }
    if (options.covariance) TACET_CHECK(check_covariance(*options.covariance, d));
    const std::vector<double> row = options.covariance    ? *options.covariance
                                    : mean.row_covariance ? *mean.row_covariance
                                                          : private_row_covariance(*mean.second_moments, mean);
    const Matrix sampling = (square_view(row, d) + square_view(row, d).transpose()) / (2 * mean.people);
    distribution.sampling_ = listed(sampling);
    distribution.covariance_ = listed(square_view(distribution.covariance_, d) + sampling);
    distribution.method_ = from_release ? MeanMethod::Bootstrap : exact_noise ? MeanMethod::Exact : MeanMethod::Simulated;
  }
  const Matrix whole = square_view(distribution.covariance_, d);
  if (!whole.allFinite() || whole.llt().info() != Eigen::Success) {
    return Error::of(Code::Unsupported, "the noise of the release is too large or too small to compute with",
                     "check the scales in the file");
  }
  if (distribution.method_ != MeanMethod::Exact) TACET_CHECK(distribution.draw(mean, options));
  const bool linear = options.towards || options.weights;
  if (distribution.method_ != MeanMethod::Simulated && !linear)
    distribution.largest_normal_ = draw_largest_normal(distribution.covariance_, d, options.simulation);
  return distribution;
}

Status MeanDistribution::draw(const NoisyMean& mean, const MeanDistributionOptions& options) {
  const Statistics statistics(dimension_, options);
  if (method_ == MeanMethod::Bootstrap && options.weights)
    return Error::of(Code::Unsupported, "a naive test needs a public covariance", "give covariance = FILE, or use the optimal analysis");
  constexpr std::size_t kFew = 10;
  const std::size_t usual =
      method_ == MeanMethod::Simulated ? (dimension_ <= kFew ? 99'999 : 19'999) : (dimension_ <= kFew ? 9'999 : 1'999);
  const std::size_t draws = options.draws.value_or(usual);
  constexpr std::size_t kMostNumbers = 100'000'000;  // in memory
  if (draws > kMostNumbers / statistics.count()) {
    return Error::invalid("draws", fmt::format("{}", draws),
                          fmt::format("must be at most {} for so many means", kMostNumbers / statistics.count()),
                          "for example: draws = 9999");
  }
  draws_ = draws;
  std::vector<std::vector<double>> lists;
  if (method_ == MeanMethod::Simulated) {
    lists = draw_statistics(draws, options.simulation, statistics, [&] { return KnownErrors(mean, covariance_, sampling_); });
  } else {
    std::vector<double> row = sampling_;
    for (double& value : row) value *= mean.people;
    lists = draw_statistics(draws, options.simulation, statistics, [&] { return DrawnReleases(mean, row); });
  }
  if (statistics.linear()) {
    linear_ = std::move(lists[0]);
  } else {
    quadratic_ = std::move(lists[0]);
    largest_ = std::move(lists[1]);
    marginal_.assign(std::make_move_iterator(lists.begin() + 2), std::make_move_iterator(lists.end()));
  }
  return {};
}

double MeanDistribution::deviation(std::size_t j) const { return std::sqrt(covariance_[j * dimension_ + j]); }

std::string MeanDistribution::words() const {
  if (method_ == MeanMethod::Exact) {
    return fmt::format("normal, so that the quadratic form is chi-square with {} degree{} of freedom", dimension_,
                       dimension_ == 1 ? "" : "s");
  }
  if (method_ == MeanMethod::Simulated)
    return fmt::format("{} draws of {} noise{}, with seed {}", *draws_, family_, sampled_ ? " and normal sampling error" : "", seed_);
  return fmt::format(
      "{} releases drawn from the estimates, with {} noise in every released number and seed {}; tails at least as heavy as normal",
      *draws_, family_, seed_);
}

double MeanDistribution::quantile(double exact, const std::vector<double>& sorted, double alpha) const {
  if (method_ == MeanMethod::Exact) return exact;
  const double drawn = upper_order_statistic(sorted, alpha);
  return method_ == MeanMethod::Bootstrap ? std::max(exact, drawn) : drawn;
}

double MeanDistribution::p_value(double exact, const std::vector<double>& sorted, double statistic) const {
  if (method_ == MeanMethod::Exact) return exact;
  const auto reached = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), statistic);
  const double drawn = (1 + static_cast<double>(reached)) / (1 + static_cast<double>(sorted.size()));
  return method_ == MeanMethod::Bootstrap ? std::max(exact, drawn) : drawn;
}

double MeanDistribution::quadratic_quantile(double alpha) const {
  return quantile(chi2(dimension_).upper_quantile(alpha), quadratic_, alpha);
}
double MeanDistribution::quadratic_p_value(double q) const { return p_value(q > 0 ? chi2(dimension_).upper(q) : 1, quadratic_, q); }

double MeanDistribution::marginal_quantile(std::size_t j, double alpha) const {
  const std::vector<double> none;
  return quantile(numeric::normal_upper_quantile(alpha / 2), marginal_.empty() ? none : marginal_[j], alpha);
}

double MeanDistribution::largest_quantile(double alpha) const {
  double normal = numeric::max_quantile_gaussian(dimension_, alpha);
  if (!largest_normal_.empty()) normal = std::min(normal, upper_order_statistic(largest_normal_, alpha));
  return quantile(normal, largest_, alpha);
}

double MeanDistribution::linear_quantile(double alpha) const { return quantile(numeric::normal_upper_quantile(alpha), linear_, alpha); }
double MeanDistribution::linear_p_value(double t) const { return p_value(numeric::normal_upper(t), linear_, t); }

double MeanDistribution::linear_power(double shift, double critical) const {
  if (method_ == MeanMethod::Exact) return numeric::normal_upper(critical - shift);
  const auto beyond = linear_.end() - std::upper_bound(linear_.begin(), linear_.end(), critical - shift);
  return static_cast<double>(beyond) / static_cast<double>(linear_.size());
}

}  // namespace tacet::inference

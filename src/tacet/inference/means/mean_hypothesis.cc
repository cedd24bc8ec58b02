#include "tacet/inference/means/mean_hypothesis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/listed_matrix.h"
#include "tacet/inference/means/clip_bias.h"
#include "tacet/inference/means/clipped_normal.h"
#include "tacet/numeric/normal.h"

namespace tacet::inference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

Status check_length(const std::string& name, const std::vector<double>& values, const NoisyMean& mean) {
  if (values.size() != mean.dimension()) {
    return Error::invalid(
        name, fmt::format("{} numbers", values.size()),
        fmt::format("must be {} numbers, one for each mean of the release ({})", mean.dimension(), fmt::join(mean.names, ", ")));
  }
  for (const double value : values) {
    if (!(std::abs(value) <= 1e100)) return Error::invalid(name, fmt::format("{}", value), "must be finite, and at most 1e100 in size");
  }
  return {};
}

Status check_hypothesis(const NoisyMean& mean, const MeanTestOptions& options) {
  TACET_CHECK(check_length("null", options.null, mean));
  if (options.alternative) {
    TACET_CHECK(check_length("alternative", *options.alternative, mean));
    if (*options.alternative == options.null) return Error::invalid("alternative", "the null itself", "must be another mean");
  }
  TACET_CHECK(check_alpha(options.alpha));
  if (options.analysis != MeanAnalysis::Optimal && (!options.alternative || options.distribution.target == MeanTarget::Data)) {
    return Error::invalid("analysis", std::string(name(options.analysis)),
                          "must be optimal here: the others are about sampling error and one alternative",
                          "give an alternative and a covariance, and ask about the population");
  }
  return {};
}

/// True if noise is the only error, and its density is a product or a function of the largest
/// value.
bool has_known_density(const NoisyMean& mean, const MeanTestOptions& options) {
  if (options.distribution.target != MeanTarget::Data || mean.people_sd) return false;
  return mean.family == UnitNoise::Laplace || (mean.family == UnitNoise::KNorm && mean.draw_size == mean.dimension());
}

/// log of f(u - shift)/f(u), where u is the noise under the null hypothesis in units of its scale:
/// larger if the alternative is more likely. It has atoms (for one Laplace variable, all u beyond
/// the shift), which may have more probability than alpha. Ties are broken by shift'u: by the
/// lemma of Neyman & Pearson this costs no power, and the test can reject.
class LikelihoodRatio {
 public:
  LikelihoodRatio(UnitNoise family, std::vector<double> shift) : family_(family), shift_(std::move(shift)) {
    for (const double part : shift_) reach_ += std::abs(part);
  }

  double operator()(std::span<const double> unit) const {
    constexpr double kTie = 1e-6;
    double along = 0;
    for (std::size_t j = 0; j < shift_.size(); ++j) along += shift_[j] / reach_ * unit[j];
    return (family_ == UnitNoise::Laplace ? of_laplace(unit) : of_k_norm(unit)) + kTie * reach_ * along / (1 + std::abs(along));
  }

 private:
  double of_laplace(std::span<const double> unit) const {
    // |u| - |u - s| = 2u - s, clamped to [-|s|, |s|] (reversed if s < 0). So an atom
    // is always the same number.
    double sum = 0;
    for (std::size_t j = 0; j < shift_.size(); ++j) {
      const double size = std::abs(shift_[j]);
      sum += std::clamp(std::copysign(1.0, shift_[j]) * (2 * unit[j] - shift_[j]), -size, size);
    }
    return sum;
  }
  double of_k_norm(std::span<const double> unit) const {
    double null = 0;
    double alternative = 0;
    for (std::size_t j = 0; j < shift_.size(); ++j) {
      null = std::max(null, std::abs(unit[j]));
      alternative = std::max(alternative, std::abs(unit[j] - shift_[j]));
    }
    return null - alternative;
  }

  UnitNoise family_;
  std::vector<double> shift_;
  double reach_ = 0;
};

/// The likelihood ratio itself; draws under both hypotheses give its distribution.
Result<MeanTest> test_likelihood_ratio(const NoisyMean& mean, const MeanTestOptions& options) {
  const std::size_t d = mean.dimension();
  std::vector<double> observed(d);
  std::vector<double> shift(d);
  for (std::size_t j = 0; j < d; ++j) {
    const double scale = mean.mix[j * mean.units + j];
    observed[j] = (mean.estimate[j] - options.null[j]) / scale;
    shift[j] = ((*options.alternative)[j] - options.null[j]) / scale;
  }
  if (std::all_of(shift.begin(), shift.end(), [](double part) { return part == 0; }))
    return Error::invalid("alternative", "nearer to the null than a double can tell", "must be another mean");
  const LikelihoodRatio ratio(mean.family, shift);
  Simulation simulation = options.distribution.simulation;
  simulation.draws = options.distribution.draws.value_or(99'999);
  TACET_CHECK(check_draws(*simulation.draws, options.alpha));
  const auto draw = [&](bool alternative) {
    Simulation own = simulation;
    own.seed += alternative ? std::uint64_t{1} << 63 : 0;  // other draws
    return simulate(own, 64, [&]() -> BlockOfTables {
      return [&, alternative, unit = std::vector<double>(d)](numeric::InsecureStream& stream, std::span<double> out) mutable {
        for (double& value : out) {
          draw_unit_noise(mean.family, mean.draw_size, stream, unit);
          for (std::size_t j = 0; alternative && j < d; ++j) unit[j] += shift[j];
          value = ratio(unit);
        }
      };
    });
  };
  const double statistic = ratio(observed);
  const MonteCarloAnswer answer = compare(statistic, draw(false), options.alpha);
  MeanTest test{};
  test.kind = MeanStatistic::LikelihoodRatio;
  test.df = 1;
  test.statistic = statistic;
  test.p_value = answer.p_value;
  test.critical = answer.critical;
  const std::vector<double> alternative = draw(true);
  const auto beyond = std::count_if(alternative.begin(), alternative.end(), [&](double value) { return value > answer.critical; });
  test.power = static_cast<double>(beyond) / static_cast<double>(alternative.size());
  test.method = MeanMethod::Simulated;
  test.draws = simulation.draws;
  test.null_distribution = fmt::format("{} draws of {} noise, with seed {}", *simulation.draws, name(mean.family), simulation.seed);
  return test;
}

/// The expected estimates under the null hypothesis and the alternative: the means after clipping,
/// if rows were clipped.
struct Hypotheses {
  VectorXd null, alternative;
  ClippingIn clipping;
  std::vector<double> null_row, alternative_row;  // covariances of a clipped row, if Corrected
  std::optional<std::string> no_answer;           // why they are unknown
};

Hypotheses hypotheses(const NoisyMean& mean, const MeanTestOptions& options, const std::vector<double>& row) {
  Hypotheses out{vector_view(options.null), vector_view(*options.alternative), ClippingIn::Nothing, {}, {}, std::nullopt};
  if (!mean.clipping || options.distribution.target == MeanTarget::Data) return out;
  out.clipping = ClippingIn::Bounded;
  const auto rows = spherical_rows(*mean.clipping, row);
  if (!rows) return out;
  out.clipping = ClippingIn::Corrected;
  const auto null = clipped_mean(*rows, *mean.clipping, options.null);
  const auto alternative = clipped_mean(*rows, *mean.clipping, *options.alternative);
  if (!null || !alternative) {
    out.no_answer =
        "null or alternative lies more than a hundred deviations of a row from the centre of the query, beyond what was clipped";
    return out;
  }
  out.null = vector_view(*null);
  out.alternative = vector_view(*alternative);
  out.null_row = *clipped_covariance(*rows, *mean.clipping, options.null);
  out.alternative_row = *clipped_covariance(*rows, *mean.clipping, *options.alternative);
  if (out.null == out.alternative)
    out.no_answer = "clipping makes the same mean of null and alternative; release again with a nearer centre";
  return out;
}

/// The largest change of the statistic a'e/sqrt(a'Wa) by clipping, if the mean is `at`.
Result<double> clipping_shift(const NoisyMean& mean, const std::vector<double>& at, const MeanDistribution& distribution,
                              const std::vector<double>& row, const VectorXd& weights) {
  const std::size_t d = mean.dimension();
  TACET_TRY(const double bias, clip_bias(clipped_rows(*mean.clipping, row, at)));
  const Matrix map = square_view(mean.clipping->map, d);
  return bias * map.transpose().partialPivLu().solve(weights).norm() /
         std::sqrt(weights.dot(square_view(distribution.covariance(), d) * weights));
}

/// Normal rows that were clipped to a ball: means and covariances are known under both hypotheses.
MeanTest test_clipped(const NoisyMean& mean, const MeanTestOptions& options, const Hypotheses& about) {
  const std::size_t d = mean.dimension();
  const std::vector<double> noise = noise_covariance(mean);
  const Matrix null = square_view(noise, d) + square_view(about.null_row, d) / mean.people;
  const Matrix alternative = square_view(noise, d) + square_view(about.alternative_row, d) / mean.people;
  const VectorXd eta = about.alternative - about.null;
  const VectorXd weights = null.llt().solve(eta);
  const double deviation = std::sqrt(weights.dot(null * weights));
  MeanTest test{};
  test.kind = MeanStatistic::LikelihoodRatio;
  test.df = 1;
  test.clipping = ClippingIn::Corrected;
  test.method = MeanMethod::Exact;
  test.null_distribution = "normal";
  test.statistic = weights.dot(vector_view(mean.estimate) - about.null) / deviation;
  test.critical = numeric::normal_upper_quantile(options.alpha);
  test.p_value = numeric::normal_upper(*test.statistic);
  test.power = numeric::normal_lower((weights.dot(eta) - *test.critical * deviation) / std::sqrt(weights.dot(alternative * weights)));
  return test;
}

Result<MeanTest> test_linear(const NoisyMean& mean, const MeanTestOptions& options) {
  const std::size_t d = mean.dimension();
  MeanDistributionOptions for_distribution = options.distribution;
  for_distribution.towards = listed(vector_view(*options.alternative) - vector_view(options.null));
  for_distribution.draws = 1;  // only the covariances are used
  TACET_TRY(const MeanDistribution covariances, MeanDistribution::of(mean, for_distribution));
  std::vector<double> row = covariances.sampling();
  for (double& value : row) value *= mean.people;
  const Hypotheses about = hypotheses(mean, options, row);
  if (about.no_answer) {
    MeanTest test{};
    test.df = 1;
    test.kind = MeanStatistic::Linear;
    test.reason = about.no_answer;
    return test;
  }
  if (about.clipping == ClippingIn::Corrected && options.analysis == MeanAnalysis::Optimal && covariances.method() == MeanMethod::Exact)
    return test_clipped(mean, options, about);
  const VectorXd eta = about.alternative - about.null;
  for_distribution.towards = listed(eta);
  for_distribution.draws = options.distribution.draws;
  VectorXd weights;
  if (options.analysis != MeanAnalysis::Optimal) {
    weights = square_view(covariances.sampling(), d).llt().solve(eta);
    for_distribution.weights = listed(weights);
  }
  TACET_TRY(const MeanDistribution distribution, MeanDistribution::of(mean, for_distribution));
  if (const auto draws = distribution.draws()) TACET_CHECK(check_draws(*draws, options.alpha));
  const Matrix covariance = square_view(distribution.covariance(), d);
  if (options.analysis == MeanAnalysis::Optimal) weights = covariance.llt().solve(eta);
  const double deviation = std::sqrt(weights.dot(covariance * weights));
  double shift = 0;
  double lost = 0;  // power
  if (about.clipping == ClippingIn::Bounded) {
    TACET_TRY(shift, clipping_shift(mean, options.null, distribution, row, weights));
    TACET_TRY(lost, clipping_shift(mean, *options.alternative, distribution, row, weights));
  }
  const bool ratio = options.analysis == MeanAnalysis::Optimal && distribution.method() == MeanMethod::Exact && shift == 0;
  const double statistic = weights.dot(vector_view(mean.estimate) - about.null) / deviation;
  const double critical = distribution.linear_quantile(options.alpha) + shift;
  MeanTest test{};
  test.kind = ratio ? MeanStatistic::LikelihoodRatio : MeanStatistic::Linear;
  test.df = 1;
  test.clipping = about.clipping;
  test.method = distribution.method();
  test.draws = distribution.draws();
  test.null_distribution = distribution.method() == MeanMethod::Exact ? "normal" : distribution.words();
  if (options.analysis == MeanAnalysis::SuperNaive) {
    // The super-naive analysis divides by the standard deviation of sampling alone.
    const double claimed = std::sqrt(weights.dot(square_view(distribution.sampling(), d) * weights));
    const double forgetful = numeric::normal_upper_quantile(options.alpha);
    test.statistic = statistic * deviation / claimed;
    test.critical = forgetful;
    test.level = distribution.linear_power(0, forgetful * claimed / deviation);
    return test;
  }
  test.statistic = statistic;
  test.critical = critical;
  test.p_value = distribution.linear_p_value(statistic - shift);
  test.power = distribution.linear_power(weights.dot(eta) / deviation - lost, critical);
  return test;
}

Result<MeanTest> test_quadratic(const NoisyMean& mean, const MeanTestOptions& options) {
  TACET_TRY(const MeanDistribution distribution, MeanDistribution::of(mean, options.distribution));
  TACET_TRY(const MeanRegion region,
            mean_region(mean, distribution, {.confidence = 1 - options.alpha, .distribution = options.distribution}));
  MeanTest test{};
  test.kind = MeanStatistic::Quadratic;
  const std::size_t d = mean.dimension();
  test.df = static_cast<double>(d);
  test.reason = region.no_answer;
  if (test.reason) return test;
  const VectorXd error = vector_view(region.center) - vector_view(options.null);
  const double statistic = error.dot(square_view(region.shape.values, d).llt().solve(error));
  test.clipping = region.clipping;
  test.statistic = statistic;
  test.critical = region.radius * region.radius;
  // The statistic is reduced by the amount that widens the region for clipping, and alpha by its
  // share of the level.
  const double alpha = region.clipping == ClippingIn::Bounded ? options.alpha * (1 - kClippingShare) : options.alpha;
  const double widened = region.radius - std::sqrt(distribution.quadratic_quantile(alpha));
  const double left = std::max(0.0, std::sqrt(statistic) - widened);
  test.p_value = std::min(1.0, distribution.quadratic_p_value(left * left) * options.alpha / alpha);
  test.method = distribution.method();
  test.draws = distribution.draws();
  test.null_distribution = distribution.words();
  return test;
}

}  // namespace

Result<MeanTest> test_mean(const NoisyMean& mean, const MeanTestOptions& options) {
  TACET_CHECK(check_hypothesis(mean, options));
  MeanTest test{};
  if (std::optional<std::string> reason = why_no_distribution(mean, options.distribution)) {
    test.df = options.alternative ? 1 : static_cast<double>(mean.dimension());
    test.kind = options.alternative ? MeanStatistic::LikelihoodRatio : MeanStatistic::Quadratic;
    test.reason = std::move(reason);
  } else if (!options.alternative) {
    TACET_TRY(test, test_quadratic(mean, options));
  } else if (has_known_density(mean, options)) {
    TACET_TRY(test, test_likelihood_ratio(mean, options));
  } else {
    TACET_TRY(test, test_linear(mean, options));
  }
  if (test.level) {
    test.reason = fmt::format(
        "the super-naive analysis ignores the noise: it rejects a true null hypothesis with probability {:.4g}, not {:g}; "
        "use the optimal analysis",
        *test.level, options.alpha);
  }
  test.outcome = !test.reason && test.p_value ? decide(*test.p_value, options.alpha) : Outcome::Inconclusive;
  say_what_is_included(mean, options.distribution, test.clipping, test.includes, test.leaves_out);
  return test;
}

}  // namespace tacet::inference

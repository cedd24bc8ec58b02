#include "tacet/studies/papers/rogers_tests.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/estimates/project.h"
#include "tacet/inference/outcome.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::studies::rogers {
namespace {

using inference::GofMethod;
using inference::GofStatistic;
using mechanisms::NoiseDistribution;

constexpr inference::TableShape kTwoByTwo{2, 2};
/// Algorithm 11 gives up where the nearest possible table has a smaller cell.
constexpr double kLeastCell = 5;

bool has_small_cell(std::vector<double> values, double n) {
  const std::vector<double> denoised = inference::project_onto_simplex(std::move(values), n);
  return *std::min_element(denoised.begin(), denoised.end()) < kLeastCell;
}

/// A block of noisy tables, one after the other.
class Tables {
 public:
  Tables(double n, const std::vector<double>& p, const NoiseDistribution& noise) : drawn_(n, p, {noise, {}}) {}

  template <typename Each>
  Status draw(numeric::InsecureStream& stream, std::size_t tables, const Each& each) {
    for (std::size_t left = tables; left > 0;) {
      const std::size_t now = std::min(left, inference::kMostTablesInABlock), cells = drawn_.cells();
      deviations_.resize(cells * now);
      sums_.resize(now);
      drawn_.draw(stream, now, deviations_, sums_);
      for (std::size_t t = 0; t < now; ++t) {
        std::vector<double> values(cells);
        for (std::size_t i = 0; i < cells; ++i) values[i] = drawn_.expected()[i] + deviations_[i * now + t];
        TACET_CHECK(each(std::move(values)));
      }
      left -= now;
    }
    return {};
  }

 private:
  inference::NoisyTables drawn_;
  std::vector<double> deviations_, sums_;
};

/// By the weights that the paper prints (6.20), at the fitted margins. For 2 x 2 tables Sigma_ind
/// has rank 1, and its unit vector has in each cell the root of the opposite one.
Result<double> printed_p_value(const inference::CompositeTest& tested, const NoiseDistribution& noise) {
  const std::vector<double>& p = tested.fitted;
  const Eigen::Vector4d along(std::sqrt(p[3]), -std::sqrt(p[2]), -std::sqrt(p[1]), std::sqrt(p[0]));
  Eigen::Matrix4d covariance = along * along.transpose();
  for (Eigen::Index i = 0; i < covariance.rows(); ++i)
    covariance(i, i) += inference::cell_noise(noise).variance / (tested.n * p[static_cast<std::size_t>(i)]);
  const Eigen::Vector4d weights = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(covariance, Eigen::EigenvaluesOnly).eigenvalues();
  TACET_TRY(const numeric::WeightedChi2 printed, numeric::WeightedChi2::of_weights({weights.data(), kTwoByTwo.cells()}));
  return printed.upper(*tested.test.statistic);
}

/// Whether one of the tables that MCIndep draws has a small cell: the same tables that the test
/// with this seed has drawn, which are a block of full size.
bool draws_small_cell(const inference::CompositeTest& tested, const NoiseDistribution& noise, std::uint64_t seed) {
  const std::size_t cells = kTwoByTwo.cells(), tables = inference::tables_in_a_block(cells);
  const inference::NoisyTables drawn(tested.n, tested.fitted, {noise, {}});
  std::vector<double> deviations(cells * tables), sums(tables), values(cells);
  numeric::InsecureStream stream(seed, 0);
  drawn.draw(stream, tables, deviations, sums);
  for (std::size_t t = 0; t < kDraws; ++t) {
    for (std::size_t i = 0; i < cells; ++i) values[i] = drawn.expected()[i] + deviations[i * tables + t];
    if (has_small_cell(values, tested.n)) return true;
  }
  return false;
}

}  // namespace

NoiseDistribution gaussian_noise(double epsilon) { return {kernel::NoiseFamily::Gaussian, 1 / std::sqrt(rho_of(epsilon))}; }
NoiseDistribution laplace_noise(double epsilon) { return {kernel::NoiseFamily::Laplace, 2 / epsilon}; }
NoiseDistribution hardly_any_noise() { return {kernel::NoiseFamily::Gaussian, 0.01}; }

std::string privacy_of(const NoiseDistribution& noise) {
  if (noise.family == kernel::NoiseFamily::Laplace) return fmt::format("epsilon = {:.6g}", 2 / noise.scale);
  std::string rho = fmt::format("{:.7f}", 1 / (noise.scale * noise.scale));
  rho.erase(rho.find_last_not_of('0') + 1);
  return "rho = " + rho;
}

const std::vector<NullHypothesis>& null_hypotheses() {
  static const std::vector<NullHypothesis> kAll = {{"(1/4, 1/4, 1/4, 1/4)", {0.25, 0.25, 0.25, 0.25}},
                                                   {"(1/2, 1/6, 1/6, 1/6)", {0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6}},
                                                   {"(0.4, 0.3, 0.2, 0.1)", {0.4, 0.3, 0.2, 0.1}}};
  return kAll;
}

Result<inference::GofSetting> classical_gof(const std::vector<double>& null, double n, const NoiseDistribution& noise) {
  TACET_TRY(const inference::GofDesign design, inference::GofDesign::of(null, n, inference::cell_noise(noise)));
  return inference::GofSetting{.design = design, .statistic = GofStatistic::Classical, .noise = {.distribution = noise}};
}

Result<double> pearson_critical(double df) {
  const std::vector<numeric::ChiTerm> terms = {{.weight = 1, .df = df}};
  TACET_TRY(const numeric::WeightedChi2 chi_square, numeric::WeightedChi2::of(terms));
  return chi_square.upper_quantile(kAlpha);
}

std::vector<double> mcgof_criticals(const inference::GofSetting& setting, std::size_t tests, std::uint64_t seed) {
  const std::vector<double> drawn =
      inference::simulate_gof(setting, setting.design.null(), {.draws = kDraws * tests, .seed = seed, .threads = 1});
  std::vector<double> criticals(tests);
  for (std::size_t i = 0; i < tests; ++i) {
    const auto from = drawn.begin() + static_cast<std::ptrdiff_t>(i * kDraws);
    criticals[i] = inference::compare(0, {from, from + kDraws}, kAlpha).critical;
  }
  return criticals;
}

std::vector<double> TwoByTwo::table() const {
  return {first * second + deviation[0], first * (1 - second) + deviation[1], (1 - first) * second + deviation[2],
          (1 - first) * (1 - second) + deviation[3]};
}

double least_cell(const TwoByTwo& truth, double n, const NoiseDistribution& noise) {
  const std::vector<double> p = truth.table();
  return n * *std::min_element(p.begin(), p.end()) / std::sqrt(inference::cell_noise(noise).variance);
}

Result<Sums> independence_sums(const TwoByTwo& truth, double n, const NoiseDistribution& noise, Piece& piece) {
  TACET_TRY(const double pearson, pearson_critical(1));
  const bool gaussian = noise.family == kernel::NoiseFamily::Gaussian;
  Sums sums(Contradictory + 1, 0.0);
  mechanisms::CountRelease release{};
  release.shape = {kTwoByTwo.rows, kTwoByTwo.columns};
  release.n = n;
  release.noise = noise;
  inference::GofOptions options{.alpha = kAlpha, .statistic = GofStatistic::Classical, .with_power = false};
  Tables tables(n, truth.table(), noise);
  TACET_CHECK(tables.draw(piece.stream, piece.trials, [&](std::vector<double> values) -> Status {
    release.values = std::move(values);
    const bool small = has_small_cell(release.values, n);
    if (gaussian) {
      options.method = GofMethod::Asymptotic;
      TACET_TRY(const inference::CompositeTest tested, inference::test_independence(release, options));
      const bool rejects = tested.test.outcome == inference::Outcome::Reject;
      sums[Asymptotic] += rejects ? 1 : 0;
      sums[AsymptoticByRule] += rejects && !small ? 1 : 0;
      const bool conclusive = tested.test.outcome != inference::Outcome::Inconclusive;
      sums[Contradictory] += conclusive && (*tested.test.statistic > *tested.test.critical) != rejects ? 1 : 0;
    }
    options.method = GofMethod::MonteCarlo;
    options.simulation = {.draws = kDraws, .seed = piece.stream.word(), .threads = 1};
    TACET_TRY(const inference::CompositeTest tested, inference::test_independence(release, options));
    const bool rejects = tested.test.outcome == inference::Outcome::Reject;
    sums[MonteCarlo] += rejects ? 1 : 0;
    if (small) return {};
    if (gaussian) {
      TACET_TRY(const double printed, printed_p_value(tested, noise));
      sums[AsPrinted] += printed <= kAlpha ? 1 : 0;
    }
    sums[Unmodified] += *tested.test.statistic > pearson ? 1 : 0;
    if (rejects) sums[MonteCarloByRule] += draws_small_cell(tested, noise, options.simulation.seed) ? 0 : 1;
    return {};
  }));
  return sums;
}

Verdict is_at_most(std::string claim, const std::vector<AtMost>& pairs, std::string words, Outcome outcome) {
  double worst = -1e300;
  const AtMost* nearest = nullptr;
  Comparison told{};
  for (const AtMost& pair : pairs) {
    const Comparison one = compared(pair.low, pair.high.share, pair.high.trials, pairs.size());
    const double excess = (one.ours - one.paper) / one.tolerance;
    if (!(excess > worst)) continue;
    worst = excess;
    nearest = &pair;
    told = one;
  }
  if (nearest != nullptr) words += fmt::format("{}Nearest to the contrary, in tolerances: {}.", words.empty() ? "" : " ", nearest->where);
  return holds(std::move(claim), nearest != nullptr && worst <= 1,
               {{"compared", static_cast<double>(pairs.size())}, {"less", told.ours}, {"more", told.paper}, {"tolerance", told.tolerance}},
               std::move(words), outcome);
}

report::Series rates_by_people(std::string name, const std::vector<double>& people, const std::vector<Rate>& rates) {
  report::Series series{std::move(name), {}, report::Mark::LineAndPoints};
  for (std::size_t i = 0; i < people.size(); ++i) series.points.push_back({people[i], rates[i].share, 1.96 * rates[i].standard_error()});
  return series;
}

report::Series level_line(const std::vector<double>& people) {
  return {"0.05", {{people.front(), kAlpha}, {people.back(), kAlpha}}, report::Mark::Line};
}

}  // namespace tacet::studies::rogers

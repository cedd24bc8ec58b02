#include "tacet/studies/papers/rogers_tests.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/estimates/project.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::studies {
namespace {

using inference::GofMethod;
using inference::GofStatistic;
using mechanisms::CountRelease;
using mechanisms::NoiseDistribution;

constexpr inference::TableShape kTwoByTwo{2, 2};
/// Algorithm 11 gives up where the nearest possible table has a smaller cell.
constexpr double kLeastCell = 5;

bool has_small_cell(std::vector<double> values, double n) {
  const std::vector<double> denoised = inference::project_onto_simplex(std::move(values), n);
  return *std::min_element(denoised.begin(), denoised.end()) < kLeastCell;
}

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
  ReleaseDraws drawn({kTwoByTwo.rows, kTwoByTwo.columns}, tested.n, tested.fitted, noise);
  numeric::InsecureStream stream(seed, 0);
  drawn.draw(stream, inference::tables_in_a_block(kTwoByTwo.cells()));
  for (std::size_t t = 0; t < kRogersDraws; ++t) {
    if (has_small_cell(drawn.at(t).values, tested.n)) return true;
  }
  return false;
}

/// Adds the decisions on one table.
Status add_decisions(const CountRelease& release, std::uint64_t seed, double pearson, Sums& sums) {
  using Place = IndependenceSum;
  const bool gaussian = release.noise.family == kernel::NoiseFamily::Gaussian, small = has_small_cell(release.values, *release.n);
  if (gaussian) {
    TACET_TRY(const IndependenceDecision decision, decide_independence(release, GofStatistic::Classical));
    const bool rejects = decision.by_p_value == inference::Outcome::Reject;
    sums[Place::Asymptotic] += rejects ? 1 : 0;
    sums[Place::AsymptoticByRule] += rejects && !small ? 1 : 0;
    sums[Place::Contradictory] += decision.by_critical != decision.by_p_value ? 1 : 0;
  }
  TACET_TRY(const inference::CompositeTest tested,
            inference::test_independence(release, {.alpha = kRogersAlpha,
                                                   .statistic = GofStatistic::Classical,
                                                   .method = GofMethod::MonteCarlo,
                                                   .simulation = {.draws = kRogersDraws, .seed = seed, .threads = 1},
                                                   .with_power = false}));
  const bool rejects = tested.test.outcome == inference::Outcome::Reject;
  sums[Place::MonteCarlo] += rejects ? 1 : 0;
  if (small) return {};
  if (gaussian) {
    TACET_TRY(const double printed, printed_p_value(tested, release.noise));
    sums[Place::AsPrinted] += printed <= kRogersAlpha ? 1 : 0;
  }
  sums[Place::Unmodified] += *tested.test.statistic > pearson ? 1 : 0;
  if (rejects) sums[Place::MonteCarloByRule] += draws_small_cell(tested, release.noise, seed) ? 0 : 1;
  return {};
}

}  // namespace

Result<inference::GofSetting> classical_gof(const std::vector<double>& null, double n, const NoiseDistribution& noise) {
  TACET_TRY(const inference::GofDesign design, inference::GofDesign::of(null, n, inference::cell_noise(noise)));
  return inference::GofSetting{.design = design, .statistic = GofStatistic::Classical, .noise = {.distribution = noise}};
}

std::vector<double> mcgof_criticals(const inference::GofSetting& setting, std::size_t tests, std::uint64_t seed) {
  const std::vector<double> drawn =
      inference::simulate_gof(setting, setting.design.null(), {.draws = kRogersDraws * tests, .seed = seed, .threads = 1});
  std::vector<double> criticals(tests);
  for (std::size_t i = 0; i < tests; ++i) {
    const auto from = drawn.begin() + static_cast<std::ptrdiff_t>(i * kRogersDraws);
    criticals[i] = inference::compare(0, {from, from + kRogersDraws}, kRogersAlpha).critical;
  }
  return criticals;
}

ReleaseDraws::ReleaseDraws(std::vector<std::size_t> shape, double n, const std::vector<double>& probabilities,
                           const NoiseDistribution& noise)
    : drawn_(n, probabilities, {.distribution = noise}) {
  release_.shape = std::move(shape);
  release_.values.resize(probabilities.size());
  release_.n = n;
  release_.noise = noise;
}

void ReleaseDraws::draw(numeric::InsecureStream& stream, std::size_t tables) {
  deviations_.resize(drawn_.cells() * tables);
  sums_.resize(tables);
  drawn_.draw(stream, tables, deviations_, sums_);
}

const CountRelease& ReleaseDraws::at(std::size_t table) {
  for (std::size_t i = 0; i < drawn_.cells(); ++i) release_.values[i] = drawn_.expected()[i] + deviations_[i * sums_.size() + table];
  return release_;
}

Status ReleaseDraws::each(numeric::InsecureStream& stream, std::size_t trials,
                          const std::function<Status(const CountRelease& release)>& look) {
  const std::size_t tables = inference::tables_in_a_block(drawn_.cells());
  for (std::size_t done = 0; done < trials; done += tables) {
    draw(stream, tables);
    for (std::size_t t = 0; t < std::min(tables, trials - done); ++t) TACET_CHECK(look(at(t)));
  }
  return {};
}

Result<IndependenceDecision> decide_independence(const CountRelease& release, inference::GofStatistic statistic) {
  TACET_TRY(const inference::CompositeTest answer,
            inference::test_independence(
                release, {.alpha = kRogersAlpha, .statistic = statistic, .method = inference::GofMethod::Asymptotic, .with_power = false}));
  const inference::GofTest& test = answer.test;
  IndependenceDecision decision{test.outcome, test.outcome};
  if (test.outcome != inference::Outcome::Inconclusive)
    decision.by_critical = *test.statistic > *test.critical ? inference::Outcome::Reject : inference::Outcome::Retain;
  return decision;
}

double least_cell(const std::vector<double>& truth, double n, const NoiseDistribution& noise) {
  return n * *std::min_element(truth.begin(), truth.end()) / std::sqrt(inference::cell_noise(noise).variance);
}

Result<Sums> independence_sums(const std::vector<double>& truth, double n, const NoiseDistribution& noise, Piece& piece) {
  TACET_TRY(const double pearson, pearson_critical(1));
  Sums sums(IndependenceSum::Contradictory + 1, 0.0);
  ReleaseDraws drawn({kTwoByTwo.rows, kTwoByTwo.columns}, n, truth, noise);
  for (std::size_t left = piece.trials; left > 0;) {
    const std::size_t now = std::min(left, inference::kMostTablesInABlock);
    drawn.draw(piece.stream, now);
    for (std::size_t t = 0; t < now; ++t) TACET_CHECK(add_decisions(drawn.at(t), piece.stream.word(), pearson, sums));
    left -= now;
  }
  return sums;
}

std::string powers_name(const Hypotheses& hypotheses, double rho, double n) {
  return fmt::format("powers {} rho={} n={}", hypotheses.name, rho, n);
}
std::string rivals_name(const Hypotheses& hypotheses, double n) { return fmt::format("rivals {} n={}", hypotheses.name, n); }

std::vector<Cell> cells_of(const PowerFigures& figures, const Effort& effort) {
  const auto of = [&effort](const PowerTrials& trials) { return effort.of(trials.usual, trials.in_a_hurry); };
  std::vector<Cell> all;
  for (const Hypotheses& h : figures.hypotheses) {
    for (const double n : figures.people) {
      for (const double rho : kRogersRhos) {
        all.push_back({powers_name(h, rho, n), of(figures.trials), figures.block,
                       [&h, rho, n, powers = figures.powers](Piece& piece) { return powers(h, rho, n, piece); }});
      }
      all.push_back({rivals_name(h, n), of(figures.rival_trials), figures.block,
                     [&h, n, rivals = figures.rivals](Piece& piece) { return rivals(h, n, piece); }});
    }
  }
  return all;
}

}  // namespace tacet::studies

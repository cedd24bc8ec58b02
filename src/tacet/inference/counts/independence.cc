#include "tacet/inference/counts/independence.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/minimum_chi2.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/counts/seen_deviation.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/estimates/project.h"

namespace tacet::inference {
namespace {

using mechanisms::CountRelease;
using mechanisms::NoiseStructure;
using numeric::ChiTerm;
using numeric::WeightedChi2;

constexpr double kVanishingWeight = 1e-13;

std::vector<double> product_of_margins(TableShape shape, std::span<const double> table) {
  const auto margins = IndependentMargins(shape.rows, shape.columns).margins(table);
  const double total = block_sum(margins.rows);
  std::vector<double> p(shape.cells());
  for (std::size_t i = 0; i < shape.rows; ++i)
    for (std::size_t j = 0; j < shape.columns; ++j) p[i * shape.columns + j] = margins.rows[i] / total * (margins.columns[j] / total);
  return p;
}

double pearson(std::span<const double> values, std::span<const double> p, double n) {
  return block_sum(values.size(), [&](std::size_t i) {
    const double deviation = values[i] - n * p[i];
    return deviation == 0 ? 0 : deviation * deviation / (n * p[i]);
  });
}

Eigen::Map<const Eigen::VectorXd> vector_of(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// A of docs/explanation/chi_square_statistics.md: the part of a deviation that remains after the
/// margins are estimated.
Eigen::MatrixXd residual_map(TableShape shape, const std::vector<double>& fitted) {
  const auto d = static_cast<Eigen::Index>(fitted.size());
  const Eigen::VectorXd root = vector_of(fitted).cwiseSqrt();
  const auto margins = IndependentMargins(shape.rows, shape.columns).margins(fitted);
  Eigen::MatrixXd projection(d, d);
  for (Eigen::Index k = 0; k < d; ++k) {
    const auto row = static_cast<std::size_t>(k) / shape.columns;
    const auto column = static_cast<std::size_t>(k) % shape.columns;
    for (Eigen::Index l = 0; l < d; ++l) {
      const auto other_row = static_cast<std::size_t>(l) / shape.columns;
      const auto other_column = static_cast<std::size_t>(l) % shape.columns;
      const double shared = (row == other_row ? 1 / margins.rows[row] : 0) + (column == other_column ? 1 / margins.columns[column] : 0) - 2;
      projection(k, l) = root[k] * root[l] * shared;
    }
  }
  const Eigen::VectorXd ones_over_root = root.cwiseInverse();
  const Eigen::VectorXd projected_ones = projection * ones_over_root;
  return Eigen::MatrixXd::Identity(d, d) - projection + projected_ones * root.transpose() / static_cast<double>(d);
}

/// C of docs/explanation/chi_square_statistics.md.
Eigen::MatrixXd covariance(const std::vector<double>& fitted, double n, CellNoise noise) {
  const Eigen::VectorXd p = vector_of(fitted);
  const Eigen::VectorXd root = p.cwiseSqrt();
  const Eigen::VectorXd inverse = root.cwiseInverse();
  const double t = noise.variance / n;
  Eigen::MatrixXd c = -root * root.transpose();
  c.diagonal().array() += 1 + t * p.array().inverse();
  if (noise.structure == NoiseStructure::SumZero) c -= t / static_cast<double>(p.size()) * inverse * inverse.transpose();
  return c;
}

std::vector<double> simulate_classical(const CountRelease& release, TableShape shape, double people,
                                       const std::vector<double>& probabilities, const Simulation& simulation,
                                       std::optional<double> observed = {}, const DenoiseOptions& denoise = {}) {
  const std::size_t cells = shape.cells();
  const std::size_t tables = tables_in_a_block(cells);
  const NoisyTables drawn(people, probabilities, noise_source(release));
  return simulate(simulation, observed, tables, [&]() -> BlockOfTables {
    return [&, deviations = std::vector<double>(cells * tables), sums = std::vector<double>(tables), table = std::vector<double>(cells)](
               numeric::InsecureStream& stream, std::span<double> out) mutable {
      drawn.draw(stream, tables, deviations, sums);
      for (std::size_t k = 0; k < tables; ++k) {
        for (std::size_t i = 0; i < cells; ++i) table[i] = drawn.expected()[i] + deviations[i * tables + k];
        const double n = release.n ? people : people + sums[k];
        if (denoises(denoise)) {
          auto denoised = denoised_values(table, release.noise, n, denoise);
          if (denoised) table = *std::move(denoised);
        }
        out[k] = n > 0 ? classical_independence(shape, table, n) : std::numeric_limits<double>::infinity();
      }
    };
  });
}

/// The margins are then known too poorly for their limit. In 20,000 tables of 1000 people with
/// margins 3/4 and 3/4 and noise of standard deviation 100 the level is 0.0565.
constexpr const char* kNoiseExceedsACell =
    "; caution: noise exceeds the smallest expected count, where this method rejects true hypotheses a little too often (about 0.06 at "
    "level 0.05): montecarlo does not";

Status classical_by_limit(CompositeTest& answer, const CountRelease& release, TableShape shape, const GofOptions& options) {
  GofTest& test = answer.test;
  const CellNoise noise = cell_noise(release.noise);
  TACET_TRY(const WeightedChi2 null, classical_independence_distribution(shape, answer.fitted, answer.n, noise));
  std::string words = "a weighted sum of independent chi-square variables, the weights from the noise and the fitted margins";
  if (test.least_expected && *test.least_expected < std::sqrt(noise.variance)) words += kNoiseExceedsACell;
  decide_by_limit(test, null, std::move(words), options.alpha, GofMethod::MonteCarlo);
  if (!options.with_power || !test.critical) return {};
  const std::vector<double> deviating = seen_deviation(release.values, answer.n, answer.fitted, *test.statistic, null.mean());
  const auto seen = classical_independence_distribution(shape, answer.fitted, answer.n, cell_noise(release.noise), deviating);
  if (seen) test.power = seen->upper(*test.critical);
  return {};
}

Status classical_by_draws(CompositeTest& answer, const CountRelease& release, TableShape shape, const GofOptions& options) {
  GofTest& test = answer.test;
  const double people = std::nearbyint(answer.n);
  TACET_CHECK(check_simulated(shape.cells(), people));
  double mean = 0;
  const auto draw = [&](const Simulation& simulation, std::optional<double> observed) {
    std::vector<double> null = simulate_classical(release, shape, people, answer.fitted, simulation, observed, options.denoise);
    mean = block_sum(null) / static_cast<double>(null.size());
    return null;
  };
  std::string tables =
      fmt::format("tables of {:.0f} people at the fitted margins, with the {} noise of the release", people, noise_name(release.noise));
  if (denoises(options.denoise)) tables += fmt::format(", denoised like it (project {})", name(options.denoise.project));
  TACET_CHECK(decide_by_draws(test, options, shape.cells(), draw, tables));
  if (denoises(options.denoise)) return {};
  if (!options.with_power || !test.statistic || !std::isfinite(mean)) return {};
  const std::vector<double> deviating = seen_deviation(release.values, answer.n, answer.fitted, *test.statistic, mean);
  simulate_power(test, options.simulation,
                 [&](const Simulation& again) { return simulate_classical(release, shape, people, deviating, again); });
  return {};
}

/// What can be tested of a table that was denoised before it was published.
Status check_done_independence(const CountRelease& release, const DenoiseOptions& done) {
  if (done.shrink != Shrinkage::None) {
    return Error::of(
        Code::Unsupported,
        "a table that was shrunk before it was published has other margins than its people, so that the tables of the null cannot "
        "be drawn",
        "import the table as it was before");
  }
  if (release.n) return {};
  return Error::of(Code::Unsupported, "n is not public, and the total of a truncated table is too large by an unknown amount",
                   "import the table with n, or as it was before it was truncated");
}

Result<CompositeTest> classical_independence(const CountRelease& release, TableShape shape, const GofOptions& options) {
  TACET_CHECK(check_test(release, options));
  if (options.method == GofMethod::Asymptotic && !release.n) {
    return Error::invalid("method", "asymptotic", "must be bootstrap or auto for the classical statistic without a public n",
                          "use method = bootstrap");
  }
  CompositeTest answer{};
  GofTest& test = answer.test;
  test.statistic_kind = GofStatistic::Classical;
  test.df = static_cast<double>((shape.rows - 1) * (shape.columns - 1));
  test.method = release.n ? GofMethod::MonteCarlo : GofMethod::Bootstrap;
  answer.n = release.n ? *release.n : block_sum(release.values);
  if (!(answer.n >= 1)) {
    leave_open(test, "the noisy counts sum to less than one person");
    return answer;
  }
  answer.fitted = two_step_fit(shape, release.values, answer.n);
  test.least_expected = answer.n * *std::min_element(answer.fitted.begin(), answer.fitted.end());
  if (!(*test.least_expected > 0)) {
    leave_open(test, "a row or a column of the denoised table is empty");
    return answer;
  }
  if (options.method == GofMethod::Asymptotic) test.method = GofMethod::Asymptotic;
  if (options.method == GofMethod::Automatic) test.choice = fmt::format("{}, whose level does not need large cells", name(test.method));
  test.statistic = classical_independence(shape, release.values, answer.n);
  if (test.method == GofMethod::Asymptotic) {
    TACET_CHECK(classical_by_limit(answer, release, shape, options));
  } else {
    TACET_CHECK(classical_by_draws(answer, release, shape, options));
  }
  return answer;
}

}  // namespace

Result<TableShape> two_way(const mechanisms::ReleasedTable& table) {
  if (table.shape.size() != 2 || table.shape[0] < 2 || table.shape[1] < 2) {
    return Error::invalid("release", fmt::format("a table of {}", fmt::join(table.shape, " x ")),
                          "must have two dimensions, each of at least two categories",
                          "give a release of two variables, or name two of its variables with rows and columns");
  }
  return TableShape{table.shape[0], table.shape[1]};
}

std::vector<double> two_step_fit(TableShape shape, std::span<const double> values, double n) {
  return product_of_margins(shape, project_onto_simplex({values.begin(), values.end()}, n));
}

double classical_independence(TableShape shape, std::span<const double> values, double n) {
  return pearson(values, two_step_fit(shape, values, n), n);
}

Result<WeightedChi2> classical_independence_distribution(TableShape shape, const std::vector<double>& fitted, double n, CellNoise noise,
                                                         std::span<const double> alternative) {
  if (fitted.size() > kMostClassicalCells) {
    return Error::of(Code::Unsupported,
                     fmt::format("the distribution of the classical statistic is computed for at most {} cells, and there are {}",
                                 kMostClassicalCells, fitted.size()),
                     "use the projected statistic, or method = montecarlo");
  }
  const Eigen::MatrixXd map = residual_map(shape, fitted);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(map * covariance(fitted, n, noise) * map.transpose());
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(map.rows());
  if (!alternative.empty()) {
    const Eigen::VectorXd p = vector_of(fitted);
    mean = solver.eigenvectors().transpose() * (map * (std::sqrt(n) * (vector_of(alternative) - p).array() / p.array().sqrt()).matrix());
  }
  std::vector<ChiTerm> terms;
  for (Eigen::Index i = 0; i < mean.size(); ++i) {
    const double weight = solver.eigenvalues()[i];
    if (weight > kVanishingWeight * solver.eigenvalues().maxCoeff())
      terms.push_back({.weight = weight, .noncentrality = mean[i] * mean[i] / weight});
  }
  return WeightedChi2::of(terms);
}

std::vector<double> simulate_independence(const CountRelease& release, TableShape shape, GofStatistic statistic, double people,
                                          const std::vector<double>& probabilities, const Simulation& simulation) {
  if (statistic == GofStatistic::Classical) return simulate_classical(release, shape, people, probabilities, simulation);
  return simulate_composite_hypothesis(release, IndependentMargins(shape.rows, shape.columns), statistic, people, probabilities,
                                       simulation);
}

IndependenceDraws simulate_all_independence(TableShape shape, const mechanisms::NoiseDistribution& noise, double people,
                                            const std::vector<double>& probabilities, const Simulation& simulation) {
  constexpr std::size_t kStatistics = 3;
  const std::size_t cells = shape.cells();
  const std::size_t tables = tables_in_a_block(cells);
  CountRelease release{};
  release.n = people;
  release.noise = noise;
  const double excess = excess_weight(release, cells, GofStatistic::Nonprojected);
  const NoisyTables drawn(people, probabilities, noise_source(release));
  const IndependentMargins model(shape.rows, shape.columns);
  // simulate() keeps one number of each draw, so a table has three of them.
  Simulation all = simulation;
  all.draws = kStatistics * simulation.draws.value_or(kUsualDraws);
  const std::vector<double> found = simulate(all, kStatistics * tables, [&]() -> BlockOfTables {
    const auto distance = std::make_shared<MinimumChi2>(model, cell_noise(noise));
    return [&, distance, deviations = std::vector<double>(cells * tables), sums = std::vector<double>(tables),
            table = std::vector<double>(cells)](numeric::InsecureStream& stream, std::span<double> out) mutable {
      drawn.draw(stream, tables, deviations, sums);
      for (std::size_t k = 0; k < tables; ++k) {
        for (std::size_t i = 0; i < cells; ++i) table[i] = drawn.expected()[i] + deviations[i * tables + k];
        const std::span<double> one = out.subspan(kStatistics * k, kStatistics);
        one[0] = classical_independence(shape, table, people);
        one[1] = distance->statistic(table, people);
        one[2] = one[1] + excess * sums[k] * sums[k];
      }
    };
  });
  IndependenceDraws draws;
  for (std::size_t at = 0; at < found.size(); at += kStatistics) {
    draws.classical.push_back(found[at]);
    draws.projected.push_back(found[at + 1]);
    draws.nonprojected.push_back(found[at + 2]);
  }
  return draws;
}

std::vector<double> independent_table(TableShape shape, std::span<const double> joint) { return product_of_margins(shape, joint); }

Result<double> independence_power(TableShape shape, GofStatistic statistic, const std::vector<double>& alternative, double n,
                                  CellNoise noise, double alpha) {
  const std::vector<double> margins = product_of_margins(shape, alternative);
  if (statistic == GofStatistic::Classical) {
    TACET_TRY(const WeightedChi2 null, classical_independence_distribution(shape, margins, n, noise));
    const double critical = null.upper_quantile(alpha);
    const auto distribution = classical_independence_distribution(shape, margins, n, noise, alternative);
    return distribution ? distribution->upper(critical) : 1;  // noncentralities beyond the domain
  }
  const IndependentMargins model(shape.rows, shape.columns);
  MinimumChi2 distance(model, noise);
  std::vector<double> table(alternative);
  for (double& cell : table) cell *= n;
  const double noncentrality = distance.fit_with(table, n, margins).statistic;
  const bool total_too = statistic == GofStatistic::Nonprojected && noise.structure != NoiseStructure::SumZero;
  const double df = distance.df() + (total_too ? 1 : 0);
  TACET_TRY(const WeightedChi2 null, WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = df}}));
  const auto distribution = WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = df, .noncentrality = noncentrality}});
  return distribution ? distribution->upper(null.upper_quantile(alpha)) : 1;
}

Result<CompositeTest> test_independence(const CountRelease& release, const GofOptions& options) {
  TACET_TRY(const TableShape shape, two_way(release));
  if (options.denoise.done) {
    TACET_CHECK(check_denoised(options, GofMethod::MonteCarlo));
    TACET_CHECK(check_done_independence(release, options.denoise));
    return classical_independence(release, shape, options);
  }
  if (options.statistic == GofStatistic::Classical) return classical_independence(release, shape, options);
  return test_composite_hypothesis(release, IndependentMargins(shape.rows, shape.columns), options);
}

}  // namespace tacet::inference

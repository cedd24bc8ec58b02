#include "tacet/inference/counts/gof_statistic.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/noise_of_cells.h"

namespace tacet::inference {
namespace {

using mechanisms::NoiseStructure;
using numeric::ChiTerm;
using numeric::WeightedChi2;

constexpr double kLeastProbability = 1e-12;
constexpr double kSumSlack = 1e-9;
/// Smaller eigenvalues, relative to the largest, are rounding errors of 0 or change no digit of a
/// tail.
constexpr double kVanishing = 1e-13;

double centred_form(const GofDesign& design, std::span<const double> deviations) {
  const std::vector<double>& p = design.null();
  const double t = design.noise_share();
  const double mean = block_sum(deviations) / static_cast<double>(p.size());
  const double squares = block_sum(p.size(), [&](std::size_t i) {
    const double c = deviations[i] - mean;
    return c * c / (p[i] + t);
  });
  const double sum = block_sum(p.size(), [&](std::size_t i) { return (deviations[i] - mean) / (p[i] + t); });
  const double g = block_sum(p.size(), [&](std::size_t i) { return p[i] / (p[i] + t); });
  return (squares + t / g * sum * sum) / design.n();
}

Status check_classical(const GofDesign& design) {
  if (design.cells() <= kMostClassicalCells) return {};
  return Error::of(Code::Unsupported,
                   fmt::format("the distribution of the classical statistic is computed for at most {} cells, and there are {}",
                               kMostClassicalCells, design.cells()),
                   "use the projected statistic, or method = montecarlo");
}

/// The weight of a cell in the classical statistic. A cell that nobody can be in has none: 0/0 = 0.
double weight_of(double probability) { return probability > 0 ? 1 / probability : 0; }

std::size_t cells_with_people(const std::vector<double>& p) {
  return static_cast<std::size_t>(std::count_if(p.begin(), p.end(), [](double probability) { return probability > 0; }));
}

/// diag(w)^1/2 (a (diag(p) - p p') + C/n) diag(w)^1/2 with the weights of the cells.
Eigen::MatrixXd classical_covariance(const GofDesign& design, double a) {
  const auto d = static_cast<Eigen::Index>(design.cells());
  const Eigen::VectorXd p = Eigen::Map<const Eigen::VectorXd>(design.null().data(), d);
  const Eigen::VectorXd root = p.cwiseSqrt();
  const Eigen::VectorXd weights = p.unaryExpr([](double probability) { return weight_of(probability); });
  const Eigen::VectorXd inverse_root = weights.cwiseSqrt();
  const double t = design.noise_share();
  Eigen::MatrixXd m = -a * root * root.transpose();
  m.diagonal().array() += a * p.array() * weights.array() + t * weights.array();
  if (design.noise().structure == NoiseStructure::SumZero) m -= t / static_cast<double>(d) * inverse_root * inverse_root.transpose();
  return m;
}

std::vector<double> classical_weights(const GofDesign& design, double a) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(classical_covariance(design, a), Eigen::EigenvaluesOnly).eigenvalues();
  std::vector<double> weights;
  for (const double value : values) {
    if (value > kVanishing * values.maxCoeff()) weights.push_back(value);
  }
  return weights;
}

/// The eigenvalues of diag(p) - p p' on the tables whose sum is 0.
std::vector<double> sample_eigenvalues(const GofDesign& design) {
  const auto d = static_cast<Eigen::Index>(design.cells());
  const Eigen::VectorXd p = Eigen::Map<const Eigen::VectorXd>(design.null().data(), d);
  Eigen::MatrixXd m = -p * p.transpose();
  m.diagonal() += p;
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues();
  return {values.data() + 1, values.data() + d};  // ascending; the first has the eigenvector 1
}

/// P[Q > critical]; noncentralities may exceed the domain of WeightedChi2.
double tail(std::vector<ChiTerm> terms, double critical) {
  double mean = 0;
  double variance = 0;
  for (const ChiTerm& term : terms) {
    mean += term.weight * (term.df + term.noncentrality);
    variance += 2 * term.weight * term.weight * (term.df + 2 * term.noncentrality);
  }
  // By Cantelli's inequality at most 1e-6 is left here; the true tail is much smaller.
  if (mean - critical > 1e3 * std::sqrt(variance)) return 1;
  const auto distribution = WeightedChi2::of(terms);
  return distribution ? distribution->upper(critical) : 1;
}

Status check_alternative(const GofDesign& design, std::span<const double> alternative) {
  if (alternative.size() == design.cells()) return {};
  return Error::invalid("alternative", fmt::format("{} probabilities", alternative.size()),
                        fmt::format("must have {} cells, as the null has", design.cells()));
}

/// The distribution of a statistic for large n if the people follow `alternative`. Classical: at
/// most kMostClassicalCells cells.
std::vector<ChiTerm> terms_under(const GofDesign& design, GofStatistic statistic, std::span<const double> alternative) {
  const std::vector<double>& p = design.null();
  const double n = design.n();
  if (statistic != GofStatistic::Classical) {
    std::vector<double> deviations(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) deviations[i] = n * (alternative[i] - p[i]);
    return {{.weight = 1, .df = design.df(statistic), .noncentrality = centred_form(design, deviations)}};
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(classical_covariance(design, 1));
  Eigen::VectorXd m(static_cast<Eigen::Index>(p.size()));
  for (std::size_t i = 0; i < p.size(); ++i) m[static_cast<Eigen::Index>(i)] = std::sqrt(n * weight_of(p[i])) * (alternative[i] - p[i]);
  const Eigen::VectorXd along = solver.eigenvectors().transpose() * m;
  std::vector<ChiTerm> terms;
  for (Eigen::Index i = 0; i < along.size(); ++i) {
    const double weight = solver.eigenvalues()[i];
    if (weight > kVanishing * solver.eigenvalues().maxCoeff())
      terms.push_back({.weight = weight, .noncentrality = along[i] * along[i] / weight});
  }
  return terms;
}

}  // namespace

CellNoise cell_noise(const mechanisms::NoiseDistribution& distribution) { return {noise_variance(distribution), distribution.structure}; }

Result<std::vector<double>> probabilities_of(std::vector<double> values, const std::string& parameter, ZeroCells zeros) {
  const std::string example = "for example a file that holds [0.5, 0.3, 0.2]";
  if (values.size() < 2)
    return Error::invalid(parameter, fmt::format("{} probability", values.size()), "must have at least two cells", example);
  const bool allowed = zeros == ZeroCells::Allowed && cells_with_people(values) >= 2;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= kLeastProbability && values[i] <= 1) continue;
    if (values[i] == 0 && allowed) continue;
    return Error::invalid(parameter, fmt::format("{} in cell {}", values[i], i + 1),
                          zeros == ZeroCells::Allowed ? "must be probabilities of at most 1, each 0 or at least 1e-12, two of them not 0"
                                                      : "must be probabilities greater than 0 (at least 1e-12) and at most 1",
                          values[i] == 0 && zeros == ZeroCells::Refused ? "merge a cell that cannot occur with another one" : example);
  }
  const double sum = block_sum(values);
  if (!(std::abs(sum - 1) <= kSumSlack)) {
    return Error::invalid(parameter, fmt::format("a table of sum {:.12g}", sum), "must sum to 1 within 1e-9",
                          "divide counts by their total");
  }
  for (double& value : values) value /= sum;
  return values;
}

Result<GofDesign> GofDesign::of(std::vector<double> null, double n, CellNoise noise) {
  TACET_TRY(std::vector<double> p, probabilities_of(std::move(null), "null", ZeroCells::Allowed));
  if (!(n >= 1 && n <= 0x1p53))
    return Error::invalid("n", fmt::format("{}", n), "must be at least 1 and at most 2^53: nothing can be tested without people");
  if (!(noise.variance >= 1e-12 * n && noise.variance <= 1e100)) {
    return Error::invalid("noise variance", fmt::format("{}", noise.variance), "must be at least 1e-12 of n and at most 1e100",
                          "a table without noise needs no noise-aware test");
  }
  return GofDesign(std::move(p), n, noise);
}

bool GofDesign::has_zero_cells() const { return cells_with_people(null_) < null_.size(); }

double GofDesign::least_expected() const {
  double least = 1;
  for (const double probability : null_) {
    if (probability > 0) least = std::min(least, probability);
  }
  return n_ * least;
}

double GofDesign::df(GofStatistic statistic) const {
  const auto d = static_cast<double>(cells());
  if (statistic == GofStatistic::Classical && has_zero_cells()) return static_cast<double>(cells_with_people(null_));
  return statistic == GofStatistic::Projected || noise_.structure == NoiseStructure::SumZero ? d - 1 : d;
}

double gof_statistic(const GofDesign& design, GofStatistic statistic, std::span<const double> values) {
  const std::vector<double>& p = design.null();
  const double n = design.n();
  std::vector<double> deviations(values.begin(), values.end());
  for (std::size_t i = 0; i < p.size(); ++i) deviations[i] -= n * p[i];
  if (statistic == GofStatistic::Classical) {
    return block_sum(p.size(), [&](std::size_t i) { return deviations[i] * deviations[i] * weight_of(p[i]) / n; });
  }
  const double projected = centred_form(design, deviations);
  if (statistic == GofStatistic::Projected || design.noise().structure == NoiseStructure::SumZero) return projected;
  const double total = block_sum(deviations);
  return projected + total * total / (static_cast<double>(p.size()) * design.noise().variance);
}

Result<WeightedChi2> gof_null_distribution(const GofDesign& design, GofStatistic statistic) {
  if (statistic != GofStatistic::Classical) return WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = design.df(statistic)}});
  TACET_CHECK(check_classical(design));
  return WeightedChi2::of_weights(classical_weights(design, 1));
}

Result<double> gof_critical(const GofDesign& design, GofStatistic statistic, double alpha) {
  TACET_TRY(const WeightedChi2 distribution, gof_null_distribution(design, statistic));
  return distribution.upper_quantile(alpha);
}

Result<double> gof_power(const GofDesign& design, GofStatistic statistic, std::span<const double> alternative, double alpha) {
  TACET_CHECK(check_alternative(design, alternative));
  TACET_TRY(const double critical, gof_critical(design, statistic, alpha));
  return tail(terms_under(design, statistic, alternative), critical);
}

Result<double> gof_variance(const GofDesign& design, GofStatistic statistic, std::span<const double> alternative) {
  TACET_CHECK(check_alternative(design, alternative));
  if (statistic == GofStatistic::Classical) TACET_CHECK(check_classical(design));
  double variance = 0;
  for (const ChiTerm& term : terms_under(design, statistic, alternative))
    variance += 2 * term.weight * term.weight * (term.df + 2 * term.noncentrality);
  return variance;
}

Result<double> gof_power_any_direction(const GofDesign& design, GofStatistic statistic, double size, double alpha) {
  TACET_CHECK(check_classical(design));
  TACET_TRY(const double critical, gof_critical(design, statistic, alpha));
  std::vector<double> weights;
  if (statistic == GofStatistic::Classical) {
    weights = classical_weights(design, 1 + size);
  } else {
    const double t = design.noise_share();
    for (const double value : sample_eigenvalues(design)) weights.push_back(1 + size * value / (value + t));
    if (design.df(statistic) == static_cast<double>(design.cells())) weights.push_back(1);
  }
  TACET_TRY(const WeightedChi2 distribution, WeightedChi2::of_weights(weights));
  return distribution.upper(critical);
}

}  // namespace tacet::inference

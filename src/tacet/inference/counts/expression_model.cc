#include "tacet/inference/counts/expression_model.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"

namespace tacet::inference {
namespace {

constexpr std::size_t kMostModelParameters = 20;
constexpr std::size_t kMostModelCells = 10'000;
constexpr double kMostTheta = 40;  // beyond, a parameter is at its bound in all digits that matter
constexpr int kCheckedPoints = 32;
constexpr int kStarts = 24;  // of a least-squares fit, for each parameter
constexpr int kMostFitSteps = 60;

/// Points that fill the cube evenly (Halton): coordinate k of point i.
double halton(int i, std::size_t k) {
  constexpr int kPrimes[kMostModelParameters] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71};
  double result = 0;
  double part = 1;
  for (int rest = i + 1; rest > 0; rest /= kPrimes[k]) result += (part /= kPrimes[k]) * (rest % kPrimes[k]);
  return result;
}

std::vector<double> start_theta(int i, std::size_t parameters) {
  std::vector<double> theta;
  for (std::size_t k = 0; k < parameters; ++k) {
    const double u = 0.02 + 0.96 * halton(i, k);
    theta.push_back(std::log(u / (1 - u)));
  }
  return theta;
}

std::string binomial_cell(std::size_t trials, std::size_t k) {
  double ways = 1;
  for (std::size_t i = 0; i < k; ++i) ways = ways * static_cast<double>(trials - i) / static_cast<double>(i + 1);
  return fmt::format("{:.17g}*a^{}*(1-a)^{}", ways, k, trials - k);
}

}  // namespace

std::vector<double> ExpressionModel::parameters_at(std::span<const double> theta) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < theta.size(); ++k) {
    const ModelParameter& one = parameters_[k];
    values.push_back(one.lower + (one.upper - one.lower) / (1 + std::exp(-theta[k])));
  }
  return values;
}

bool ExpressionModel::probabilities(std::span<const double> theta, std::span<double> p) const {
  for (const double one : theta)
    if (!(std::abs(one) <= kMostTheta)) return false;
  const std::vector<double> values = parameters_at(theta);
  std::vector<double> slope(values.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    p[i] = evaluate(cells_[i], values, slope);
    if (!(p[i] > 0) || !std::isfinite(p[i])) return false;
  }
  return true;
}

void ExpressionModel::jacobian(std::span<const double> theta, std::span<const double> /*p*/, std::span<double> out) const {
  const std::vector<double> values = parameters_at(theta);
  const std::size_t s = parameters_.size();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::span<double> row = out.subspan(i * s, s);
    evaluate(cells_[i], values, row);
    for (std::size_t k = 0; k < s; ++k) {
      const double share = 1 / (1 + std::exp(-theta[k]));
      row[k] *= (parameters_[k].upper - parameters_[k].lower) * share * (1 - share);
    }
  }
}

std::vector<double> ExpressionModel::guess(std::span<const double> values) const {
  const std::size_t d = cells_.size();
  const std::size_t s = parameters_.size();
  const double total = std::max(block_sum(values), 1.0);
  std::vector<double> p(d);
  const auto distance = [&](std::span<const double> theta) {
    if (!probabilities(theta, p)) return std::numeric_limits<double>::infinity();
    return block_sum(d, [&](std::size_t i) { return (values[i] / total - p[i]) * (values[i] / total - p[i]); });
  };
  std::vector<double> best(s, 0.0);
  double least = distance(best);
  for (int i = 0; i < kStarts * static_cast<int>(s); ++i) {
    std::vector<double> theta = start_theta(i, s);
    if (const double found = distance(theta); found < least) std::tie(best, least) = std::pair(std::move(theta), found);
  }
  // Levenberg and Marquardt.
  double damping = 1e-3;
  std::vector<double> jacobian_rows(d * s);
  for (int step = 0; step < kMostFitSteps && std::isfinite(least) && damping < 1e12; ++step) {
    if (!probabilities(best, p)) break;
    jacobian(best, p, jacobian_rows);
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> j(
        jacobian_rows.data(), static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(s));
    Eigen::VectorXd residual(static_cast<Eigen::Index>(d));
    for (std::size_t i = 0; i < d; ++i) residual[static_cast<Eigen::Index>(i)] = values[i] / total - p[i];
    Eigen::MatrixXd normal = j.transpose() * j;
    normal.diagonal() *= 1 + damping;
    normal.diagonal().array() += 1e-15;
    const Eigen::VectorXd move = normal.ldlt().solve(j.transpose() * residual);
    std::vector<double> moved = best;
    for (std::size_t k = 0; k < s; ++k)
      moved[k] = std::clamp(best[k] + move[static_cast<Eigen::Index>(k)], -kMostTheta / 2, kMostTheta / 2);
    const double found = distance(moved);
    if (!(found < least)) {
      damping *= 10;
      continue;
    }
    const bool done = least - found <= 1e-14 * least;
    best = std::move(moved);
    least = found;
    damping = std::max(damping / 10, 1e-12);
    if (done) break;
  }
  return best;
}

Status ExpressionModel::check() const {
  std::vector<double> p(cells_.size());
  for (int i = 0; i < kCheckedPoints; ++i) {
    const std::vector<double> theta = start_theta(i, parameters_.size());
    std::string at;
    const std::vector<double> values = parameters_at(theta);
    for (std::size_t k = 0; k < values.size(); ++k) at += fmt::format("{}{} = {:.4g}", k > 0 ? ", " : "", parameters_[k].name, values[k]);
    if (!probabilities(theta, p)) {
      return Error::invalid("cells", fmt::format("a cell that is not a positive number at {}", at),
                            "must be probabilities for all parameters", "narrow the bounds of the parameters, or mend the expressions");
    }
    if (const double sum = block_sum(p); !(std::abs(sum - 1) <= 1e-9))
      return Error::invalid("cells", fmt::format("probabilities with the sum {:.12g} at {}", sum, at), "must sum to 1 for all parameters");
  }
  return {};
}

Result<ExpressionModel> ExpressionModel::of(std::vector<ModelParameter> parameters, const std::vector<std::string>& cells) {
  if (cells.size() < 2 || cells.size() > kMostModelCells)
    return Error::invalid("cells", fmt::format("{} expressions", cells.size()), fmt::format("must be 2 to {}", kMostModelCells));
  if (parameters.empty() || parameters.size() > kMostModelParameters || parameters.size() + 1 >= cells.size()) {
    return Error::invalid("parameters", fmt::format("{} parameters", parameters.size()),
                          fmt::format("must be 1 to {}, and at most {} for {} cells", kMostModelParameters, cells.size() - 2, cells.size()),
                          "without parameters the probabilities are given: `infer gof`");
  }
  for (const ModelParameter& one : parameters) {
    if (!(one.lower < one.upper && one.lower >= -1e6 && one.upper <= 1e6)) {
      return Error::invalid("parameters", fmt::format("bounds {} and {} of {}", one.lower, one.upper, one.name),
                            "must be two numbers, the lower one first, within 1e6", R"(for example: {"a": [0, 1]})");
    }
  }
  std::vector<Expression> parsed;
  for (const std::string& cell : cells) {
    TACET_TRY(Expression expression, parse_expression(cell, parameters));
    parsed.push_back(std::move(expression));
  }
  ExpressionModel model(std::move(parameters), std::move(parsed));
  TACET_CHECK(model.check());
  return model;
}

Result<ExpressionModel> ExpressionModel::named(NamedModel model, std::size_t cells) {
  if (cells < 3 || cells > 200 || (model == NamedModel::HardyWeinberg && cells != 3)) {
    return Error::invalid("release", fmt::format("a table of {} cells", cells),
                          model == NamedModel::HardyWeinberg ? "must have 3 cells for Hardy-Weinberg: the genotypes AA, Aa and aa"
                                                             : "must have 3 to 200 cells for this model");
  }
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < cells; ++k)
    texts.push_back(model == NamedModel::Geometric ? fmt::format("(1-a)*a^{}/(1-a^{})", k, cells) : binomial_cell(cells - 1, k));
  // Genotypes are counted from AA on, and a is the probability of A.
  if (model == NamedModel::HardyWeinberg) std::reverse(texts.begin(), texts.end());
  return of({{"a", 0, 1}}, texts);
}

}  // namespace tacet::inference

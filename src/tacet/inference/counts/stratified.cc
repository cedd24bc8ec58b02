#include "tacet/inference/counts/stratified.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/level.h"

namespace tacet::inference {
namespace {

constexpr std::size_t kMostStrata = 1000;
constexpr std::size_t kMostCellsOfAStratum = 100;
/// A sum that is nearer to 0 than this many standard errors may divide by 0.
constexpr double kTellable = 3;

struct StratumMargins {
  std::vector<double> rows, columns;  // with sum 1
  double people = 0;                  // of the nearest possible table
};

StratumMargins stratum_margins(std::span<const double> possible, StrataShape shape, std::size_t stratum) {
  StratumMargins margins{std::vector<double>(shape.rows), std::vector<double>(shape.columns)};
  const std::size_t from = stratum * shape.rows * shape.columns;
  for (std::size_t i = 0; i < shape.rows; ++i) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      const double cell = possible[from + i * shape.columns + j];
      margins.people += cell;
      margins.rows[i] += cell;
      margins.columns[j] += cell;
    }
  }
  if (!(margins.people > 0)) return margins;
  for (double& row : margins.rows) row /= margins.people;
  for (double& column : margins.columns) column /= margins.people;
  return margins;
}

/// U' V^-1 U of the residuals summed over strata; empty if V is singular.
std::optional<double> cmh_statistic(std::span<const double> values, StrataShape shape, ClassNoise noise) {
  const std::vector<double> possible = CollapsedTable::possible(values);
  const std::size_t free_rows = shape.rows - 1;
  const std::size_t free_columns = shape.columns - 1;
  const auto df = static_cast<Eigen::Index>(free_rows * free_columns);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(df);
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(df);
  Eigen::MatrixXd v = Eigen::MatrixXd::Zero(df, df);
  const auto rows = static_cast<double>(shape.rows);
  const auto columns = static_cast<double>(shape.columns);
  for (std::size_t h = 0; h < shape.strata; ++h) {
    const StratumMargins m = stratum_margins(possible, shape, h);
    if (!(m.people > 0)) continue;
    const double sampling = m.people > 1 ? m.people * m.people / (m.people - 1) : 0;
    const std::size_t from = h * shape.rows * shape.columns;
    double total = 0;
    std::vector<double> row_sums(shape.rows);
    std::vector<double> column_sums(shape.columns);
    for (std::size_t i = 0; i < shape.rows; ++i) {
      for (std::size_t j = 0; j < shape.columns; ++j) {
        const double value = values[from + i * shape.columns + j];
        total += value;
        row_sums[i] += value;
        column_sums[j] += value;
      }
    }
    for (Eigen::Index a = 0; a < df; ++a) {
      const auto i = static_cast<std::size_t>(a) / free_columns;
      const auto j = static_cast<std::size_t>(a) % free_columns;
      const double p = m.rows[i];
      const double q = m.columns[j];
      u[a] += values[from + i * shape.columns + j] - p * column_sums[j] - q * row_sums[i] + p * q * total;
      sums[a] += (1 - rows * p) * (1 - columns * q);
      for (Eigen::Index b = 0; b < df; ++b) {
        const auto k = static_cast<std::size_t>(b) / free_columns;
        const auto l = static_cast<std::size_t>(b) % free_columns;
        const double p2 = m.rows[k];
        const double q2 = m.columns[l];
        const double same_row = i == k ? 1 : 0;
        const double same_column = j == l ? 1 : 0;
        v(a, b) += sampling * (same_row * p - p * p2) * (same_column * q - q * q2) +
                   noise.each * (same_row - p - p2 + rows * p * p2) * (same_column - q - q2 + columns * q * q2);
      }
    }
  }
  v -= noise.shared * sums * sums.transpose();
  const Eigen::LLT<Eigen::MatrixXd> factor(v);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const double statistic = u.dot(factor.solve(u));
  return std::isfinite(statistic) ? std::optional(statistic) : std::nullopt;
}

std::vector<double> conditional_null(std::span<const double> possible, StrataShape shape) {
  const double all = block_sum(possible);
  std::vector<double> p;
  for (std::size_t h = 0; h < shape.strata; ++h) {
    const StratumMargins m = stratum_margins(possible, shape, h);
    for (const double row : m.rows)
      for (const double column : m.columns) p.push_back(m.people / all * row * column);
  }
  return p;
}

/// Mantel and Haenszel's sums, their gradients and Robins, Breslow and Greenland's variance.
struct MantelHaenszel {
  double above = 0, below = 0;
  std::vector<double> above_weights, below_weights;
  double products = 0;  // the sum of 1/n^2: the noise in products of two noisy cells
  double sampling = 0;  // the variance of the logarithm
};

std::optional<MantelHaenszel> mantel_haenszel(const CollapsedTable& table, std::size_t strata, ClassNoise noise, double least) {
  const std::vector<double>& y = table.values();
  const std::vector<double> x = CollapsedTable::possible(y);
  MantelHaenszel mh{.above_weights = std::vector<double>(y.size()), .below_weights = std::vector<double>(y.size())};
  double rp = 0;
  double rq_sp = 0;
  double sq = 0;
  double r = 0;
  double s = 0;
  for (std::size_t h = 0; h < strata; ++h) {
    const double* const c = &y[4 * h];
    const double n = c[0] + c[1] + c[2] + c[3];
    if (!(n > least)) return std::nullopt;
    // The noise of two cells has the covariance -shared.
    const double ad = (c[0] * c[3] + noise.shared) / n;
    const double bc = (c[1] * c[2] + noise.shared) / n;
    mh.above += ad;
    mh.below += bc;
    mh.products += 1 / (n * n);
    for (const std::size_t i : {0U, 1U, 2U, 3U}) {
      mh.above_weights[4 * h + i] = (i == 0 || i == 3 ? c[3 - i] : 0) / n - ad / n;
      mh.below_weights[4 * h + i] = (i == 1 || i == 2 ? c[3 - i] : 0) / n - bc / n;
    }
    const double* const z = &x[4 * h];
    const double people = z[0] + z[1] + z[2] + z[3];
    if (!(people > 0)) continue;
    const double rh = z[0] * z[3] / people;
    const double sh = z[1] * z[2] / people;
    const double ph = (z[0] + z[3]) / people;
    const double qh = (z[1] + z[2]) / people;
    rp += ph * rh;
    rq_sp += ph * sh + qh * rh;
    sq += qh * sh;
    r += rh;
    s += sh;
  }
  if (!(r > 0) || !(s > 0)) return std::nullopt;
  mh.sampling = rp / (2 * r * r) + rq_sp / (2 * r * s) + sq / (2 * s * s);
  return mh;
}

void add_odds_ratio(StratifiedTest& answer, const CollapsedTable& table, std::size_t strata, ClassNoise noise, double alpha) {
  const double least = std::max(1.0, kTellable * std::sqrt(4 * noise.each));
  const std::optional<MantelHaenszel> mh = mantel_haenszel(table, strata, noise, least);
  if (!mh) {
    answer.interval_reason = "the noise may be all that is in a stratum, or an odds ratio would be infinite";
    return;
  }
  const double product_noise = noise.each * noise.each * mh->products;
  const auto far_from_0 = [&](double value, const std::vector<double>& weights) {
    return value > kTellable * std::sqrt(table.noise_covariance(weights, weights) + product_noise);
  };
  if (!far_from_0(mh->above, mh->above_weights) || !far_from_0(mh->below, mh->below_weights)) {
    answer.interval_reason = "the noise hides whether the common odds ratio is finite and greater than 0";
    return;
  }
  answer.odds_ratio = mh->above / mh->below;
  std::vector<double> weights(mh->above_weights);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weights[i] / mh->above - mh->below_weights[i] / mh->below;
  const double more = product_noise * (1 / (mh->above * mh->above) + 1 / (mh->below * mh->below));
  const auto around = [&](double sampling) {
    const double reach = table.noise(weights, more + sampling).two_sided_quantile(alpha);
    return Interval{*answer.odds_ratio * std::exp(-reach), *answer.odds_ratio * std::exp(reach)};
  };
  answer.file = around(0);
  answer.population = around(mh->sampling);
}

}  // namespace

Result<StratifiedTest> test_stratified(const CollapsedTable& table, StrataShape shape, const GofOptions& options) {
  TACET_CHECK(check_alpha(options.alpha));
  const std::size_t cells = shape.rows * shape.columns;
  if (shape.strata < 2 || shape.strata > kMostStrata || shape.rows < 2 || shape.columns < 2 || cells > kMostCellsOfAStratum) {
    return Error::invalid(
        "release", fmt::format("{} x {} tables in {} strata", shape.rows, shape.columns, shape.strata),
        fmt::format("must be 2 x 2 tables or larger, of at most {} cells, in 2 to {} strata", kMostCellsOfAStratum, kMostStrata),
        "choose other variables for rows, columns and strata");
  }
  StratifiedTest answer{};
  GofTest& test = answer.test;
  test.statistic_kind = GofStatistic::Classical;
  test.df = static_cast<double>((shape.rows - 1) * (shape.columns - 1));
  test.method = table.n_public() ? GofMethod::MonteCarlo : GofMethod::Bootstrap;
  if (!(table.people() >= 1)) {
    leave_open(test, "the noisy counts sum to less than one person");
    return answer;
  }
  const ClassNoise noise = table.class_noise();
  test.statistic = cmh_statistic(table.values(), shape, noise);
  if (!test.statistic) {
    leave_open(test, "a row or a column of the denoised table is empty in every stratum");
    return answer;
  }
  if (cells == 4) add_odds_ratio(answer, table, shape.strata, noise, options.alpha);
  const auto statistic = [&](std::span<const double> values) { return cmh_statistic(values, shape, noise); };
  TACET_CHECK(decide_collapsed(test, options, table, conditional_null(CollapsedTable::possible(table.values()), shape), statistic,
                               "the fitted margins of each stratum"));
  return answer;
}

}  // namespace tacet::inference

#include "tacet/inference/counts/residuals.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/level.h"

namespace tacet::inference {
namespace {

constexpr std::size_t kMostResiduals = 10'000;

struct FittedResiduals {
  std::vector<double> residuals, expected;
};

/// Margins with sum 1 of the nearest possible table.
IndependentMargins::Margins margins_of(TableShape shape, std::span<const double> values) {
  const std::vector<double> possible = CollapsedTable::possible(values);
  auto margins = IndependentMargins(shape.rows, shape.columns).margins(possible);
  double total = 0;
  for (const double row : margins.rows) total += row;
  for (double& row : margins.rows) row /= total;
  for (double& column : margins.columns) column /= total;
  return margins;
}

/// The noise variance of a residual is a product of functions of its row and of its column, less
/// the part that all cells share:
/// docs/explanation/table_tests.md.
class ResidualFit {
 public:
  ResidualFit(const CollapsedTable& table, TableShape shape) : shape_(shape), noise_(table.class_noise()) {}
  FittedResiduals operator()(std::span<const double> values) const {
    const auto margins = margins_of(shape_, values);
    const auto raw = IndependentMargins(shape_.rows, shape_.columns).margins(values);
    double n = 0;
    for (const double row : raw.rows) n += row;
    const auto rows = static_cast<double>(shape_.rows);
    const auto columns = static_cast<double>(shape_.columns);
    FittedResiduals fit{std::vector<double>(values.size()), std::vector<double>(values.size())};
    for (std::size_t i = 0; i < shape_.rows; ++i) {
      const double p = margins.rows[i];
      for (std::size_t j = 0; j < shape_.columns; ++j) {
        const double q = margins.columns[j];
        const std::size_t at = i * shape_.columns + j;
        const double deviation = values[at] - p * raw.columns[j] - q * raw.rows[i] + p * q * n;
        const double sums = (1 - rows * p) * (1 - columns * q);
        const double noise = noise_.each * ((1 - p) * (1 - p) + (rows - 1) * p * p) * ((1 - q) * (1 - q) + (columns - 1) * q * q) -
                             noise_.shared * sums * sums;
        const double variance = n * p * (1 - p) * q * (1 - q) + std::max(0.0, noise);
        fit.residuals[at] = variance > 0 ? deviation / std::sqrt(variance) : 0;
        fit.expected[at] = n * p * q;
      }
    }
    return fit;
  }

 private:
  TableShape shape_;
  ClassNoise noise_;
};

double largest(const std::vector<double>& residuals) {
  double most = 0;
  for (const double residual : residuals) most = std::max(most, std::abs(residual));
  return most;
}

}  // namespace

Result<CellResiduals> adjusted_residuals(const CollapsedTable& table, TableShape shape, const ResidualOptions& options) {
  TACET_CHECK(check_alpha(options.alpha));
  if (shape.cells() > kMostResiduals) {
    return Error::of(Code::Unsupported,
                     fmt::format("residuals are simulated for at most {} cells, and there are {}", kMostResiduals, shape.cells()),
                     "choose two variables with fewer categories");
  }
  CellResiduals answer{};
  answer.n = table.people();
  if (!(answer.n >= 1)) {
    answer.reason = "the noisy counts sum to less than one person";
    return answer;
  }
  const double people = std::nearbyint(answer.n);
  TACET_CHECK(check_simulated(shape.cells(), people));
  const ResidualFit fit(table, shape);
  FittedResiduals found = fit(table.values());
  if (!(*std::min_element(found.expected.begin(), found.expected.end()) > 0)) {
    answer.reason = "a row or a column of the denoised table is empty";
    return answer;
  }
  Simulation simulation = options.simulation;
  simulation.draws = simulation.draws.value_or(usual_draws(shape.cells(), options.alpha));
  TACET_CHECK(check_draws(*simulation.draws, options.alpha));
  std::vector<double> probabilities(found.expected);
  for (double& p : probabilities) p /= answer.n;
  probabilities = drawable(std::move(probabilities));
  std::vector<double> null = simulate(simulation, 1, [&]() -> BlockOfTables {
    return [&](numeric::InsecureStream& stream, std::span<double> out) {
      const std::vector<double> drawn = table.draw(stream, people, probabilities);
      out[0] = block_sum(drawn) > 0 ? largest(fit(drawn).residuals) : HUGE_VAL;
    };
  });
  answer.draws = null.size();
  answer.critical = compare(largest(found.residuals), null, options.alpha).critical;
  std::sort(null.begin(), null.end());
  for (const double residual : found.residuals) {
    const auto reached = null.end() - std::lower_bound(null.begin(), null.end(), std::abs(residual));
    answer.p_values.push_back((1 + static_cast<double>(reached)) / (1 + static_cast<double>(null.size())));
  }
  answer.residuals = std::move(found.residuals);
  answer.expected = std::move(found.expected);
  return answer;
}

}  // namespace tacet::inference

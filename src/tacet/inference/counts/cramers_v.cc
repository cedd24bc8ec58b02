#include "tacet/inference/counts/cramers_v.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/estimates/project.h"

namespace tacet::inference {
namespace {

constexpr std::size_t kMostCellsOfV = 10'000;
constexpr double kUsualDrawsOfV = 4000;
constexpr std::size_t kLeastDrawsOfV = 400;
constexpr double kLeastAlphaOfV = 1e-3;
constexpr int kHalvings = 14;

/// V of the nearest possible table.
double observed_v(TableShape shape, std::span<const double> values) { return cramers_v(shape, CollapsedTable::possible(values)); }

/// Tables on the line through independence and the nearest possible table.
class Line {
 public:
  Line(const CollapsedTable& table, TableShape shape, const Simulation& simulation)
      : released_(table), shape_(shape), n_(table.people()), simulation_(simulation), table_(CollapsedTable::possible(table.values())) {
    independent_ = independent_table(shape, table_);
    for (double& cell : independent_) cell *= n_;
    observed_ = observed_v(shape, table.values());
  }
  double observed() const { return observed_; }
  std::vector<double> at(double distance) const {
    std::vector<double> table(table_.size());
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = independent_[i] + distance * (table_[i] - independent_[i]);
    return project_onto_simplex(std::move(table), n_);
  }
  /// How many of the tables that are drawn at this distance have a V of at least (direction 1) or
  /// at most (-1) the observed one.
  double share(double distance, bool sampled, int direction) const {
    const std::vector<double> drawn = draw(at(distance), sampled);
    const double slack = 1e-9 * observed_;
    const auto beyond = std::count_if(drawn.begin(), drawn.end(), [&](double v) { return direction * (v - observed_) >= -slack; });
    return static_cast<double>(beyond) / static_cast<double>(drawn.size());
  }

 private:
  std::vector<double> draw(const std::vector<double>& table, bool sampled) const {
    std::vector<double> probabilities(table);
    for (double& p : probabilities) p /= n_;
    probabilities = drawable(std::move(probabilities));
    const double people = sampled ? std::nearbyint(n_) : 0;
    return simulate(simulation_, 1, [&]() -> BlockOfTables {
      return [&](numeric::InsecureStream& stream, std::span<double> out) {
        std::vector<double> values = released_.draw(stream, people, probabilities);
        if (!sampled)
          for (std::size_t i = 0; i < values.size(); ++i) values[i] += table[i];
        out[0] = observed_v(shape_, values);
      };
    });
  }

  const CollapsedTable& released_;
  TableShape shape_;
  double n_;
  Simulation simulation_;
  std::vector<double> table_, independent_;
  double observed_ = 0;
};

/// V at the border of the distances whose share is at least `level`: the least (direction 1) or the
/// greatest (-1) one.
double v_limit(const Line& line, TableShape shape, bool sampled, int direction, double level) {
  if (direction > 0 && line.share(0, sampled, 1) >= level) return 0;
  double low = 0;
  double high = 1;
  while (line.share(high, sampled, direction) >= level ? direction < 0 : direction > 0) {
    low = high;
    high *= 2;
    if (high > 64) return cramers_v(shape, line.at(high));
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    const bool inside = line.share(middle, sampled, direction) >= level;
    (inside == (direction > 0) ? high : low) = middle;
  }
  return cramers_v(shape, line.at(direction > 0 ? low : high));
}

}  // namespace

double cramers_v(TableShape shape, std::span<const double> table) {
  const auto margins = IndependentMargins(shape.rows, shape.columns).margins(table);
  const double total = block_sum(margins.rows);
  if (!(total > 0)) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < shape.rows; ++i) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      const double expected = margins.rows[i] * margins.columns[j] / total;
      const double deviation = table[i * shape.columns + j] - expected;
      if (expected > 0) sum += deviation * deviation / expected;
    }
  }
  const auto used = [](const std::vector<double>& margin) {
    return static_cast<double>(std::count_if(margin.begin(), margin.end(), [](double m) { return m > 0; }));
  };
  const double least = std::min(used(margins.rows), used(margins.columns)) - 1;
  return least > 0 ? std::sqrt(std::min(1.0, sum / (total * least))) : 0;
}

Result<CramersV> estimate_cramers_v(const CollapsedTable& table, TableShape shape, const CramersVOptions& options) {
  if (!(options.alpha >= kLeastAlphaOfV && options.alpha <= 0.5)) {
    return Error::invalid("confidence", fmt::format("{}", 1 - options.alpha), "must be at least 0.5 and at most 0.999 for simulated limits",
                          "for example: confidence = 0.95");
  }
  if (shape.cells() > kMostCellsOfV) {
    return Error::of(Code::Unsupported,
                     fmt::format("Cramer's V is simulated for at most {} cells, and there are {}", kMostCellsOfV, shape.cells()),
                     "test them with `infer independence`, or choose two variables with fewer categories");
  }
  CramersV answer{};
  const double n = table.people();
  if (!(n >= 1)) {
    answer.reason = "the noisy counts sum to less than one person";
    return answer;
  }
  TACET_CHECK(check_simulated(shape.cells(), std::max(1.0, std::nearbyint(n))));
  Simulation simulation = options.simulation;
  const auto cells = static_cast<double>(shape.cells());
  if (!simulation.draws) simulation.draws = std::max(kLeastDrawsOfV, static_cast<std::size_t>(kUsualDrawsOfV * std::min(1.0, 100 / cells)));
  answer.draws = *simulation.draws;
  const Line line(table, shape, simulation);
  if (!(line.observed() > 0)) {
    answer.reason = "the nearest possible table has a single row or column, or exactly independent ones";
    return answer;
  }
  const double half = options.alpha / 2;
  answer.estimate = v_limit(line, shape, false, 1, 0.5);
  answer.file = {v_limit(line, shape, false, 1, half), v_limit(line, shape, false, -1, half)};
  answer.population = {v_limit(line, shape, true, 1, half), v_limit(line, shape, true, -1, half)};
  return answer;
}

}  // namespace tacet::inference

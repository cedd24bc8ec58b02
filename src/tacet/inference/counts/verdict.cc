#include "tacet/inference/counts/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/chi2_power.h"
#include "tacet/inference/counts/noisy_tables.h"

namespace tacet::inference {
namespace {

/// Draws beyond a critical value that is told.
constexpr double kLeastBeyond = 20;
constexpr const char* kNotFinite = "the values are too large or too small to compute with";

}  // namespace

void decide_by_limit(GofTest& test, const numeric::WeightedChi2& null, std::string null_distribution, double alpha, GofMethod instead) {
  if (!std::isfinite(*test.statistic)) return leave_open(test, kNotFinite);
  test.p_value = null.upper(*test.statistic);
  test.critical = null.upper_quantile(alpha);
  test.outcome = decide(*test.p_value, alpha);
  test.null_distribution = std::move(null_distribution);
  if (!test.least_expected || *test.least_expected >= kLeastExpected) return;
  test.outcome = Outcome::Inconclusive;
  test.reason = untrusted_limit(few_expected(*test.least_expected), instead);
}

Status decide_by_draws(GofTest& test, const GofOptions& options, std::size_t cells, const NullDraws& draw, std::string_view drawn) {
  if (!std::isfinite(*test.statistic)) {
    leave_open(test, kNotFinite);
    return {};
  }
  Simulation simulation = options.simulation;
  const std::size_t most = simulation.draws.value_or(usual_draws(cells, options.alpha));
  TACET_CHECK(check_draws(most, options.alpha));
  simulation.draws = most;
  std::vector<double> null = draw(simulation, test.statistic);
  const std::size_t draws = null.size();
  const bool stopped = std::count_if(null.begin(), null.end(), [&](double t) { return !(t < *test.statistic); }) ==
                       static_cast<std::ptrdiff_t>(kEnoughReached);
  const MonteCarloAnswer found = compare(*test.statistic, std::move(null), options.alpha, stopped);
  test.draws = draws;
  test.p_value = found.p_value;
  // The draws that a p-value needs may be too few for a quantile far in the tail.
  if (!stopped || static_cast<double>(draws) * options.alpha >= kLeastBeyond) test.critical = found.critical;
  test.outcome = decide(found.p_value, options.alpha);
  test.null_distribution =
      fmt::format("{} simulated {}{}", draws, drawn, stopped ? fmt::format(", until {} had reached the statistic", kEnoughReached) : "");
  return {};
}

Status decide_collapsed(GofTest& test, const GofOptions& options, const CollapsedTable& table, const std::vector<double>& null,
                        const CollapsedStatistic& statistic, std::string_view fitted) {
  test.least_expected = table.people() * *std::min_element(null.begin(), null.end());
  if (table.is_gaussian() && *test.least_expected >= kLeastExpected) {
    test.method = GofMethod::Asymptotic;
    TACET_TRY(const auto limit, numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = test.df}}));
    decide_by_limit(test, limit, chi2_words(test.df), options.alpha, GofMethod::MonteCarlo);
    return {};
  }
  const double people = std::nearbyint(table.people());
  TACET_CHECK(check_simulated(null.size(), people));
  const std::vector<double> probabilities = drawable(null);
  const auto draw = [&](const Simulation& simulation, std::optional<double> observed) {
    return simulate(simulation, observed, 1, [&]() -> BlockOfTables {
      return [&](numeric::InsecureStream& stream, std::span<double> out) {
        // A table without a statistic cannot reject; it counts as one that does, which is
        // conservative.
        out[0] = statistic(table.draw(stream, people, probabilities)).value_or(HUGE_VAL);
      };
    });
  };
  return decide_by_draws(
      test, options, null.size(), draw,
      fmt::format("tables of {:.0f} people at {}, with the {} noise of the release", people, fitted, table.family_name()));
}

void leave_open(GofTest& test, std::string reason) {
  if (test.statistic && !std::isfinite(*test.statistic)) test.statistic = std::nullopt;
  test.p_value = test.critical = std::nullopt;
  test.outcome = Outcome::Inconclusive;
  test.reason = std::move(reason);
}

std::string few_expected(double least_expected) {
  return fmt::format("a cell is expected to hold {:.3g} people, fewer than {}", least_expected, kLeastExpected);
}

std::string untrusted_limit(const std::string& because, std::optional<GofMethod> instead) {
  return fmt::format("{}, so the limit for large n cannot be trusted{}", because, instead ? fmt::format("; {} can", name(*instead)) : "");
}

}  // namespace tacet::inference

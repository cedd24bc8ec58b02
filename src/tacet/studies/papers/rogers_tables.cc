#include "tacet/studies/papers/rogers_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/counts/independence.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::studies {

const std::vector<Hypotheses>& rogers_hypotheses() {
  static const std::vector<Hypotheses> kAll = {
      {"(a)", {0.25, 0.25, 0.25, 0.25}, {0.26, 0.24, 0.24, 0.26}},
      {"(b)", {0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6}, {0.51, 0.49 / 3, 0.49 / 3, 0.49 / 3}},
  };
  return kAll;
}

const std::vector<Hypotheses>& rogers_dependence() {
  constexpr double kThird = 1.0 / 3, kSixth = 1.0 / 6;
  static const std::vector<Hypotheses> kAll = {
      {"(a)", {0.25, 0.25, 0.25, 0.25}, {0.26, 0.24, 0.24, 0.26}},
      {"(b)", {kThird, kThird, kSixth, kSixth}, {kThird + 0.01, kThird, kSixth - 0.01, kSixth}},
  };
  return kAll;
}

mechanisms::NoiseDistribution zcdp_noise(double rho) { return {kernel::NoiseFamily::Gaussian, 1 / std::sqrt(rho)}; }

mechanisms::NoiseDistribution no_noise() { return {kernel::NoiseFamily::Gaussian, 1e-3}; }

Result<double> chi_square_critical(double df, double alpha) {
  const std::vector<numeric::ChiTerm> terms = {{.weight = 1, .df = df}};
  TACET_TRY(const numeric::WeightedChi2 chi_square, numeric::WeightedChi2::of(terms));
  return chi_square.upper_quantile(alpha);
}

double count_above(std::span<const double> statistics, double critical) {
  return static_cast<double>(std::count_if(statistics.begin(), statistics.end(), [critical](double t) { return t > critical; }));
}

report::Point point_of(double x, const Rate& rate) { return {x, rate.share, 1.96 * rate.standard_error()}; }

ReleaseDraws::ReleaseDraws(std::vector<std::size_t> shape, double n, const std::vector<double>& probabilities,
                           const mechanisms::NoiseDistribution& noise)
    : drawn_(n, probabilities, {.distribution = noise}) {
  release_.shape = std::move(shape);
  release_.values.resize(probabilities.size());
  release_.n = n;
  release_.noise = noise;
}

Status ReleaseDraws::each(numeric::InsecureStream& stream, std::size_t trials,
                          const std::function<Status(const mechanisms::CountRelease& release)>& look) {
  const std::size_t cells = drawn_.cells(), tables = inference::tables_in_a_block(cells);
  std::vector<double> deviations(cells * tables), sums(tables);
  for (std::size_t done = 0; done < trials; done += tables) {
    drawn_.draw(stream, tables, deviations, sums);
    for (std::size_t t = 0; t < std::min(tables, trials - done); ++t) {
      for (std::size_t i = 0; i < cells; ++i) release_.values[i] = drawn_.expected()[i] + deviations[i * tables + t];
      TACET_CHECK(look(release_));
    }
  }
  return {};
}

Result<IndependenceDecision> decide_independence(const mechanisms::CountRelease& release, inference::GofStatistic statistic) {
  TACET_TRY(const inference::CompositeTest answer,
            inference::test_independence(
                release, {.alpha = kRogersAlpha, .statistic = statistic, .method = inference::GofMethod::Asymptotic, .with_power = false}));
  const inference::GofTest& test = answer.test;
  IndependenceDecision decision{test.outcome, test.outcome};
  if (test.outcome != inference::Outcome::Inconclusive)
    decision.by_critical = *test.statistic > *test.critical ? inference::Outcome::Reject : inference::Outcome::Retain;
  return decision;
}

std::string powers_name(const Hypotheses& hypotheses, double rho, double n) {
  return fmt::format("powers {} rho={} n={}", hypotheses.name, rho, n);
}
std::string rivals_name(const Hypotheses& hypotheses, double n) { return fmt::format("rivals {} n={}", hypotheses.name, n); }

std::vector<Cell> cells_of(const PowerFigures& figures) {
  std::vector<Cell> all;
  for (const Hypotheses& h : figures.hypotheses) {
    for (const double n : figures.people) {
      for (const double rho : kRogersRhos) {
        all.push_back({powers_name(h, rho, n), figures.trials, figures.block,
                       [&h, rho, n, powers = figures.powers](Piece& piece) { return powers(h, rho, n, piece); }});
      }
      all.push_back({rivals_name(h, n), figures.rival_trials, figures.block,
                     [&h, n, rivals = figures.rivals](Piece& piece) { return rivals(h, n, piece); }});
    }
  }
  return all;
}

Lead Lead::paired(double more, double fewer, double trials) {
  const double difference = (more - fewer) / trials;
  // At least the error of one table.
  const double variance = std::max((more + fewer) / trials - difference * difference, 1 / trials);
  return {difference, std::sqrt(variance / trials)};
}

Lead Lead::between(const Rate& one, const Rate& other) {
  const double least = 1 / std::min(one.trials, other.trials);
  return {one.share - other.share, std::max(least, std::hypot(one.standard_error(), other.standard_error()))};
}

Lead lead_at(std::size_t place, const Measured& measured, const std::string& cell) {
  return Lead::paired(measured.sum(cell, place), measured.sum(cell, place + 1), measured.trials(cell));
}

Verdict leads(std::string claim, const std::vector<std::pair<std::string, Lead>>& all, std::string words, Outcome outcome) {
  const double errors = allowed_errors(all.size()), count = static_cast<double>(all.size());
  bool never_behind = true;
  double least = 1, most = -1, mean = 0, variance = 0;
  for (const auto& [name, lead] : all) {
    never_behind = never_behind && lead.difference >= -errors * lead.standard_error;
    least = std::min(least, lead.difference);
    most = std::max(most, lead.difference);
    mean += lead.difference / count;
    variance += lead.standard_error * lead.standard_error;
  }
  const bool ahead = mean > allowed_errors(1) * std::sqrt(variance) / count;
  return holds(std::move(claim), never_behind && ahead,
               {{"settings", count}, {"least_difference", least}, {"mean_difference", mean}, {"largest_difference", most}},
               std::move(words), outcome);
}

Verdict never_above(std::string claim, const std::vector<std::pair<std::string, Rate>>& all, double most, std::string words) {
  bool below = true;
  double largest = 0, tolerance = 0;
  for (const auto& [name, rate] : all) {
    const Comparison one = compared(rate, most, /*paper_trials=*/0, all.size());
    below = below && one.ours <= one.paper + one.tolerance;
    if (one.ours < largest) continue;
    largest = one.ours;
    tolerance = one.tolerance;
  }
  return holds(std::move(claim), below,
               {{"settings", static_cast<double>(all.size())}, {"largest", largest}, {"limit", most}, {"tolerance", tolerance}},
               std::move(words));
}

}  // namespace tacet::studies

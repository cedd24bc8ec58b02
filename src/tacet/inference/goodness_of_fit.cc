#include "tacet/inference/goodness_of_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/gof_simulation.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::Release;

/// Simulated cells beyond which the normal limit is taken instead, where it may be: some ten seconds of work.
constexpr double kMuchWork = 1e9;
/// Statistics are compared on tables up to this size; on larger ones the projected statistic is taken.
constexpr std::size_t kMostCompared = 64;
struct Chosen {
  GofStatistic statistic;
  GofMethod method;
  std::string why;
};

Error no_public_n(const std::string& parameter, std::string_view value, const std::string& remedy) {
  return Error::invalid(parameter, std::string(value), "must be one that serves a release without a public n", remedy);
}

Status check(const Release& release, const std::vector<double>& null, const GofOptions& options) {
  TACET_CHECK(mechanisms::check_counts(release));
  if (null.size() != release.values.size()) {
    return Error::invalid("null", fmt::format("{} probabilities", null.size()),
                          fmt::format("must have a probability for each of the {} cells of the release", release.values.size()));
  }
  if (!(options.alpha >= 1e-9 && options.alpha <= 0.5))
    return Error::invalid("alpha", fmt::format("{}", options.alpha), "must be at least 1e-9 and at most 0.5", "for example: --alpha 0.05");
  const bool gaussian = release.noise.family == NoiseFamily::Gaussian;
  const std::string_view method = name(options.method);
  if (options.method == GofMethod::Asymptotic && !gaussian) {
    return Error::invalid("method", std::string(method), "must be montecarlo, bootstrap or auto for noise that is not Gaussian",
                          "its null law has no closed form: use --method montecarlo");
  }
  if (release.n) return {};
  if (options.method == GofMethod::Asymptotic || options.method == GofMethod::MonteCarlo)
    return no_public_n("method", method, "use --method bootstrap");
  if (options.statistic && *options.statistic != GofStatistic::Classical)
    return no_public_n("statistic", name(*options.statistic), "use --statistic classical");
  return {};
}

/// The statistic of greatest power against a deviation that the projected one finds every second time.
std::pair<GofStatistic, std::string> best_statistic(const GofDesign& design, double alpha) {
  constexpr GofStatistic kUsual = GofStatistic::Projected;
  if (design.cells() > kMostCompared) return {kUsual, "the projected statistic, usually of greatest power"};
  double low = 1e-3;
  double high = 1e9;
  for (int i = 0; i < 40 && high > 1.001 * low; ++i) {
    const double size = std::sqrt(low * high);
    const auto power = gof_power_any_direction(design, kUsual, size, alpha);
    (power && *power < 0.5 ? low : high) = size;
  }
  std::pair<GofStatistic, double> best{kUsual, 0};
  std::string powers;
  for (const GofStatistic statistic : {kUsual, GofStatistic::Classical, GofStatistic::Nonprojected}) {
    const auto power = gof_power_any_direction(design, statistic, high, alpha);
    if (!power) continue;
    powers += fmt::format("{}{} {:.3f}", powers.empty() ? "" : ", ", name(statistic), *power);
    // A tie to the digits that are shown goes to the first.
    if (*power > best.second + 5e-4) best = {statistic, *power};
  }
  return {best.first, fmt::format("the {} statistic has the greatest planned power ({})", name(best.first), powers)};
}

Chosen choose(const Release& release, const GofDesign& design, const GofOptions& options) {
  Chosen chosen{options.statistic.value_or(GofStatistic::Classical), options.method, ""};
  if (!options.statistic && release.n) std::tie(chosen.statistic, chosen.why) = best_statistic(design, options.alpha);
  if (!options.statistic && !release.n) chosen.why = "the classical statistic, since n is not public";
  if (options.method != GofMethod::Automatic) return chosen;
  const double work = static_cast<double>(design.cells()) * static_cast<double>(options.simulation.draws);
  const bool limit = release.noise.family == NoiseFamily::Gaussian && design.least_expected() >= kLeastExpected &&
                     (chosen.statistic != GofStatistic::Classical || design.cells() <= kMostClassicalCells);
  std::string why;
  if (!release.n) {
    chosen.method = GofMethod::Bootstrap;
    why = "bootstrap, since n is not public";
  } else if ((work > kMuchWork || design.cells() > kMostSimulatedCells) && limit) {
    chosen.method = GofMethod::Asymptotic;
    why = "asymptotic, since every expected count is at least 5 and simulating so large a table takes long";
  } else {
    chosen.method = GofMethod::MonteCarlo;
    why = "montecarlo, since its level is exact for every n and every noise";
  }
  chosen.why += (chosen.why.empty() ? "" : "; ") + why;
  return chosen;
}

std::string weights_words(const GofDesign& design, GofStatistic statistic) {
  if (statistic != GofStatistic::Classical) return fmt::format("chi-square with {} degrees of freedom", design.df(statistic));
  return fmt::format("a weighted sum of {} independent chi-square variables, the weights from the noise and the probabilities",
                     design.df(statistic));
}

/// Of the deviation that the values show, made smaller by what noise and sampling add to it on average.
std::optional<double> power_of_seen(const GofDesign& design, GofStatistic statistic, const Release& release, double alpha) {
  if (release.noise.family != NoiseFamily::Gaussian || !release.n) return std::nullopt;
  const double found = gof_statistic(design, GofStatistic::Projected, release.values);
  const double chance = static_cast<double>(design.cells()) - 1;
  const double shrink = found > chance ? std::sqrt((found - chance) / found) : 0;
  const double excess = (block_sum(release.values) - design.n()) / static_cast<double>(design.cells());
  std::vector<double> alternative(design.null());
  for (std::size_t i = 0; i < alternative.size(); ++i)
    alternative[i] += shrink * ((release.values[i] - excess) / design.n() - design.null()[i]);
  const auto power = gof_power(design, statistic, alternative, alpha);
  if (!power) return std::nullopt;
  return *power;
}

Result<GofTest> asymptotic(GofTest test, const GofDesign& design, double alpha) {
  TACET_TRY(const numeric::WeightedChi2 law, gof_null_law(design, test.statistic_kind));
  test.p_value = law.upper(test.statistic);
  test.critical = law.upper_quantile(alpha);
  test.null_law = weights_words(design, test.statistic_kind);
  test.outcome = decide(test.p_value, alpha);
  if (test.least_expected < kLeastExpected) {
    test.outcome = Outcome::Inconclusive;
    test.reason = fmt::format(
        "a cell is expected to hold {:.3g} people, fewer than {}, so the limit for large n cannot be trusted; "
        "montecarlo can",
        test.least_expected, kLeastExpected);
  }
  return test;
}

Result<GofTest> simulated(GofTest test, const GofDesign& design, const Release& release, const GofOptions& options) {
  TACET_CHECK(check_draws(options.simulation, options.alpha));
  TACET_CHECK(check_simulated(design.cells(), design.n()));
  std::vector<double> null =
      simulate_gof_null(design, test.statistic_kind, noise_source(release), release.n.has_value(), options.simulation);
  const MonteCarloAnswer answer = compare(test.statistic, std::move(null), options.alpha);
  test.draws = options.simulation.draws;
  test.p_value = answer.p_value;
  test.critical = answer.critical;
  test.outcome = decide(test.p_value, options.alpha);
  test.null_law = fmt::format("{} simulated tables of {:.0f} people with the {} noise of the release", test.draws, design.n(),
                              kernel::name(release.noise.family));
  return test;
}

GofTest without_total(GofTest test) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  test.p_value = test.critical = test.statistic = nothing;
  test.outcome = Outcome::Inconclusive;
  test.reason = "the noisy counts sum to less than one person, so that no table of that size can be drawn";
  test.null_law = "unknown";
  return test;
}

}  // namespace

std::string_view name(GofMethod method) {
  switch (method) {
    case GofMethod::Asymptotic: return "asymptotic";
    case GofMethod::MonteCarlo: return "montecarlo";
    case GofMethod::Bootstrap: return "bootstrap";
    case GofMethod::Automatic: return "auto";
  }
  return "";
}

Result<GofMethod> gof_method_named(std::string_view text) {
  for (const GofMethod method : {GofMethod::Asymptotic, GofMethod::MonteCarlo, GofMethod::Bootstrap, GofMethod::Automatic}) {
    if (text == name(method)) return method;
  }
  return Error::invalid("method", std::string(text.substr(0, 40)), "must be asymptotic, montecarlo, bootstrap or auto");
}

Result<GofTest> test_goodness_of_fit(const Release& release, const std::vector<double>& null, const GofOptions& options) {
  TACET_CHECK(check(release, null, options));
  const double people = release.n ? *release.n : std::nearbyint(block_sum(release.values));
  const bool no_people = !release.n && !(people >= 1);
  TACET_TRY(const GofDesign design, GofDesign::of(null, no_people ? 1 : people, cell_noise(release.noise)));
  const Chosen chosen = choose(release, design, options);
  GofTest test{};
  test.statistic_kind = chosen.statistic;
  test.method = chosen.method;
  test.choice = chosen.why;
  // With the noisy total in place of n, the deviations sum to 0.
  test.df = release.n ? design.df(chosen.statistic) : static_cast<double>(design.cells()) - 1;
  test.least_expected = design.least_expected();
  if (no_people) return without_total(std::move(test));
  test.statistic =
      release.n ? gof_statistic(design, chosen.statistic, release.values) : gof_statistic_unknown_n(design.null(), release.values);
  test.power = power_of_seen(design, chosen.statistic, release, options.alpha);
  if (chosen.method == GofMethod::Asymptotic) return asymptotic(std::move(test), design, options.alpha);
  return simulated(std::move(test), design, release, options);
}

}  // namespace tacet::inference

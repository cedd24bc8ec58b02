#include "tacet/inference/counts/goodness_of_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/chi2_power.h"
#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/gof_unknown_total.h"
#include "tacet/inference/counts/seen_deviation.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/level.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::CountRelease;

/// With more simulated cells the normal limit replaces simulation if it is trusted: about ten
/// seconds of work.
constexpr double kMuchWork = 1e9;
/// Statistics are compared on tables up to this size; larger ones use the projected statistic.
constexpr std::size_t kMostCompared = 64;

struct Chosen {
  GofStatistic statistic;
  GofMethod method;
  std::string why;
};

Error no_public_n(const std::string& parameter, std::string_view value, const std::string& remedy) {
  return Error::invalid(parameter, std::string(value), "must be one that works without a public n", remedy);
}

/// Of the denoised tables only those that were shrunk towards their mean have the noisy total.
Status check_total_is_kept(const DenoiseOptions& done) {
  const bool kept = done.project == Projection::None && (done.shrink == Shrinkage::TowardsMean || done.shrink == Shrinkage::PositivePart);
  if (kept) return {};
  return Error::of(
      Code::Unsupported,
      "n is not public, and the total of a truncated or otherwise changed table differs from the noisy total by an unknown amount, "
      "so that tables of the right size cannot be drawn",
      "import the table with n, or as it was before it was changed");
}

Status check(const CountRelease& release, const std::vector<double>& null, const GofOptions& options) {
  if (null.size() != release.values.size()) {
    return Error::invalid("null", fmt::format("{} probabilities", null.size()),
                          fmt::format("must have a probability for each of the {} cells of the release", release.values.size()));
  }
  TACET_CHECK(check_alpha(options.alpha));
  const bool gaussian = release.noise.family == NoiseFamily::Gaussian;
  const std::string_view method = name(options.method);
  if (denoises(options.denoise)) TACET_CHECK(check_denoised(options, GofMethod::MonteCarlo));
  if (options.method == GofMethod::Asymptotic && !gaussian) {
    return Error::invalid("method", std::string(method), "must be montecarlo, bootstrap or auto for noise that is not Gaussian",
                          "its distribution has no closed form: use method = montecarlo");
  }
  if (release.n) return {};
  if (options.denoise.done) TACET_CHECK(check_total_is_kept(options.denoise));
  if (options.method == GofMethod::Asymptotic || options.method == GofMethod::MonteCarlo)
    return no_public_n("method", method, "use method = bootstrap");
  if (options.statistic && *options.statistic != GofStatistic::Classical)
    return no_public_n("statistic", name(*options.statistic), "use statistic = classical");
  return {};
}

/// The statistic of greatest power against a deviation that the projected one finds in half of all
/// cases.
std::pair<GofStatistic, std::string> best_statistic(const GofDesign& design, double alpha) {
  constexpr GofStatistic kUsual = GofStatistic::Projected;
  if (design.cells() > kMostCompared) return {kUsual, kUsualChoice};
  if (design.has_zero_cells()) return {kUsual, "the projected statistic, which sees people in cells of probability 0"};
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
    // If the shown digits are equal, the first statistic is chosen.
    if (*power > best.second + 5e-4) best = {statistic, *power};
  }
  return {best.first, fmt::format("the {} statistic has the greatest planned power ({})", name(best.first), powers)};
}

Chosen choose(const CountRelease& release, const GofDesign& design, const GofOptions& options) {
  Chosen chosen{options.statistic.value_or(GofStatistic::Classical), options.method, ""};
  if (!options.statistic && denoises(options.denoise)) {
    chosen.why = "the classical statistic, since the table is denoised";
  } else if (!options.statistic && !release.n) {
    chosen.why = "the classical statistic, since n is not public";
  } else if (!options.statistic) {
    std::tie(chosen.statistic, chosen.why) = best_statistic(design, options.alpha);
    if (release.noise.family != NoiseFamily::Gaussian && design.cells() <= kMostCompared && !design.has_zero_cells())
      chosen.why += ", with normal noise of the same variance";
  }
  if (options.method != GofMethod::Automatic) return chosen;
  const double work = static_cast<double>(design.cells()) *
                      static_cast<double>(options.simulation.draws.value_or(usual_draws(design.cells(), options.alpha)));
  const bool limit = release.noise.family == NoiseFamily::Gaussian && design.least_expected() >= kLeastExpected &&
                     !denoises(options.denoise) && (chosen.statistic != GofStatistic::Classical || design.cells() <= kMostClassicalCells);
  std::string why;
  if (!release.n) {
    chosen.method = GofMethod::Bootstrap;
    why = "bootstrap, since n is not public";
  } else if ((work > kMuchWork || design.cells() > kMostSimulatedCells) && limit) {
    chosen.method = GofMethod::Asymptotic;
    why = fmt::format("asymptotic, since every expected count is at least {} and simulating so large a table takes long", kLeastExpected);
  } else {
    chosen.method = GofMethod::MonteCarlo;
    why = "montecarlo, since its level is exact for every n and every noise";
  }
  chosen.why += (chosen.why.empty() ? "" : "; ") + why;
  return chosen;
}

std::string weights_words(const GofDesign& design, GofStatistic statistic) {
  if (statistic != GofStatistic::Classical) return chi2_words(design.df(statistic));
  return fmt::format("a weighted sum of {} independent chi-square variables, the weights from the noise and the probabilities",
                     design.df(statistic));
}

/// A table that deviates from the null hypothesis in the direction of the release.
std::vector<double> alternative_of(const GofDesign& design, const CountRelease& release) {
  const double found = gof_statistic(design, GofStatistic::Projected, release.values);
  return seen_deviation(release.values, design.n(), design.null(), found, static_cast<double>(design.cells()) - 1);
}

std::optional<double> computed_power(const GofSetting& setting, const CountRelease& release, double alpha) {
  const auto power = gof_power(setting.design, setting.statistic, alternative_of(setting.design, release), alpha);
  if (!power) return std::nullopt;
  return *power;
}

Result<GofTest> asymptotic(GofTest test, const GofDesign& design, double alpha) {
  TACET_TRY(const numeric::WeightedChi2 null, gof_null_distribution(design, test.statistic_kind));
  decide_by_limit(test, null, weights_words(design, test.statistic_kind), alpha, GofMethod::MonteCarlo);
  return test;
}

Result<GofTest> simulated(GofTest test, const GofSetting& setting, const CountRelease& release, const GofOptions& options) {
  TACET_CHECK(check_simulated(setting.design.cells(), setting.design.n()));
  std::string tables =
      fmt::format("tables of {:.0f} people with the {} noise of the release", setting.design.n(), noise_name(release.noise));
  if (denoises(setting.denoise))
    tables += fmt::format(", denoised like it (shrink {}, project {})", name(setting.denoise.shrink), name(setting.denoise.project));
  TACET_CHECK(decide_by_draws(
      test, options, setting.design.cells(),
      [&](const Simulation& simulation, std::optional<double> observed) {
        return simulate_gof(setting, setting.design.null(), simulation, observed);
      },
      tables));
  if (options.with_power && !test.power && !setting.denoise.done) {
    const std::vector<double> alternative = alternative_of(setting.design, release);
    simulate_power(test, options.simulation, [&](const Simulation& again) { return simulate_gof(setting, alternative, again); });
  }
  return test;
}

}  // namespace

Status check_denoised(const GofOptions& options, GofMethod simulated) {
  if (options.denoise.project == Projection::Bounds) {
    return Error::invalid("project", "bounds", "must be none, nonnegative or simplex for a test", "use project = nonnegative");
  }
  if (options.method == GofMethod::Asymptotic) {
    return Error::invalid("method", std::string(name(options.method)),
                          simulated == GofMethod::Bootstrap ? "must be bootstrap or auto for a denoised table"
                                                            : "must be montecarlo, bootstrap or auto for a denoised table",
                          fmt::format("its distribution has no closed form: use method = {}", name(simulated)));
  }
  if (options.statistic && *options.statistic != GofStatistic::Classical) {
    return Error::invalid("statistic", std::string(name(*options.statistic)), "must be classical for a denoised table",
                          "the others weight the table by its noise: use them without shrink and project");
  }
  return {};
}

Result<GofTest> test_goodness_of_fit(const CountRelease& release, const std::vector<double>& null, const GofOptions& options) {
  TACET_CHECK(check(release, null, options));
  // The total as released has no bias. The total of a truncated table has one, so Lee's simulated
  // tables have too many people and too little noise for them: with 50 people and Laplace noise of
  // scale 20 in 20 cells, a test at level 0.05 then rejects in 0.12 of cases.
  const double people = release.n ? *release.n : std::nearbyint(block_sum(release.values));
  const bool no_people = !release.n && !(people >= 1);
  TACET_TRY(GofDesign design, GofDesign::of(null, no_people ? 1 : people, cell_noise(release.noise)));
  const Chosen chosen = choose(release, design, options);
  const bool denoised = denoises(options.denoise);
  GofTest test{};
  test.statistic_kind = chosen.statistic;
  test.method = chosen.method;
  if (!chosen.why.empty()) test.choice = chosen.why;
  // The deviations sum to 0 if the noisy total replaces n, or if the denoised table has the public
  // total.
  const bool keeps_total = options.denoise.shrink == Shrinkage::RankDeficient || options.denoise.project == Projection::Simplex;
  test.df = release.n && !keeps_total ? design.df(chosen.statistic) : static_cast<double>(design.cells()) - 1;
  test.least_expected = design.least_expected();
  if (no_people) {
    leave_open(test, "the noisy counts sum to less than one person, so that no table of that size can be drawn");
    return test;
  }
  const double total_error = std::sqrt(design.noise().variance * static_cast<double>(design.cells()));
  if (!release.n && denoised && !(people >= kLeastTotal * total_error)) {
    TACET_CHECK(decide_over_totals(test, release, null, options));
    return test;
  }
  const GofSetting setting{std::move(design), chosen.statistic, noise_source(release), release.n.has_value(), options.denoise};
  TACET_TRY(test.statistic, gof_statistic_of(setting, release.values));
  if (options.with_power && release.n && release.noise.family == NoiseFamily::Gaussian && !denoised)
    test.power = computed_power(setting, release, options.alpha);
  if (chosen.method == GofMethod::Asymptotic) return asymptotic(std::move(test), setting.design, options.alpha);
  return simulated(std::move(test), setting, release, options);
}

}  // namespace tacet::inference

#include "tacet/inference/counts/composite_hypothesis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/chi2_power.h"
#include "tacet/inference/counts/minimum_chi2.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/counts/seen_deviation.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/level.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::NoiseStructure;

/// The least variance of the noise, in parts of the people. With less, sums of squares lose all
/// digits.
constexpr double kLeastNoise = 1e-12;

GofMethod choose_for_composite(const CountRelease& release, double least_expected, std::string& why) {
  if (release.noise.family == NoiseFamily::Gaussian && least_expected >= kLeastExpected) {
    why = fmt::format("asymptotic, since the noise is Gaussian and every cell expects at least {} people", kLeastExpected);
    return GofMethod::Asymptotic;
  }
  const std::string because = release.noise.family == NoiseFamily::Gaussian
                                  ? fmt::format("a cell expects fewer than {} people", kLeastExpected)
                                  : "the noise is not Gaussian";
  why = fmt::format("{}, since {}", release.n ? "montecarlo" : "bootstrap", because);
  return release.n ? GofMethod::MonteCarlo : GofMethod::Bootstrap;
}

Status composite_limit(CompositeTest& answer, const CountRelease& release, const GofOptions& options) {
  GofTest& test = answer.test;
  TACET_TRY(const auto null, numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = test.df}}));
  decide_by_limit(test, null, chi2_words(test.df), options.alpha, release.n ? GofMethod::MonteCarlo : GofMethod::Bootstrap);
  if (test.p_value && options.with_power) test.power = power_of_excess(*test.statistic, test.df, options.alpha);
  return {};
}

Status simulated_composite(CompositeTest& answer, const CountRelease& release, const NullModel& model, const GofOptions& options) {
  GofTest& test = answer.test;
  const double people = release.n ? *release.n : std::nearbyint(answer.n);
  TACET_CHECK(check_simulated(model.cells(), people));
  const auto draw = [&](const std::vector<double>& probabilities, const Simulation& simulation, std::optional<double> observed) {
    return simulate_composite_hypothesis(release, model, test.statistic_kind, people, probabilities, simulation, observed);
  };
  TACET_CHECK(decide_by_draws(
      test, options, model.cells(),
      [&](const Simulation& simulation, std::optional<double> observed) { return draw(answer.fitted, simulation, observed); },
      fmt::format("tables of {:.0f} people at the fitted probabilities, with the {} noise of the release", people,
                  noise_name(release.noise))));
  if (!test.critical || !options.with_power) return {};
  const std::vector<double> deviating = seen_deviation(release.values, answer.n, answer.fitted, *test.statistic, test.df);
  simulate_power(test, options.simulation, [&](const Simulation& again) { return draw(deviating, again, std::nullopt); });
  return {};
}

}  // namespace

double excess_weight(const CountRelease& release, std::size_t cells, GofStatistic statistic) {
  if (statistic != GofStatistic::Nonprojected || release.noise.structure == NoiseStructure::SumZero) return 0;
  return 1 / (static_cast<double>(cells) * cell_noise(release.noise).variance);
}

std::vector<double> simulate_composite_hypothesis(const CountRelease& release, const NullModel& model, GofStatistic statistic,
                                                  double people, const std::vector<double>& probabilities, const Simulation& simulation,
                                                  std::optional<double> observed) {
  const double excess = excess_weight(release, model.cells(), statistic);
  const std::size_t cells = model.cells();
  const std::size_t tables = tables_in_a_block(cells);
  const NoisyTables drawn(people, probabilities, noise_source(release));
  const std::optional<double> n = release.n ? std::optional(people) : std::nullopt;
  return simulate(simulation, observed, tables, [&]() -> BlockOfTables {
    const auto distance = std::make_shared<MinimumChi2>(model, cell_noise(release.noise));
    return [&, distance, deviations = std::vector<double>(cells * tables), sums = std::vector<double>(tables),
            table = std::vector<double>(cells)](numeric::InsecureStream& stream, std::span<double> out) mutable {
      drawn.draw(stream, tables, deviations, sums);
      for (std::size_t k = 0; k < tables; ++k) {
        for (std::size_t i = 0; i < cells; ++i) table[i] = drawn.expected()[i] + deviations[i * tables + k];
        const bool nobody = !n && !(people + sums[k] >= 1);
        out[k] = nobody ? std::numeric_limits<double>::infinity() : distance->statistic(table, n) + excess * sums[k] * sums[k];
      }
    };
  });
}

Status check_test(const CountRelease& release, const GofOptions& options) {
  TACET_CHECK(check_alpha(options.alpha));
  if (options.method == GofMethod::Asymptotic && release.noise.family != NoiseFamily::Gaussian) {
    return Error::invalid("method", "asymptotic", "must be montecarlo, bootstrap or auto for noise that is not Gaussian",
                          "its distribution has no closed form: use method = auto");
  }
  if (options.method == GofMethod::MonteCarlo && !release.n)
    return Error::invalid("method", "montecarlo", "must be one that works without a public n", "use method = bootstrap");
  return {};
}

Result<CompositeTest> test_composite_hypothesis(const CountRelease& release, const NullModel& model, const GofOptions& options) {
  TACET_CHECK(check_test(release, options));
  if (model.cells() != release.values.size()) {
    return Error::invalid("release", fmt::format("a table of {} cells", release.values.size()),
                          fmt::format("must have the {} cells of the hypothesis", model.cells()));
  }
  if (model.parameters() + 1 >= model.cells()) {
    return Error::invalid("hypothesis", fmt::format("{} parameters", model.parameters()),
                          fmt::format("must have fewer than the {} that a table of {} cells can show", model.cells() - 1, model.cells()));
  }
  CompositeTest answer{};
  GofTest& test = answer.test;
  test.statistic_kind = options.statistic.value_or(GofStatistic::Projected);
  if (test.statistic_kind == GofStatistic::Classical) {
    return Error::invalid("statistic", "classical", "must be projected or nonprojected for a general hypothesis",
                          "use statistic = projected");
  }
  if (test.statistic_kind == GofStatistic::Nonprojected && !release.n) {
    return Error::invalid("statistic", "nonprojected", "must be one that works without a public n", "use statistic = projected");
  }
  const double total = block_sum(release.values);
  if (!release.n && total >= 1 && !(cell_noise(release.noise).variance >= kLeastNoise * total)) {
    return Error::invalid("release", fmt::format("noise with variance {:.3g}", cell_noise(release.noise).variance),
                          fmt::format("must have noise of a variance of at least {:.3g} where n is not public", kLeastNoise * total),
                          "with less noise the total is as good as public: import the table with n");
  }
  test.method = options.method == GofMethod::Automatic && !release.n ? GofMethod::Bootstrap : options.method;
  if (!release.n && !(total >= 1)) {
    leave_open(test, "the noisy counts sum to less than one person");
    return answer;
  }
  if (release.n && *release.n < 1) {
    leave_open(test, "nobody is in the file");
    return answer;
  }
  MinimumChi2 distance(model, cell_noise(release.noise));
  ChiFit fit = distance.fit(release.values, release.n);
  answer.n = fit.n;
  answer.theta = std::move(fit.theta);
  answer.fitted = std::move(fit.probabilities);
  const double weight = excess_weight(release, model.cells(), test.statistic_kind);
  const double excess = total - answer.n;
  test.statistic = fit.statistic + (weight > 0 ? weight * excess * excess : 0);
  test.df = distance.df() + (weight > 0 ? 1 : 0);
  test.least_expected = answer.n * *std::min_element(answer.fitted.begin(), answer.fitted.end());
  test.method = options.method;
  if (!options.statistic) test.choice = kUsualChoice;
  if (options.method == GofMethod::Automatic) {
    std::string why;
    test.method = choose_for_composite(release, *test.least_expected, why);
    test.choice = test.choice ? *test.choice + "; " + why : why;
  }
  if (test.method == GofMethod::Bootstrap && release.n) test.method = GofMethod::MonteCarlo;
  if (!fit.converged) {
    leave_open(test, "the nearest table of the hypothesis was not found");
    return answer;
  }
  if (test.method == GofMethod::Asymptotic) {
    TACET_CHECK(composite_limit(answer, release, options));
  } else {
    TACET_CHECK(simulated_composite(answer, release, model, options));
  }
  return answer;
}

}  // namespace tacet::inference

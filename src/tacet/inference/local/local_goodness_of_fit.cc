#include "tacet/inference/local/local_goodness_of_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/chi2_power.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/level.h"
#include "tacet/inference/local/local_tables.h"

namespace tacet::inference {
namespace {

using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;
using mechanisms::LocalRelease;
using numeric::ChiTerm;
using numeric::WeightedChi2;

Status check(const LocalRelease& release, const std::vector<double>& null, const GofOptions& options) {
  if (null.size() != release.values.size()) {
    return Error::invalid("null", fmt::format("{} probabilities", null.size()),
                          fmt::format("must have a probability for each of the {} categories of the release", release.values.size()));
  }
  TACET_CHECK(check_alpha(options.alpha));
  return {};
}

std::pair<GofMethod, std::string> choose(const LocalGofDesign& design, GofStatistic statistic) {
  if (design.randomizer().kind == LocalKind::Laplace)
    return {GofMethod::MonteCarlo, "montecarlo, since sums of Laplace variables are drawn as easily as their limit"};
  if (design.least_expected() < kLeastExpected) {
    return {GofMethod::MonteCarlo,
            fmt::format("montecarlo, since a cell expects {:.3g}, fewer than {}", design.least_expected(), kLeastExpected)};
  }
  if (statistic == GofStatistic::Classical && design.randomizer().kind != LocalKind::Exp && design.cells() > kMostClassicalCells)
    return {GofMethod::MonteCarlo, "montecarlo, since the classical statistic of so many cells has no computed distribution"};
  return {GofMethod::Asymptotic, fmt::format("asymptotic, since every cell expects at least {}", kLeastExpected)};
}

std::string limit_words(const LocalGofDesign& design, GofStatistic statistic) {
  if (statistic == GofStatistic::Classical && design.randomizer().kind != LocalKind::Exp) {
    return fmt::format("a weighted sum of {} independent chi-square variables, the weights from the randomizer and the probabilities",
                       design.cells());
  }
  return chi2_words(design.df(statistic));
}

Result<GofTest> asymptotic(GofTest test, const LocalGofDesign& design, double alpha) {
  TACET_TRY(const WeightedChi2 null, design.null_distribution(test.statistic_kind));
  decide_by_limit(test, null, limit_words(design, test.statistic_kind), alpha, GofMethod::MonteCarlo);
  return test;
}

Result<GofTest> simulated(GofTest test, const LocalGofDesign& design, const GofOptions& options) {
  TACET_CHECK(check_simulated(design.cells(), design.n()));
  TACET_CHECK(decide_by_draws(
      test, options, design.cells(),
      [&](const Simulation& simulation, std::optional<double> observed) {
        return simulate_local_gof(design, test.statistic_kind, design.null(), simulation, observed);
      },
      fmt::format("collections of {:.0f} reports, randomised as those of the release ({})", design.n(), name(design.randomizer().kind))));
  return test;
}

}  // namespace

Result<LocalGofDesign> LocalGofDesign::of(std::vector<double> null, double n, const LocalRandomizer& randomizer) {
  TACET_CHECK(mechanisms::check_distribution(randomizer));
  TACET_TRY(std::vector<double> p, probabilities_of(std::move(null), "null", ZeroCells::Allowed));
  TACET_CHECK(mechanisms::check_categories(p.size()));
  if (!(n >= 1 && n <= 0x1p53)) return Error::invalid("n", fmt::format("{}", n), "must be at least 1 report and at most 2^53");
  LocalGofDesign design(std::move(p), n, randomizer);
  if (randomizer.kind == LocalKind::Exp) {
    design.reported_ = report_probabilities(randomizer, design.null_);
    return design;
  }
  // The noise of the estimates has the same variance for all counts.
  TACET_TRY(design.normal_, GofDesign::of(design.null_, n, {.variance = mechanisms::covariance(randomizer, n, design.null_, 0, 0)}));
  return design;
}

double LocalGofDesign::df(GofStatistic statistic) const { return normal_ ? normal_->df(statistic) : static_cast<double>(cells()) - 1; }

double LocalGofDesign::least_expected() const { return least_expected_report(randomizer_, n_, null_); }

double LocalGofDesign::statistic(GofStatistic statistic, std::span<const double> values) const {
  if (normal_) return gof_statistic(*normal_, statistic, values);
  return block_sum(cells(), [&](std::size_t i) {
    const double expected = n_ * reported_[i];
    return (values[i] - expected) * (values[i] - expected) / expected;
  });
}

Result<WeightedChi2> LocalGofDesign::null_distribution(GofStatistic statistic) const {
  if (normal_) return gof_null_distribution(*normal_, statistic);
  return WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = df(statistic)}});
}

Result<double> LocalGofDesign::power(GofStatistic statistic, std::span<const double> alternative, double alpha) const {
  if (normal_) return gof_power(*normal_, statistic, alternative, alpha);
  if (alternative.size() != cells()) {
    return Error::invalid("alternative", fmt::format("{} probabilities", alternative.size()),
                          fmt::format("must have {} cells, as the null has", cells()));
  }
  TACET_TRY(const WeightedChi2 distribution, null_distribution(statistic));
  const double gap = report_gap(randomizer_, cells());
  const double noncentrality = block_sum(cells(), [&](std::size_t i) {
    const double moved = gap * (alternative[i] - null_[i]);
    return n_ * moved * moved / reported_[i];
  });
  return noncentral_upper(df(statistic), noncentrality, distribution.upper_quantile(alpha));
}

std::vector<double> simulate_local_gof(const LocalGofDesign& design, GofStatistic statistic, const std::vector<double>& truth,
                                       const Simulation& simulation, std::optional<double> observed) {
  const LocalTables drawn(design.n(), truth, design.randomizer());
  const std::size_t cells = design.cells();
  const std::size_t tables = tables_in_a_block(cells);
  return simulate(simulation, observed, tables, [&]() -> BlockOfTables {
    return [&, cells, tables, statistic, values = std::vector<double>(cells * tables), one = std::vector<double>(cells)](
               numeric::InsecureStream& stream, std::span<double> out) mutable {
      drawn.draw(stream, tables, values);
      for (std::size_t t = 0; t < tables; ++t) {
        for (std::size_t i = 0; i < cells; ++i) one[i] = values[i * tables + t];
        out[t] = design.statistic(statistic, one);
      }
    };
  });
}

Result<GofTest> test_local_goodness_of_fit(const LocalRelease& release, const std::vector<double>& null, const GofOptions& options) {
  TACET_CHECK(check(release, null, options));
  const LocalRandomizer randomizer = release.randomizer;
  TACET_TRY(const LocalGofDesign design, LocalGofDesign::of(null, release.n, randomizer));
  const bool exp = randomizer.kind == LocalKind::Exp;
  const std::vector<double>& values = exp ? release.reports : release.values;
  GofTest test{};
  test.statistic_kind = exp ? GofStatistic::Classical : options.statistic.value_or(GofStatistic::Projected);
  test.method = options.method == GofMethod::Bootstrap ? GofMethod::MonteCarlo : options.method;
  if (!options.statistic) {
    test.choice = exp ? "Pearson's statistic of the reports" : kUsualChoice;
  } else if (exp && *options.statistic != GofStatistic::Classical) {
    test.choice = fmt::format("{} coincides with classical for reports of the kind exp, which keep their total", name(*options.statistic));
  }
  if (test.method == GofMethod::Automatic) {
    auto [method, why] = choose(design, test.statistic_kind);
    test.method = method;
    test.choice = test.choice ? *test.choice + "; " + why : why;
  }
  test.df = design.df(test.statistic_kind);
  test.least_expected = design.least_expected();
  test.statistic = design.statistic(test.statistic_kind, values);
  // The classical statistic is a weighted sum there, and its excess does not determine its power.
  if (options.with_power && (exp || test.statistic_kind != GofStatistic::Classical))
    test.power = power_of_excess(*test.statistic, test.df, options.alpha);
  if (test.method == GofMethod::Asymptotic) return asymptotic(std::move(test), design, options.alpha);
  return simulated(std::move(test), design, options);
}

}  // namespace tacet::inference

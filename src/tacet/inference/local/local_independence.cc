#include "tacet/inference/local/local_independence.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/chi2_power.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/minimum_chi2.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/level.h"
#include "tacet/inference/local/local_tables.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {
namespace {

using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;
using mechanisms::LocalRelease;
using numeric::ChiTerm;
using numeric::WeightedChi2;

Status check_local_independence(const LocalRelease& release, const NullModel& model, const GofOptions& options) {
  if (!(release.n >= 1)) return Error::invalid("n", fmt::format("{}", release.n), "must be at least one report");
  TACET_CHECK(check_alpha(options.alpha));
  if (model.cells() != release.values.size()) {
    return Error::invalid("release", fmt::format("a table of {} cells", release.values.size()),
                          fmt::format("must have the {} cells of the hypothesis", model.cells()));
  }
  const bool exp = release.randomizer.kind == LocalKind::Exp;
  const GofStatistic statistic = options.statistic.value_or(GofStatistic::Projected);
  if (statistic == GofStatistic::Projected || (exp && statistic == GofStatistic::Classical)) return {};
  return Error::invalid("statistic", std::string(name(statistic)), "must be projected for a hypothesis about local reports",
                        "use statistic = projected");
}

/// The nearest table of a hypothesis, with known noise of the estimates or of the reports.
class LocalDistance {
 public:
  LocalDistance(const NullModel& model, const LocalRandomizer& randomizer, double n)
      : reported_(model, randomizer),
        distance_(randomizer.kind == LocalKind::Exp ? static_cast<const NullModel&>(reported_) : model, noise(model, randomizer, n)) {}

  MinimumChi2& operator*() { return distance_; }
  MinimumChi2* operator->() { return &distance_; }

 private:
  static CellNoise noise(const NullModel& model, const LocalRandomizer& randomizer, double n) {
    if (randomizer.kind == LocalKind::Exp) return {.variance = 0};
    return {.variance = mechanisms::covariance(randomizer, n, std::vector<double>(model.cells(), 0), 0, 0)};
  }
  ReportedModel reported_;
  MinimumChi2 distance_;
};

std::vector<double> simulated_independence(const NullModel& model, const LocalRandomizer& randomizer, double n,
                                           const std::vector<double>& fitted, const Simulation& simulation,
                                           std::optional<double> observed) {
  const LocalTables drawn(n, fitted, randomizer);
  const std::size_t cells = drawn.cells();
  const std::size_t tables = tables_in_a_block(cells);
  return simulate(simulation, observed, tables, [&]() -> BlockOfTables {
    const auto distance = std::make_shared<LocalDistance>(model, randomizer, n);
    return [&, distance, cells, tables, n, values = std::vector<double>(cells * tables), one = std::vector<double>(cells)](
               numeric::InsecureStream& stream, std::span<double> out) mutable {
      drawn.draw(stream, tables, values);
      for (std::size_t t = 0; t < tables; ++t) {
        for (std::size_t i = 0; i < cells; ++i) one[i] = values[i * tables + t];
        out[t] = (*distance)->statistic(one, n);
      }
    };
  });
}

/// Reports change by `gap` times the change of the probabilities of people.
class ReportedDerivative final : public ModelDerivative {
 public:
  ReportedDerivative(const NullModel& model, double gap) : model_(model), inner_(model.derivative()), people_(model.cells()), gap_(gap) {}

  std::size_t directions() const override { return inner_->directions(); }
  void move(std::span<const double> theta, std::span<const double> step, std::span<double> out) const override {
    inner_->move(theta, step, out);
  }
  void at(std::span<const double> theta, std::span<const double> /*p*/) override {
    model_.probabilities(theta, people_);
    inner_->at(theta, people_);
  }
  void transposed(std::span<const double> f, std::span<double> out) const override {
    inner_->transposed(f, out);
    for (double& sum : out) sum *= gap_;
  }
  void weighted(std::span<const double> weights, std::span<const double> x, std::span<double> out) const override {
    inner_->weighted(weights, x, out);
    for (double& sum : out) sum *= gap_ * gap_;
  }
  void diagonal(std::span<const double> weights, std::span<double> out) const override {
    inner_->diagonal(weights, out);
    for (double& sum : out) sum *= gap_ * gap_;
  }
  void second_derivative(std::span<const double> f, std::span<const double> x, std::span<double> out) const override {
    inner_->second_derivative(f, x, out);
    for (double& sum : out) sum *= gap_;
  }

 private:
  const NullModel& model_;
  std::unique_ptr<ModelDerivative> inner_;
  std::vector<double> people_;
  double gap_;
};

void choose_for_independence(const LocalRandomizer& randomizer, GofTest& test) {
  test.method = GofMethod::MonteCarlo;
  if (randomizer.kind == LocalKind::Laplace) {
    test.choice = "montecarlo, since the noise is not Gaussian";
  } else if (*test.least_expected < kLeastExpected) {
    test.choice = fmt::format("montecarlo, since a cell expects fewer than {}", kLeastExpected);
  } else {
    test.method = GofMethod::Asymptotic;
    test.choice = fmt::format("asymptotic, since every cell expects at least {}", kLeastExpected);
  }
}

}  // namespace

std::vector<double> ReportedModel::guess(std::span<const double> values) const {
  return model_.guess(mechanisms::estimates(randomizer_, block_sum(values), {values.begin(), values.end()}));
}

bool ReportedModel::probabilities(std::span<const double> theta, std::span<double> p) const {
  if (!model_.probabilities(theta, p)) return false;
  const auto [stays, other] = mechanisms::chances(randomizer_, p.size());
  for (double& probability : p) probability = stays * probability + other * (1 - probability);
  return true;
}

void ReportedModel::jacobian(std::span<const double> theta, std::span<const double> p, std::span<double> out) const {
  std::vector<double> people(p.size());
  model_.probabilities(theta, people);
  model_.jacobian(theta, people, out);
  const double gap = report_gap(randomizer_, p.size());
  for (double& derivative : out) derivative *= gap;
}

std::unique_ptr<ModelDerivative> ReportedModel::derivative() const {
  return std::make_unique<ReportedDerivative>(model_, report_gap(randomizer_, cells()));
}

std::vector<double> simulate_local_independence(TableShape shape, const LocalRandomizer& randomizer, double n,
                                                const std::vector<double>& probabilities, const Simulation& simulation) {
  return simulated_independence(IndependentMargins(shape.rows, shape.columns), randomizer, n, probabilities, simulation, std::nullopt);
}

Result<double> local_independence_power(TableShape shape, const std::vector<double>& alternative, double n,
                                        const LocalRandomizer& randomizer, double alpha) {
  const IndependentMargins model(shape.rows, shape.columns);
  LocalDistance distance(model, randomizer, n);
  std::vector<double> expected = randomizer.kind == LocalKind::Exp ? report_probabilities(randomizer, alternative) : alternative;
  for (double& cell : expected) cell *= n;
  const ChiFit fit = distance->fit(expected, n);
  if (!fit.converged)
    return Error::of(Code::Unsupported, "no nearest table with independent variables was found", "use method = simulation");
  const double df = distance->df();
  TACET_TRY(const WeightedChi2 null, WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = df}}));
  return noncentral_upper(df, fit.statistic, null.upper_quantile(alpha));
}

Result<CompositeTest> test_local_hypothesis(const LocalRelease& release, const NullModel& model, const GofOptions& options) {
  TACET_CHECK(check_local_independence(release, model, options));
  const LocalRandomizer randomizer = release.randomizer;
  const double n = release.n;
  const bool exp = randomizer.kind == LocalKind::Exp;
  LocalDistance distance(model, randomizer, n);
  ChiFit fit = distance->fit(exp ? release.reports : release.values, n);
  CompositeTest answer{};
  GofTest& test = answer.test;
  answer.n = n;
  answer.fitted.resize(model.cells());
  model.probabilities(fit.theta, answer.fitted);
  answer.theta = std::move(fit.theta);
  test.statistic_kind = exp ? GofStatistic::Classical : GofStatistic::Projected;
  const bool coincides = exp && options.statistic == GofStatistic::Projected;
  test.statistic = fit.statistic;
  test.df = distance->df();
  test.least_expected = least_expected_report(randomizer, n, answer.fitted);
  test.method = options.method == GofMethod::Bootstrap ? GofMethod::MonteCarlo : options.method;
  if (test.method == GofMethod::Automatic) choose_for_independence(randomizer, test);
  if (coincides) {
    const std::string why = "projected coincides with classical for reports of the kind exp, which keep their total";
    test.choice = test.choice ? why + "; " + *test.choice : why;
  }
  if (!fit.converged) {
    leave_open(test, "the nearest table of the hypothesis was not found");
    return answer;
  }
  if (options.with_power) test.power = power_of_excess(*test.statistic, test.df, options.alpha);
  if (test.method == GofMethod::Asymptotic) {
    TACET_TRY(const WeightedChi2 null, WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = test.df}}));
    decide_by_limit(test, null, chi2_words(test.df), options.alpha, GofMethod::MonteCarlo);
    return answer;
  }
  TACET_CHECK(check_simulated(model.cells(), n));
  TACET_CHECK(decide_by_draws(
      test, options, model.cells(),
      [&](const Simulation& simulation, std::optional<double> observed) {
        return simulated_independence(model, randomizer, n, answer.fitted, simulation, observed);
      },
      fmt::format("collections of {:.0f} reports at the fitted probabilities, randomised as those of the release ({})", n,
                  name(randomizer.kind))));
  return answer;
}

Result<CompositeTest> test_local_independence(const LocalRelease& release, const GofOptions& options) {
  TACET_TRY(const TableShape shape, two_way(release));
  return test_local_hypothesis(release, IndependentMargins(shape.rows, shape.columns), options);
}

}  // namespace tacet::inference

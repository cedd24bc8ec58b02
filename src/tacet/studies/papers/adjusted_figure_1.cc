#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/inference/means/mean_hypothesis.h"
#include "tacet/mechanisms/eigen_matrix.h"
#include "tacet/planning/mean_query_plan.h"
#include "tacet/studies/papers/adjusted_examples.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::adjusted_figure_1 {
namespace {

using inference::MeanAnalysis;
using mechanisms::RowMatrix;
using mechanisms::vector_view;
using planning::AdjustedPlan;

/// The axis of the picture is not in the text.
constexpr std::size_t kPoints = 40;
double epsilon_at(std::size_t i) { return static_cast<double>(i + 1) / 10; }
/// Where the tests are simulated.
constexpr double kEpsilon = 1, kAlpha = 0.05;

/// The numbers of a curve's cell, for each epsilon: as the paper names its curves, and with
/// differential privacy in place of random differential privacy.
enum : std::size_t { kNaive, kOptHg, kOptHf, kAdjusted, kClipped, kCombination, kFourTimes, kLevel, kCount };

/// The power of one clipped combination of the columns under (epsilon, delta): release query --goal
/// normal-test.
Result<double> combination_power(const AdjustedQuestion& question) {
  TACET_TRY(const accounting::ForMu mu, accounting::mu_for(accounting::ForEpsilonDelta{question.epsilon, question.delta}));
  const planning::MeanPlan plan{.covariance = question.covariance, .mu = mu.mu};
  return mean_test_power(plan, planning::MeanQuery::NormalCombination, question.eta, question.n, kAlpha);
}

Result<Sums> curves(const AdjustedQuestion& asked) {
  Sums all;
  for (std::size_t i = 0; i < kPoints; ++i) {
    AdjustedQuestion question = asked;
    question.epsilon = epsilon_at(i);
    TACET_TRY(const AdjustedPlan plan, plan_adjusted(question));
    TACET_TRY(const double combination, combination_power(question));
    for (const double value : {plan.naive_Hf, plan.opt_Hg, plan.opt_Hf, plan.adjusted, plan.clipped, combination, plan.trimmed_4_epsilon,
                               plan.super_naive_Hf_level})
      all.push_back(value);
  }
  return all;
}

/// Example 1 with a mean along the first principal axis.
Result<AdjustedQuestion> along_first_axis() {
  AdjustedQuestion question = adjusted_question(kAdjustedExamples[0], kEpsilon);
  const Eigen::SelfAdjointEigenSolver<RowMatrix> solver(mechanisms::matrix_view(question.covariance));
  const Eigen::VectorXd axis = 20 * solver.eigenvectors().col(kBloodTests - 1);
  question.eta.assign(axis.begin(), axis.end());
  return question;
}

/// How one analysis sees f + mix u, f the mean of the rows and u standard normal.
struct Analysis {
  const char* name;
  MeanAnalysis analysis;
  double AdjustedPlan::* expected;  // the power, or the level of the super-naive analysis
  double AdjustedPlan::* noise;
  bool whitened;
};
constexpr std::array kAnalyses = {
    Analysis{"super-naive", MeanAnalysis::SuperNaive, &AdjustedPlan::super_naive_Hf_level, &AdjustedPlan::sigma_f, false},
    Analysis{"[a]", MeanAnalysis::Naive, &AdjustedPlan::naive_Hf, &AdjustedPlan::sigma_f, false},
    Analysis{"[b]", MeanAnalysis::Optimal, &AdjustedPlan::opt_Hg, &AdjustedPlan::sigma_fg, false},
    Analysis{"[c]", MeanAnalysis::Optimal, &AdjustedPlan::opt_Hf, &AdjustedPlan::sigma_f, false},
    Analysis{"[d]", MeanAnalysis::Optimal, &AdjustedPlan::adjusted, &AdjustedPlan::sigma_g, true}};

/// For each analysis the rejections under the hypothesis and under the alternative; for a query
/// that is whitened, the noise is mapped back with the answer.
Result<Sums> simulated(const AdjustedExample& example, Piece& piece) {
  const AdjustedQuestion question = adjusted_question(example, kEpsilon);
  TACET_TRY(const AdjustedPlan plan, plan_adjusted(question));
  const RowMatrix sampling = mechanisms::matrix_view(question.covariance) / question.n;
  const RowMatrix root = Eigen::SelfAdjointEigenSolver<RowMatrix>(sampling).operatorSqrt();
  const Eigen::VectorXd eta = vector_view(question.eta);
  Sums sums(2 * kAnalyses.size());
  inference::NoisyMean mean{};
  mean.names.assign(kBloodTests, "test");
  mean.people = question.n;
  mean.family = inference::UnitNoise::Gaussian;
  mean.units = kBloodTests;
  std::vector<double> sampled(kBloodTests), noise(kBloodTests);
  for (std::size_t i = 0; i < piece.trials; ++i) {
    for (std::size_t k = 0; k < kAnalyses.size(); ++k) {
      const Analysis& one = kAnalyses[k];
      const RowMatrix mix = plan.*one.noise * (one.whitened ? root : RowMatrix::Identity(kBloodTests, kBloodTests));
      mean.mix.assign(mix.data(), mix.data() + mix.size());
      for (const bool alternative : {false, true}) {
        piece.stream.fill_normal(sampled);
        piece.stream.fill_normal(noise);
        const Eigen::VectorXd estimate = (alternative ? 1.0 : 0.0) * eta + root * vector_view(sampled) + mix * vector_view(noise);
        mean.estimate.assign(estimate.begin(), estimate.end());
        TACET_TRY(
            const inference::MeanTest test,
            test_mean(mean, {.null = std::vector<double>(kBloodTests),
                             .alternative = question.eta,
                             .analysis = one.analysis,
                             .alpha = kAlpha,
                             .distribution = {.target = inference::MeanTarget::Population, .covariance = question.covariance.values}}));
        sums[2 * k + (alternative ? 1 : 0)] += test.statistic.value_or(0) > test.critical.value_or(0) ? 1 : 0;
      }
    }
  }
  return sums;
}

std::string curve_cell(const AdjustedExample& example) { return fmt::format("curves {}", example.name); }
std::string simulated_cell(const AdjustedExample& example) { return fmt::format("simulated {}", example.name); }
constexpr const char* kFirstAxis = "first axis";

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const AdjustedExample& example : kAdjustedExamples) {
    all.push_back({curve_cell(example), 1, 1, [&example](Piece& /*piece*/) { return curves(adjusted_question(example, kEpsilon)); }});
    all.push_back({simulated_cell(example), effort.of(20'000, 2000), 1000, [&example](Piece& piece) { return simulated(example, piece); }});
  }
  all.push_back({kFirstAxis, 1, 1, [](Piece& /*piece*/) -> Result<Sums> {
                   TACET_TRY(const AdjustedQuestion question, along_first_axis());
                   return curves(question);
                 }});
  return all;
}

double at(const Measured& measured, const std::string& cell, std::size_t point, std::size_t which) {
  return measured.sum(cell, point * kCount + which);
}

/// By numpy and scipy from the formulas of docs/explanation/adjusted_queries.md: example, epsilon,
/// and the four powers.
struct Independent {
  std::size_t example;
  double epsilon;
  std::array<double, 4> powers;
};
constexpr std::array<Independent, 12> kIndependent = {{
    {0, 0.5, {0.1277111614253681, 0.21686937855944255, 0.287009770456355, 0.3884501323064794}},
    {0, 1, {0.20260065049365816, 0.3665936517765095, 0.4758827864812988, 0.6499462397466286}},
    {0, 2, {0.36046968097260834, 0.5824755967815727, 0.693327438078919, 0.8742707778363029}},
    {1, 0.5, {0.0763596333712131, 0.10616983179984663, 0.12319151035051801, 0.15579472033591024}},
    {1, 1, {0.10467239784546889, 0.17415909603296187, 0.21460494428986454, 0.2999462544623642}},
    {1, 2, {0.17151039047013816, 0.3269170009118971, 0.40660986866792304, 0.5892966729838416}},
    {2, 0.5, {0.08946813767663797, 0.1477874136728864, 0.1805981251683937, 0.24244375267077323}},
    {2, 1, {0.13580930117399181, 0.2817376377422608, 0.36191424227375546, 0.5120436553994685}},
    {2, 2, {0.2520900276052854, 0.568187228409698, 0.6916075051778179, 0.8753422317863715}},
    {3, 0.5, {0.13126869819787157, 0.27259279015738935, 0.3530311222497816, 0.4983359609862694}},
    {3, 1, {0.24859222693814442, 0.5866843102521984, 0.7240610386834962, 0.8971347442586992}},
    {3, 2, {0.5412162903693968, 0.9306708859164642, 0.9765203668556461, 0.9990227829440588}},
}};

Verdict on_powers(const Measured& measured) {
  std::vector<std::pair<std::string, Comparison>> compared_all;
  for (const Independent& one : kIndependent) {
    const auto point = static_cast<std::size_t>(std::lround(one.epsilon * 10)) - 1;
    const AdjustedExample& example = kAdjustedExamples[one.example];
    for (std::size_t k = 0; k < one.powers.size(); ++k) {
      compared_all.emplace_back(fmt::format("example {}, epsilon {}, {}", example.name, one.epsilon, kAnalyses[k + 1].name),
                                Comparison{at(measured, curve_cell(example), point, k), one.powers[k], 1e-9});
    }
  }
  return all_agree("the powers [a] to [d] agree with an independent evaluation of section 3", compared_all);
}

/// The least difference of two curves over all examples and epsilons.
double least_gain(const Measured& measured, std::size_t high, std::size_t low) {
  double least = 1;
  for (const AdjustedExample& example : kAdjustedExamples) {
    for (std::size_t i = 0; i < kPoints; ++i)
      least = std::min(least, at(measured, curve_cell(example), i, high) - at(measured, curve_cell(example), i, low));
  }
  return least;
}

constexpr const char* kWhere = "The least difference over four examples and 40 values of epsilon";

std::vector<Verdict> on_order(const Measured& measured) {
  std::vector<Verdict> found;
  const auto order = [&](const char* claim, std::size_t high, std::size_t low) {
    const double gain = least_gain(measured, high, low);
    found.push_back(holds(claim, gain > 0, {{"least_gain", gain}}, kWhere));
  };
  order("in the case of Figure 1 the test [d] on the adjusted query has more power than [c]", kAdjusted, kOptHf);
  order("[c] has more power than [b], as D(f) is at most D(fg)", kOptHf, kOptHg);
  order("Theorem 3.4 (3): [d] has more power than [b]", kAdjusted, kOptHg);
  order("the optimal analysis [c] has more power than the naive one, [a]", kOptHf, kNaive);
  const std::size_t point = 9;  // epsilon = 1
  const double plain = at(measured, kFirstAxis, point, kOptHf), adjusted = at(measured, kFirstAxis, point, kAdjusted);
  found.push_back(holds("depending on the parameters, [d] may have less power than [c]", adjusted < plain,
                        {{"[d]", adjusted}, {"[c]", plain}},
                        "Example 1 at epsilon = 1 with a mean along the first principal axis: whitening adds most noise there"));
  double least = 1;
  for (const AdjustedExample& example : kAdjustedExamples) {
    for (std::size_t i = 0; i < kPoints; ++i) least = std::min(least, at(measured, curve_cell(example), i, kLevel));
  }
  found.push_back(holds("the super-naive analysis has a wrong level", least > kAlpha, {{"least_level", least}, {"nominal", kAlpha}},
                        "Over the same examples and values of epsilon"));
  const double four = least_gain(measured, kFourTimes, kAdjusted);
  found.push_back(holds("with trimming, DP(4 epsilon, delta) gives essentially the same results", four > -1e-9, {{"least_gain", four}},
                        "It gives more: 4 epsilon is more than trimming needs"));
  const double combination = least_gain(measured, kCombination, kAdjusted);
  found.push_back(
      holds("more power under differential privacy than [d] has under the weaker random differential privacy", combination > 0,
            {{"least_gain", combination}},
            "A query for one clipped combination of the columns (release query --goal normal-test), at the same epsilon and delta",
            Outcome::Better));
  return found;
}

/// The tests themselves against the formulas.
Result<std::vector<Verdict>> on_tests(const Measured& measured) {
  std::vector<std::pair<std::string, Comparison>> levels, powers;
  const std::size_t count = kAnalyses.size() * kAdjustedExamples.size();
  for (const AdjustedExample& example : kAdjustedExamples) {
    TACET_TRY(const AdjustedPlan plan, plan_adjusted(adjusted_question(example, kEpsilon)));
    for (std::size_t k = 0; k < kAnalyses.size(); ++k) {
      const std::string name = fmt::format("example {}, {}", example.name, kAnalyses[k].name);
      const bool wrong = kAnalyses[k].analysis == MeanAnalysis::SuperNaive;
      const double expected = plan.*kAnalyses[k].expected;
      levels.emplace_back(name, compared(measured.rate(simulated_cell(example), 2 * k), wrong ? expected : kAlpha, 0, count));
      if (!wrong) powers.emplace_back(name, compared(measured.rate(simulated_cell(example), 2 * k + 1), expected, 0, count));
    }
  }
  return std::vector<Verdict>{all_agree("the tests have the level 0.05, and the super-naive one the level that it reports", levels,
                                        "infer mean-test at epsilon = 1."),
                              all_agree("the tests have the powers of the curves", powers, "infer mean-test at epsilon = 1.")};
}

Result<Findings> conclude(const Measured& measured) {
  constexpr std::array<const char*, 6> kNames = {"[a] naive",    "[b] optimal, H_g",     "[c] optimal, H_f",
                                                 "[d] adjusted", "[d] clipped, with DP", "one combination, with DP"};
  Findings found;
  Table table{"powers", "Powers at the level 0.05", {"example", "epsilon"}, {}};
  for (const char* name : kNames) table.columns.emplace_back(name);
  table.columns.emplace_back("[d] trimmed, with DP at 4 epsilon");
  table.columns.emplace_back("level of the super-naive analysis");
  report::Figure figure{.title = "Adjusted, Figure 1: power of the likelihood-ratio test at 0.05", .panels = {}, .columns = 2};
  for (const AdjustedExample& example : kAdjustedExamples) {
    report::Panel panel{.title = fmt::format("example {}", example.name), .x = {"epsilon"}, .y = {"power"}, .series = {}};
    for (const char* name : kNames) panel.series.push_back({name, {}, report::Mark::Line});
    for (std::size_t i = 0; i < kPoints; ++i) {
      std::vector<Entry> row = {std::string(example.name), epsilon_at(i)};
      for (std::size_t which = 0; which < kCount; ++which) row.emplace_back(at(measured, curve_cell(example), i, which));
      for (std::size_t which = 0; which < kNames.size(); ++which)
        panel.series[which].points.push_back({epsilon_at(i), at(measured, curve_cell(example), i, which)});
      table.rows.push_back(std::move(row));
    }
    figure.panels.push_back(std::move(panel));
  }
  found.verdicts = on_order(measured);
  found.verdicts.insert(found.verdicts.begin(), on_powers(measured));
  TACET_TRY(const std::vector<Verdict> tests, on_tests(measured));
  found.verdicts.insert(found.verdicts.end(), tests.begin(), tests.end());
  found.figures.push_back(std::move(figure));
  found.tables.push_back(std::move(table));
  return found;
}

}  // namespace

Study make() {
  return {.name = "adjusted_figure_1",
          .title = "Four analyses of noisy blood tests",
          .paper = "Adjusted, Figure 1 (section 4)",
          .shows =
              "The power of a test of six means as a function of epsilon: with the noise ignored, known, and with a query that is "
              "adjusted to the test; beside them two queries under differential privacy. The picture is not in the text of the paper, "
              "nor are its axes.",
          .version = 1,
          .seconds = 16,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::adjusted_figure_1

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/numeric/weighted_chi2.h"
#include "tacet/planning/mean_query_plan.h"
#include "tacet/planning/query_map.h"
#include "tacet/studies/papers/adjusted_examples.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::adjusted_volumes {
namespace {

using planning::AdjustedPlan;
using planning::MeanQuery;

// --- section 3: volumes over epsilon

constexpr std::size_t kPoints = 40;
double epsilon_at(std::size_t i) { return static_cast<double>(i + 1) / 10; }

std::string curve_cell(const AdjustedExample& example) { return fmt::format("example {}", example.name); }

/// For each epsilon the ratios g/f and g/fg.
Result<Sums> volume_curves(const AdjustedExample& example) {
  Sums all;
  for (std::size_t i = 0; i < kPoints; ++i) {
    TACET_TRY(const AdjustedPlan plan, plan_adjusted(adjusted_question(example, epsilon_at(i))));
    all.push_back(plan.vol_ratio_g_over_f);
    all.push_back(plan.vol_ratio_g_over_fg);
  }
  return all;
}

/// By numpy and scipy: example, epsilon, g/f, g/fg.
struct Independent {
  std::size_t example;
  double epsilon, over_f, over_fg;
};
constexpr std::array<Independent, 9> kIndependent = {{
    {0, 0.5, 0.034573983805209374, 0.007957301135033765},
    {0, 1, 0.04279789277988591, 0.010903522920600012},
    {0, 2, 0.06655992719798001, 0.0203756729517962},
    {1, 0.5, 0.022409213984331215, 0.006636595193125101},
    {1, 1, 0.02421134136125004, 0.007371381916508599},
    {1, 2, 0.030328964496858013, 0.009957475959715197},
    {3, 0.5, 0.0228128937726796, 0.006800051767240667},
    {3, 1, 0.025727449989676847, 0.007999437544660011},
    {3, 2, 0.03614406059444996, 0.012533666234299275},
}};

// --- Theorem 3.3 (4): for which gamma

/// The paper says for these what "sufficiently small" means: 1 - P(chi-square_k < 2k).
struct Sufficient {
  std::size_t columns;
  double gamma, rounding;
};
constexpr std::array<Sufficient, 4> kSufficient = {{{6, 0.062, 0.0005}, {10, 0.03, 0.005}, {20, 0.005, 0.0005}, {30, 0.001, 0.0005}}};
constexpr std::array<std::size_t, 5> kColumns = {2, 6, 10, 20, 30};
constexpr std::array<double, 7> kRatios = {1.01, 1.5, 2, 5, 10, 100, 1000};

std::string gamma_cell(std::size_t columns) { return fmt::format("gamma k={}", columns); }
constexpr const char* kBlood = "gamma of the blood tests";

AdjustedQuestion question_of(const mechanisms::Matrix& covariance, double epsilon, double gamma) {
  return {
      .covariance = covariance, .eta = std::vector<double>(covariance.rows, 1), .n = 50, .epsilon = epsilon, .delta = 1e-4, .gamma = gamma};
}

/// What the proof of Theorem 3.3 (4) needs: D(g)^2 times the mean eigenvalue is at most D(f)^2.
Result<bool> proof_holds(const mechanisms::Matrix& covariance, double gamma) {
  const AdjustedQuestion question = question_of(covariance, 1, gamma);
  TACET_TRY(const AdjustedPlan plan, plan_adjusted(question));
  double mean = 0;
  for (std::size_t j = 0; j < covariance.rows; ++j) mean += covariance.at(j, j) / question.n / static_cast<double>(covariance.rows);
  return plan.D_g * plan.D_g * mean <= plan.D_f * plan.D_f;
}

constexpr double kLeastGamma = 1e-6, kMostGamma = 0.5;

/// The gamma up to which it holds.
Result<double> last_gamma(const mechanisms::Matrix& covariance) {
  double low = std::log(kLeastGamma), high = std::log(kMostGamma);
  constexpr int kHalvings = 30;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    TACET_TRY(const bool holds_here, proof_holds(covariance, std::exp(middle)));
    (holds_here ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

/// The largest ratio of the volumes g over f, over noise and gamma.
Result<double> largest_ratio(const mechanisms::Matrix& covariance) {
  double largest = 0;
  for (const double epsilon : {0.1, 1.0, 10.0, 100.0}) {
    for (const double gamma : {1e-6, 1e-3, 0.05, 0.2, 0.3, 0.4, 0.5}) {
      TACET_TRY(const AdjustedPlan plan, plan_adjusted(question_of(covariance, epsilon, gamma)));
      largest = std::max(largest, plan.vol_ratio_g_over_f);
    }
  }
  return largest;
}

/// Covariances with two different eigenvalues: the least last gamma, and the largest ratio.
Result<Sums> two_eigenvalues(std::size_t columns) {
  double least = 1, largest = 0;
  std::vector<std::size_t> counts = {1, columns / 4, columns / 2, 3 * columns / 4, columns - 1};
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  for (const std::size_t large : counts) {
    if (large == 0) continue;
    for (const double ratio : kRatios) {
      std::vector<double> eigenvalues(columns, 1);
      std::fill_n(eigenvalues.begin(), large, ratio);
      const mechanisms::Matrix covariance = planning::diagonal(eigenvalues);
      TACET_TRY(const double gamma, last_gamma(covariance));
      TACET_TRY(const double volume, largest_ratio(covariance));
      least = std::min(least, gamma);
      largest = std::max(largest, volume);
    }
  }
  return Sums{least, largest};
}

Result<double> chi_square_upper(std::size_t columns, double x) {
  TACET_TRY(const auto chi_square,
            numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = static_cast<double>(columns)}}));
  return chi_square.upper(x);
}

// --- section 2: queries of bounded columns

/// Ranges of columns, squares in the order of majorization: each list is more uneven than the one
/// before it.
const std::vector<std::vector<double>> kSquares = {{1, 1, 1}, {1.2, 1, 0.8}, {1.8, 0.8, 0.4}, {2.6, 0.3, 0.1}, {2.9, 0.09, 0.01}};
constexpr const char* kRegions = "regions of bounded columns";

std::vector<double> roots(std::vector<double> squares) {
  for (double& one : squares) one = std::sqrt(one);
  return squares;
}

/// For each list the ratio of the volumes of the regions for the data: of the best query and of the
/// query as it is.
Result<Sums> region_ratios() {
  Sums all;
  for (const std::vector<double>& squares : kSquares) {
    const planning::MeanPlan plan{.covariance = std::nullopt, .mu = 0.5, .ranges = roots(squares)};
    TACET_TRY(const double best, mean_log_volume(plan, MeanQuery::Bounded, 1000, 0.95, false));
    TACET_TRY(const double plain, mean_log_volume(plan, MeanQuery::Isotropic, 1000, 0.95, false));
    all.push_back(std::exp(best - plain));
  }
  return all;
}

constexpr const char* kTests = "tests of bounded columns";

/// The power of the query of one column, less the most power of the other queries.
Result<Sums> column_gain() {
  double least = 1;
  for (const std::vector<double>& squares : kSquares) {
    const planning::MeanPlan plan{.covariance = std::nullopt, .mu = 0.5, .ranges = roots(squares)};
    const std::vector<std::vector<double>> alternatives = {{0.002, 0.006, 0.004}, {0.01, 0, 0.001}, {0.001, 0.002, 0.004}};
    for (const std::vector<double>& eta : alternatives) {
      TACET_TRY(const double best, mean_test_power(plan, MeanQuery::Column, eta, 1000, 0.05, false));
      for (const MeanQuery other : {MeanQuery::Bounded, MeanQuery::LeastSquares, MeanQuery::Isotropic}) {
        TACET_TRY(const double power, mean_test_power(plan, other, eta, 1000, 0.05, false));
        least = std::min(least, best - power);
      }
    }
  }
  return Sums{least};
}

std::vector<Cell> cells(const Effort& /*effort*/) {
  std::vector<Cell> all;
  for (const AdjustedExample& example : kAdjustedExamples)
    all.push_back({curve_cell(example), 1, 1, [&example](Piece& /*piece*/) { return volume_curves(example); }});
  for (const std::size_t columns : kColumns)
    all.push_back({gamma_cell(columns), 1, 1, [columns](Piece& /*piece*/) { return two_eigenvalues(columns); }});
  all.push_back({kBlood, 1, 1, [](Piece& /*piece*/) -> Result<Sums> {
                   TACET_TRY(const double gamma, last_gamma(blood_covariance()));
                   TACET_TRY(const double ratio, largest_ratio(blood_covariance()));
                   return Sums{gamma, ratio};
                 }});
  all.push_back({kRegions, 1, 1, [](Piece& /*piece*/) { return region_ratios(); }});
  all.push_back({kTests, 1, 1, [](Piece& /*piece*/) { return column_gain(); }});
  return all;
}

std::vector<Verdict> on_bounded(const Measured& measured) {
  std::vector<std::pair<std::string, Comparison>> ratios;
  const Sums& regions = measured.sums(kRegions);
  for (std::size_t i = 0; i < kSquares.size(); ++i) {
    const std::vector<double>& squares = kSquares[i];
    const double product = std::accumulate(squares.begin(), squares.end(), 1.0, std::multiplies<>());
    const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
    const auto k = static_cast<double>(squares.size());
    ratios.emplace_back(fmt::format("squared ranges {}", fmt::join(squares, ", ")),
                        Comparison{regions[i], std::pow(std::pow(product, 1 / k) / (sum / k), k / 2), 1e-9});
  }
  const bool decreasing = std::adjacent_find(regions.begin(), regions.end(), std::less_equal<>()) == regions.end();
  return {all_agree("the ratio of the volumes of section 2.1", ratios, "Of the regions that plan region foretells."),
          holds("the ratio is 1 for equal ranges, decreases in the order of majorization, and may be small",
                decreasing && std::abs(regions.front() - 1) < 1e-9, {{"equal", regions.front()}, {"most uneven", regions.back()}},
                "Five lists of three ranges, each more uneven than the one before"),
          holds("Theorem 2.4 (3): the query of one coordinate has the most power", measured.sum(kTests) > -1e-12,
                {{"least_gain", measured.sum(kTests)}}, "Against three queries of all columns, for 15 ranges and alternatives")};
}

Result<std::vector<Verdict>> on_gamma(const Measured& measured) {
  std::vector<std::pair<std::string, Comparison>> sufficient;
  for (const Sufficient& one : kSufficient) {
    TACET_TRY(const double gamma, chi_square_upper(one.columns, 2 * static_cast<double>(one.columns)));
    sufficient.emplace_back(fmt::format("k = {}", one.columns), Comparison{gamma, one.gamma, one.rounding});
  }
  TACET_TRY(const double two, chi_square_upper(2, 4));
  bool beyond = true;
  double largest = measured.sum(kBlood, 1);
  for (const std::size_t columns : kColumns) {
    TACET_TRY(const double proven, chi_square_upper(columns, 2 * static_cast<double>(columns)));
    beyond = beyond && (columns == 2 || measured.sum(gamma_cell(columns)) > 3 * proven);
    largest = std::max(largest, measured.sum(gamma_cell(columns), 1));
  }
  return std::vector<Verdict>{
      all_agree("sufficiently small gamma for k = 6, 10, 20 and 30", sufficient),
      holds("the bound x > 2k of the proof is far from being tight", beyond,
            {{"k = 6, proven", sufficient[0].second.ours},
             {"k = 6, least found", measured.sum(gamma_cell(6))},
             {"k = 30, proven", sufficient[3].second.ours},
             {"k = 30, least found", measured.sum(gamma_cell(30))}},
            "Found: the least gamma at which the condition of the proof fails, over covariances with two different eigenvalues. From 6 "
            "columns "
            "on gamma may be 0.2"),
      differs(
          "the bound x > 2k for two columns", std::abs(measured.sum(gamma_cell(2)) / two - 1) < 1e-3,
          {{"proven", two}, {"least found", measured.sum(gamma_cell(2))}},
          "For k = 2 it is tight: for nearly equal eigenvalues the two distribution functions cross at k + 2, the mode of chi-square with "
          "k + 4 degrees of freedom, and that is 2k"),
      holds(
          "Theorem 3.3 (4): the adjusted query has the smaller region", largest <= 1 + 1e-9,
          {{"largest ratio", largest}, {"blood tests, last gamma of the proof", measured.sum(kBlood)}},
          "In every case that was tried, for gamma up to 0.5 and epsilon from 0.1 to 100: the proof needs a small gamma, these regions do "
          "not")};
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  std::vector<std::pair<std::string, Comparison>> independent;
  double worst = 0;
  for (const Independent& one : kIndependent) {
    const AdjustedExample& example = kAdjustedExamples[one.example];
    const auto point = static_cast<std::size_t>(std::lround(one.epsilon * 10)) - 1;
    const std::string where = fmt::format("example {}, epsilon {}", example.name, one.epsilon);
    independent.emplace_back(where + ", g over f", Comparison{measured.sum(curve_cell(example), 2 * point), one.over_f, 1e-9});
    independent.emplace_back(where + ", g over fg", Comparison{measured.sum(curve_cell(example), 2 * point + 1), one.over_fg, 1e-9});
  }
  Table volumes{"volumes", "Ratios of the volumes of regions", {"example", "epsilon", "g over f", "g over fg"}, {}};
  report::Panel over_f{.title = "adjusted over plain, H_f", .x = {"epsilon"}, .y = {"ratio of volumes"}, .series = {}};
  report::Panel over_fg{.title = "adjusted over plain, H_g", .x = {"epsilon"}, .y = {"ratio of volumes"}, .series = {}};
  for (const AdjustedExample& example : kAdjustedExamples) {
    const std::string name = curve_cell(example);
    report::Series f{name, {}, report::Mark::Line}, fg{name, {}, report::Mark::Line};
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double g_over_f = measured.sum(name, 2 * i), g_over_fg = measured.sum(name, 2 * i + 1);
      f.points.push_back({epsilon_at(i), g_over_f});
      fg.points.push_back({epsilon_at(i), g_over_fg});
      volumes.rows.push_back({std::string(example.name), epsilon_at(i), g_over_f, g_over_fg});
      worst = std::max(worst, g_over_fg);
    }
    // Examples 2 and 3 differ in the alternative alone.
    if (example.name == std::string("3")) continue;
    over_f.series.push_back(std::move(f));
    over_fg.series.push_back(std::move(fg));
  }
  Table gammas{"gamma",
               "For which gamma Theorem 3.3 (4) holds",
               {"columns", "proven for gamma up to", "P(chi2 > k + 2)", "least gamma found", "largest ratio of volumes"},
               {}};
  report::Panel panel{.title = "largest gamma", .x = {"columns"}, .y = {"gamma", true}, .series = {}};
  report::Series proven{"P(chi2 > 2k), proven", {}, report::Mark::LineAndPoints}, limit{"P(chi2 > k + 2)", {}, report::Mark::Line},
      least{"least gamma found", {}, report::Mark::Points};
  for (const std::size_t columns : kColumns) {
    const auto k = static_cast<double>(columns);
    TACET_TRY(const double at_2k, chi_square_upper(columns, 2 * k));
    TACET_TRY(const double at_limit, chi_square_upper(columns, k + 2));
    const double found_least = measured.sum(gamma_cell(columns));
    gammas.rows.push_back({k, at_2k, at_limit, found_least, measured.sum(gamma_cell(columns), 1)});
    proven.points.push_back({k, at_2k});
    limit.points.push_back({k, at_limit});
    least.points.push_back({k, found_least});
  }
  panel.series = {std::move(proven), std::move(limit), std::move(least)};
  found.verdicts = on_bounded(measured);
  found.verdicts.push_back(all_agree("the ratios of section 3 agree with an independent evaluation", independent));
  found.verdicts.push_back(holds("Theorem 3.3 (3): the region of the adjusted query is smaller than that of the plain one with H_g",
                                 worst < 1, {{"largest ratio", worst}}, "In the four examples, for epsilon from 0.1 to 4"));
  TACET_TRY(const std::vector<Verdict> on_small, on_gamma(measured));
  found.verdicts.insert(found.verdicts.end(), on_small.begin(), on_small.end());
  found.figures.push_back({.title = "Adjusted: volumes of regions, and for which gamma the adjusted one is proven to be smaller",
                           .panels = {std::move(over_f), std::move(over_fg), std::move(panel)},
                           .columns = 3});
  found.tables = {std::move(volumes), std::move(gammas)};
  return found;
}

}  // namespace

Study make() {
  return {.name = "adjusted_volumes",
          .title = "Volumes of confidence regions",
          .paper = "Adjusted, Theorems 2.1, 2.4 and 3.3",
          .shows =
              "How much smaller the region of an adjusted query is, for bounded columns and for the blood tests of section 4, and for "
              "which share gamma of unprotected neighbours the last part of Theorem 3.3 holds.",
          .version = 1,
          .seconds = 3,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::adjusted_volumes

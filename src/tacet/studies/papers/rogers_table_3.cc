#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_table_3 {
namespace {

constexpr double kRho = 0.00125, kAlpha = 0.05;
constexpr std::size_t kCells = 100, kPaperTrials = 10000, kBlock = 1000;

struct Row {
  double n, critical, private_level, classical_level;
};
/// As printed.
constexpr std::array kPrinted = {Row{1e3, 10070.47, 0.0503, 1.00}, Row{1e4, 1117.85, 0.0494, 1.00}, Row{1e5, 222.64, 0.0506, 0.9923},
                                 Row{1e6, 133.16, 0.0491, 0.1441}};
constexpr double kPrintedClassical = 123.23;

std::string cell_name(double n) { return fmt::format("n={}", n); }

/// Noise of rho-zCDP on counts, which change by 1 in two cells: variance 1/rho.
Result<inference::GofDesign> design_of(double n) {
  return inference::GofDesign::of(std::vector<double>(kCells, 1.0 / kCells), n, {.variance = 1 / kRho});
}

/// The critical value without noise: that of a table whose noise is as small as a design may have.
Result<double> classical_critical() {
  const std::vector<numeric::ChiTerm> terms = {{.weight = 1, .df = kCells - 1.0}};
  TACET_TRY(const numeric::WeightedChi2 chi_square, numeric::WeightedChi2::of(terms));
  return chi_square.upper_quantile(kAlpha);
}

/// Sums: rejections by the corrected test, by the unmodified test; in the first, the critical
/// value.
Result<Sums> run(double n, Piece& piece) {
  TACET_TRY(const inference::GofDesign design, design_of(n));
  TACET_TRY(const double critical, inference::gof_critical(design, inference::GofStatistic::Classical, kAlpha));
  TACET_TRY(const double classical, classical_critical());
  const inference::GofSetting setting{.design = design,
                                      .statistic = inference::GofStatistic::Classical,
                                      .noise = {.distribution = {kernel::NoiseFamily::Gaussian, 1 / std::sqrt(kRho)}}};
  const std::vector<double> statistics =
      inference::simulate_gof(setting, design.null(), {.draws = piece.trials, .seed = piece.seed, .threads = 1});
  const auto above = [&](double value) {
    return static_cast<double>(std::count_if(statistics.begin(), statistics.end(), [value](double t) { return t > value; }));
  };
  return Sums{above(critical), above(classical)};
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const Row& row : kPrinted)
    all.push_back({cell_name(row.n), effort.of(kPaperTrials, 2000), kBlock, [n = row.n](Piece& piece) { return run(n, piece); }});
  return all;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table table{"levels",
              "Critical values and type I errors at 0.05",
              {"n", "critical value", "paper", "type I error", "paper", "type I error of the unmodified test", "paper"},
              {}};
  std::vector<std::pair<std::string, Comparison>> criticals, levels, unmodified;
  TACET_TRY(const double classical, classical_critical());
  criticals.emplace_back("the chi-square quantile", Comparison{classical, kPrintedClassical, 0.005});
  report::Panel panel{.title = "type I error at 0.05", .x = {"people", true}, .y = {"rejected"}, .series = {}};
  report::Series ours{"corrected test", {}, report::Mark::LineAndPoints}, theirs{"corrected test, paper", {}, report::Mark::Points},
      bare{"unmodified test", {}, report::Mark::LineAndPoints}, their_bare{"unmodified test, paper", {}, report::Mark::Points};
  for (const Row& row : kPrinted) {
    TACET_TRY(const inference::GofDesign design, design_of(row.n));
    TACET_TRY(const double critical, inference::gof_critical(design, inference::GofStatistic::Classical, kAlpha));
    const Rate level = measured.rate(cell_name(row.n), 0), classical_level = measured.rate(cell_name(row.n), 1);
    const std::string where = fmt::format("n = {}", row.n);
    criticals.emplace_back(where, Comparison{critical, row.critical, 0.005001});
    levels.emplace_back(where, compared(level, kAlpha, 0, kPrinted.size()));
    unmodified.emplace_back(where, compared(classical_level, row.classical_level, kPaperTrials, kPrinted.size(), 5e-5));
    table.rows.push_back({row.n, critical, row.critical, level.share, row.private_level, classical_level.share, row.classical_level});
    ours.points.push_back({row.n, level.share, 1.96 * level.standard_error()});
    theirs.points.push_back({row.n, row.private_level});
    bare.points.push_back({row.n, classical_level.share, 1.96 * classical_level.standard_error()});
    their_bare.points.push_back({row.n, row.classical_level});
  }
  found.verdicts.push_back(all_agree("critical values of AsymptGOF", criticals, "To the last printed digit."));
  found.verdicts.push_back(all_agree("AsymptGOF has the level 0.05", levels, "Within 3 standard errors of 0.05."));
  found.verdicts.push_back(all_agree("the unmodified test rejects a true hypothesis this often", unmodified));
  panel.series = {ours, theirs, bare, their_bare};
  found.figures.push_back({.title = "Rogers, Table 3: 100 cells, rho = 0.00125", .panels = {panel}, .columns = 1});
  found.tables.push_back(std::move(table));
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_table_3",
          .title = "Goodness of fit with 100 cells: critical values and type I errors",
          .paper = "Rogers, Table 3 (section 6.3.1)",
          .shows = "A test that knows its noise keeps its level; the unmodified one rejects almost always.",
          .version = 1,
          .seconds = 1,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_table_3

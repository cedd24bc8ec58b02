#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/laplace_gdp.h"
#include "tacet/accounting/tradeoff.h"
#include "tacet/planning/table_costs.h"
#include "tacet/privacy/parameters.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::lee_figures_4_6 {
namespace {

using accounting::TradeOff;

/// Delta_1/Delta_2 of Figure 4. 1 is the least that there is, the root of 2 that of tables.
const std::vector<double> kRatios = {1, 1.1, 1.2, 1.3, std::numbers::sqrt2, 1.6, 1.8, 2, 2.25, 2.5, 3, 3.5, 4};
/// Of Figure 6.
const std::vector<double> kMus = {0.1, 0.15, 0.25, 0.4, 0.6, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8};
constexpr double kPrintedTable = 6.130, kPrintedLeast = 3.36, kPrintedTight = 3.67;
/// The same by mpmath, from Theorem 1, Theorem 11 and (17).
constexpr double kExactTable = 6.1301, kExactLeast = 3.3608, kExactTight = 3.6871;

Result<privacy::Mu> mu_of(double value) {
  TACET_TRY(const Decimal decimal, Decimal::from_shortest(value));
  return privacy::Mu::of(decimal);
}

/// Where `gaussian_is_better(mu)` turns false, to a relative 2^-steps of the bracket.
template <class Better>
Result<double> turning_point(double low, double high, int steps, const Better& gaussian_is_better) {
  for (int i = 0; i < steps; ++i) {
    const double middle = (low + high) / 2;
    TACET_TRY(const bool better, gaussian_is_better(middle));
    (better ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Sums: the mu from which the Laplace noise of Theorem 11 costs less, 2 b^2 against
/// Delta_2^2/mu^2 for each number.
Result<Sums> crossing(double ratio) {
  TACET_TRY(const double at, turning_point(0.5, 39, 40, [ratio](double value) -> Result<bool> {
              TACET_TRY(const privacy::Mu mu, mu_of(value));
              TACET_TRY(const accounting::ConjecturedLaplaceScale b, accounting::laplace_scale_by_conjecture_12(mu, Decimal(1)));
              return 1 / (value * value) < 2 * std::pow(ratio * b.value(), 2);
            }));
  return Sums{at};
}

/// The costs of a table of two cells, half of those of a cell with noise of variance 1: as (18)
/// has them. Gaussian, and Laplace by b^epsilon, b^Delta_1 and b~.
Result<Sums> costs(double value) {
  TACET_TRY(const privacy::Mu mu, mu_of(value));
  TACET_TRY(const planning::TableDesign design, planning::TableDesign::of({100, 100}, privacy::GaussianLoss{mu.value() * mu.value()}));
  TACET_TRY(const std::vector<planning::TableCost> laplace, planning::laplace_costs(design));
  TACET_TRY(const accounting::ConjecturedLaplaceScale b, accounting::laplace_scale_by_conjecture_12(mu, Decimal(2)));
  const auto cost = [](const std::vector<planning::TableCost>& all, const std::string& name) {
    const auto found = std::find_if(all.begin(), all.end(), [&name](const planning::TableCost& one) { return one.name == name; });
    return found == all.end() ? -1 : found->cost / 4;
  };
  return Sums{cost(planning::exact_costs(design), "gaussian"), cost(laplace, "laplace_universal"), b.value() * b.value(),
              cost(laplace, "laplace")};
}

/// Sums: the crossing for the scale of a table; how far below G_mu the curve of the noise is at
/// the printed crossing, whose scale is 1/mu there.
Result<Sums> tight_crossing() {
  TACET_TRY(const double at, turning_point(3.5, 3.9, 16, [](double value) -> Result<bool> {
              TACET_TRY(const Sums here, costs(value));
              return here[0] < here[3];
            }));
  TACET_TRY(const TradeOff noise, TradeOff::laplace({kPrintedTight, -kPrintedTight}));
  TACET_TRY(const TradeOff bound, TradeOff::gaussian(kPrintedTight));
  double gap = 1;
  const double low = std::exp(-2 * kPrintedTight) / 4, high = std::exp(-kPrintedTight) / 4 * (1 + kPrintedTight);
  for (int i = 0; i <= 400; ++i) {
    const double alpha = low * std::pow(high / low, i / 400.0);
    TACET_TRY(const double above, noise.at(alpha));
    TACET_TRY(const double below, bound.at(alpha));
    gap = std::min(gap, above - below);
  }
  return Sums{at, gap};
}

std::string of_ratio(double ratio) { return fmt::format("ratio={:.4f}", ratio); }
std::string of_mu(double mu) { return fmt::format("mu={}", mu); }
constexpr const char* kTightCrossing = "crossing of the scale for a table";

std::vector<Cell> cells(const Effort& /*effort*/) {
  std::vector<Cell> all;
  for (const double ratio : kRatios) all.push_back({of_ratio(ratio), 1, 1, [ratio](Piece& /*piece*/) { return crossing(ratio); }});
  for (const double mu : kMus) all.push_back({of_mu(mu), 1, 1, [mu](Piece& /*piece*/) { return costs(mu); }});
  all.push_back({kTightCrossing, 1, 1, [](Piece& /*piece*/) { return tight_crossing(); }});
  return all;
}

void add_figure_four(Findings& found, const Measured& measured) {
  Table table{"crossings", "The mu from which Laplace noise costs less than Gaussian noise", {"Delta_1/Delta_2", "mu"}, {}};
  report::Series ours{"ours", {}, report::Mark::Line};
  for (const double ratio : kRatios) {
    const double at = measured.sum(of_ratio(ratio));
    table.rows.push_back({ratio, at});
    ours.points.push_back({ratio, at});
  }
  report::Series theirs{"in the text of the paper", {{1, kPrintedLeast}, {std::numbers::sqrt2, kPrintedTable}}, report::Mark::Points};
  found.tables.push_back(std::move(table));
  found.figures.push_back(
      {.title = "Lee, Figure 4: the mu from which Laplace noise costs less",
       .panels = {{.title = "", .x = {"Delta_1 / Delta_2"}, .y = {"mu"}, .series = {std::move(ours), std::move(theirs)}}},
       .columns = 1});
}

void add_figure_six(Findings& found, const Measured& measured) {
  const std::array names = {"Gaussian, 1/mu^2", "Laplace, universal scale", "Laplace, scale of Theorem 11", "Laplace, scale for a table"};
  Table table{"costs", "Costs in the unit of (18)", {"mu"}, {}};
  report::Panel panel{.title = "", .x = {"mu", true}, .y = {"1/mu^2 or b^2", true}, .series = {}};
  report::Panel ratios{.title = "", .x = {"mu"}, .y = {"cost over that of Gaussian noise"}, .series = {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    table.columns.emplace_back(names[i]);
    report::Series series{names[i], {}, report::Mark::Line}, ratio{names[i], {}, report::Mark::Line};
    for (const double mu : kMus) {
      const Sums& sums = measured.sums(of_mu(mu));
      series.points.push_back({mu, sums[i]});
      ratio.points.push_back({mu, sums[i] / sums[0]});
    }
    panel.series.push_back(std::move(series));
    ratios.series.push_back(std::move(ratio));
  }
  ratios.series.push_back({"crossings in the text of the paper", {{kPrintedTight, 1}, {kPrintedTable, 1}}, report::Mark::Points});
  for (const double mu : kMus) {
    std::vector<Entry> row = {mu};
    for (const double cost : measured.sums(of_mu(mu))) row.emplace_back(cost);
    table.rows.push_back(std::move(row));
  }
  found.tables.push_back(std::move(table));
  found.figures.push_back({.title = "Lee, Figure 6: costs of Gaussian and Laplace noise", .panels = {panel, ratios}, .columns = 2});
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  add_figure_four(found, measured);
  add_figure_six(found, measured);
  const double table = measured.sum(of_ratio(std::numbers::sqrt2)), least = measured.sum(of_ratio(1)),
               tight = measured.sum(kTightCrossing, 0);
  found.verdicts.push_back(agrees("for a table, Laplace noise of Theorem 11 costs less from this mu on", {table, kPrintedTable, 0.0005}));
  found.verdicts.push_back(agrees("for Delta_1 = Delta_2 it costs less from this mu on", {least, kPrintedLeast, 0.005}));
  found.verdicts.push_back(
      all_agree("the crossings agree with an independent evaluation", {{"Delta_1 = Delta_2", {least, kExactLeast, 6e-5}},
                                                                       {"a table by Theorem 11", {table, kExactTable, 6e-5}},
                                                                       {"a table by (17)", {tight, kExactTight, 6e-5}}}));
  bool rising = true;
  for (std::size_t i = 1; i < kRatios.size(); ++i)
    rising = rising && measured.sum(of_ratio(kRatios[i])) > measured.sum(of_ratio(kRatios[i - 1]));
  found.verdicts.push_back(holds("the mu grows with Delta_1/Delta_2, so below the least one Gaussian noise is always better", rising,
                                 {{"at 1", least}, {"at 4", measured.sum(of_ratio(4))}}, ""));
  bool ordered = true, below = true;
  double least_ratio = 1e9;
  for (const double mu : kMus) {
    const Sums& sums = measured.sums(of_mu(mu));
    ordered = ordered && sums[1] > sums[2] && sums[2] > sums[3];
    if (mu >= kPrintedLeast) continue;
    below = below && sums[0] < sums[3];
    least_ratio = std::min(least_ratio, sums[3] / sums[0]);
  }
  found.verdicts.push_back(holds("b^epsilon > b^Delta_1 > b~ at every mu", ordered, {{"compared", static_cast<double>(kMus.size())}}, ""));
  found.verdicts.push_back(holds("for small mu Gaussian noise costs less than the best Laplace noise for a table", below,
                                 {{"least_ratio", least_ratio}}, "At the mu of the figure below 3.36"));
  const double gap = measured.sum(kTightCrossing, 1);
  found.verdicts.push_back(differs(
      "the crossing for the scale of a table, 3.67 in the caption of Figure 6",
      std::abs(tight - kExactTight) < 6e-5 && gap < -1e-6 && gap > -1e-2, {{"ours", tight}, {"paper", kPrintedTight}, {"gap", gap}},
      "At 3.67 the noise would have the scale 1/3.67, and its curve would be below G_mu by the gap: Algorithm 1 ends at the first scale "
      "whose gap is smaller than a tolerance that the paper does not state, on either side. The text says 3.9xx, digits never filled in"));
  return found;
}

}  // namespace

Study make() {
  return {
      .name = "lee_figures_4_6",
      .title = "When Laplace noise costs less than Gaussian noise",
      .paper = "Lee, Figures 4 and 6 (sections 3.2.3 and 4.2.1)",
      .shows =
          "For every ratio of sensitivities the mu from which Laplace noise has the smaller squared error, and the costs of three scales "
          "for tables. The pictures are not in the text of the paper; the crossings are.",
      .version = 1,
      .seconds = 1,
      .cells = cells,
      .conclude = conclude};
}

}  // namespace tacet::studies::lee_figures_4_6

// tacet/planning/table_costs.h: the expected squared error of every way to publish a table of
// counts.
//
//   TableDesign design = *TableDesign::of({75, 149, 28, 175, 184, 190}, loss);
//   for (const TableCost& way : exact_costs(design)) show(way.name, way.cost);   // gaussian 1200
//
// All ways have the same privacy, mu (or rho), for the same neighbours. Ways that keep the total
// need a public one. The counts are an assumption: a past table or a guess. The costs of the
// Gaussian and the rank-deficient mechanism do not depend on them.
// Theorem  s = l2/mu. gaussian p s^2, rank_deficient (p-1) s^2 (Lee, Theorems 1 and 2). js0, js
//          and rjs (Lee, Lemma B.3), js+, rank_deficient_js and rank_deficient_js+ (shrink.h): the
//          coordinates along the target keep their noise, and the k others cost s^2
//          james_stein_risk(k, |residual of the truth|^2/s^2). A table with too few cells is not
//          shrunk, at the same cost. Truncation at 0 saves (1 - t^2) Phi(-t) + t phi(t) for a cell
//          of t standard deviations, and (1+t) e^-t for Laplace noise of t scales. Laplace noise
//          has the proven scales of accounting/laplace_gdp.h for mu, those of
//          mechanisms/laplace_loss.h for rho, and l1/epsilon for a pure epsilon. Costs without a
//          formula are simulated (planning/simulated_cost.h).
// Domain   1 to 10^7 cells, counts 0 to 2^53, 1e-100 <= mu <= 1e6 (Laplace: 1e-9 <= mu <= 40;
//          otherwise it is left out).
// Error    exact costs: relative 1e-12.
// Cost     linear; Laplace 20 ms at mu = 1, 2 s at mu = 40.
// Checked  tests/planning/table_costs_test.cc: independent values, dominance as in Lee, Figure 1,
//          simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tacet/accounting/laplace_gdp.h"
#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/inference/estimates/project.h"
#include "tacet/inference/estimates/shrink.h"
#include "tacet/kernel/relation.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/planning/simulated_cost.h"
#include "tacet/privacy/currency.h"

namespace tacet::planning {

/// How far one person moves the table.
struct TableSensitivity {
  double l1 = 2, l2_squared = 2;  // plain counts under replace-one
  bool public_total = true;
  /// The sharpest proven rule for Laplace noise in mu; none: the universal one.
  std::optional<accounting::LaplaceRule> rule = accounting::LaplaceRule::Table;
};
/// Each person counts once, in one cell.
TableSensitivity plain_counts(kernel::Relation::Kind neighbours);
/// Any statistic with these norms: its total is not known, and of the rules only the universal one
/// holds.
/// Domain   10^-50 <= l2 <= l1 <= 10^50.
Result<TableSensitivity> any_statistic(double l1, double l2);

class TableDesign {
 public:
  static Result<TableDesign> of(std::vector<double> counts, const privacy::GaussianLoss& loss, const TableSensitivity& sensitivity = {});
  /// n people spread evenly over p cells.
  static Result<TableDesign> uniform(double n, std::size_t p, const privacy::GaussianLoss& loss, const TableSensitivity& sensitivity = {});
  /// The same design for another table.
  Result<TableDesign> with(std::vector<double> counts) const;

  const std::vector<double>& counts() const { return counts_; }
  double total() const { return total_; }
  double mu() const { return mu_; }
  double variance() const { return variance_; }  // of the Gaussian noise of a cell
  const TableSensitivity& sensitivity() const { return sensitivity_; }

 private:
  TableDesign(std::vector<double> counts, double mu_squared, const TableSensitivity& sensitivity);
  std::vector<double> counts_;
  TableSensitivity sensitivity_;
  double total_, mu_squared_, mu_, variance_;
};

/// A mechanism and the post-processing of its release.
struct TableWay {
  mechanisms::CountMechanism mechanism;
  inference::Shrinkage shrink = inference::Shrinkage::None;
  inference::Projection project = inference::Projection::None;
  std::optional<accounting::LaplaceRule> scale = {};  // of Laplace noise: the rule for its scale
};

struct TableCost {
  std::string name;  // "rank_deficient", "js+"
  double cost;
  std::optional<double> standard_error;  // of a simulated cost; an exact one has none
  TableWay way;
  bool helps = true;  // false if it is the same as another way: too few cells, or no sharper scale
};

/// gaussian, gaussian_nonnegative, js0, js, js+; with a public total also rank_deficient,
/// rank_deficient_nonnegative, rank_deficient_js, rank_deficient_js+, rjs.
std::vector<TableCost> exact_costs(const TableDesign& design);

/// The scales of Laplace noise that keep a promise. They do not depend on the table.
struct LaplaceScales {
  double sharpest, universal;  // by the rule of the sensitivity, and for any statistic
};
/// None if mu is outside the domain of the rules. `promise`: Gdp keeps mu, Zcdp keeps rho. In rho
/// Laplace noise costs less than by its mu.
Result<std::optional<LaplaceScales>> laplace_scales(const TableDesign& design, privacy::Currency promise = privacy::Currency::Gdp);

/// laplace (the sharpest scale), laplace_nonnegative, laplace_universal (the scale for any
/// statistic).
std::vector<TableCost> laplace_costs(const std::vector<double>& counts, const TableSensitivity& sensitivity, const LaplaceScales& scales);
/// The same with the scales of the design; empty if there are none.
Result<std::vector<TableCost>> laplace_costs(const TableDesign& design, privacy::Currency promise = privacy::Currency::Gdp);
/// laplace and laplace_nonnegative, of Laplace noise of scale l1/epsilon.
Result<std::vector<TableCost>> pure_laplace_costs(const std::vector<double>& counts, const TableSensitivity& sensitivity, double epsilon);

/// simplex, rank_deficient_js+_simplex, js_nonnegative, rjs_nonnegative, rjs_simplex: those that
/// have enough cells and, where they keep the total, a public one.
Result<std::vector<TableCost>> simulated_costs(const TableDesign& design, Simulation simulation);

/// The mean of `costs` over tables of round(sum of counts) people whose probabilities are
/// proportional to the counts: costs for noise and sampling together, with their standard errors.
/// Theorem  E_S L2(M(S)) (Lee, section 2.1). Costs given the table are exact or unbiased, so only
///          their mean over `tables` draws is simulated.
/// Domain   1 to 2^50 people, 2 to 10^6 tables.
/// Checked  tests/planning/table_costs_test.cc: against sums over all tables.
Result<std::vector<TableCost>> mean_over_tables(
    const std::vector<double>& counts, Simulation tables,
    const std::function<Result<std::vector<TableCost>>(const std::vector<double>& table, std::size_t number)>& costs);

}  // namespace tacet::planning

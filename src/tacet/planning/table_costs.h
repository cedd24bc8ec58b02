// tacet/planning/table_costs.h: the expected squared error of every way to publish a table of
// counts.
//
//   TableDesign design = *TableDesign::of({75, 149, 28, 175, 184, 190}, loss);
//   for (const TableCost& way : exact_costs(design)) show(way.name, way.cost);   // gaussian 1200
//
// All ways have the same privacy, mu (or rho), under replace-one (sensitivities l2 = sqrt 2, l1 =
// 2), and a public total. The counts are an assumption: a past table or a guess. The costs of the
// Gaussian and the rank-deficient mechanism do not depend on them.
// Theorem  s^2 = 2/mu^2. gaussian p s^2, rank_deficient (p-1) s^2 (Lee, Theorems 1 and 2). js0, js
//          and rjs (Lee, Lemma B.3), js+, rank_deficient_js and rank_deficient_js+ (shrink.h): the
//          coordinates along the target keep their noise, and the k others cost s^2
//          james_stein_risk(k, |residual of the truth|^2/s^2). A table with too few cells is not
//          shrunk, at the same cost. Truncation at 0 saves (1 - t^2) Phi(-t) + t phi(t) for a cell
//          of t standard deviations, and (1+t) e^-t for Laplace noise of t scales. Laplace noise
//          has the proven scales of accounting/laplace_gdp.h for mu, and those of
//          mechanisms/laplace_loss.h for rho. Costs without a formula are simulated
//          (planning/simulated_cost.h).
// Domain   1 to 10^7 cells, counts 0 to 2^53, 1e-100 <= mu <= 1e6 (Laplace: 1e-9 <= mu <= 40;
//          otherwise it is left out).
// Error    exact costs: relative 1e-12.
// Cost     linear; Laplace 20 ms at mu = 1, 2 s at mu = 40.
// Checked  tests/planning/table_costs_test.cc: independent values, dominance as in Lee, Figure 1,
//          simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/accounting/laplace_gdp.h"
#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/inference/estimates/project.h"
#include "tacet/inference/estimates/shrink.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/planning/simulated_cost.h"
#include "tacet/privacy/currency.h"

namespace tacet::planning {

class TableDesign {
 public:
  static Result<TableDesign> of(std::vector<double> counts, const privacy::GaussianLoss& loss);
  /// n people spread evenly over p cells.
  static Result<TableDesign> uniform(double n, std::size_t p, const privacy::GaussianLoss& loss);

  const std::vector<double>& counts() const { return counts_; }
  double total() const { return total_; }
  double mu() const { return mu_; }
  double variance() const { return variance_; }  // of the Gaussian noise of a cell

 private:
  TableDesign(std::vector<double> counts, double mu_squared);
  std::vector<double> counts_;
  double total_, mu_, variance_;
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
  bool helps = true;  // false if there are too few cells, so that it has no effect
};

/// gaussian, gaussian_nonnegative, js0, js, js+, rank_deficient, rank_deficient_nonnegative,
/// rank_deficient_js, rank_deficient_js+, rjs.
std::vector<TableCost> exact_costs(const TableDesign& design);

/// laplace (the scale for a table), laplace_nonnegative, laplace_universal (the scale for any
/// statistic); none if mu is outside the domain of the rules. `promise`: Gdp keeps mu, Zcdp keeps
/// rho. In rho Laplace noise costs less than by its mu.
Result<std::vector<TableCost>> laplace_costs(const TableDesign& design, privacy::Currency promise = privacy::Currency::Gdp);

/// simplex, rank_deficient_js+_simplex, js_nonnegative, rjs_nonnegative, rjs_simplex: those that
/// have enough cells.
Result<std::vector<TableCost>> simulated_costs(const TableDesign& design, Simulation simulation);

}  // namespace tacet::planning

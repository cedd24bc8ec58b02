// tacet/inference/local/local_tables.h: simulates collections of local reports under a hypothesis.
//
//   LocalTables drawn(1000, {0.5, 0.3, 0.2}, {LocalKind::Flip, 1.0});
//   numeric::InsecureStream stream(/*seed=*/7, /*index=*/0);
//   std::vector<double> values(3 * 256);
//   drawn.draw(stream, /*tables=*/256, values);       // cell i of table t: values[i * 256 + t]
//
// The values are those of a collector: the count of each reported category (exp), or the unbiased
// estimates of the counts (the others).
// Theorem  exp: reports are multinomial(n, stays p + other (1 - p)) (Rogers, Lemma 8.2.3). flip:
//          with c people in a category, binomial(c, stays) + binomial(n - c, other) people send
//          its bit, independently over bits. gaussian: the count plus sqrt(n) scale N; laplace:
//          plus a sum of n Laplace variables (numeric/insecure_gamma.h).
// Domain   2 to 10^6 cells; n a whole number from 1 to 2^50; probabilities with sum 1, which may be
//          0. The caller has checked them.
// Error    exact up to rounding and the grid of the reports (mechanisms/local_randomizer.h).
// Cost     for each cell of each table, with its statistic: exp and gaussian 35 ns, laplace 60 ns,
//          flip 120 ns.
// Checked  tests/inference/local_tables_test.cc: means and covariances against local_randomizer.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// The probabilities of the reports of M_EXP if the people follow `probabilities`.
std::vector<double> report_probabilities(const mechanisms::LocalRandomizer& randomizer, const std::vector<double>& probabilities);
/// The dependence of a report on the value: stays - other, without cancellation.
double report_gap(const mechanisms::LocalRandomizer& randomizer, std::size_t categories);
/// The number that must be large for a normal limit. exp: the reports of the rarest category;
/// flip: the people who send a bit, or do not; otherwise: the people of the rarest category, but
/// those that nobody can be in.
double least_expected_report(const mechanisms::LocalRandomizer& randomizer, double n, const std::vector<double>& probabilities);

class LocalTables {
 public:
  LocalTables(double n, std::vector<double> probabilities, const mechanisms::LocalRandomizer& randomizer);

  std::size_t cells() const { return drawn_.size(); }
  /// `values` has cells() * tables numbers; at most kMostTablesInABlock tables.
  void draw(numeric::InsecureStream& stream, std::size_t tables, std::span<double> values) const;

 private:
  double n_;
  mechanisms::LocalRandomizer randomizer_;
  std::vector<double> drawn_;  // of the people; exp: of the reports
};

}  // namespace tacet::inference

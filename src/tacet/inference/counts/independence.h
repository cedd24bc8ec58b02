// tacet/inference/counts/independence.h: tests whether two categorical variables are independent,
// on noisy counts.
//
//   CompositeTest answer = *test_independence(release, {.alpha = 0.05});   // of an r x c table
//   answer.test.outcome;
//
// Statistics, with the noise of the release:
//
//   projected     the least distance to a table with independent margins, weighted by the
//                 covariance of sampling and noise (minimum_chi2.h; Rogers 7.23)
//   nonprojected  the same with the noise of the total (7.22); public n
//   classical     the sum of (y_ij - n p_ij)^2/(n p_ij), where p is the product of the margins of
//                 the nearest possible table (Rogers 6.18 and Algorithm 11)
//
// A table that was projected before it was published (GofOptions::denoise with done) has the
// classical statistic, and every simulated table is projected too; n must be public.
// Methods as in composite_hypothesis.h. Classical and asymptotic is AsymptIndep (Algorithm 13,
// corrected); classical and montecarlo is MCIndep (Algorithm 12).
// Theorem  Classical: a weighted sum of chi-squares. The weights differ from the paper (6.20),
//          which treats the noise as independent of the margins that were estimated from it and is
//          conservative.
// Domain   r x c from 2 x 2 to 10^6 cells; classical distributions up to 1000 cells.
// Error    normal limits: trusted if every fitted cell expects 5 people.
// Cost     minimum_chi2.h; classical distributions cubic in the cells.
// Checked  tests/inference/independence_test.cc: reference values, the elastic net by search,
//          distributions and levels by simulation; the distribution of the paper is shown to
//          differ.
// Derivation  docs/explanation/chi_square_statistics.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/composite_hypothesis.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {

Result<CompositeTest> test_independence(const mechanisms::CountRelease& release, const GofOptions& options);

struct TableShape {
  std::size_t rows, columns;
  std::size_t cells() const { return rows * columns; }
};

/// InvalidArgument, naming "release", unless the table has two dimensions, each of at least two.
Result<TableShape> two_way(const mechanisms::ReleasedTable& table);

/// The two-step estimate of Algorithm 11: p_ij from the margins of the nearest possible table.
/// Some may be 0.
std::vector<double> two_step_fit(TableShape shape, std::span<const double> values, double n);

/// Pearson's statistic of the noisy values at the two-step estimate; 0/0 = 0, and infinite if a
/// cell is not empty but expects nobody.
double classical_independence(TableShape shape, std::span<const double> values, double n);

/// Its distribution for large n at probabilities with independent margins. With an `alternative`
/// that is not empty, it has noncentralities.
Result<numeric::WeightedChi2> classical_independence_distribution(TableShape shape, const std::vector<double>& fitted, double n,
                                                                  CellNoise noise, std::span<const double> alternative = {});

/// The statistic of tables of `people` that follow `probabilities`, with the noise, the shape and
/// the n (public or not) of the release.
std::vector<double> simulate_independence(const mechanisms::CountRelease& release, TableShape shape, GofStatistic statistic, double people,
                                          const std::vector<double>& probabilities, const Simulation& simulation);

/// All three statistics of the same tables, which are drawn and fitted once; each list is that of
/// simulate_independence. n is public: `people`.
struct IndependenceDraws {
  std::vector<double> classical, projected, nonprojected;
};
IndependenceDraws simulate_all_independence(TableShape shape, const mechanisms::NoiseDistribution& noise, double people,
                                            const std::vector<double>& probabilities, const Simulation& simulation);

/// The table with the margins of `joint` and independent variables.
std::vector<double> independent_table(TableShape shape, std::span<const double> joint);

/// The power of a test at level alpha against `alternative`, for large n. Domain as above; alpha
/// as composite_hypothesis.h.
Result<double> independence_power(TableShape shape, GofStatistic statistic, const std::vector<double>& alternative, double n,
                                  CellNoise noise, double alpha);

}  // namespace tacet::inference

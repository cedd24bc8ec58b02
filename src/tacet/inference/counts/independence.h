// tacet/inference/counts/independence.h: do two classifications of the people behind a Release have anything to do with each other?
//
//   CompositeTest answer = *test_independence(release, {.alpha = 0.05});         // a release of an r x c table
//   answer.test.outcome;
//
// Statistics, with the noise that the Release says:
//
//   projected     the least noise-aware distance to a table with independent margins (minimum_chi2.h; Rogers 7.23)
//   nonprojected  the same with the noise of the total (7.22); public n
//   classical     sum of (y_ij - n p_ij)^2/(n p_ij), p the product of the margins of the nearest possible table (Rogers 6.18 and Algorithm 11)
//
// Methods as in composite_hypothesis.h; classical and asymptotic is AsymptIndep (Algorithm 13, corrected), classical and montecarlo is MCIndep (Algorithm 12).
// Theorem  The nearest table of Algorithm 11, least (1 - g)|y - h|_1 + g |y - h|_2^2 over h >= 0 with sum n, is h_i = max(0, y_i + a) for every
//          0 < g <= 1: with a > 0 and the multiplier -(1 - g) - 2 g a, or a < 0 and (1 - g) + 2 g |a|, the conditions of Karush, Kuhn & Tucker hold
//          cell by cell. So the elastic net of Laplace noise and the least squares of Gaussian noise have the same answer, the projection of project.h.
//          Classical law: with D = diag(p)^1/2 and W = D^-1 (y - n p)/sqrt(n), the statistic is |W - P(I - D^-1 1 1' D/d) W|^2 to first order, P the projection
//          on sqrt(p)(a_i + b_j) without sqrt(p); hence weights A C A', C = I - sqrt(p)sqrt(p)' + C_noise. The print (6.20) takes the noise
//          for independent of the margins that were estimated from it: it puts I in place of A on the noise and is conservative.
// Domain   r x c from 2 x 2 to 10^6 cells; classical laws to 1000 cells.
// Error    normal limits: trusted where every fitted cell expects 5 people.
// Cost     minimum_chi2.h; classical laws cubic in the cells.
// Checked  tests/inference/independence_test.cc: reference values, the elastic net by search, laws and levels by simulation, the print's law shown to differ.
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

/// The two-step estimate of Algorithm 11: p_ij from the margins of the nearest table that is possible. Some may be 0.
std::vector<double> two_step_fit(TableShape shape, std::span<const double> values, double n);

/// Pearson's statistic of the noisy values at the two-step estimate; 0/0 = 0, and infinite where an empty cell is not expected.
double classical_independence(TableShape shape, std::span<const double> values, double n);

/// Its law for large n at probabilities with independent margins. Under `alternative` (may be empty) the same with noncentralities.
Result<numeric::WeightedChi2> classical_independence_distribution(TableShape shape, const std::vector<double>& fitted, double n,
                                                                  CellNoise noise, std::span<const double> alternative = {});

/// The statistic of tables of `people` that follow `probabilities`, with the noise, the shape and the n (public or not) of the release.
std::vector<double> simulate_independence(const mechanisms::CountRelease& release, TableShape shape, GofStatistic statistic, double people,
                                          const std::vector<double>& probabilities, const Simulation& simulation);

/// The table of a joint one that has its margins and independence.
std::vector<double> independent_table(TableShape shape, std::span<const double> joint);

/// How often a level alpha test rejects people who follow `alternative`, for large n. Domain as above; alpha as composite_hypothesis.h.
Result<double> independence_power(TableShape shape, GofStatistic statistic, const std::vector<double>& alternative, double n,
                                  CellNoise noise, double alpha);

}  // namespace tacet::inference

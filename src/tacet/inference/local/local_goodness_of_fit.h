// tacet/inference/local/local_goodness_of_fit.h: tests given probabilities on reports that people
// randomised themselves.
//
//   GofTest test = *test_local_goodness_of_fit(release, {0.5, 0.3, 0.2}, {.alpha = 0.05});
//   LocalGofDesign design =
//       *LocalGofDesign::of({0.5, 0.3, 0.2}, /*n=*/1000, {LocalKind::Exp, 1.0});
//   const std::vector<double> alternative = {0.52, 0.29, 0.19};
//   double power = *design.power(GofStatistic::Projected, alternative, 0.05);
//
// There are d categories; `stays` and `other` are the probabilities of local_randomizer.h:
//
//   exp       LocalGOF (Rogers, Algorithm 18; the paper lacks the square): Pearson's statistic of
//             the reports against n q, q = stays p + other (1 - p). The reports keep their total,
//             and their whole covariance is in the weights, so classical, projected and
//             nonprojected are the same statistic.
//   flip      T^FC (8.2.11): the projected statistic of gof_statistic.h of the unbiased estimates
//             with noise of variance n f(1-f)/(1-2f)^2, f the probability of a flip. Their
//             covariance has exactly that form (8.2.10).
//   gaussian  the projected statistic with noise of variance n scale^2 (8.2.2).
//   laplace   the same with variance 2 n scale^2.
//
// A cell of probability 0 is reported too, because the randomizer sends people there: its reports
// (exp) or its noise have a known variance, which is its weight. The classical statistic of the
// others leaves it out (0/0 = 0), as gof_statistic.h.
// Theorem  All have the normal limit chi2_(d-1). If the people follow p + D, exp has the
//          noncentrality n (stays - other)^2 sum of D_j^2/q_j (8.2.6), and the others have that of
//          gof_statistic.h. A sum of n Laplace variables is normal for large n, so the limit holds
//          for laplace too. montecarlo: reports are simulated by the randomizer; the level is at
//          most alpha for every n (monte_carlo.h).
// Automatic: the limit for exp, flip and gaussian if every cell expects at least 5; otherwise, and
// for laplace, montecarlo (Rogers 8.2.2).
// Domain   as gof_statistic.h and mechanisms/local_randomizer.h; montecarlo: n to 2^50.
// Error    statistics relative 10^-12; limits as good as the normal approximation: inconclusive if
//          a cell expects fewer than 5.
// Cost     linear; montecarlo: local_tables.h.
// Checked  tests/inference/local_goodness_of_fit_test.cc: independent values, level over
//          randomizers, shapes and methods, power; a wrong null distribution is caught.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/mechanisms/local_release.h"

namespace tacet::inference {

class LocalGofDesign {
 public:
  static Result<LocalGofDesign> of(std::vector<double> null, double n, const mechanisms::LocalRandomizer& randomizer);

  std::size_t cells() const { return null_.size(); }
  double n() const { return n_; }
  const mechanisms::LocalRandomizer& randomizer() const { return randomizer_; }
  const std::vector<double>& null() const { return null_; }
  double df(GofStatistic statistic) const;
  /// exp: reports of a category; flip: people who send a bit, or do not; otherwise: people of a
  /// category that somebody can be in.
  double least_expected() const;

  /// `values`: the reports (exp) or the unbiased estimates (the others).
  double statistic(GofStatistic statistic, std::span<const double> values) const;
  Result<numeric::WeightedChi2> null_distribution(GofStatistic statistic) const;
  /// P[statistic > critical value] if the people follow `alternative`.
  Result<double> power(GofStatistic statistic, std::span<const double> alternative, double alpha) const;

 private:
  LocalGofDesign(std::vector<double> null, double n, const mechanisms::LocalRandomizer& randomizer)
      : null_(std::move(null)), n_(n), randomizer_(randomizer) {}

  std::vector<double> null_;
  double n_;
  mechanisms::LocalRandomizer randomizer_;
  std::vector<double> reported_;     // exp
  std::optional<GofDesign> normal_;  // the others
};

/// The statistic of collections of design.n() reports of people who follow `truth`.
std::vector<double> simulate_local_gof(const LocalGofDesign& design, GofStatistic statistic, const std::vector<double>& truth,
                                       const Simulation& simulation, std::optional<double> observed = {});

/// `null` has a probability for each category of a release of kind "local". GofOptions as for
/// counts; bootstrap is montecarlo.
Result<GofTest> test_local_goodness_of_fit(const mechanisms::LocalRelease& release, const std::vector<double>& null,
                                           const GofOptions& options);

}  // namespace tacet::inference

// tacet/inference/counts/composite_hypothesis.h: do the people behind a Release follow a hypothesis whose parameters nobody knows?
//
//   CompositeTest answer = *test_composite_hypothesis(release, IndependentMargins(2, 3), {.alpha = 0.05});
//   answer.test.outcome;       // reject, retain or inconclusive
//   answer.fitted;             // the probabilities nearest to the table, among those of the hypothesis
//
// Rogers' general chi-square tests on the statistics of minimum_chi2.h, with the noise that the Release says:
//
//   asymptotic   GenChiTest (Algorithm 15): the chi-square limit. Gaussian noise. Inconclusive where a fitted cell expects fewer than 5 people.
//   montecarlo   MC-GenChiTest (Algorithm 16, with the inverse that its print lacks): tables of n people drawn from the fitted probabilities with the
//                release's noise, each fitted anew, p = (1 + #{T* >= T})/(B + 1); public n.
//   bootstrap    the same where n is not public: tables of as many people as the noisy total says, each with its own n open.
//   automatic    asymptotic where it is conclusive; otherwise montecarlo or bootstrap.
//
// Theorem  asymptotic: minimum_chi2.h. Simulated: the null is composite, so that the level is right for large n only; it is measured, also where cells
//          expect less than one person. With no open parameter and public n it is exact (Rogers 6.1.5).
// Domain   2 to 10^6 cells; 10^-9 <= alpha <= 1/2; statistic projected or nonprojected (n public); draws as monte_carlo.h.
// Cost     a fit of minimum_chi2.h for each draw.
// Checked  tests/inference/composite_hypothesis_test.cc: level and power over models, noise and methods; a forgotten noise is caught.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/inference/counts/null_model.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

struct CompositeTest {
  GofTest test;
  double n;  // public, or fitted
  std::vector<double> theta, fitted;
};

/// InvalidArgument where the model has another number of cells, or statistic or method do not serve the release.
Result<CompositeTest> test_composite_hypothesis(const mechanisms::CountRelease& release, const NullModel& model, const GofOptions& options);

/// The statistic of simulation.draws tables of n people (the release's public n, or `people`) that follow `probabilities`, with the noise of the release; its values
/// are not read.
std::vector<double> simulate_composite_hypothesis(const mechanisms::CountRelease& release, const NullModel& model, GofStatistic statistic,
                                                  double people, const std::vector<double>& probabilities, const Simulation& simulation);

/// What every test of counts asks of its options and of the noise: alpha in its domain, asymptotic for Gaussian noise alone, montecarlo for a public n.
Status check_test(const mechanisms::CountRelease& release, const GofOptions& options);

}  // namespace tacet::inference

// tacet/inference/counts/composite_hypothesis.h: tests a hypothesis with unknown parameters on
// noisy counts.
//
//   CompositeTest answer =
//       *test_composite_hypothesis(release, IndependentMargins(2, 3), {.alpha = 0.05});
//   answer.test.outcome;       // reject, retain or inconclusive
//   answer.fitted;             // the probabilities of the hypothesis that are nearest to the table
//
// These are Rogers' general chi-square tests on the statistics of minimum_chi2.h, with the noise
// of the release:
//
//   asymptotic   GenChiTest (Algorithm 15): the chi-square limit. Gaussian noise. Inconclusive if a
//                fitted cell expects fewer than 5 people.
//   montecarlo   MC-GenChiTest (Algorithm 16, with the inverse that is missing in the paper):
//                tables of n people from the fitted probabilities with the noise of the release,
//                each fitted again; p = (1 + #{T* >= T})/(B + 1). Public n.
//   bootstrap    the same if n is not public: the noisy total is the number of people, and each
//                table is fitted without knowing n.
//   automatic    asymptotic if it is conclusive; otherwise montecarlo or bootstrap.
//
// Theorem  asymptotic: minimum_chi2.h. Simulated: the hypothesis is composite, so the level is
//          right for large n only. It was measured, also where cells expect less than one person.
//          Without unknown parameters and with public n the level is exact (Rogers 6.1.5).
// Domain   2 to 10^6 cells; 10^-9 <= alpha <= 1/2; statistic projected or nonprojected (n public);
//          draws as monte_carlo.h.
// Cost     a fit of minimum_chi2.h for each draw.
// Checked  tests/inference/composite_hypothesis_test.cc: level and power over models, noise and
//          methods; a test that ignores the noise is caught.
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

/// InvalidArgument if the model has another number of cells, or if the statistic or the method
/// cannot be used with the release.
Result<CompositeTest> test_composite_hypothesis(const mechanisms::CountRelease& release, const NullModel& model, const GofOptions& options);

/// The statistic of simulation.draws tables of n people (the public n of the release, or `people`)
/// that follow `probabilities`, with the noise of the release. The values of the release are not
/// read.
std::vector<double> simulate_composite_hypothesis(const mechanisms::CountRelease& release, const NullModel& model, GofStatistic statistic,
                                                  double people, const std::vector<double>& probabilities, const Simulation& simulation,
                                                  std::optional<double> observed = {});

/// The nonprojected statistic minus the projected one, divided by the square of the excess of the
/// total; 0 for other statistics.
double excess_weight(const mechanisms::CountRelease& release, std::size_t cells, GofStatistic statistic);

/// The checks that all tests of counts share: alpha in its domain, asymptotic only for Gaussian
/// noise, montecarlo only for a public n.
Status check_test(const mechanisms::CountRelease& release, const GofOptions& options);

}  // namespace tacet::inference

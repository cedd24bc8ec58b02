// tacet/inference/counts/proportion.h: a proportion of people, from noisy counts, with intervals.
//
//   GroupedCells cells(release, masks);
//   // Of the people of group 1 (bit 1), the part that is in group 0 (bit 0):
//   Proportion p = estimate_proportion(cells, {.event = 0, .among = 1}, /*alpha=*/0.05);
//   p.estimate; p.file.lower; p.population.upper;
//
// The interval `file` is for the people of the file: noise is the only error. The interval
// `population` is for the probability that the file is a sample of: noise and sampling. Let A and B
// be the noisy sums of the event and of all people of the group. For each candidate t the error of
// A - t B is noise with known weights, plus, for the population, a binomial variable of B trials
// less its mean. The interval is the set of candidates that a test on A - t B does not reject: for
// the file Fieller's construction, for the population Clopper and Pearson's. Without noise it is
// Clopper and Pearson's interval.
// Theorem  Exact for the file. For the population exact if B is public; otherwise the number of
//          trials is the noisy B. Fieller (1954); Clopper and Pearson (1934).
// Domain   1e-9 <= alpha <= 0.5; every cell of the event is in the group.
// Error    beyond 200 people of binomial variance (25 for Laplace noise) and noise of more
//          than 1/16 person, the binomial variable is replaced by a normal one.
// Cost     20 to 40 tails of numeric/noise_sum.h, times at most 200 binomial probabilities.
// Checked  tests/inference/proportion_test.cc: coverage over sizes, noise and families with
//          sampling error, an interval that ignores the noise, and values without noise.
// Derivation  docs/explanation/proportions.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/inference/counts/grouped_cells.h"

namespace tacet::inference {

struct Interval {
  double lower, upper;
};

struct ProportionGroups {
  unsigned event, among;
};

struct Proportion {
  std::optional<double> estimate = {};  // empty if the group may be empty
  Interval file{0, 1}, population{0, 1};
  double people = 0;  // of the group, estimated
  /// Why nothing is known: the intervals are then 0 to 1.
  std::optional<std::string> reason = {};
};

Proportion estimate_proportion(const GroupedCells& cells, ProportionGroups groups, double alpha);

/// The weights of A - t B.
GroupWeights deviation_weights(ProportionGroups groups, double t);

}  // namespace tacet::inference

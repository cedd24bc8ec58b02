// tacet/inference/adaptive/adaptive_attack.h: analysts who find what is not there, simulated.
//
// Rows have a label and `variables` signs that are independent of it, so every true share of
// agreement is 1/2. The analyst asks how often each variable agrees with the label, lets all
// variables vote with the signs that the answers suggest, and asks how often the vote agrees:
//
//   AdaptiveAttack attack{.n = 1000, .variables = 500, .noise = 0};
//   AttackErrors bare = *run_attack(attack, /*trials=*/100);
//   bare.vote[0];       // 0.2: the vote seems right in 70 % of the rows, and is right in 50 %
//   attack.noise = 0.1;
//   AttackErrors noisy = *run_attack(attack, 100);      // compare with planning/adaptive_width.h
//
// FreedmanStudy is his paradox: variables without any effect are screened, and those that passed
// are tested together on the same rows.
// Source   Rogers, chapter 1; Dwork et al. (2015), Reusable holdout; Freedman (1983).
// Domain   1 <= n, variables <= 10^6, 1 to 10^6 repeats, noise >= 0, 1 to 10^6 trials.
// Error    none: a simulation with its own streams, the same on every machine.
// Cost     n * variables additions for each trial: 0.05 s for 10,000 times 10,000.
// Checked  tests/inference/adaptive_attack_test.cc; study run rogers_adaptive_attack
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacet/base/result.h"

namespace tacet::inference {

struct AdaptiveAttack {
  std::size_t n, variables;
  std::size_t repeats = 1;  // how often the vote is asked about; each answer has noise of its own
  double noise = 0;         // standard deviation of Gaussian noise; 0: bare shares
  std::uint64_t seed = 1;

  std::size_t queries() const { return variables + repeats; }
};

/// For each trial, how far answers were from the truth, 1/2.
struct AttackErrors {
  std::vector<double> largest;  // of all answers
  std::vector<double> vote;     // of the first answer about the vote, with its sign
};
Result<AttackErrors> run_attack(const AdaptiveAttack& attack, std::size_t trials);

struct FreedmanStudy {
  std::size_t n, variables;
  double epsilon;  // of the private screening
  std::uint64_t seed = 1;
};

/// For each trial, the p-value of the F test of the variables that passed.
struct FreedmanPValues {
  std::vector<double> by_correlation;  // screened by correlations, kept if p <= 1/4
  std::vector<double> by_noisy_share;  // by shares of equal signs with Laplace noise: epsilon-DP
};
Result<FreedmanPValues> run_freedman(const FreedmanStudy& study, std::size_t trials);

}  // namespace tacet::inference

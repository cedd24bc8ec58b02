// tacet/studies/papers/adjusted_examples.h: the four examples of Shoham & Rinott (Adjusted),
// section 4: six blood tests, with the covariance and the settings as printed.
//
//   AdjustedQuestion question = adjusted_question(kAdjustedExamples[0], /*epsilon=*/1);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "tacet/planning/adjusted.h"

namespace tacet::studies {

using planning::AdjustedQuestion;

inline constexpr std::size_t kBloodTests = 6;

struct AdjustedExample {
  const char* name;
  std::array<double, kBloodTests> eta;
  double n, delta, gamma;
};
inline constexpr std::array<AdjustedExample, 4> kAdjustedExamples = {{{"1", {10, 5, 10, 8.75, 12.5, 2.5}, 50, 0.02, 1e-4},
                                                                      {"2", {10, 5, 10, 8.75, 12.5, 2.5}, 50, 0.0004, 1e-6},
                                                                      {"3", {0, 0, 20, 0, 25, 5}, 50, 0.0004, 1e-6},
                                                                      {"4", {0, 0, 20, 0, 25, 5}, 100, 0.0001, 1e-6}}};

inline mechanisms::Matrix blood_covariance() {
  return {kBloodTests, kBloodTests, {1600, -160, -400, 840,  800, -40, -160, 400,  160, -175, -200, 0,   -400, 160, 1600, 280, 600, 0,
                                     840,  -175, 280,  1225, 700, -35, 800,  -200, 600, 700,  2500, -50, -40,  0,   0,    -35, -50, 100}};
}

inline AdjustedQuestion adjusted_question(const AdjustedExample& example, double epsilon) {
  return {.covariance = blood_covariance(),
          .eta = {example.eta.begin(), example.eta.end()},
          .n = example.n,
          .epsilon = epsilon,
          .delta = example.delta,
          .gamma = example.gamma};
}

}  // namespace tacet::studies

// tacet/workflow/plan/plan_gwas.h: the power to find a genotype that goes with a disease, by a
// noisy table and by a noisy statistic.
//
//   GwasPlan plan = *plan_gwas({.cases = {0.3, 0.5, 0.2}, .controls = {0.4, 0.45, 0.15},
//                               .loss = Rho(0.01), .n = 2000});
//   plan.table.power;         // of a 3 x 2 table with noise in its cells: infer gwas --release
//   plan.statistic.power;     // of Pearson's statistic with noise of its own: infer gwas --noised
//
// Half of n people are cases, half are controls, and the privacy is the same (Rogers 7.3.2 compares
// the two). A plan reads no data and costs no privacy. Exactly one of n and power is given.
// Theorem  planning/independence_plan.h, projected statistic; inference/counts/noised_gwas.h.
// Domain   three positive probabilities each; rho, mu, or epsilon with delta; n to 1e12.
// Error    that of the limits for large n.
// Cost     a second at most.
// Checked  tests/workflow/plan_gwas_test.cc: against the parts, and the paper's comparison.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

/// The probabilities of the three genotypes in each group, the privacy, and the people or the
/// power.
struct GwasPlanRequest {
  std::vector<double> cases, controls;
  std::optional<PrivacyAmount> loss = {};  // must be given
  std::optional<double> n = {};            // the number of people
  std::optional<double> power = {};        // in place of n: the wanted power
  double alpha = 0.05;
};

/// One way to publish.
struct GwasWay {
  double power = 0;                   // with n people; for a wanted power: with the people of the table
  std::optional<double> people = {};  // for a wanted power; empty: more than can be computed
  double noise = 0;                   // the standard deviation in each cell, or of the statistic
};
/// The two ways, for the same people and the same privacy.
struct GwasPlan {
  double n = 0;
  bool people_wanted = false;
  double alpha = 0, rho = 0;
  GwasWay table = {}, statistic = {};
};
Result<GwasPlan> plan_gwas(const GwasPlanRequest& request, const Context& context = {});

}  // namespace tacet

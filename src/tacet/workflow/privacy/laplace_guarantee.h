// tacet/workflow/privacy/laplace_guarantee.h: what Laplace noise of a given scale gives away.
//
//   const LaplaceStatistic counts{.l1 = 2, .neighbours = Relation::ReplaceOne};
//   LaplaceGuarantee table =
//       *laplace_guarantee({.statistic = counts, .scale = 2, .rule = LaplaceMuRule::Table});
//   table.mu;              // 0.7075...: exact for a table of counts under replace-one
//   table.mu_of_epsilon;   // 1.2320...: what epsilon 1 alone implies
//   table.epsilon;         // 1
//
// The inverse of calibrate_laplace: independent noise of one scale in every number of a statistic
// with this L1 sensitivity. Releases charge exactly this (mechanisms/laplace_loss.h).
// Theorem  mu: laplace_rule.h; sharp: some neighbours of such a statistic reach it, except for the
//          universal rule. rho: laplace_rho_up in privacy/noise_proofs.h, added up over the
//          numbers.
// Domain   l1 and scale 1e-50 to 1e50 with l1/scale from 1e-8 to 100. Outside: InvalidArgument.
// Error    one-sided, up: mu a relative 1e-9 at most, rho 1e-13.
// Cost     0.2 ms; LaplaceMuRule::Table 20 ms at mu = 1, up to 1 s.
// Checked  tests/workflow/laplace_guarantee_test.cc: independent values
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tacet/base/result.h"
#include "tacet/workflow/privacy/laplace_rule.h"

namespace tacet {

/// The noise, and the statistic that gets it.
struct LaplaceGuaranteeRequest {
  LaplaceStatistic statistic;
  Digits scale;  // of the noise, in the unit of l1
  LaplaceMuRule rule = LaplaceMuRule::Universal;
};
/// The loss of one release with this noise.
struct LaplaceGuarantee {
  double epsilon, rho, mu;  // rounded up
  double mu_of_epsilon;     // by the universal rule, for comparison
  LaplaceMuRule rule;
  bool proven;  // false for the mu of a conjecture
};
/// The loss of Laplace noise, in epsilon, rho and mu.
Result<LaplaceGuarantee> laplace_guarantee(const LaplaceGuaranteeRequest& request);

}  // namespace tacet

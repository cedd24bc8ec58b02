// tacet/workflow/privacy/compose.h: the total loss of many releases, by every rule.
//
//   Composition all = *compose_losses(
//       {.losses = {{.loss = Epsilon(0.1), .times = 30}}, .delta = 1e-6, .n = 10000});
//   all.optimal->epsilon->upper;              // 2.3458877: losses fixed in advance
//   all.odometer->bound;                      // 3: losses chosen as results come in
//
// A rule has an answer if it holds for all of the losses, and is absent otherwise: Gaussian noise
// has no epsilon of its own, so there is no sum of epsilons.
// Domain   1 to 10^6 losses, each 1 to 10^9 times; parameters as in privacy/currency.h; a delta,
//          an epsilon, or both as targets. Outside: InvalidArgument.
// Error    every answer is an upper bound; if a lower one is known, it is given too.
// Cost     below a second for thousands of mechanisms (accounting/composition_optimal.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "tacet/accounting/composition_basic.h"
#include "tacet/accounting/composition_optimal.h"
#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/privacy/filter.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

/// Laplace noise whose scale is the sensitivity over epsilon: its whole distribution is known.
struct LaplaceNoise {
  Digits epsilon;
};
/// (xi, rho)-zCDP: the privacy loss is as if its mean were larger by xi.
struct ShiftedRho {
  Digits xi, rho;
};
/// The known facts of a mechanism. Mu is Gaussian noise whose standard deviation is the
/// sensitivity divided by mu. LaplaceNoise is Laplace noise. Of the others only the promise is
/// known.
using KnownLoss = std::variant<Epsilon, EpsilonDelta, LaplaceNoise, Mu, Rho, ShiftedRho>;

/// A mechanism that runs several times.
struct RepeatedLoss {
  KnownLoss loss;
  std::uint64_t times = 1;
};

/// The mechanisms, and what is asked about all of them together.
struct CompositionRequest {
  std::vector<RepeatedLoss> losses;
  std::optional<Digits> delta = {};           // the delta for which epsilons are wanted
  std::optional<Digits> at_epsilon = {};      // the epsilon for which deltas are wanted
  std::optional<Digits> epsilon_budget = {};  // with delta: would filters allow all of the losses?
  std::optional<std::uint64_t> n = {};        // with delta: the number of people, for the odometer
};

/// The least epsilon for the delta, and the least delta for the epsilon, as asked.
struct EnclosedDp {
  std::optional<accounting::Bounds> epsilon, delta;
};

/// What a filter says of the whole list.
struct FilterAnswer {
  privacy::FilterRule rule;
  double spent;
  bool go;  // all of the losses may be released
};
/// Nothing if a filter cannot count one of the losses.
struct FilterAnswers {
  std::optional<FilterAnswer> basic, rogers, whitehouse;
};

/// Nothing if the deltas of the losses leave no bound.
struct OdometerAnswer {
  std::optional<double> advanced, bound;
};

/// The sum of the losses in rho, and of their xi (Rogers, Theorem 2.2.5).
struct RhoTotal {
  Decimal exact, xi;
  double rho;                     // rounded up
  std::optional<double> epsilon;  // for the delta, as a budget that was set beforehand
  /// For the delta, read at any moment: zcdp_odometer. Nothing with a xi.
  std::optional<double> odometer;
};
/// The loss of all together in mu.
struct MuTotal {
  Decimal mu_squared;
  double mu;                       // rounded up
  std::optional<double> epsilon;   // for the delta, as a budget that was set beforehand
  std::optional<double> odometer;  // for the delta, read at any moment: zcdp_odometer of mu^2/2
};

/// What all mechanisms together give away, by every theorem that applies.
struct Composition {
  std::uint64_t mechanisms = 0;
  std::optional<Decimal> delta = {}, at_epsilon = {};
  std::optional<accounting::ExactGuarantee> basic = {};
  std::optional<double> advanced = {};
  std::optional<EnclosedDp> optimal = {};    // by the epsilons alone
  std::optional<EnclosedDp> numerical = {};  // by the distributions of the noise
  std::optional<FilterAnswers> filters = {};
  std::optional<OdometerAnswer> odometer = {};
  std::optional<RhoTotal> rho = {};
  std::optional<MuTotal> mu = {};
};

/// What several mechanisms give away together.
Result<Composition> compose_losses(const CompositionRequest& request, const Context& context = {});

}  // namespace tacet

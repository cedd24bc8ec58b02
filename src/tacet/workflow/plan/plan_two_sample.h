// tacet/workflow/plan/plan_two_sample.h: the power of a noisy comparison of means, before anything
// is released.
//
//   MeansPlanRequest request{.columns = {"ldl", "hdl"}, .lower = {50, 20}, .upper = {201, 100},
//                            .difference = {6, 4}, .sd = {20, 10}, .loss = Rho(0.02),
//                            .power = 0.8};
//   TwoSamplePlan plan = *plan_two_sample(request);
//   plan.n[0];                    // the people that each group needs
//   plan.n_without_privacy;       // the same without noise
//   KSamplePlan four = *plan_k_sample(4, request);     // the last group differs
//
// The plan simulates and tests the release (planning/equal_means_power.h) with exactly the noise
// that it will have (blank_release.h). No data is read, nothing is spent. A list has one number
// for all columns (or groups), or one for each.
// Domain   1 to 64 columns, 2 to 1000 groups of at least 2 people; as
//          planning/equal_means_power.h.
// Error    of power: its standard error. The people for a power: to one part in 500.
// Cost     draws times the cost of a test; a search for people about 15 times as much, a curve 41.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/relation.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/moment_mechanism.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using kernel::Membership;
using mechanisms::Matrix;
using mechanisms::MomentMechanism;

/// The supposed rows, the difference to find, and the people or the power.
struct MeansPlanRequest {
  std::vector<std::string> columns = {};       // empty: by the length of the lists
  std::optional<data::Schema> schema = {};     // declares the bounds of the columns
  std::vector<Digits> lower = {}, upper = {};  // the bounds, without a schema
  std::vector<double> difference = {};         // the last group's mean minus that of the others
  std::vector<double> sd = {};                 // the assumed standard deviation within a group
  std::optional<double> correlation = {};      // with sd: of any two columns; nothing: 0
  std::optional<Matrix> covariance = {};       // in place of sd
  std::vector<double> mean = {};               // of the groups' means; empty: mid-bounds
  std::optional<PrivacyAmount> loss = {};      // must be given: there is no default for privacy
  std::vector<std::uint64_t> n = {};           // in each group; empty: as the power needs
  std::optional<double> power = {};            // in place of n: the wanted power, equal groups
  Membership membership = Membership::Private;
  std::optional<MomentMechanism> mechanism = {};  // empty: the best for the test
  double alpha = 0.05;
  Simulation simulation = {.draws = 1000};  // releases to simulate, with their tests
  bool curve = false;                       // also the power from n/20 to 20 n
};

/// The difference of two groups' means in one column, and its standard deviations.
struct PlannedColumn {
  std::string name;
  double lower, upper, mean, sd, difference;
  double sampling_sd, noise_sd;
};

/// The scales of the noise in one group.
struct PlannedNoise {
  MomentMechanism mechanism;
  std::optional<double> people;  // empty: the number of people is public
  std::vector<double> sums, products;
};

/// The power of a comparison, by simulation and in the limit.
struct ComparisonPower {
  double power, standard_error;
  double limit;            // by the distribution for large n
  double without_privacy;  // of the test on the rows themselves
  double inconclusive;     // the part of the simulated tests that are inconclusive
};

/// The power with n people in all groups together.
struct MeansPowerPoint {
  double n;
  ComparisonPower power;
};

/// The power, the people, and the noise they meet.
struct MeansPlan {
  ComparisonPower power;
  std::optional<std::string> reason;        // of a power below the level
  std::vector<double> n;                    // people in each group
  std::optional<double> n_without_privacy;  // in each group; nothing: n was given
  double alpha;
  std::size_t draws;
  std::uint64_t seed;
  Membership membership;
  kernel::Relation::Kind neighbours;
  std::vector<PlannedColumn> columns;
  PlannedNoise noise;
  std::vector<MeansPowerPoint> curve;  // empty: not asked for
};
/// The plan of a test of two groups.
using TwoSamplePlan = MeansPlan;
/// The plan of a test of several groups.
using KSamplePlan = MeansPlan;

/// The power of a test of two groups, or the people that a power needs.
Result<TwoSamplePlan> plan_two_sample(const MeansPlanRequest& request, const Context& context = {});
/// The same for several groups, of which the last one differs.
Result<KSamplePlan> plan_k_sample(std::size_t groups, const MeansPlanRequest& request, const Context& context = {});

}  // namespace tacet

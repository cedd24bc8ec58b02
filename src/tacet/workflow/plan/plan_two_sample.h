// tacet/workflow/plan/plan_two_sample.h: how often a noisy comparison of means will find a
// difference, before anything is released.
//
//   TwoSamplePlan plan = *plan_two_sample({.columns = {"ldl", "hdl"}, .lower = {50, 20},
//                                          .upper = {201, 100}, .difference = {6, 4},
//                                          .sd = {20, 10}, .loss = Rho(0.02), .power = 0.8});
//   plan.n[0];                    // the people that each group needs
//   plan.n_without_privacy;       // and without noise
//   KSamplePlan four = *plan_k_sample(4, {...});     // one group, the last, differs
//
// The release that would be made is simulated and tested (planning/equal_means_power.h), with the
// noise that it would have to the last bit (blank_release.h). No data is read, nothing is spent.
// A list has one number for all columns (or groups), or one for each.
// Domain   1 to 64 columns, 2 to 1000 groups of at least 2 people; as planning/equal_means_power.h.
// Error    of power: its standard error. The people for a power: to one part in 500.
// Cost     draws times the cost of a test; a search for people some 15 times as much, a curve 41.
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
  std::vector<std::string> columns = {};       // empty: without names, as many as the longest list has numbers
  std::optional<data::Schema> schema = {};     // declares the bounds of the columns
  std::vector<Digits> lower = {}, upper = {};  // the bounds, without a schema
  std::vector<double> difference = {};         // of the mean of the last group from that of all others, which is to be found
  std::vector<double> sd = {};                 // the supposed standard deviation of a row within a group
  std::optional<double> correlation = {};      // with sd: of every two columns; nothing: they are uncorrelated
  std::optional<Matrix> covariance = {};       // in place of sd
  std::vector<double> mean = {};               // the average of the means of the groups; empty: the middle of the bounds
  std::optional<PrivacyAmount> loss = {};      // must be given: there is no default for privacy
  std::vector<std::uint64_t> n = {};           // the people in each group; empty: as many as the power needs
  std::optional<double> power = {};            // in place of n: the power that is wanted, with equal groups
  Membership membership = Membership::Private;
  std::optional<MomentMechanism> mechanism = {};  // nothing: what suits the test
  double alpha = 0.05;
  Simulation simulation = {.draws = 1000};  // releases to simulate, with their tests
  bool curve = false;                       // also the power from a twentieth of these people to twenty times as many
};

/// The difference of the means of two groups in one column, and by how much it varies.
struct PlannedColumn {
  std::string name;
  double lower, upper, mean, sd, difference;
  double sampling_sd, noise_sd;
};

/// The scales of the noise in one group.
struct PlannedNoise {
  MomentMechanism mechanism;
  double people;  // 0: the number of people is public
  std::vector<double> sums, products;
};

/// The power of a comparison, by simulation and in the limit.
struct ComparisonPower {
  double power, standard_error;
  double limit;            // by the distribution for large n
  double without_privacy;  // of the test on the rows themselves
};

/// The power with n people in all groups together.
struct MeansPowerPoint {
  double n;
  ComparisonPower power;
};

/// The power, the people, and the noise they meet.
struct MeansPlan {
  ComparisonPower power;
  std::vector<double> n;                    // people in each group
  std::optional<double> n_without_privacy;  // in each group, for the power that was wanted; nothing: n was given
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

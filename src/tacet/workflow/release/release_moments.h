// tacet/workflow/release/release_moments.h: publishes sums, means, second moments or a covariance
// with exact noise.
//
//   Published<MomentRelease> means = *release_moments(
//       patients, {.kind = MomentKind::Mean, .columns = {"ldl", "hdl"}, .loss = Rho(0.02),
//                  .out = "means.json"});
//   Published<MomentRelease> groups = *release_moments(
//       patients, {.kind = MomentKind::Covariance, .columns = {"ldl"},
//                  .goal = MomentGoal::TwoSample, .group_by = "smoking", .loss = Rho(0.1)});
//
// Domain   1 to 64 columns with declared bounds; groups of a column with declared categories.
// Error    none, except for the mechanism ed, whose guarantee is idealised.
// Cost     one scan of the file; bench/moments_bench.cc compares it with SQL.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/moments.h"
#include "tacet/mechanisms/moment_mechanism.h"
#include "tacet/mechanisms/moment_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/release/published.h"

namespace tacet {

using data::Membership;
using mechanisms::MomentGoal;
using mechanisms::MomentKind;
using mechanisms::MomentMechanism;
using mechanisms::MomentRelease;

/// The sums, means or products to publish, and their privacy.
struct MomentReleaseRequest {
  MomentKind kind = MomentKind::Mean;
  std::vector<std::string> columns = {};
  std::optional<MomentMechanism> mechanism = {};  // empty: as moment_design.h chooses
  MomentGoal goal = MomentGoal::Region;           // of the noise
  /// For sums and means, in place of a goal: the part of the loss of each column, where a larger
  /// part is less noise (mechanisms/moment_noise.h).
  std::optional<std::vector<double>> weights = {};
  /// For sums and means: publish the one column that best distinguishes this mean from 0.
  std::optional<std::vector<double>> tested_mean = {};
  std::optional<std::string> where = {};      // the rows that count: schemas/row_condition.h
  std::optional<std::string> group_by = {};   // a categorical column: values for each group
  std::optional<Membership> membership = {};  // empty: as the terms say, or private
  std::optional<PrivacyAmount> loss = {};     // must be given
  std::optional<std::string> out = {};        // the release file to write
};

/// Publishes sums, means, second moments or a covariance.
Result<Published<MomentRelease>> release_moments(const Dataset& dataset, const MomentReleaseRequest& request);

}  // namespace tacet

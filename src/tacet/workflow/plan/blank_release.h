// tacet/workflow/plan/blank_release.h: a release of covariances by groups with all of its noise
// and no values, for plans.
//
//   MomentRelease blank =
//       *blank_release({.schema = schema, .columns = {"ldl"}, .loss = Rho(0.02)});
//   blank.parts[0].sums[0].scale;       // exactly that of the real release
//
// workflow/release/moment_design.h decides the noise, as for the release itself, for a later test
// of equal means. No data is read.
// Domain   1 to 64 columns with bounds; 2 to 1000 groups.
// Error    none: a release proves these scales.
// Cost     as workflow/release/moment_design.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/relation.h"
#include "tacet/mechanisms/moment_mechanism.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using kernel::Membership;

/// The design of a release of moments by group.
struct BlankReleaseRequest {
  data::Schema schema;               // of the columns; the groups need no column of it
  std::vector<std::string> columns;  // with bounds
  std::size_t groups = 2;
  Membership membership = Membership::Private;                // of the groups
  std::optional<mechanisms::MomentMechanism> mechanism = {};  // empty: the best for the test
  std::optional<PrivacyAmount> loss = {};                     // must be given
};

/// The release with its noise and without values.
Result<mechanisms::MomentRelease> blank_release(const BlankReleaseRequest& request);

}  // namespace tacet

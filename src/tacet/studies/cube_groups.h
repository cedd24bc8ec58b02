// tacet/studies/cube_groups.h: a blank release of two groups whose columns lie in [-1, 1].
//
//   mechanisms::MomentRelease blank =
//       *blank_cube_groups({.columns = 10, .people = 1000, .loss = Epsilon{0.5}});
//
// It is that of `release covariance --for two-sample` (workflow/plan/blank_release.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "tacet/base/result.h"
#include "tacet/kernel/relation.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet::studies {

struct CubeGroups {
  std::size_t columns, people;  // people in each group
  PrivacyAmount loss;
  kernel::Relation relation = kernel::Relation::ReplaceOne;
  kernel::Membership membership = kernel::Membership::Public;
  const char* resolution = "0.001";
};

Result<mechanisms::MomentRelease> blank_cube_groups(const CubeGroups& groups);

}  // namespace tacet::studies

// tacet/workflow/infer/told_groups.h: the groups of a release that are not empty, as far as noise
// tells.
//
//   MomentRelease release = *read_release_as<MomentRelease>("by_sex.json");
//   const std::vector<bool> told = told_groups(release);      // one for each label
//
// A column of categories has a cell for other values, so that everybody is in exactly one group,
// and often nobody is in that one. A comparison that names no groups leaves it out.
// Error    none: where fewer than two groups would remain, all stay, and the comparison says why it
//          knows nothing.
// Cost     linear in the groups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/mechanisms/moment_release.h"

namespace tacet {

using mechanisms::MomentRelease;

std::vector<bool> told_groups(const MomentRelease& release);

}  // namespace tacet

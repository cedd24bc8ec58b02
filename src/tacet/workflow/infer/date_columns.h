// tacet/workflow/infer/date_columns.h: which columns of a release of means have dates.
//
//   MomentRelease release = *read_release_as<MomentRelease>("means.json");
//   const std::vector<bool> dates = date_columns(release);      // one for each column
//
// The numbers of such a column are days since 1970-01-01. The statement of the release names it.
// Error    none: a column that the statement does not name has numbers.
// Cost     reads the statement.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/mechanisms/moment_release.h"

namespace tacet {

using mechanisms::MomentRelease;

std::vector<bool> date_columns(const MomentRelease& release);

}  // namespace tacet

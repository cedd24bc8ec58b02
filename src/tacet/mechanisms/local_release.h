// tacet/mechanisms/local_release.h: reports that people randomised themselves, and the counts
// estimated from them.
//
//   LocalRandomizer exp{LocalKind::Exp, /*parameter=*/1.0};
//   LocalRelease r = *describe_local(exp, {412, 301, 287}, /*n=*/1000, /*shape=*/{3}, {});
//   r.values;                  // unbiased estimates of the true counts
//   standard_errors(r);        // of each of them
//
// docs/reference/release_file.md describes the JSON.
// Domain   as local_randomizer.h; numbers of at most 1e100 in size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacet/base/result.h"
#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet::mechanisms {

struct LocalRelease : ReleasedTable {  // its values are the estimates
  ReleaseHeader header = {};
  LocalRandomizer randomizer = {};   // of one report
  double n = 0;                      // the number of reports
  std::vector<double> reports = {};  // shaped as the values: counts (exp), or means of coordinates
};

/// Unbiased estimates of the true counts from n reports. `privacy` is the promise that the
/// collector states.
Result<LocalRelease> describe_local(const LocalRandomizer& randomizer, std::vector<double> reports, double n,
                                    std::vector<std::size_t> shape, std::optional<ReleasedPrivacy> privacy);

std::vector<double> standard_errors(const LocalRelease& release);

nlohmann::json to_json(const LocalRelease& release);
/// InvalidArgument, naming the field, for anything that to_json would not write.
Result<LocalRelease> local_release_from_json(const nlohmann::json& value);

}  // namespace tacet::mechanisms

// tacet/mechanisms/released_groups.h: the groups of a release file, by the column that makes them.
//
//   ReleasedGroups sexes{"sex", {"f", "m"}, kernel::Membership::Public};
//   groups_json(sexes);        // {"column": "sex", ...}; null without groups
//
// Files of sums and of queries have them, in the same words.
//
// Every person is in one group, or in none of them if no row of theirs counts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacet/base/result.h"
#include "tacet/kernel/relation.h"

namespace tacet::mechanisms {

class ReleaseFields;

struct ReleasedGroups {
  std::string column;
  std::vector<std::string> labels;
  kernel::Membership membership;
};

/// An object, or null without groups.
nlohmann::json groups_json(const std::optional<ReleasedGroups>& groups);
/// Empty for null; otherwise 1 to 10^4 labels.
Result<std::optional<ReleasedGroups>> read_groups(const ReleaseFields& fields, const nlohmann::json& value);

}  // namespace tacet::mechanisms

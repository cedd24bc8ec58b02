// tacet/workflow/release/asked_groups.h: the groups that a request for sums or queries asks for.
//
//   std::optional<data::Groups> groups =
//       *asked_groups(schema, "smoking", /*membership=*/{});
//
// Groups are public if the terms say so, unless private membership is asked for, with more noise.
// Errors   the column has no categories; several columns; a membership without groups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/moments.h"
#include "tacet/data/schema.h"

namespace tacet {

Result<std::optional<data::Groups>> asked_groups(const data::Schema& schema, const std::optional<std::string>& column,
                                                 const std::optional<data::Membership>& membership);

}  // namespace tacet

// tacet/service/known_sums_file.h: a JSON file of public sums of a table's cells.
//
//   const mechanisms::ReleasedTable table{{{"sex", {"f", "m"}}}, {2}, {812, 455}};
//   TACET_TRY(const std::vector<inference::KnownSum> known, read_known_sums("margins.json", table));
//
// The file is like [{"where": {"sex": "f"}, "sum": 902}, {"weights": [1, 2], "sum": 1700}].
// `where` has a label for some of the axes: the sum is that of the cells with these labels; with
// none it is the total. `weights` is nested as the table is, and the sum is that of its products
// with the counts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/estimates/known_sums.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet::service {

/// InvalidArgument, of the parameter known, for anything else.
Result<std::vector<inference::KnownSum>> read_known_sums(const std::string& path, const mechanisms::ReleasedTable& table);

}  // namespace tacet::service

// tacet/schemas/column_request.h: can a request use these columns? If not, why, and the remedy.
//
//   TACET_CHECK(check_tabulated(schema, {"smoking", "disease"}));
//   TACET_CHECK(check_summed(schema, {"height", "weight"}));
//
// The data room refuses undeclared columns too, with a shorter message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

/// What is charged must be readable afterwards. A release file holds numbers of at most 1e100 and
/// noise of at least 1e-100 (mechanisms/release_fields.h): sums of products of numbers within these
/// limits, of 2^45 people and with noise of 2^60 or 2^-40 steps.
inline constexpr const char* kLargestReleased = "1e40";
inline constexpr const char* kLeastReleased = "1e-40";  // resolution

/// For tables or groups: at least one column, each once, each with categories or with bins of the
/// request (chosen_bins.h), and not too many cells together.
Status check_tabulated(const data::Schema& schema, const std::vector<std::string>& names, const std::vector<data::Bins>& bins = {});
/// For sums: 1 to 64 columns, each once, each with bounds that sums can use.
Status check_summed(const data::Schema& schema, const std::vector<std::string>& names);
/// Bounds and resolution that sums can use (data/grid.h) and that release files can hold.
Status check_bounds(const std::string& column, const data::Bounds& bounds);
/// For a histogram: a column with such bounds.
Status check_binned(const data::Schema& schema, const std::string& name);
/// For any request: every column with categories or bounds can be used alone, and there is at
/// least one.
Status check_usable(const data::Schema& schema);

}  // namespace tacet::schemas

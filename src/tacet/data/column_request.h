// tacet/data/column_request.h: the columns that a request names, as the schema declares them, or the reason why they cannot be used.
// Private to the data room.
//
//   TACET_TRY(const std::vector<const Column*> columns, categorical_columns(schema, {"smoking", "disease"}));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"

namespace tacet::data {

/// To be tabulated: at least one, each once, each with categories.
Result<std::vector<const Column*>> categorical_columns(const Schema& schema, const std::vector<std::string>& names);
/// To be summed: 1 to 64, each once, each with bounds.
Result<std::vector<const Column*>> numeric_columns(const Schema& schema, const std::vector<std::string>& names);

}  // namespace tacet::data

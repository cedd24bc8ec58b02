// tacet/schemas/column_request.h: can these columns be used as a request wants? If not, why, and what to write in the schema.
//
//   TACET_CHECK(check_tabulated(schema, {"smoking", "disease"}));
//   TACET_CHECK(check_summed(schema, {"height", "weight"}));
//
// The data room refuses what is not declared, too, in fewer words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

/// To be tabulated, or to divide rows into groups: at least one, each once, each with categories, and not too many cells together.
Status check_tabulated(const data::Schema& schema, const std::vector<std::string>& names);
/// To be summed: 1 to 64, each once, each with bounds.
Status check_summed(const data::Schema& schema, const std::vector<std::string>& names);
/// Whatever will be asked for: every column with categories or bounds can be used by itself, and there is at least one.
Status check_usable(const data::Schema& schema);

}  // namespace tacet::schemas

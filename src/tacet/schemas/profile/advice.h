// tacet/schemas/profile/advice.h: what a profile tells its custodian to look at, in sentences.
//
//   for (const std::string& sentence : advice_on(profile, schema)) show(sentence);
//   // column "smoking": category "Never" never occurs, but "never" does 5,123 times: write it so
//
// The sentences quote data: they are for the custodian alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tacet/data/schema.h"
#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

/// Nothing where the rows are as declared.
std::vector<std::string> advice_on(const FileProfile& profile, const data::Schema& schema);

/// 12,345.
std::string grouped(std::int64_t count);
/// "2,799 (5.7 %)"; without a share if there are no rows.
std::string with_share(std::int64_t count, std::int64_t rows);
/// The lines of a schema that declare how numbers are written: thousands = "," and unit = "mg".
std::vector<std::string> lines_for(const data::NumberText& form);

}  // namespace tacet::schemas

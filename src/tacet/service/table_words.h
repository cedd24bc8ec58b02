// tacet/service/table_words.h: a released table in words: one line per row, the last axis across.
//
//   const CountRelease table = *read_release_as<CountRelease>("smoking.json");
//   table_words(table, [&](std::size_t i) { return std::to_string(table.values[i]); });
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet::service {

/// Renders the table; `cell` gives the text of each cell, by its index in the values.
std::string table_words(const mechanisms::ReleasedTable& released, const std::function<std::string(std::size_t)>& cell);

/// In place of a table if its public number of people is 0, because nothing but noise is in it.
std::optional<std::string> empty_table_words(const mechanisms::CountRelease& release);

}  // namespace tacet::service

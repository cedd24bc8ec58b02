#include "tacet/kernel/relation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tacet::kernel {

Result<Relation> Relation::within(std::vector<std::string> columns) {
  std::sort(columns.begin(), columns.end());
  if (std::adjacent_find(columns.begin(), columns.end()) != columns.end() || (!columns.empty() && columns.front().empty()))
    return Error::invalid("public columns", "one of them twice, or empty", "must be names of columns, each once");
  Relation relation(ReplaceOne);
  relation.public_columns_ = std::move(columns);
  return relation;
}

bool Relation::is_public(std::string_view column) const {
  return std::binary_search(public_columns_.begin(), public_columns_.end(), column);
}

std::string describe(const Relation& relation) {
  if (relation.public_columns().empty()) return std::string(name(relation.kind()));
  return fmt::format("{} ({} public)", name(relation.kind()), fmt::join(relation.public_columns(), ", "));
}

}  // namespace tacet::kernel

#include "tacet/schemas/check_columns.h"

#include <algorithm>

#include "tacet/schemas/listing.h"

namespace tacet::schemas {

Result<std::optional<std::string>> first_missing_column(const data::DataFile& file, const data::Schema& schema) {
  TACET_TRY(const FileListing listing, list_columns(file, schema));
  for (const data::Column& column : schema.columns) {
    if (!column.categories && !column.bounds) continue;
    const auto has_name = [&](const ListedColumn& listed) { return listed.name == column.name; };
    if (std::none_of(listing.columns.begin(), listing.columns.end(), has_name)) return std::optional(column.name);
  }
  return std::optional<std::string>();
}

}  // namespace tacet::schemas

#include "tacet/schemas/check_columns.h"

#include <algorithm>

#include "tacet/schemas/listing.h"

namespace tacet::schemas {

Result<ColumnCheck> check_columns(const data::DataFile& file, const data::Schema& schema) {
  TACET_TRY(const FileListing listing, list_columns(file, schema));
  ColumnCheck check;
  for (const data::Column& column : schema.columns) {
    if (!column.categories && !column.bounds) continue;
    const auto times = std::count_if(listing.columns.begin(), listing.columns.end(),
                                     [&](const ListedColumn& listed) { return listed.name == column.name; });
    if (times == 1) ++check.found;
    if (times == 0) check.missing.push_back(column.name);
    if (times > 1) check.repeated.push_back(column.name);
  }
  if (!check.missing.empty()) check.hint = delimiter_hint(file, listing);
  return check;
}

}  // namespace tacet::schemas

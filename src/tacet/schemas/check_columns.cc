#include "tacet/schemas/check_columns.h"

#include <algorithm>

#include "tacet/schemas/listing.h"

namespace tacet::schemas {

ColumnCheck check_columns(const std::vector<std::string>& names, const data::Schema& schema) {
  ColumnCheck check;
  for (const data::Column& column : schema.columns) {
    const bool person = schema.contributions && schema.contributions->person == column.name;
    if (!column.categories && !column.bounds && !person) continue;
    const auto times = std::count(names.begin(), names.end(), column.name);
    if (times == 1) ++check.found;
    if (times == 0) check.missing.push_back(column.name);
    if (times > 1) check.repeated.push_back(column.name);
  }
  return check;
}

Result<ColumnCheck> check_columns(const data::DataFile& file, const data::Schema& schema) {
  TACET_TRY(const FileListing listing, list_columns(file, schema));
  std::vector<std::string> names;
  for (const ListedColumn& column : listing.columns) names.push_back(column.name);
  ColumnCheck check = check_columns(names, schema);
  if (!check.missing.empty()) check.hint = delimiter_hint(file, listing);
  return check;
}

}  // namespace tacet::schemas

#include "tacet/schemas/check_columns.h"

#include <algorithm>
#include <vector>

#include "tacet/data/source.h"

namespace tacet::schemas {
namespace {

Result<std::vector<std::string>> names_of(const data::DataFile& file, const data::Schema& schema) {
  if (file.kind() == data::FileKind::Csv) {
    TACET_TRY(const data::CsvSource source, data::CsvSource::open(file, schema.csv, schema.names()));
    return source.names;
  }
  TACET_TRY(const data::EngineSource source, data::EngineSource::open(file, schema.table, 1));
  std::vector<std::string> names;
  for (const data::EngineColumn& column : source.columns) names.push_back(column.name);
  return names;
}

}  // namespace

Result<std::optional<std::string>> first_missing_column(const data::DataFile& file, const data::Schema& schema) {
  TACET_TRY(const std::vector<std::string> names, names_of(file, schema));
  for (const data::Column& column : schema.columns) {
    if (!column.categories && !column.bounds) continue;
    if (std::find(names.begin(), names.end(), column.name) == names.end()) return std::optional(column.name);
  }
  return std::optional<std::string>();
}

}  // namespace tacet::schemas

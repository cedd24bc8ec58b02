#include "tacet/workflow/open_rows.h"

#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/source_register.h"

namespace tacet {
namespace {

/// The terms and the rows must both be in memory, under the same name, or both in files; the
/// kernel compares the names of files.
Status check_kind(const DataPlace& rows, const data::Declared& declared) {
  const std::string& source = declared.terms().declared().source;
  const auto* const table = std::get_if<MemoryTable>(&rows);
  const bool in_memory = schemas::source_kind(source) == schemas::SourceKind::Memory;
  if (source.empty() || (!in_memory && table == nullptr)) return {};
  if (in_memory && table != nullptr) {
    if (table->source() == source) return {};
    return Error::invalid(
        "data", in_quotes(table->source()),
        fmt::format("must be {}, the source in the terms of {}", in_quotes(source), in_quotes(declared.terms().dataset())),
        "give the table that name; if it was renamed, the custodian amends the source of the dataset");
  }
  if (in_memory) {
    return Error::invalid(
        "data", in_quotes(std::get<std::string>(rows)),
        fmt::format("must be {}, a table in memory: the terms of {} say so", in_quotes(source), in_quotes(declared.terms().dataset())),
        "let the program that holds the rows release them; if they are in a file now, the custodian amends the source of the dataset");
  }
  return Error::invalid(
      "data", in_quotes(table->source()),
      fmt::format("must be the file {}: the terms of {} say so", in_quotes(source), in_quotes(declared.terms().dataset())),
      "leave data out to read that file; if the rows are in memory now, the custodian amends the source of the dataset");
}

}  // namespace

Result<data::DataSource> open_rows(const KnownPlace& place, const data::Declared& declared) {
  const std::string& source = declared.terms().declared().source;
  if (place.data) {
    TACET_CHECK(check_kind(*place.data, declared));
    if (const auto* table = std::get_if<MemoryTable>(&*place.data)) return data::DataSource(table->table());
    TACET_TRY(data::DataFile file, schemas::open_data(std::get<std::string>(*place.data)));
    return data::DataSource(std::move(file));
  }
  if (source.empty()) {
    return Error::invalid("data", "missing", "must be given: the terms of the dataset name no source yet",
                          "for example: data = people.csv");
  }
  if (schemas::source_kind(source) == schemas::SourceKind::Memory) {
    return Error::invalid("data", "missing",
                          fmt::format("must be given: {} is in the memory of the program that holds it", in_quotes(source)),
                          "let that program release from it");
  }
  TACET_TRY(data::DataFile file, schemas::open_data(path_of_source(source)));
  return data::DataSource(std::move(file));
}

}  // namespace tacet

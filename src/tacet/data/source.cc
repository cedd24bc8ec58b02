#include "tacet/data/source.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/scan_failed.h"
#include "tacet/data/text.h"

namespace tacet::data {
namespace {

struct TableName {
  std::string schema, name;
  std::string written() const { return schema == "main" ? name : schema + "." + name; }
};

Result<TableName> choose_table(Engine& engine, const DataFile& file, const std::optional<std::string>& wanted) {
  TACET_TRY(const auto rows, engine.rows(sql::tables()));
  std::vector<TableName> tables;
  std::vector<std::string> names;
  for (const auto& row : rows) {
    tables.push_back({row[0], row[1]});
    names.push_back(tables.back().written());
  }
  const std::string shown = in_quotes(file.path());
  if (names.empty())
    return Error::of(Code::NotFound, fmt::format("{} holds no table", shown), "views do not count; store their rows as a table");
  if (!wanted) {
    if (tables.size() == 1) return tables.front();
    return Error::schema("table", "not written", fmt::format("must name one of the tables of {}: {}", shown, listed(names)),
                         "write in the schema: table = " + in_quotes(names.front()));
  }
  const auto found = std::find(names.begin(), names.end(), *wanted);
  if (found == names.end()) {
    return Error::of(Code::NotFound, fmt::format("{} has no table {}; its tables are {}", shown, in_quotes(*wanted), listed(names)),
                     did_you_mean(*wanted, names));
  }
  if (std::count(names.begin(), names.end(), *wanted) > 1) {
    return Error::of(Code::Unsupported, fmt::format("{} has two tables that a schema would write as {}", shown, in_quotes(*wanted)),
                     "rename one of them");
  }
  return tables[static_cast<std::size_t>(found - names.begin())];
}

}  // namespace

Result<CsvSource> CsvSource::open(const DataFile& file, const CsvDialect& dialect, const std::vector<std::string>& declared) {
  CsvSource source{CsvReader(file, dialect), {}};
  if (!dialect.header) {
    source.names = declared;
  } else {
    const CsvReader::Step step = source.reader.next();
    if (step == CsvReader::Step::Failed) return scan_failed(in_quotes(file.path()));
    if (step == CsvReader::Step::End) {
      return Error::of(Code::DataUnreadable, fmt::format("{} is empty", in_quotes(file.path())),
                       "its first line must be the names of the columns, unless the schema says under [csv]: header = false");
    }
    if (!source.reader.fits()) return scan_failed(in_quotes(file.path()));
    for (std::size_t i = 0; i < source.reader.size(); ++i) source.names.emplace_back(source.reader.text(i));
  }
  source.reader.expect(source.names.size());
  return source;
}

Result<EngineSource> EngineSource::open(const DataFile& file, const std::optional<std::string>& table, unsigned threads,
                                        std::optional<unsigned> memory) {
  const bool parquet = file.kind() == FileKind::Parquet;
  TACET_TRY(Engine engine, Engine::open(parquet ? std::vector{file.descriptor_path()} : sql::paths_of_database(file.real_path()),
                                        in_quotes(file.path()), threads, memory));
  std::string sql;
  std::string written;
  if (parquet) {
    sql = sql::parquet(file.descriptor_path());
  } else {
    TACET_CHECK(engine.run(sql::attach(file.real_path())));
    TACET_TRY(const TableName name, choose_table(engine, file, table));
    sql = sql::table(name.schema, name.name);
    written = name.written();
  }
  TACET_TRY(std::vector<EngineColumn> columns, engine.columns(sql));
  return EngineSource{std::move(engine), std::move(sql), std::move(written), std::move(columns)};
}

Result<std::size_t> position(const std::vector<std::string>& names, const std::string& name, const DataFile& file) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return Error::of(Code::NotFound,
                     fmt::format("column {}, which the schema declares, is not in {}", in_quotes(name), in_quotes(file.path())),
                     file.kind() == FileKind::Csv
                         ? "names are compared exactly, in UTF-8; if the file has no line of names, write under [csv]: header = false"
                         : "names are compared exactly, letter case included");
  }
  if (std::find(found + 1, names.end(), name) != names.end()) {
    return Error::of(Code::DataUnreadable, fmt::format("{} has two columns named {}", in_quotes(file.path()), in_quotes(name)),
                     "rename one of them");
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace tacet::data

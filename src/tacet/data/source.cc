#include "tacet/data/source.h"

#include <algorithm>

namespace tacet::data {
namespace {

struct TableName {
  std::string schema, name;
  std::string written() const { return schema == "main" ? name : schema + "." + name; }
};

Scanning<Engine> open_engine(const DataFile& file, unsigned threads, std::optional<unsigned> memory) {
  if (file.kind() == FileKind::Parquet) return Engine::open({file.descriptor_path()}, threads, memory);
  TACET_TRY(Engine engine, Engine::open(sql::paths_of_database(file.real_path()), threads, memory));
  if (!engine.run(sql::attach(file.real_path()))) return Fault{};
  return engine;
}

Scanning<std::vector<TableName>> tables_of(Engine& engine) {
  TACET_TRY(const auto rows, engine.rows(sql::tables()));
  std::vector<TableName> tables;
  for (const auto& row : rows) tables.push_back({row[0], row[1]});
  return tables;
}

// The source of the requested table, or of the only one.
Scanning<std::string> choose(const std::vector<TableName>& tables, const std::optional<std::string>& wanted) {
  const auto is_wanted = [&](const TableName& table) { return !wanted || table.written() == *wanted; };
  if (std::count_if(tables.begin(), tables.end(), is_wanted) != 1) return Fault{Fault::WrongTable};
  const auto found = std::find_if(tables.begin(), tables.end(), is_wanted);
  return sql::table(found->schema, found->name);
}

}  // namespace

Scanning<CsvSource> CsvSource::open(const DataFile& file, const Schema& schema) {
  CsvSource source{CsvReader(file, schema.csv), {}};
  if (!schema.csv.header) {
    source.names = schema.names();
  } else {
    const CsvReader::Step step = source.reader.next();
    if (step == CsvReader::Step::End) return Fault{Fault::NoNames};
    if (step == CsvReader::Step::Failed || !source.reader.fits()) return Fault{};
    for (std::size_t i = 0; i < source.reader.size(); ++i) source.names.emplace_back(source.reader.text(i));
  }
  source.reader.expect(source.names.size());
  return source;
}

Scanning<EngineSource> EngineSource::open(const DataFile& file, const Schema& schema, unsigned threads, std::optional<unsigned> memory) {
  TACET_TRY(Engine engine, open_engine(file, threads, memory));
  std::string sql;
  if (file.kind() == FileKind::Parquet) {
    sql = sql::parquet(file.descriptor_path());
  } else {
    TACET_TRY(const std::vector<TableName> tables, tables_of(engine));
    TACET_TRY(sql, choose(tables, schema.table));
  }
  TACET_TRY(std::vector<EngineColumn> columns, engine.columns(sql));
  std::vector<std::string> names;
  for (const EngineColumn& column : columns) names.push_back(column.name);
  return EngineSource{std::move(engine), std::move(sql), std::move(columns), std::move(names)};
}

Scanning<std::size_t> position(const std::vector<std::string>& names, const std::string& name, std::size_t asked) {
  if (std::count(names.begin(), names.end(), name) != 1) return Fault{Fault::WrongColumn, static_cast<std::uint32_t>(asked)};
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

Scanning<Listing> list(const DataFile& file, const Schema& schema) {
  Listing listing;
  if (file.kind() == FileKind::Csv) {
    TACET_TRY(const CsvSource source, CsvSource::open(file, schema));
    for (const std::string& name : source.names) listing.columns.emplace_back(name, "");
    return listing;
  }
  TACET_TRY(Engine engine, open_engine(file, 1, {}));
  std::string from = sql::parquet(file.descriptor_path());
  if (file.kind() == FileKind::DuckDb) {
    TACET_TRY(const std::vector<TableName> tables, tables_of(engine));
    for (const TableName& table : tables) listing.tables.push_back(table.written());
    const auto chosen = choose(tables, schema.table);
    if (!chosen.ok()) return listing;
    from = *chosen;
  }
  TACET_TRY(const auto rows, engine.rows(sql::types_of(from)));
  for (const auto& row : rows) listing.columns.emplace_back(row[0], row[1]);
  return listing;
}

}  // namespace tacet::data

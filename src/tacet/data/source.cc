#include "tacet/data/source.h"

namespace tacet::data {

Scanning<CsvSource> CsvSource::open(const DataFile& file, const Schema& schema) {
  CsvSource source{CsvReader(file, schema.csv), {}};
  if (!schema.csv.header) {
    for (const Column& column : schema.columns) source.columns.push_back({column.name});
  } else {
    const CsvReader::Step step = source.reader.next();
    if (step == CsvReader::Step::End) return Fault{Fault::NoNames};
    if (step == CsvReader::Step::Failed || !source.reader.fits()) return Fault{};
    for (std::size_t i = 0; i < source.reader.size(); ++i) source.columns.push_back({std::string(source.reader.text(i))});
  }
  source.reader.expect(source.columns.size());
  return source;
}

Scanning<EngineSource> EngineSource::open(const DataFile& file, const Schema& schema, unsigned threads, std::optional<unsigned> memory) {
  const bool parquet = file.kind() == FileKind::Parquet;
  TACET_TRY(Engine engine,
            Engine::open(parquet ? std::vector{file.descriptor_path()} : sql::paths_of_database(file.real_path()), threads, memory));
  if (parquet) return EngineSource{std::move(engine), {}, sql::parquet(file.descriptor_path())};
  if (!engine.run(sql::attach(file.real_path()))) return Fault{};
  TACET_TRY(const auto tables, engine.rows(sql::tables()));
  EngineSource source{std::move(engine), {}, {}};
  std::size_t wanted = 0;
  for (const std::vector<std::string>& table : tables) {
    source.tables.push_back(table[0] == "main" ? table[1] : table[0] + "." + table[1]);
    if (schema.table.value_or(source.tables.back()) != source.tables.back()) continue;
    source.sql = sql::table(table[0], table[1]);
    ++wanted;
  }
  if (wanted != 1) source.sql.clear();
  return source;
}

Scanning<Listing> list(const DataFile& file, const Schema& schema) {
  Listing listing;
  if (file.kind() == FileKind::Csv) {
    TACET_TRY(const CsvSource source, CsvSource::open(file, schema));
    for (const SourceColumn& column : source.columns) listing.columns.emplace_back(column.name, "");
    return listing;
  }
  TACET_TRY(EngineSource source, EngineSource::open(file, schema, 1, {}));
  listing.tables = source.tables;
  if (source.sql.empty()) return listing;
  TACET_TRY(const auto rows, source.engine.rows(sql::types_of(source.sql)));
  for (const auto& row : rows) listing.columns.emplace_back(row[0], row[1]);
  return listing;
}

}  // namespace tacet::data

#include <utility>

#include "tacet/data/scan.h"
#include "tacet/data/source.h"

namespace tacet::data {

Scanning<CsvSource> open_csv(const DataFile& file, const Schema& schema) {
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

Scanning<EngineSource> open_engine(const DataFile& file, const Schema& schema, unsigned threads, std::optional<unsigned> memory) {
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

namespace {

Scanning<std::int64_t> fold_csv(CsvReader& reader, const RowPlan& plan, MomentSums& into, const Progress& progress) {
  RowFold fold(plan);
  std::vector<double> numbers(plan.numbers.size() * kStretch);
  std::vector<std::uint32_t> codes(plan.texts.size() * kStretch);
  std::vector<const std::uint32_t*> parts;
  for (std::size_t t = 0; t < plan.texts.size(); ++t) parts.push_back(codes.data() + t * kStretch);
  std::vector<StoredColumn> stretch;
  for (std::size_t j = 0; j < plan.numbers.size(); ++j) stretch.push_back({.kind = double{}, .values = numbers.data() + j * kStretch});
  std::int64_t rows = 0;
  std::size_t held = 0;
  const auto flush = [&] {
    for (std::size_t t = 0; t < plan.texts.size(); ++t) plan.texts[t].finish(codes.data() + t * kStretch);
    return fold.add(stretch, parts, std::exchange(held, 0));
  };
  for (;;) {
    const CsvReader::Step step = reader.next();
    if (step == CsvReader::Step::Failed) return Fault{};
    if (step == CsvReader::Step::End) break;
    for (std::size_t j = 0; j < plan.numbers.size(); ++j)
      numbers[j * kStretch + held] = read_number(reader.text(plan.numbers[j].column), plan.numbers[j].text);
    for (std::size_t t = 0; t < plan.texts.size(); ++t) {
      const std::size_t at = plan.texts[t].column;
      plan.texts[t].code(reader.missing(at) ? std::nullopt : std::optional(reader.text(at)), &codes[t * kStretch + held]);
    }
    ++rows;
    if (++held < kStretch) continue;
    if (!flush()) return Fault{};
    if (progress.tell) progress.tell(reader.fraction());
  }
  if (!flush()) return Fault{};
  into.merge(fold.sums());
  return rows;
}

Scanning<Sums> scan_engine(const DataFile& file, const Schema& schema, const ScanRequest& request, unsigned threads,
                           std::optional<unsigned> memory, const Progress& progress) {
  TACET_TRY(EngineSource source, open_engine(file, schema, threads, memory));
  if (source.sql.empty()) return Fault{Fault::WrongTable};
  TACET_TRY(const std::vector<SourceColumn> columns, source.engine.columns(source.sql));
  return sum_rows(schema, request, columns,
                  [&](const RowPlan& plan, MomentSums& into) { return source.engine.fold(source.sql, columns, plan, into, progress); });
}

}  // namespace

Scanning<Sums> scan_here(const DataFile& file, const Schema& schema, const ScanRequest& request, const CountOptions& options) {
  const Progress& progress = options.progress;
  if (file.kind() == FileKind::Csv) {
    TACET_TRY(CsvSource source, open_csv(file, schema));
    return sum_rows(schema, request, source.columns,
                    [&](const RowPlan& plan, MomentSums& into) { return fold_csv(source.reader, plan, into, progress); });
  }
  const auto shape = shape_of(schema, request);
  if (!shape.ok()) return Fault{};
  const unsigned threads = affordable_threads(request, *shape, options);
  if (file.kind() == FileKind::DuckDb) {
    // Enough for the blocks being read. Rows in a log may need the usual amount, tried next.
    const unsigned little = 32 + threads * static_cast<unsigned>(request.columns().size() + 1);
    auto summed = scan_engine(file, schema, request, threads, little, progress);
    if (summed.ok() || summed.error().kind != Fault::Failed) return summed;
  }
  return scan_engine(file, schema, request, threads, {}, progress);
}

}  // namespace tacet::data

#include "tacet/schemas/profile/look_child.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/scan.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/source.h"
#include "tacet/schemas/profile/dialect_guess.h"
#include "tacet/schemas/profile/look_process.h"
#include "tacet/schemas/profile/profile_codec.h"
#include "tacet/schemas/profile/row_tally.h"

namespace tacet::schemas {
namespace {

using data::Fault;
using data::Scanning;
using data::SharedRegion;

Scanning<FileProfile> look_at_csv(const data::DataFile& file, const data::Schema& schema, bool learn, const SharedRegion& region) {
  const DialectProfile dialect = guess_dialect(file, schema.csv);
  TACET_TRY(data::CsvSource source, data::open_csv(file, schema));
  std::vector<SourceField> fields;
  for (const data::SourceColumn& column : source.columns) fields.push_back({.name = column.name});
  RowTally tally(schema, fields, learn);
  FileProfile profile;
  constexpr std::int64_t kTold = 1 << 14;
  for (;;) {
    const data::CsvReader::Step step = source.reader.next();
    if (step == data::CsvReader::Step::Failed) return Fault{};
    if (step == data::CsvReader::Step::End) break;
    if (++profile.rows % kTold == 0) region.head().fraction = source.reader.fraction();
    if (!source.reader.fits()) ++profile.misfits;
    for (const std::size_t at : tally.wanted()) {
      const bool missing = source.reader.missing(at);
      tally.add(at, missing ? std::nullopt : std::optional(source.reader.text(at)), 1);
    }
  }
  tally.finish(profile);
  profile.dialect = dialect;
  return profile;
}

/// Name and type of each column.
std::string types_query(const std::string& source) {
  return fmt::format("SELECT column_name, column_type FROM (DESCRIBE FROM {})", source);
}

Scanning<NamesInFile> names_in(const data::DataFile& file, const data::Schema& schema) {
  NamesInFile names;
  if (file.kind() == data::FileKind::Csv) {
    TACET_TRY(const data::CsvSource source, data::open_csv(file, schema));
    for (const data::SourceColumn& column : source.columns) names.columns.push_back({column.name, ""});
    return names;
  }
  TACET_TRY(data::EngineSource source, data::open_engine(file, schema, 1, {}));
  names.tables = source.tables;
  if (source.sql.empty()) return names;
  TACET_TRY(const auto described, source.engine.rows(types_query(source.sql)));
  for (const auto& column : described) names.columns.push_back({column.at(0), column.at(1)});
  return names;
}

/// The different values of one column, as texts, with their numbers of rows. SQL of its own: what
/// data/sql.h has serves releases, which never group.
std::string values_query(const std::string& source, std::size_t width, std::size_t at, std::size_t part, std::size_t parts) {
  std::string names;
  for (std::size_t i = 0; i < width; ++i) names += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
  const std::string where = parts == 1 ? "" : fmt::format(" WHERE hash(c{}) % {} = {}", at, parts, part);
  return fmt::format(
      "SELECT CASE WHEN v IS NULL THEN '' ELSE 'v' END, coalesce(v, ''), CAST(n AS VARCHAR) FROM (SELECT CAST(c{} AS VARCHAR) AS v, "
      "count(*) AS n FROM {} AS t({}){} GROUP BY v)",
      at, source, names, where);
}

Scanning<std::size_t> parts_of(data::Engine& engine, const std::string& source, std::size_t width, std::size_t at) {
  constexpr std::size_t kMostValues = 1'000'000;  // at once
  std::string names;
  for (std::size_t i = 0; i < width; ++i) names += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
  TACET_TRY(const auto counted,
            engine.rows(fmt::format("SELECT CAST(approx_count_distinct(c{}) AS VARCHAR) FROM {} AS t({})", at, source, names)));
  return std::stoull(counted.at(0).at(0)) / kMostValues + 1;
}

Scanning<FileProfile> look_at_engine(const data::DataFile& file, const data::Schema& schema, bool learn, unsigned threads,
                                     const SharedRegion& region) {
  TACET_TRY(data::EngineSource source, data::open_engine(file, schema, std::max(1U, threads), {}));
  if (source.sql.empty()) return Fault{Fault::WrongTable};
  TACET_TRY(const std::vector<data::SourceColumn> columns, source.engine.columns(source.sql));
  TACET_TRY(const auto described, source.engine.rows(types_query(source.sql)));
  std::vector<SourceField> fields;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& numbers = columns[i].numbers;
    fields.push_back(
        {.name = columns[i].name,
         .type = i < described.size() ? described[i].at(1) : std::string(),
         .readable = columns[i].has_text,
         .stored = {.single = numbers && std::holds_alternative<float>(numbers->kind), .numbers = numbers && !data::has_texts(*numbers)}});
  }
  RowTally tally(schema, fields, learn);
  FileProfile profile;
  TACET_TRY(const auto counted, source.engine.rows(data::sql::count(source.sql)));
  profile.rows = std::stoll(counted.at(0).at(0));
  std::size_t done = 0;
  for (const std::size_t at : tally.wanted()) {
    const auto parts = parts_of(source.engine, source.sql, columns.size(), at);
    bool read = parts.ok();
    for (std::size_t part = 0; read && part < *parts; ++part) {
      const auto values = source.engine.rows(values_query(source.sql, columns.size(), at, part, *parts));
      read = values.ok();
      if (!read) break;
      for (const auto& value : *values)
        tally.add(at, value[0].empty() ? std::nullopt : std::optional<std::string_view>(value[1]), std::stoll(value[2]));
    }
    if (!read) tally.give_up(at);
    region.head().fraction = static_cast<double>(++done) / static_cast<double>(tally.wanted().size());
  }
  tally.finish(profile);
  return profile;
}

void tell_fault(const SharedRegion& region, const Fault& fault) {
  region.head().fault = fault.kind;
  region.head().column = fault.column;
  region.head().answered = SharedRegion::kFault;
}

Scanning<std::string> answer_to(const LookRequest& asked, const SharedRegion& region) {
  const data::AskedScan scan = data::read_request(asked.scan);
  const data::DataFile file = data::DataFile::adopt(OwnedDescriptor(data::kDataDescriptor), scan.form, data::kDataName);
  if (asked.names) {
    TACET_TRY(const NamesInFile names, names_in(file, scan.schema));
    return names_text(names);
  }
  TACET_TRY(const FileProfile profile, file.kind() == data::FileKind::Csv
                                           ? look_at_csv(file, scan.schema, asked.learn, region)
                                           : look_at_engine(file, scan.schema, asked.learn, scan.threads, region));
  return profile_text(profile);
}

bool answer_with(const SharedRegion& region) {
  const std::optional<LookRequest> asked = read_look_request(region.request());
  if (!asked) return false;
  const Scanning<std::string> text = answer_to(*asked, region);
  if (!text.ok()) {
    tell_fault(region, text.error());
    return true;
  }
  if (text->size() > region.answer().size()) return false;
  std::memcpy(region.answer().data(), text->data(), text->size());
  region.head().said = text->size();
  region.head().answered = SharedRegion::kAnswered;
  return true;
}

}  // namespace

int answer_look() {
  bool answered = false;
  try {
    const std::optional<SharedRegion> region = data::begin_scan(look_build());
    answered = region && answer_with(*region);
  } catch (const std::exception&) {
    answered = false;  // its message may contain anything
  }
  // Immediately: there is no need to wait for threads of the engine.
  ::_exit(answered ? 0 : 1);
}

}  // namespace tacet::schemas

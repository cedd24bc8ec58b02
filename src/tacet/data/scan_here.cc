#include "tacet/data/scan_here.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>
#include <utility>

#include <duckdb.h>

#include "tacet/data/source.h"

namespace tacet::data {
namespace {

using Clock = std::chrono::steady_clock;

// Each thread of the engine has its own sums; together they stay below this.
constexpr std::size_t kMostBytesOfSums = std::size_t{1} << 30;

// The positions of the columns in the file.
struct Positions {
  std::vector<std::size_t> numbers, by;
};

Scanning<Positions> positions_of(const ScanRequest& request, const std::vector<std::string>& names) {
  Positions found;
  for (std::size_t i = 0; i < request.numbers.size() + request.by.size(); ++i) {
    TACET_TRY(const std::size_t at, position(names, request.column(i), i));
    (i < request.numbers.size() ? found.numbers : found.by).push_back(at);
  }
  return found;
}

// A missing value that is a number means that number, in any form; other texts are missing anyway.
std::vector<double> missing_numbers(const Column& column) {
  std::vector<double> numbers;
  for (const std::string& text : column.missing_values) {
    const double number = read_number(text);
    if (!std::isnan(number)) numbers.push_back(number);
  }
  return numbers;
}

Scanning<RowPlan> plan_of(const Schema& schema, const ScanRequest& request, const MomentShape& shape, std::uint64_t single) {
  auto map = row_map(schema, request, single);
  if (!map.ok()) return Fault{};
  RowPlan plan{*std::move(map), {}, shape};
  for (const std::string& name : request.numbers) plan.missing.push_back(missing_numbers(*schema.find(name)));
  auto stride = static_cast<std::uint32_t>(shape.groups);
  for (const std::string& name : request.by) {
    const Column& column = *schema.find(name);
    Coder coder(*column.categories, column.missing_values);
    stride /= coder.size();
    plan.axes.push_back({std::move(coder), stride});
  }
  return plan;
}

Scanning<std::int64_t> fold_csv(CsvReader& reader, const Positions& at, const RowPlan& plan, MomentSums& into, const Progress& progress) {
  RowFold fold(plan);
  std::vector<double> numbers(at.numbers.size() * kStretch);
  std::vector<std::uint32_t> groups(kStretch);
  std::vector<NumberColumn> stretch;
  for (std::size_t j = 0; j < at.numbers.size(); ++j) stretch.push_back({{DUCKDB_TYPE_DOUBLE}, numbers.data() + j * kStretch, nullptr});
  std::int64_t rows = 0;
  std::size_t held = 0;
  const auto flush = [&] { fold.add(stretch, plan.axes.empty() ? nullptr : groups.data(), std::exchange(held, 0)); };
  Clock::time_point due = Clock::now() + progress.after;
  for (;;) {
    const CsvReader::Step step = reader.next();
    if (step == CsvReader::Step::Failed) return Fault{};
    if (step == CsvReader::Step::End) break;
    for (std::size_t j = 0; j < at.numbers.size(); ++j) numbers[j * kStretch + held] = read_number(reader.text(at.numbers[j]));
    std::uint32_t group = 0;
    for (std::size_t axis = 0; axis < at.by.size(); ++axis) {
      const auto& [coder, stride] = plan.axes[axis];
      group += (reader.missing(at.by[axis]) ? coder.missing() : coder.code(reader.text(at.by[axis]))) * stride;
    }
    groups[held] = group;
    ++rows;
    if (++held < kStretch) continue;
    flush();
    if (progress.tell && Clock::now() >= due) {
      due = Clock::now() + progress.every;
      progress.tell(reader.fraction());
    }
  }
  flush();
  into.merge(fold.sums());
  return rows;
}

// Our own count must equal the number of rows.
Scanning<Summed> checked(const MomentSums& sums, std::int64_t rows, std::uint64_t single) {
  const std::vector<std::int64_t>& counted = sums.totals().rows;
  if (std::accumulate(counted.begin(), counted.end(), std::int64_t{0}) != rows) return Fault{};
  return Summed{sums.totals(), single};
}

Scanning<Summed> scan_csv(const DataFile& file, const Schema& schema, const ScanRequest& request, const MomentShape& shape,
                          const Progress& progress) {
  TACET_TRY(CsvSource source, CsvSource::open(file, schema));
  TACET_TRY(const Positions at, positions_of(request, source.names));
  TACET_TRY(const RowPlan plan, plan_of(schema, request, shape, 0));
  MomentSums sums(shape);
  TACET_TRY(const std::int64_t rows, fold_csv(source.reader, at, plan, sums, progress));
  return checked(sums, rows, 0);
}

Scanning<Summed> scan_engine(const DataFile& file, const Schema& schema, const ScanRequest& request, const MomentShape& shape,
                             unsigned threads, std::optional<unsigned> memory, const Progress& progress) {
  TACET_TRY(EngineSource source, EngineSource::open(file, schema, threads, memory));
  TACET_TRY(const Positions at, positions_of(request, source.names));
  std::uint64_t single = 0;
  for (std::size_t j = 0; j < at.numbers.size(); ++j) {
    const EngineColumn& column = source.columns[at.numbers[j]];
    if (!column.holds_numbers) return Fault{Fault::NoNumbers, static_cast<std::uint32_t>(j)};
    if (column.is_single) single |= std::uint64_t{1} << j;
  }
  std::vector<sql::CodedColumn> coded;
  for (const std::size_t position : at.by) {
    if (!source.columns[position].has_text) return Fault{Fault::NoText, static_cast<std::uint32_t>(at.numbers.size() + coded.size())};
    coded.push_back({position, source.columns[position].is_text});
  }
  TACET_TRY(const RowPlan plan, plan_of(schema, request, shape, single));
  MomentSums sums(shape);
  TACET_TRY(const std::int64_t rows, source.engine.fold(source.sql, source.columns.size(), at.numbers, coded, plan, sums, progress));
  return checked(sums, rows, single);
}

}  // namespace

Scanning<Summed> scan_here(const DataFile& file, const Schema& schema, const ScanRequest& request, const CountOptions& options) {
  const auto shape = shape_of(schema, request);
  if (!shape.ok()) return Fault{};
  if (file.kind() == FileKind::Csv) return scan_csv(file, schema, request, *shape, options.progress);
  const std::size_t affordable = kMostBytesOfSums / (shape->groups * (sizeof(std::int64_t) + shape->width() * sizeof(Int128)));
  const unsigned wanted = options.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options.threads;
  const auto threads = static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, affordable)));
  if (file.kind() == FileKind::DuckDb) {
    // Enough for the blocks being read. Rows in a log may need the usual amount, tried next.
    const unsigned little = 32 + threads * static_cast<unsigned>(request.numbers.size() + request.by.size() + 1);
    auto summed = scan_engine(file, schema, request, *shape, threads, little, options.progress);
    if (summed.ok() || summed.error().kind != Fault::Failed) return summed;
  }
  return scan_engine(file, schema, request, *shape, threads, {}, options.progress);
}

}  // namespace tacet::data

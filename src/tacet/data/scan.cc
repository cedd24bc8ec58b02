#include "tacet/data/scan.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "tacet/base/wide.h"
#include "tacet/data/scan_process.h"

namespace tacet::data {
namespace {

// Runs the program; returns the region if it ended well with an answer.
Scanning<SharedRegion> ask(const std::string& program, const DataFile& file, const std::string& request, std::size_t answer_size,
                           const Progress& progress) {
  std::optional<SharedRegion> region = SharedRegion::make(request, answer_size);
  if (!region) return Fault{};
  std::optional<ScanProcess> process = ScanProcess::start(program, region->descriptor(), file);
  if (!process) return Fault{};
  double told = 0;  // increases only, and is a fraction, whatever the process writes
  for (auto wait = progress.after; !process->wait(progress.tell ? std::optional(wait) : std::nullopt); wait = progress.every) {
    const double fraction = region->head().fraction;
    if (fraction > told && fraction <= 1) told = fraction;
    if (progress.tell) progress.tell(told);
  }
  const bool ended_well = process->ended_well();
  const SharedRegion::Head& head = region->head();
  if (head.begun != scan_build()) return Fault{head.begun == 0 ? Fault::EngineBroken : Fault::OtherBuild};
  if (ended_well && head.answered == SharedRegion::kFault) return Fault{static_cast<Fault::Kind>(head.fault), head.column};
  if (!ended_well || head.answered != SharedRegion::kAnswered) return Fault{};
  return *std::move(region);
}

// The name of the column at fault, if there is one.
std::string name_of(const ScanRequest& request, const Fault& fault) {
  const std::vector<std::string> names = request.columns();
  return fault.column < names.size() ? names[fault.column] : std::string();
}

// The largest absolute value of a row in each column.
std::vector<Int128> largest_sizes(const RowMap& map) {
  if (const auto* clip = std::get_if<NormClip>(&map)) return std::vector<Int128>(clip->coordinates(), clip->steps());
  std::vector<Int128> sizes;
  for (const Grid& grid : *std::get_if<std::vector<Grid>>(&map)) sizes.push_back(std::max(Int128{grid.highest()}, -Int128{grid.lowest()}));
  return sizes;
}

// Is there a set of rows with these sums?
bool possible(const Sums& sums, bool people) {
  const std::vector<Int128> sizes = largest_sizes(sums.map);
  const MomentShape& shape = sums.shape;
  const auto within = [](Int128 value, Int128 most) { return value <= most && value >= -most; };
  const auto countable = [](const std::vector<std::int64_t>& counts) {
    std::optional<std::int64_t> all = 0;
    for (const std::int64_t count : counts) all = all && count >= 0 ? checked_add(*all, count) : std::nullopt;
    return all.has_value();
  };
  if (!countable(sums.totals.rows) || !countable(sums.totals.units)) return false;
  for (std::size_t group = 0; group < shape.groups; ++group) {
    const std::int64_t rows = sums.totals.rows[group];
    if (shape.units == shape.groups && !people && rows > sums.totals.units[group]) return false;
    const Int128* const numbers = sums.totals.numbers.data() + group * shape.width();
    for (std::size_t j = 0; j < shape.columns; ++j) {
      if (!within(numbers[j], rows * sizes[j])) return false;
      for (std::size_t k = j; shape.products && k < shape.columns; ++k) {
        const Int128 product = numbers[shape.product(j, k)];
        if (!within(product, rows * sizes[j] * sizes[k]) || (j == k && product < 0)) return false;
      }
    }
  }
  return true;
}

}  // namespace

Result<Sums> scan(const DataSource& source, const Schema& schema, const ScanRequest& request, const CountOptions& options,
                  std::string program) {
  if (const auto* table = std::get_if<StoredTable>(&source)) {
    auto sums = scan_here(*table, schema, request, options);
    if (!sums.ok()) return error_of(sums.error(), table->source, name_of(request, sums.error()));
    return *std::move(sums);
  }
  const DataFile& file = *std::get_if<DataFile>(&source);
  if (program.empty()) {
    TACET_TRY(program, scan_program());
  }
  TACET_TRY(const MomentShape shape, shape_of(schema, request));
  Sums sums{shape, Totals(shape)};
  std::size_t size = 0;
  for (const std::span<std::byte> part : sums.totals.bytes()) size += part.size();
  const auto region = ask(program, file, request_text({schema, request, file.form(), options.threads}), size, options.progress);
  if (!region.ok()) return error_of(region.error(), file.path(), name_of(request, region.error()));
  const std::byte* from = region->answer().data();
  for (const std::span<std::byte> part : sums.totals.bytes()) {
    if (!part.empty()) std::memcpy(part.data(), from, part.size());
    from += part.size();
  }
  TACET_TRY(sums.map, row_map(schema, request, region->head().single));
  if (!possible(sums, request.people.has_value())) return error_of(Fault{}, file.path());
  return sums;
}

}  // namespace tacet::data

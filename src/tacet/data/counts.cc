#include "tacet/data/counts.h"

#include <algorithm>
#include <utility>

#include <sodium.h>

#include "tacet/data/scan.h"
#include "tacet/kernel/vault.h"

namespace tacet::data {

std::optional<PersonLimit> person_limit(const Schema& schema, CountUnit unit) {
  const std::optional<Contributions>& declared = schema.contributions;
  if (!declared) return std::nullopt;
  // A person with r rows is in at most r cells.
  if (unit == CountUnit::People)
    return PersonLimit{.column = declared->person, .rows = 1, .groups = declared->groups.value_or(declared->rows)};
  return PersonLimit{.column = declared->person, .rows = declared->rows, .groups = declared->groups};
}

std::array<std::uint8_t, 16> person_key(const kernel::DatasetId& dataset) {
  const std::string text = dataset.ledger() + '\0' + dataset.dataset();
  std::array<std::uint8_t, 16> key{};
  ::crypto_generichash(key.data(), key.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(), nullptr, 0);
  return key;
}

bool rows_are_public(const std::optional<PersonLimit>& limit, const RowFilter& where) {
  return where.steps.empty() && (!limit || limit->rows * limit->groups.value_or(1) == 1);
}

std::vector<std::size_t> sum_widths(std::size_t bins, std::size_t branching) {
  std::vector<std::size_t> widths;
  for (std::size_t width = branching; branching > 1 && width < bins; width *= branching) widths.push_back(width);
  return widths;
}

kernel::Sensitivity count_sensitivity(const kernel::Relation& relation, const std::optional<PersonLimit>& limit, std::size_t levels) {
  const std::int64_t rows = limit ? limit->rows : 1, groups = limit ? limit->groups.value_or(1) : 1;
  const std::int64_t sides = relation.kind() == kernel::Relation::ReplaceOne ? 2 : 1, sums = static_cast<std::int64_t>(levels);
  return {relation, sides * groups * rows * (1 + sums), sides * groups * rows * rows * (1 + sums * groups)};
}

namespace {

/// The cells, the last of which has no number, and then the sums of each level. Wipes `cells`.
std::vector<std::int64_t> with_sums(std::vector<std::int64_t>&& cells, const std::vector<std::size_t>& widths) {
  if (widths.empty()) return std::move(cells);
  std::size_t bins = cells.size() - 1, size = cells.size();
  for (const std::size_t width : widths) size += (bins + width - 1) / width;
  std::vector<std::int64_t> all;
  all.reserve(size);  // no copy of an exact count is left behind
  all.insert(all.end(), cells.begin(), cells.end());
  for (const std::size_t width : widths) {
    for (std::size_t i = 0; i < bins; ++i) {
      if (i % width == 0) all.push_back(0);
      all.back() += cells[i];
    }
  }
  kernel::wipe(cells);
  return all;
}

/// Clamped, which no file of people reaches. Wipes `cells`.
std::int64_t weighted(std::vector<std::int64_t>&& cells, const std::vector<std::int32_t>& weights) {
  Int128 sum = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) sum += Int128{weights.at(i)} * cells[i];
  kernel::wipe(cells);
  return static_cast<std::int64_t>(std::clamp(sum, -(Int128{1} << 62), Int128{1} << 62));
}

}  // namespace

Result<CountTable> count(const DataSource& source, const Declared& declared, const CountRequest& request, const CountOptions& options) {
  const Schema& schema = declared.schema();
  ScanRequest scanned{.by = request.by, .where = request.where, .bins = request.bins, .people = person_limit(schema, request.unit)};
  if (scanned.people) scanned.people->key = person_key(declared.terms().id());
  TACET_TRY(const MomentShape shape, shape_of(schema, scanned));
  const bool binned = request.by.size() == 1 && request.bins.size() == 1 && request.bins[0].column == request.by[0];
  const std::vector<std::size_t> widths = sum_widths(shape.groups - 1, binned ? request.branching : 1);
  TACET_TRY(Sums sums, scan(source, schema, scanned, options));
  std::vector<Axis> axes;
  std::size_t inner = shape.groups;  // cells of the later axes together
  for (const std::string& name : request.by) {
    const std::vector<std::string> labels = cell_labels(schema, scanned, name);
    axes.push_back({name, declared.terms().trusted_labels(labels), std::nullopt});
    inner /= labels.size();  // bins sort by numbers, which are private where a category is public
    if (!request.bins.empty() || scanned.people || !request.where.steps.empty() || !declared.relation().is_public(name)) continue;
    std::vector<std::int64_t> sizes(labels.size());
    for (std::size_t cell = 0; cell < shape.groups; ++cell) sizes[cell / inner % labels.size()] += sums.totals.rows[cell];
    axes.back().sizes = declared.terms().group_sizes(name, std::move(sizes));
  }
  auto n = rows_are_public(scanned.people, request.where) ? declared.terms().people(sums.people()) : std::nullopt;
  kernel::Sensitivity sensitivity = count_sensitivity(declared.relation(), scanned.people, widths.size());
  if (!request.weights.empty()) {
    const auto [least, most] = std::minmax_element(request.weights.begin(), request.weights.end());
    const std::int64_t change = std::int64_t{*most} - *least;
    if (request.weights.size() != shape.groups || change > kMostSteps || !n)
      return Error::invalid("weights", "others", "must be one small number for each cell, of rows whose number is public");
    sensitivity = {declared.relation(), change, change * change};
  }
  std::vector<std::int64_t> counts = request.weights.empty() ? with_sums(std::move(sums.totals.rows), widths)
                                                             : std::vector{weighted(std::move(sums.totals.rows), request.weights)};
  return CountTable{std::move(axes), kernel::Vault::trusted_seal(std::move(counts), std::move(sensitivity), declared.terms().id()), n};
}

}  // namespace tacet::data

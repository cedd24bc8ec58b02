#include "tacet/data/moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/scan.h"
#include "tacet/kernel/vault.h"

namespace tacet::data {
namespace {

constexpr std::size_t kMostNumbers = 1'000'000;

/// The request for the scan. Groups may be public only if the relation fixes their members.
Result<ScanRequest> scan_of(const Schema& schema, const std::vector<std::string>& names, const std::optional<Groups>& groups,
                            const RowFilter& where) {
  ScanRequest request{.numbers = names, .where = where, .people = person_limit(schema, CountUnit::Rows)};
  if (groups) request.by = {groups->column};
  TACET_CHECK(shape_of(schema, request));
  if (names.empty()) return Error::invalid("columns", "", "must name at least one column");
  if (!groups || groups->membership == Membership::Private || schema.relation.is_public(groups->column)) return request;
  return Error::invalid(
      "membership", "public",
      fmt::format("must be private: the terms do not say that it is public who has which value of {}", in_quotes(groups->column)),
      "leave it out; only the custodian declares it, when the budget is created");
}

Result<std::size_t> group_count(const Schema& schema, const std::optional<Groups>& groups, std::size_t numbers) {
  const std::size_t count = groups ? schema.find(groups->column)->categories->labels.size() : 1;
  if (count <= kMostNumbers / numbers) return count;
  return Error::invalid("groups", fmt::format("{} groups of {} numbers", count, numbers),
                        fmt::format("must make at most {} numbers", kMostNumbers), "ask for fewer columns, or declare fewer categories");
}

PublicRows public_rows(const Declared& declared, const std::optional<Groups>& groups, Sums& sums) {
  PublicRows rows;
  rows.n = declared.terms().people(sums.people());
  if (!groups) return rows;
  rows.groups = Axis{groups->column, declared.terms().trusted_labels(declared.schema().find(groups->column)->categories->labels), {}};
  const std::vector<std::int64_t>& sizes = sums.totals.units.empty() ? sums.totals.rows : sums.totals.units;
  if (groups->membership == Membership::Public) rows.groups->sizes = declared.terms().group_sizes(groups->column, sizes);
  return rows;
}

/// The sums of each group. A row counts as `before` in front of them, as `after` behind; 0: not.
std::vector<Int128> values_of(const Sums& sums, Int128 before, Int128 after) {
  std::vector<Int128> values;
  const auto width = static_cast<std::ptrdiff_t>(sums.shape.width());
  auto numbers = sums.totals.numbers.begin();
  for (const std::int64_t rows : sums.totals.rows) {
    if (before != 0) values.push_back(before * rows);
    values.insert(values.end(), numbers, numbers + width);
    numbers += width;
    if (after != 0) values.push_back(after * rows);
  }
  return values;
}

/// No row is dropped: not for a missing number, not by a filter, not as one more of a person.
bool every_row_counts(const Schema& schema, const ScanRequest& scan) {
  const auto is_left_out = [&](const std::string& name) { return !schema.find(name)->bounds->missing; };
  return rows_are_public(scan.people, scan.where) && std::none_of(scan.numbers.begin(), scan.numbers.end(), is_left_out);
}

Membership membership_of(const MomentRequest& request) { return request.groups ? request.groups->membership : Membership::Private; }

std::vector<MomentColumn> described(const std::vector<std::string>& names, const RowMap& map) {
  std::vector<MomentColumn> columns;
  for (const Grid& grid : std::get<std::vector<Grid>>(map)) columns.push_back({names[columns.size()], grid});
  return columns;
}

struct Range {
  Int128 least, most;
};

Range product_range(const Grid& a, const Grid& b, bool square) {
  const Int128 low = Int128{a.lowest()} * b.lowest(), high = Int128{a.highest()} * b.highest();
  const bool around_zero = a.lowest() <= 0 && a.highest() >= 0;
  if (square) return {around_zero ? Int128{0} : std::min(low, high), std::max(low, high)};
  const auto [least, most] = std::minmax({low, Int128{a.lowest()} * b.highest(), Int128{a.highest()} * b.lowest(), high});
  return {least, most};
}

// The largest change of a sum over one group, if each row adds a value in this range.
Int128 largest_change(const Range& range, bool may_replace, bool may_come_or_go) {
  return std::max(may_replace ? range.most - range.least : 0, may_come_or_go ? std::max(range.most, -range.least) : 0);
}

}  // namespace

kernel::BoxSensitivity moment_sensitivity(const kernel::Relation& relation, const std::vector<MomentColumn>& columns,
                                          const MomentLayout& layout, Membership membership, const std::optional<PersonLimit>& limit) {
  const bool replace = relation.kind() == kernel::Relation::ReplaceOne;
  const bool moves = replace && layout.shape.groups > 1 && membership == Membership::Private;
  const Int128 rows = limit ? limit->rows : 1;
  const std::size_t groups = limit ? static_cast<std::size_t>(limit->groups.value_or(1)) : 1;
  kernel::BoxSensitivity sensitivity{relation, {}, layout.shape.groups, std::min((moves ? 2 : 1) * groups, layout.shape.groups)};
  // The range of every column contains 0 (the centre), so the bound of a square is its maximum.
  sensitivity.outer_products = layout.shape.products ? columns.size() : 0;
  // Within a group a row is replaced by another, or it comes or goes, and then the count changes.
  const bool comes_or_goes = replace && !moves && layout.counts;
  const auto add = [&](const Range& range) {
    sensitivity.most.push_back(rows * largest_change(range, replace, !replace || moves || comes_or_goes));
    if (comes_or_goes) sensitivity.alone.push_back(rows * largest_change(range, false, true));
  };
  for (std::size_t group = 0; group < layout.shape.groups; ++group) {
    if (layout.counts) add({1, 1});
    for (const MomentColumn& column : columns) add({column.grid.lowest(), column.grid.highest()});
    if (!layout.shape.products) continue;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      for (std::size_t k = j; k < columns.size(); ++k) add(product_range(columns[j].grid, columns[k].grid, j == k));
    }
  }
  return sensitivity;
}

std::int32_t free_count_steps(std::int32_t steps) {
  const std::int64_t most = 3 * std::int64_t{steps} * steps;
  auto k = static_cast<std::int64_t>(std::sqrt(static_cast<double>(most)));
  while (k * k > most) --k;
  return static_cast<std::int32_t>(k);
}

Result<MomentDesign> design_moments(const Schema& schema, const MomentRequest& request) {
  TACET_TRY(ScanRequest scan, scan_of(schema, request.columns, request.groups, request.where));
  const std::size_t width = request.columns.size();
  if (!request.centres.empty() && request.centres.size() != width) {
    return Error::invalid("centres", fmt::format("{} numbers", request.centres.size()),
                          fmt::format("must be one for each of the {} columns, or none", width));
  }
  scan.products = request.products;
  scan.centres = request.centres;
  TACET_TRY(const RowMap map, row_map(schema, scan, 0));
  const bool sizes_are_public = schema.relation.people_are_public() && every_row_counts(schema, scan) &&
                                (!request.groups || membership_of(request) == Membership::Public);
  MomentLayout layout{{width, request.products, 1}, request.counts && !sizes_are_public};
  TACET_TRY(layout.shape.groups, group_count(schema, request.groups, layout.stretch()));
  std::vector<MomentColumn> columns = described(request.columns, map);
  kernel::BoxSensitivity sensitivity = moment_sensitivity(schema.relation, columns, layout, membership_of(request), scan.people);
  return MomentDesign{std::move(columns), layout, std::move(sensitivity), std::move(scan)};
}

Result<Moments> moments(const DataSource& source, const Declared& declared, const MomentRequest& request, const CountOptions& options) {
  TACET_TRY(MomentDesign design, design_moments(declared.schema(), request));
  if (design.scan.people) design.scan.people->key = person_key(declared.terms().id());
  const MomentLayout& layout = design.layout;
  TACET_TRY(Sums sums, scan(source, declared.schema(), design.scan, options));
  std::vector<Int128> values = values_of(sums, layout.counts ? 1 : 0, 0);
  std::vector<MomentColumn> columns = described(request.columns, sums.map);
  kernel::BoxSensitivity sensitivity = moment_sensitivity(declared.relation(), columns, layout, membership_of(request), design.scan.people);
  return Moments{std::move(columns), layout, public_rows(declared, request.groups, sums),
                 kernel::Vault::trusted_seal(std::move(values), std::move(sensitivity), declared.terms().id())};
}

Result<ClipDesign> design_clip(const Schema& schema, const std::vector<std::string>& names, const ClipRequest& clip,
                               const std::optional<Groups>& groups, const RowFilter& where) {
  TACET_TRY(ScanRequest scan, scan_of(schema, names, groups, where));
  scan.clip = clip;
  TACET_CHECK(row_map(schema, scan, 0));
  TACET_CHECK(group_count(schema, groups, clip.map.size() + 1));
  const bool replace = schema.relation.people_are_public();
  const bool moves = replace && groups && groups->membership == Membership::Private;
  std::optional<std::int32_t> counts;
  if (!replace || moves || !every_row_counts(schema, scan)) counts = free_count_steps(clip.steps);
  // A row has a length of at most `one`; it is replaced by another, comes, goes, or moves.
  const Int128 one = Int128{clip.steps} * clip.steps, counted = one + Int128{counts.value_or(0)} * counts.value_or(0);
  const Int128 row = moves ? 2 * counted : replace ? std::max(4 * one, counted) : counted;
  const Int128 rows = scan.people ? scan.people->rows * scan.people->groups.value_or(1) : 1;
  return ClipDesign{std::move(scan), counts, {schema.relation, row * rows * rows}};
}

Result<ClippedSums> clipped_sums(const DataSource& source, const Declared& declared, const std::vector<std::string>& names,
                                 const ClipRequest& clip, const std::optional<Groups>& groups, const RowFilter& where,
                                 const CountOptions& options) {
  TACET_TRY(ClipDesign design, design_clip(declared.schema(), names, clip, groups, where));
  if (design.scan.people) design.scan.people->key = person_key(declared.terms().id());
  TACET_TRY(Sums sums, scan(source, declared.schema(), design.scan, options));
  std::vector<Int128> values = values_of(sums, 0, design.count_steps.value_or(0));
  return ClippedSums{names, clip, public_rows(declared, groups, sums), design.count_steps,
                     kernel::Vault::trusted_seal(std::move(values), std::move(design.sensitivity), declared.terms().id())};
}

}  // namespace tacet::data

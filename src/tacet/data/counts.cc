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

kernel::Sensitivity count_sensitivity(const kernel::Relation& relation, const std::optional<PersonLimit>& limit) {
  const std::int64_t rows = limit ? limit->rows : 1, groups = limit ? limit->groups.value_or(1) : 1;
  const std::int64_t sides = relation.kind() == kernel::Relation::ReplaceOne ? 2 : 1;
  return {relation, sides * groups * rows, sides * groups * rows * rows};
}

Result<CountTable> count(const DataSource& source, const Declared& declared, const CountRequest& request, const CountOptions& options) {
  const Schema& schema = declared.schema();
  ScanRequest scanned{.by = request.by, .where = request.where, .bins = request.bins, .people = person_limit(schema, request.unit)};
  if (scanned.people) scanned.people->key = person_key(declared.terms().id());
  TACET_CHECK(shape_of(schema, scanned));
  std::vector<Axis> axes;
  for (const std::string& name : request.by) axes.push_back({name, declared.terms().trusted_labels(cell_labels(schema, scanned, name))});
  TACET_TRY(Sums sums, scan(source, schema, scanned, options));
  const bool total_is_public = rows_are_public(scanned.people, request.where);
  auto n = total_is_public ? declared.terms().people(sums.people()) : std::nullopt;
  return CountTable{std::move(axes),
                    kernel::Vault::trusted_seal(std::move(sums.totals.rows), count_sensitivity(declared.relation(), scanned.people),
                                                declared.terms().id()),
                    n};
}

}  // namespace tacet::data

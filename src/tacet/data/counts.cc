#include "tacet/data/counts.h"

#include <utility>

#include "tacet/data/scan.h"
#include "tacet/kernel/vault.h"

namespace tacet::data {

kernel::Sensitivity count_sensitivity(const kernel::Relation& relation) {
  const bool replace = relation.kind() == kernel::Relation::ReplaceOne;
  return {relation, replace ? 2 : 1, replace ? 2 : 1};
}

Result<CountTable> count(const DataSource& source, const Declared& declared, const std::vector<std::string>& by,
                         const CountOptions& options) {
  const Schema& schema = declared.schema();
  const ScanRequest request{.by = by};
  TACET_CHECK(shape_of(schema, request));
  std::vector<Axis> axes;
  for (const std::string& name : by) axes.push_back({name, declared.terms().trusted_labels(schema.find(name)->categories->labels)});
  TACET_TRY(Sums sums, scan(source, schema, request, options));
  const std::int64_t people = sums.people();
  return CountTable{std::move(axes),
                    kernel::Vault::trusted_seal(std::move(sums.totals.rows), count_sensitivity(declared.relation()), declared.terms().id()),
                    declared.terms().people(people)};
}

}  // namespace tacet::data

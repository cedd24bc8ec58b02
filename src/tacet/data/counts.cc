#include "tacet/data/counts.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/column_request.h"
#include "tacet/data/scan.h"
#include "tacet/kernel/vault.h"

namespace tacet::data {

kernel::Sensitivity count_sensitivity(const kernel::Relation& relation) {
  const bool replace = relation.kind() == kernel::Relation::ReplaceOne;
  return {relation, replace ? 2 : 1, replace ? 2 : 1};
}

Result<CountTable> count(const DataFile& file, const Declared& declared, const std::vector<std::string>& by, const CountOptions& options) {
  const Schema& schema = declared.schema();
  TACET_TRY(const std::vector<const Column*> columns, categorical_columns(schema, by));
  std::vector<Axis> axes;
  std::string product;
  for (const Column* column : columns) {
    axes.push_back({column->name, declared.terms().trusted_labels(column->categories->labels)});
    product += fmt::format("{}{}", product.empty() ? "" : " x ", column->categories->labels.size());
  }
  const ScanRequest request{.by = by};
  if (!shape_of(schema, request)) {
    return Error::invalid("by", fmt::format("a table of {} cells", product), fmt::format("must make at most {} cells", kMostCells),
                          "tabulate fewer columns, or declare fewer categories");
  }
  TACET_TRY(Sums sums, scan(file, schema, request, options));
  const std::int64_t people = sums.people();
  return CountTable{std::move(axes),
                    kernel::Vault::trusted_seal(std::move(sums.totals.rows), count_sensitivity(declared.relation()), declared.terms().id()),
                    declared.terms().people(people)};
}

}  // namespace tacet::data

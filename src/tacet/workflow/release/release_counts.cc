#include "tacet/workflow/release/release_counts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/canonical_schema.h"
#include "tacet/data/counts.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/schemas/chosen_bins.h"
#include "tacet/schemas/column_request.h"
#include "tacet/schemas/row_condition.h"
#include "tacet/workflow/release/charged_release.h"
#include "tacet/workflow/release/count_checks.h"

namespace tacet {
namespace {

Status check_columns(const std::vector<std::string>& by) {
  if (by.size() <= mechanisms::kMostAxes) return {};
  return Error::invalid("by", fmt::format("{} columns", by.size()), fmt::format("must be at most {} columns", mechanisms::kMostAxes),
                        "cross fewer of them");
}

/// A projection that keeps the total needs one that is public.
Status check_total_is_public(CountMechanism mechanism, const std::optional<std::string>& where) {
  if (!where || mechanism != CountMechanism::RankDeficient) return {};
  return Error::invalid("mechanism", "rank-deficient",
                        "keeps the total, which must be public, but how many rows satisfy `where` is private", "use mechanism = gaussian");
}

/// The edges as the statement has them, in one spelling.
nlohmann::json bins_json(const data::Schema& schema, const std::vector<data::Bins>& bins) {
  nlohmann::json all = nlohmann::json::object();
  for (const data::Bins& one : bins) {
    for (const Decimal& edge : one.edges) all[one.column].push_back(data::number_text(edge, schema.find(one.column)->text.date));
  }
  return all;
}

/// The edges of the bins by which a column is counted: those of the request, or the declared ones.
const std::vector<Decimal>& edges_of(const data::Column& column, const std::vector<data::Bins>& chosen) {
  const auto own = std::find_if(chosen.begin(), chosen.end(), [&](const data::Bins& bins) { return bins.column == column.name; });
  return own == chosen.end() ? column.bins : own->edges;
}

/// An upper bound on the size of the release file, with one number or bracket to a line.
std::size_t most_bytes(const data::Schema& schema, const data::ScanRequest& table) {
  constexpr std::size_t kPerLine = 32;
  constexpr std::size_t kPerEscape = 6;  // a byte of a text in JSON
  constexpr std::size_t kRest = 4096;
  std::size_t cells = 1;
  std::size_t lines = 0;
  std::size_t letters = 0;
  for (const std::string& name : table.by) {
    const std::vector<std::string> labels = data::cell_labels(schema, table, name);
    letters += name.size();
    for (const std::string& label : labels) letters += label.size() + kPerLine;
    lines += 2 * cells;
    cells = std::min(cells * labels.size(), data::kMostCells);
  }
  return (lines + cells) * (kPerLine + table.by.size()) + letters * kPerEscape + kRest;
}

}  // namespace

Result<Published<CountRelease>> release_counts(const Dataset& dataset, const CountRequest& request) {
  TACET_TRY(const CountPayment payment, count_payment(request.loss, request.mechanism));
  const CountMechanism mechanism = payment.mechanism;
  TACET_CHECK(check_columns(request.by));
  const CountUnit unit = request.count.value_or(CountUnit::People);
  TACET_CHECK(check_total_is_public(mechanism, request.where));
  std::optional<schemas::Condition> where;
  const auto price = [&](const data::Declared& declared, privacy::Currency budget) -> Result<privacy::Loss> {
    if (request.where) {
      TACET_TRY(where, schemas::parse_condition(declared.schema(), *request.where));
    }
    return payment.price(data::count_sensitivity(declared.relation(), data::person_limit(declared.schema(), unit)), budget);
  };
  const std::string named(name(mechanism));
  TACET_TRY(ChargedRelease order, ChargedRelease::open(dataset, {.out = request.out, .price = price, .mechanism = named}));
  const data::Schema& schema = order.declared().schema();
  TACET_TRY(const std::vector<data::Bins> bins, schemas::chosen_bins(schema, request.by, request.bins));
  TACET_CHECK(schemas::check_tabulated(schema, request.by, bins));
  TACET_CHECK(check_count_unit(request.count, schema));
  const auto limit = data::person_limit(schema, unit);
  if (mechanism == CountMechanism::RankDeficient && !data::rows_are_public(limit, {})) {
    return Error::invalid("mechanism", "rank-deficient", "keeps the total, which is private because a person may count several times",
                          "use mechanism = gaussian");
  }
  const kernel::Sensitivity sensitivity = data::count_sensitivity(schema.relation, limit);
  TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_counts(mechanism, sensitivity, order.loss()));
  TACET_CHECK(kernel::check_scales(plan, sensitivity, order.loss()));
  nlohmann::json statement = {{"release", "counts"}, {"by", request.by}, {"mechanism", named}};
  if (limit) statement["count"] = name(unit);
  if (!bins.empty()) statement["bins"] = bins_json(schema, bins);
  data::CountRequest rows{.by = request.by, .bins = bins, .unit = unit};
  if (where) {
    statement["where"] = where->text;
    rows.where = where->filter;
  }
  return order.carry_out<CountRelease>(
      {std::move(statement), most_bytes(schema, {.by = request.by, .bins = bins})},
      [&](const data::CountOptions& options) { return data::count(order.data(), order.declared(), rows, options); },
      [&](data::CountTable&& table, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<CountRelease> {
        TACET_TRY(const auto released, kernel::release(std::move(table.counts), plan, std::move(grant), bits));
        std::vector<mechanisms::ReleaseAxis> axes;
        for (const data::Axis& axis : table.axes) {
          const data::Column& column = *schema.find(axis.column);
          const std::vector<Decimal>& edges = edges_of(column, bins);
          axes.push_back({axis.column, axis.labels.value(), approximate_edges(edges), column.text.date && !edges.empty()});
          if (axis.sizes) axes.back().people.assign(axis.sizes->value().begin(), axis.sizes->value().end());
        }
        CountRelease release = mechanisms::describe_counts(released, mechanism, std::move(axes), table.n, order.statement());
        release.header.contributions = released_contributions(limit, unit);
        return release;
      });
}

}  // namespace tacet

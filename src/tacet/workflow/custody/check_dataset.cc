#include "tacet/workflow/custody/check_dataset.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/declared.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/schemas/column_request.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/source_register.h"
#include "tacet/workflow/custody/terms_check.h"

namespace tacet {
namespace {

const MemoryTable* memory_of(const KnownPlace& place) { return place.data ? std::get_if<MemoryTable>(&*place.data) : nullptr; }

/// The first release fixes the source of terms without one; until then the schema names it.
std::optional<std::string> source_of(const KnownPlace& place, const std::string& terms) {
  if (const auto* table = memory_of(place)) return table->source();
  if (place.data) return std::get<std::string>(*place.data);
  if (!terms.empty()) return terms;
  if (place.schema && place.schema->source) return resolved_source(*place.schema->source);
  return std::nullopt;
}

/// Terms, unless there is neither a ledger nor this dataset in it.
Result<std::optional<kernel::Terms>> terms_if_any(const Result<kernel::Custody>& ledger, const std::string& dataset) {
  if (!ledger.ok() && ledger.error().code() == Code::NotFound) return std::optional<kernel::Terms>();
  if (!ledger.ok()) return ledger.error();
  Result<kernel::Terms> terms = ledger->terms(dataset);
  if (!terms.ok() && terms.error().code() == Code::NotFound) return std::optional<kernel::Terms>();
  if (!terms.ok()) return std::move(terms).error();
  return std::optional(*std::move(terms));
}

/// Releases read the source of the terms and no other.
std::optional<std::string> other_source(const KnownPlace& place, const std::string& terms) {
  if (!place.data || terms.empty()) return std::nullopt;
  const auto* const table = memory_of(place);
  const std::string given = table != nullptr ? table->source() : resolved_source(std::get<std::string>(*place.data));
  if (given == terms) return std::nullopt;
  return fmt::format("data is {}, but the terms say {}, and no release reads another source", in_quotes(given), in_quotes(terms));
}

}  // namespace

Result<DeclaredPlace> declared_place(const Dataset& dataset) {
  const KnownPlace& place = dataset.place();
  const Result<kernel::Custody> ledger = kernel::Custody::open(place.ledger);
  TACET_TRY(std::optional<kernel::Terms> terms, terms_if_any(ledger, place.dataset));
  if (terms) {
    TACET_TRY(kernel::BudgetState state, ledger->show(place.dataset));
    TACET_TRY(data::Declared declared, schemas::declared_by(*std::move(terms)));
    std::optional<std::string> source = source_of(place, state.terms.source);
    return DeclaredPlace{declared.schema(), std::move(source), std::move(state), std::move(declared)};
  }
  std::optional<std::string> source = source_of(place, "");
  if (place.schema && source) return DeclaredPlace{*place.schema, std::move(source), {}, {}};
  if (!ledger.ok()) return ledger.error();
  return ledger->terms(place.dataset).error();
}

Result<DatasetCheck> check_dataset(const Dataset& dataset) {
  const KnownPlace& place = dataset.place();
  TACET_TRY(const DeclaredPlace declared, declared_place(dataset));
  DatasetCheck check{place.dataset, place.ledger, declared.source, {}, declared.state.has_value()};
  if (declared.state) {
    if (const auto difference = place.schema ? difference_from_terms(*place.schema, *declared.terms) : std::nullopt)
      check.findings.push_back(*difference);
    if (const auto other = other_source(place, declared.state->terms.source)) check.findings.push_back(*other);
    if (!declared.state->sealed) check.findings.emplace_back("the custodian's key is not here, so nothing can be charged");
  }
  if (const Status usable = schemas::check_usable(declared.schema); !usable.ok()) check.findings.push_back(usable.error().message());
  if (check.source) {
    const MemoryTable* const table = memory_of(place);
    const SourceFindings found = table != nullptr ? check_source(*table, declared.schema) : check_source(*check.source, declared.schema);
    if (found.refusal) check.findings.push_back(found.refusal->message());
    check.findings.insert(check.findings.end(), found.warnings.begin(), found.warnings.end());
  }
  return check;
}

}  // namespace tacet

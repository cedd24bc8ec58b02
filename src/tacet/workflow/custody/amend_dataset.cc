#include "tacet/workflow/custody/amend_dataset.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/data/canonical_schema.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/schemas/words.h"
#include "tacet/workflow/custody/budget_terms.h"
#include "tacet/workflow/custody/source_register.h"
#include "tacet/workflow/custody/terms_check.h"

namespace tacet {
namespace {

/// The differences from the terms.
Result<kernel::Amendment> amendment_of(const Dataset& dataset, const AmendRequest& request, const kernel::Declaration& terms) {
  const std::optional<data::Schema>& schema = dataset.place().schema;
  kernel::Amendment amendment{.custodian = dataset.context().analyst, .reason = request.reason};
  if (schema) {
    std::string text = data::canonical(*schema);
    if (text != terms.schema) amendment.schema = std::move(text);
    if (!(schema->relation == terms.relation)) amendment.relation = schema->relation;
    const auto kept = schemas::kept_schema(terms.schema);
    const std::string before = schemas::contribution_words(kept ? kept->contributions : std::nullopt);
    const std::string after = schemas::contribution_words(schema->contributions);
    if (before != after) amendment.contributions = after;
    if (schema->idealised != terms.idealised) {
      return Error::invalid("idealised", schema->idealised ? "true" : "false",
                            fmt::format("must stay {}: it is set once, when the budget is created", terms.idealised),
                            "set it back in the schema");
    }
  }
  // No release accepts a schema that differs from the terms, so its source is amended with it.
  TACET_TRY(std::string source, agreed_source(request.source, schema));
  if (!source.empty() && source != terms.source) amendment.source = std::move(source);
  return amendment;
}

std::vector<AmendedTerm> changed_by(const kernel::Amendment& amendment) {
  std::vector<AmendedTerm> changed;
  if (amendment.schema) changed.push_back(AmendedTerm::Schema);
  if (amendment.relation) changed.push_back(AmendedTerm::Neighbours);
  if (amendment.source) changed.push_back(AmendedTerm::Source);
  return changed;
}

}  // namespace

Result<AmendedDataset> amend_dataset(const Dataset& dataset, const AmendRequest& request) {
  TACET_CHECK(check_reason("reason", request.reason));
  const KnownPlace& place = dataset.place();
  TACET_TRY(kernel::Custody ledger, kernel::Custody::open(place.ledger));
  TACET_TRY(const kernel::Terms before, ledger.terms(place.dataset));
  const kernel::Declaration& terms = before.declared();
  TACET_TRY(const kernel::Amendment amendment, amendment_of(dataset, request, terms));
  std::vector<AmendedTerm> changed = changed_by(amendment);
  if (changed.empty()) {
    return Error::invalid("amendment", "no change: the schema and the source are those of the terms", "must change something",
                          "give a schema that differs from the terms, or source = FILE");
  }
  std::vector<std::string> warnings;
  if (place.schema) {
    TACET_TRY(warnings, check_new_terms(*place.schema, amendment.source.value_or(terms.source)));
  }
  // The call below refuses anyone but the custodian, so nothing is registered for them.
  if (amendment.source && (terms.custodian.empty() || terms.custodian == amendment.custodian))
    TACET_CHECK(claim_source(*amendment.source, {ledger.name(), place.dataset, place.ledger}, terms.again));
  TACET_CHECK(ledger.amend(place.dataset, amendment));
  TACET_TRY(DatasetTerms after, dataset_terms(dataset));
  return AmendedDataset{std::move(after), std::move(changed), std::move(warnings)};
}

}  // namespace tacet

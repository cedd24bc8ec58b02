#include "tacet/workflow/custody/dataset_terms.h"

#include <utility>

#include "tacet/data/declared.h"
#include "tacet/kernel/ledger/ledger.h"
#include "tacet/schemas/schema_text.h"

namespace tacet {

Result<DatasetTerms> dataset_terms(const Dataset& dataset) {
  const KnownPlace& place = dataset.place();
  TACET_TRY(const kernel::Ledger ledger, kernel::Ledger::open(place.ledger));
  TACET_TRY(kernel::Terms terms, ledger.terms(place.dataset));
  std::optional<data::Schema> schema;
  if (!terms.declared().schema.empty()) {
    TACET_TRY(const data::Declared declared, schemas::declared_by(terms));
    schema = declared.schema();
  }
  return DatasetTerms{place.ledger, std::move(terms), std::move(schema)};
}

}  // namespace tacet

#include "tacet/service/place_fields.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/data/schema.h"
#include "tacet/schemas/schema_text.h"

namespace tacet::service {
RequestTable<PlaceFields> place_table() {
  return RequestTable<PlaceFields>()
      .field("schema", &PlaceFields::schema, "S", "the schema file, which names the dataset and its ledger")
      .field("ledger", &PlaceFields::ledger, "FILE", "the ledger, if not the schema's")
      .field("dataset", &PlaceFields::dataset, "NAME", "the dataset, if not the schema's");
}

Result<DatasetPlace> dataset_place(const PlaceFields& fields, DatasetNamed named, schemas::Unconfirmed unconfirmed) {
  DatasetPlace place{.ledger = fields.ledger, .dataset = fields.dataset};
  if (fields.schema) {
    TACET_TRY(place.schema, schemas::read_schema(*fields.schema, unconfirmed));
  }
  if (named == DatasetNamed::Always || fields.dataset) {
    TACET_CHECK(known_place(place));
  } else {
    TACET_CHECK(ledger_path(place));
  }
  return place;
}

Result<Dataset> open_dataset(const PlaceFields& fields, const Context& context) {
  TACET_TRY(DatasetPlace place, dataset_place(fields));
  return Dataset::open(std::move(place), context);
}

}  // namespace tacet::service

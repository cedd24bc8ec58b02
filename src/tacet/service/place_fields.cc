#include "tacet/service/place_fields.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/data/schema.h"
#include "tacet/schemas/schema_text.h"

namespace tacet::service {
namespace {

Error not_named(const std::string& name, bool given) {
  return Error::invalid(name, given ? "" : "missing", fmt::format("must be given by schema or by {}", name), "add schema = people.toml");
}

}  // namespace

RequestTable<PlaceFields> place_table() {
  return RequestTable<PlaceFields>()
      .field("schema", &PlaceFields::schema, "S", "the schema file, which names the dataset and its ledger")
      .field("ledger", &PlaceFields::ledger, "FILE", "the ledger, if not the schema's")
      .field("dataset", &PlaceFields::dataset, "NAME", "the dataset, if not the schema's");
}

Result<DatasetPlace> dataset_place(const PlaceFields& fields, DatasetNamed named) {
  DatasetPlace place{};
  if (fields.schema) {
    TACET_TRY(data::Schema schema, schemas::read_schema(*fields.schema));
    place.ledger = schema.ledger;
    place.dataset = schema.dataset;
    place.schema = std::move(schema);
  }
  if (fields.ledger) place.ledger = *fields.ledger;
  if (fields.dataset) place.dataset = *fields.dataset;
  if (place.ledger.empty()) return not_named("ledger", fields.ledger.has_value());
  const bool needs_dataset = named == DatasetNamed::Always || fields.dataset;
  if (place.dataset.empty() && needs_dataset) return not_named("dataset", fields.dataset.has_value());
  if (place.ledger == ":memory:") {
    return Error::invalid("ledger", place.ledger, "must be a file: a ledger in memory forgets what was spent",
                          "for example: ledger = people.ledger");
  }
  return place;
}

Result<Dataset> open_dataset(const PlaceFields& fields, const Context& context) {
  TACET_TRY(DatasetPlace place, dataset_place(fields));
  return Dataset::open(std::move(place), context);
}

}  // namespace tacet::service

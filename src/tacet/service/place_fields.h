// tacet/service/place_fields.h: the ledger and dataset of a request, by a schema or by name.
//
//   struct Request { PlaceFields place; } request;
//   RequestTable<Request>().include(&Request::place, place_table());
//   TACET_TRY(const DatasetPlace place, dataset_place(request.place));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/dataset.h"

namespace tacet::service {

struct PlaceFields {
  std::optional<std::string> schema, ledger, dataset;
};

RequestTable<PlaceFields> place_table();

enum class DatasetNamed : std::uint8_t { Always, Perhaps };
/// The place with its schema, which is read once. Refuses a place without a ledger, or without a
/// dataset where that is needed.
Result<DatasetPlace> dataset_place(const PlaceFields& fields, DatasetNamed named = DatasetNamed::Always,
                                   schemas::Unconfirmed unconfirmed = schemas::Unconfirmed::Refused);
/// The dataset of that place.
Result<Dataset> open_dataset(const PlaceFields& fields, const Context& context);

}  // namespace tacet::service

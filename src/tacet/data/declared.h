// tacet/data/declared.h: a dataset as declared in the terms of its ledger.
//
//   Declared people = *Declared::of(*ledger.terms("patients"));
//   CountTable table = *count(file, people, {.by = {"smoking", "disease"}});
//
// Only this schema reads data; that of a request is compared with it
// (schemas/schema_difference.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/ledger/terms.h"

namespace tacet::data {

class Declared {
 public:
  /// SchemaInvalid if the terms contain no schema that this version can read.
  static Result<Declared> of(kernel::Terms terms);

  const kernel::Terms& terms() const { return terms_; }
  const Schema& schema() const { return schema_; }
  const kernel::Relation& relation() const { return terms_.declared().relation; }

 private:
  Declared(kernel::Terms terms, Schema schema) : terms_(std::move(terms)), schema_(std::move(schema)) {}
  kernel::Terms terms_;
  Schema schema_;
};

}  // namespace tacet::data

// tacet/data/declared.h: a dataset as declared in the terms of its ledger.
//
//   Declared people = *Declared::of(*ledger.terms("patients"), schema);
//   CountTable table = *count(file, people, {.by = {"smoking", "disease"}});
//
// Only this schema reads data; that of a request is compared with it
// (schemas/schema_difference.h). It is proposed by whoever reads the text of the terms
// (schemas/schema_text.h), and proven here: its own text is the same, byte by byte.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/ledger/terms.h"

namespace tacet::data {

class Declared {
 public:
  /// LedgerCorrupt unless the schema is sound, and that of the terms (data/canonical_schema.h).
  static Result<Declared> of(kernel::Terms terms, Schema schema);

  const kernel::Terms& terms() const { return terms_; }
  const Schema& schema() const { return schema_; }
  const kernel::Relation& relation() const { return terms_.declared().relation; }

 private:
  Declared(kernel::Terms terms, Schema schema) : terms_(std::move(terms)), schema_(std::move(schema)) {}
  kernel::Terms terms_;
  Schema schema_;
};

}  // namespace tacet::data

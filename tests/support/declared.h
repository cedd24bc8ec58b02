// A schema that stands in the terms of a ledger, as data is read by: a ledger in memory for it,
// with a budget that nobody exhausts.
//
//   count(file, test::declared(schema), {.by = {"sex"}});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <utility>

#include "tacet/data/canonical_schema.h"
#include "tacet/data/declared.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::test {

inline data::Declared declared(const data::Schema& schema) {
  kernel::Custody ledger = *kernel::Custody::open(":memory:");
  kernel::Declaration terms = kernel::plain_terms(privacy::budget_of(*privacy::Rho::parse("1e6")), schema.relation);
  terms.schema = data::canonical(schema);
  if (!ledger.create_budget("people", terms, {}).ok()) std::abort();
  return *data::Declared::of(*ledger.terms("people"), schema);
}

}  // namespace tacet::test

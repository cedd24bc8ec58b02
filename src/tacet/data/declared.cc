#include "tacet/data/declared.h"

#include <fmt/format.h>

#include "tacet/data/canonical_schema.h"

namespace tacet::data {

Result<Declared> Declared::of(kernel::Terms terms) {
  if (terms.declared().schema.empty()) {
    return Error::of(Code::SchemaInvalid,
                     fmt::format("the terms of \"{}\" hold no schema, so nothing can be read by them", terms.dataset()),
                     "a budget that is to pay for data is made with one: `budget create schema = FILE`");
  }
  auto schema = schema_from_canonical(terms.declared().schema);
  if (!schema || !(schema->relation == terms.declared().relation)) {
    return Error::of(Code::LedgerCorrupt,
                     fmt::format("the terms of \"{}\" hold a schema that this version of Tacet cannot read", terms.dataset()),
                     "use the version of Tacet that wrote it, or a newer one");
  }
  return Declared(std::move(terms), *std::move(schema));
}

}  // namespace tacet::data

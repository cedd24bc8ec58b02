// Conditions on rows, for one schema with a column of each kind.
//
// Holds    what is read is a filter that the data room accepts; its text is read again as the same
//          filter and the same text; that text and every refusal are harmless on a terminal, and a
//          refusal has a rule and a remedy and says where the text goes wrong.
#include <string>

#include "tacet/data/canonical_schema.h"
#include "tacet/data/scan_request.h"
#include "tacet/schemas/row_condition.h"

#include "support.h"

namespace {

using tacet::Decimal;
using tacet::data::Bounds;
using tacet::data::Categories;
using tacet::data::Column;
using tacet::data::Schema;
using tacet::fuzz::must;

Schema survey() {
  Schema schema;
  Column age{.name = "age", .bounds = Bounds{Decimal(18), Decimal(120), Decimal(1), {}}};
  age.bins = {Decimal(18), Decimal(40), Decimal(120)};
  age.categories = Categories{tacet::data::bin_labels(age.bins, /*dates=*/false), 2, 2, 2};
  age.categories->labels.emplace_back("missing");
  schema.columns.push_back(age);
  schema.columns.push_back({.name = "smoking", .categories = Categories{{"never", "former", "current", "other", "missing"}, 3, 3, 4}});
  schema.columns.push_back({.name = "marital status", .categories = Categories{{"never married", "it's", "a\nb", "other"}, 3, 3, 3}});
  Column visit{.name = "visit", .bounds = Bounds{Decimal(-700000), Decimal(2900000), Decimal(1), {}}};
  visit.text.date = true;
  schema.columns.push_back(visit);
  schema.columns.push_back(
      {.name = "x", .bounds = Bounds{*Decimal::parse("-1e300"), *Decimal::parse("1e300"), *Decimal::parse("1e295"), {}}});
  schema.columns.push_back({.name = "patient"});
  return schema;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Schema schema = survey();
  const auto condition = tacet::schemas::parse_condition(schema, tacet::fuzz::as_text(data, size));
  if (!condition) {
    const tacet::Error& error = condition.error();
    must(error.name() == "where" && !error.value().empty() && !error.rule().empty() && !error.remedy().empty(), "a refusal says why");
    must(tacet::fuzz::harmless_on_a_terminal(error.message()), "a refusal is harmless on a terminal");
    return 0;
  }
  must(condition->filter.depth().has_value(), "a filter is well shaped");
  must(tacet::data::shape_of(schema, {.by = {"smoking"}, .where = condition->filter}).ok(), "a filter fits its schema");
  must(tacet::fuzz::harmless_on_a_terminal(condition->text), "a condition is harmless on a terminal");
  const auto again = tacet::schemas::parse_condition(schema, condition->text);
  must(again.ok(), "the text of a condition is read again");
  must(again->text == condition->text && again->filter == condition->filter, "one condition has one text");
  return 0;
}

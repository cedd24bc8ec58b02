// Numbers and lists of them, as requests and files give them: one text, read in every way in which
// a verb may read it.
//
// Holds    a decimal is read again from its own text; a list of numbers says the same with commas,
//          as JSON numbers and as JSON texts; every number that is read is finite; a table is read
//          again from its own JSON, and one in CSV has a count for each of its cells.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tacet/accounting/calibration.h"
#include "tacet/base/decimal.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/privacy/parameters.h"
#include "tacet/service/losses_file.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/value_codec.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/release/csv_table.h"

#include "support.h"

namespace {

using tacet::Decimal;
using tacet::fuzz::must;
using tacet::service::Json;

/// Whether it is one.
bool check_decimal(const std::string& text) {
  const auto decimal = Decimal::parse(text);
  if (!decimal) return false;
  const auto again = Decimal::parse(decimal->to_string());
  must(again.ok() && *again == *decimal, "a decimal is read again from its own text");
  must(again->to_string() == decimal->to_string(), "one value has one text");
  const double nearest = decimal->approximate();
  must(!std::isnan(nearest) && std::signbit(nearest) == (!decimal->is_zero() && !decimal->is_positive()), "a decimal keeps its sign");
  return true;
}

void check_list(const std::string& text) {
  using Numbers = tacet::service::Codec<std::vector<double>>;
  (void)tacet::service::Codec<std::vector<std::string>>::read(text, "x");
  const auto digits = tacet::service::Codec<std::vector<tacet::Digits>>::read(text, "x");
  const auto numbers = Numbers::read(text, "x");
  if (!numbers) return;
  must(digits.ok() && digits->size() == numbers->size(), "every item of a list is a number");
  Json as_numbers = Json::array();
  Json as_texts = Json::array();
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    must(std::isfinite((*numbers)[i]), "every number that is read is finite");
    as_numbers.push_back((*numbers)[i]);
    as_texts.push_back((*digits)[i].text());
  }
  for (const Json& list : {as_numbers, as_texts, Json(as_numbers.dump()), Json(as_texts.dump())}) {
    const auto again = Numbers::read(list, "x");
    must(again.ok() && *again == *numbers, "a list of numbers says the same in every form");
  }
}

void check_amounts(const std::string& text) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53U;
  if (const auto whole = tacet::service::read_whole_number(text, "x", 3, kMost))
    must(*whole >= 3 && *whole <= kMost, "a whole number is in range");
  if (const auto size = tacet::accounting::bound_up("x", text)) must(*size > 0 && std::isfinite(*size), "a size is positive");
  const auto table = tacet::service::privacy_table("what to spend");
  for (const Json& request : {Json{{"rho", text}}, Json{{"mu", text}}, Json{{"epsilon", text}}, Json{{"epsilon", text}, {"delta", text}}}) {
    const auto amount = table.read(request);
    must(amount.ok() && amount->has_value(), "one way to say how private is read");
    (void)tacet::loss_of(**amount);
    (void)tacet::budget_of(**amount);
  }
}

void check_table(const std::string& text) {
  using tacet::CsvDelimiter;
  for (const CsvDelimiter delimiter : {CsvDelimiter::Comma, CsvDelimiter::Semicolon, CsvDelimiter::Tab}) {
    for (const std::optional<std::string>& count : {std::optional<std::string>(), std::optional<std::string>("n")}) {
      const auto table = tacet::parse_csv_table(text, {delimiter, count});
      if (!table) {
        must(tacet::fuzz::harmless_on_a_terminal(table.error().message()), "a refusal is harmless on a terminal");
        continue;
      }
      std::size_t cells = 1;
      for (const std::size_t size : table->shape) cells *= size;
      must(table->values.size() == cells && table->axes.size() == table->shape.size(), "a table has a count for each cell");
      for (std::size_t axis = 0; axis < table->axes.size(); ++axis)
        must(table->axes[axis].labels.size() == table->shape[axis], "each place on an axis has a label");
      for (const double value : table->values) must(std::isfinite(value), "every count that is read is finite");
    }
  }
}

void check_json(const std::string& text) {
  const auto json = tacet::mechanisms::parse_json(text, "x", "text");
  if (!json) return;
  (void)tacet::service::parse_losses(*json);
  const auto table = tacet::mechanisms::flatten(*json, "x");
  if (!table) return;
  const auto again = tacet::mechanisms::flatten(tacet::mechanisms::nested(table->values, table->shape), "x");
  must(again.ok() && again->shape == table->shape && again->values == table->values, "a table is read again from its own JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(tacet::fuzz::as_text(data, size));
  const bool decimal = check_decimal(text);
  if (decimal || size <= 2) check_amounts(text);  // refusals are all alike, and the longest part of the work
  check_list(text);
  check_json(text);
  check_table(text);
  return 0;
}

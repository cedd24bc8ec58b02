#include "tacet/service/budget_view.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/data/schema.h"
#include "tacet/report/text_table.h"
#include "tacet/service/request.h"

namespace tacet::service {

Result<LedgerPlace> ledger_place(const Json& request) {
  LedgerPlace place;
  if (const auto path = text_field(request, "schema")) {
    TACET_TRY(const data::Schema schema, data::read_schema(*path));
    place = {schema.ledger, schema.dataset};
  }
  if (const auto ledger = text_field(request, "ledger")) place.ledger = *ledger;
  if (const auto dataset = text_field(request, "dataset")) place.dataset = *dataset;
  for (const auto& [name, value] : {std::pair("ledger", &place.ledger), std::pair("dataset", &place.dataset)}) {
    if (!value->empty()) continue;
    return Error::invalid(name, request.contains(name) ? "" : "missing", fmt::format("must be given by --schema or --{}", name),
                          "add --schema people.toml");
  }
  if (place.ledger == ":memory:") {
    return Error::invalid("ledger", place.ledger, "must be a file: a ledger in memory forgets what was spent",
                          "for example: --ledger people.ledger");
  }
  return place;
}

std::vector<Field> ledger_place_fields() {
  return {{"schema", "S", "the schema file, which names the dataset and its ledger"},
          {"ledger", "FILE", "the ledger, if not the schema's"},
          {"dataset", "NAME", "the dataset, if not the schema's"}};
}

Json budget_json(const kernel::BudgetState& state, const std::string& ledger) {
  const privacy::Currency currency = state.currency;
  Json analysts = Json::array();
  for (const auto& analyst : state.analysts) {
    Json row = {{"analyst", analyst.analyst},
                {"spent", amount_json(currency, analyst.spent)},
                {"spent_words", privacy::describe(currency, analyst.spent)}};
    row["share"] = analyst.limit ? amount_json(currency, *analyst.limit) : Json(nullptr);
    row["share_words"] = analyst.limit ? privacy::describe(currency, *analyst.limit) : "none of their own";
    analysts.push_back(row);
  }
  const privacy::Amount remaining = state.total - state.spent;
  return {{"dataset", state.dataset},
          {"ledger", ledger},
          {"currency", privacy::name(currency)},
          {"composition", currency == privacy::Currency::Gdp ? "squares of mu add up" : "losses add up"},
          {"total", amount_json(currency, state.total)},
          {"spent", amount_json(currency, state.spent)},
          {"remaining", amount_json(currency, remaining)},
          {"words",
           {{"total", privacy::describe(currency, state.total)},
            {"spent", privacy::describe(currency, state.spent)},
            {"remaining", privacy::describe(currency, remaining)}}},
          {"entries", state.entries},
          {"analysts", analysts}};
}

std::string budget_words(const Json& budget) {
  const Json& words = budget.at("words");
  std::string out = fmt::format("The budget of \"{}\" is {} ({}).\n", report::printable(budget.at("dataset").get<std::string>()),
                                words.at("total").get<std::string>(), budget.at("composition").get<std::string>());
  const auto entries = budget.at("entries").get<std::int64_t>();
  out += fmt::format("Spent: {} in {} charge{}. Remaining: {}.\n", words.at("spent").get<std::string>(), entries, entries == 1 ? "" : "s",
                     words.at("remaining").get<std::string>());
  if (!budget.at("analysts").empty()) {
    report::TextTable table({"analyst", "spent", "share"});
    for (const Json& row : budget.at("analysts")) table.add({row.at("analyst"), row.at("spent_words"), row.at("share_words")});
    out += table.render();
  }
  return out;
}

}  // namespace tacet::service

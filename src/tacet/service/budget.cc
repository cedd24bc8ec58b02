#include <fmt/format.h>

#include "tacet/kernel/ledger.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using kernel::Ledger;

std::vector<Field> with(std::vector<Field> fields, const std::vector<Field>& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

/// "ada=0.5", or "ada=0.5/1e-7" in an (epsilon, delta) budget: the share in the same words as the budget itself.
Result<kernel::Share> parse_share(const std::string& text, privacy::Currency currency) {
  const auto wrong = [&text](const std::string& rule) {
    return Error::invalid("share", fmt::format("\"{}\"", text.substr(0, 60)), rule, "for example: --share ada=0.5,bob=0.25");
  };
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return wrong("must be NAME=AMOUNT");
  std::string amount = text.substr(equals + 1);
  Json parts = Json::object();
  if (const std::size_t slash = amount.find('/'); slash != std::string::npos) {
    parts["delta"] = amount.substr(slash + 1);
    amount.resize(slash);
  }
  if (parts.contains("delta") != (currency == privacy::Currency::ApproximateDp))
    return wrong("must be NAME=EPSILON/DELTA in an (epsilon, delta) budget, and only there");
  const bool epsilon = currency == privacy::Currency::PureDp || currency == privacy::Currency::ApproximateDp;
  parts[epsilon ? "epsilon" : std::string(privacy::name(currency))] = amount;
  TACET_TRY(const privacy::Budget budget, budget_field(parts));
  return kernel::Share{text.substr(0, equals), budget.total};
}

Result<Json> run_create(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const privacy::Budget budget, budget_field(request));
  TACET_TRY(const std::vector<std::string> written, list_field(request, "share"));
  std::vector<kernel::Share> shares;
  for (const std::string& text : written) {
    TACET_TRY(kernel::Share share, parse_share(text, budget.currency));
    shares.push_back(std::move(share));
  }
  TACET_TRY(Ledger ledger, Ledger::open(place.ledger, /*create=*/true));
  TACET_CHECK(ledger.create_budget(place.dataset, budget, shares));
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  return budget_json(state, place.ledger);
}

Result<Json> run_show(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const Ledger ledger, Ledger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  return budget_json(state, place.ledger);
}

Result<Json> run_history(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const Ledger ledger, Ledger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  TACET_TRY(const std::vector<kernel::Entry> history, ledger.history(place.dataset));
  Json entries = Json::array();
  for (const kernel::Entry& entry : history) {
    entries.push_back({{"entry", entry.number},
                       {"time", entry.time},
                       {"analyst", entry.analyst},
                       {"charged", amount_json(state.currency, entry.charged)},
                       {"charged_words", privacy::describe(state.currency, entry.charged)},
                       {"spent_after", amount_json(state.currency, entry.spent_after)},
                       {"spent_after_words", privacy::describe(state.currency, entry.spent_after)},
                       {"statement", entry.statement},
                       {"statement_hash", entry.statement_hash},
                       {"entry_hash", entry.entry_hash},
                       {"clock_went_back", entry.clock_went_back}});
  }
  return Json{{"dataset", place.dataset},
              {"ledger", place.ledger},
              {"currency", privacy::name(state.currency)},
              {"verified", true},
              {"entries", entries}};
}

/// What an entry paid for, in short: "counts by smoking, disease (gaussian)"; other statements as they are, cut to a line.
std::string statement_words(const std::string& statement) {
  constexpr std::size_t kMostLetters = 80;
  const Json parsed = Json::parse(statement, nullptr, /*allow_exceptions=*/false);
  std::string words = statement;
  if (parsed.is_object() && parsed.value("release", Json()) == "counts" && parsed.value("by", Json()).is_array() &&
      parsed.value("mechanism", Json()).is_string()) {
    words.clear();
    for (const Json& column : parsed.at("by"))
      words += (words.empty() ? "counts by " : ", ") + (column.is_string() ? column.get<std::string>() : dump(column));
    words += fmt::format(" ({})", parsed.at("mechanism").get<std::string>());
  }
  return words.size() <= kMostLetters ? words : words.substr(0, kMostLetters) + "...";
}

std::string history_words(const Json& result) {
  const Json& entries = result.at("entries");
  if (entries.empty()) return "Nothing has been charged yet.\n";
  report::TextTable table({"entry", "when", "who", "charged", "spent in all", "what"});
  for (const Json& entry : entries) {
    const std::string when = entry.at("time").get<std::string>() + (entry.at("clock_went_back").get<bool>() ? " (clock went back)" : "");
    table.add({fmt::format("{}", entry.at("entry").get<std::int64_t>()), when, entry.at("analyst"), entry.at("charged_words"),
               entry.at("spent_after_words"), statement_words(entry.at("statement"))});
  }
  return table.render() + "Every entry agrees with the chain of hashes.\n";
}

}  // namespace

Verb budget_create_verb() {
  return {"budget create",
          "Set a dataset's privacy budget, once and for all analysts together",
          "tacet budget create --schema patients.toml --rho 1 --share ada=0.5",
          with(with(ledger_place_fields(), currency_fields("the whole budget")),
               {{"share", "NAME=AMOUNT,...", "what an analyst may spend at most, in the budget's own terms", FieldKind::List}}),
          run_create,
          [](const Json& result) { return budget_words(result); }};
}

Verb budget_show_verb() {
  return {"budget show",
          "What was spent of a budget, and what remains",
          "tacet budget show --schema patients.toml",
          ledger_place_fields(),
          run_show,
          [](const Json& result) { return budget_words(result); }};
}

Verb budget_history_verb() {
  return {"budget history",
          "Every charge: who, what, how much and when; verifies the chain of hashes",
          "tacet budget history --schema patients.toml",
          ledger_place_fields(),
          run_history,
          history_words};
}

}  // namespace tacet::service

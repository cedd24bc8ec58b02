#include <fmt/format.h>

#include "tacet/kernel/ledger.h"
#include "tacet/kernel/ledger_words.h"
#include "tacet/mechanisms/json_file.h"
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

/// The schema says what one person changes; where there is none, --neighbours does.
Result<kernel::Relation> relation_of(const Json& request, const LedgerPlace& place) {
  const auto written = text_field(request, "neighbours");
  if (!written) return place.relation.value_or(kernel::Relation::ReplaceOne);
  for (const kernel::Relation relation : {kernel::Relation::ReplaceOne, kernel::Relation::AddOrRemoveOne}) {
    if (kernel::name(relation) != *written) continue;
    if (!place.relation || *place.relation == relation) return relation;
    return Error::invalid("neighbours", *written, fmt::format("must be what the schema says, {}", kernel::name(*place.relation)),
                          "leave it out, or change the schema");
  }
  return Error::invalid("neighbours", fmt::format("\"{}\"", written->substr(0, 40)),
                        "must be replace-one (the number of people is public) or add-or-remove-one (it is private)");
}

Result<kernel::BudgetTerms> terms_of(const Json& request, const LedgerPlace& place) {
  TACET_TRY(const privacy::Budget budget, budget_field(request));
  TACET_TRY(const kernel::Relation relation, relation_of(request, place));
  kernel::BudgetTerms terms = kernel::plain_terms(budget, relation);
  if (const auto rule = text_field(request, "rule")) {
    TACET_TRY(terms.rule, privacy::rule_named(*rule));
  }
  const auto slack = number_field(request, "slack");
  if (terms.rule == privacy::FilterRule::Whitehouse) {
    const auto value = slack ? Decimal::parse(*slack) : Result<Decimal>(budget.total.second * *Decimal::parse("0.5"));
    if (!value) {
      return Error::invalid("slack", fmt::format("\"{}\"", slack->substr(0, 40)),
                            "must be a decimal number greater than 0 and at most delta", "for example: --slack 5e-7");
    }
    terms.slack = *value;
  } else if (slack) {
    return Error::invalid("slack", slack->substr(0, 40), "goes with the rule whitehouse only", "leave it out, or add --rule whitehouse");
  }
  return terms;
}

Result<Json> run_create(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const kernel::BudgetTerms terms, terms_of(request, place));
  // Before a ledger is made for a budget that is none.
  TACET_CHECK(privacy::Filter::of(terms.budget, terms.rule, terms.slack));
  TACET_TRY(const std::vector<std::string> written, list_field(request, "share"));
  std::vector<kernel::Share> shares;
  for (const std::string& text : written) {
    TACET_TRY(kernel::Share share, parse_share(text, terms.budget.currency));
    shares.push_back(std::move(share));
  }
  TACET_TRY(Ledger ledger, Ledger::open(place.ledger, /*create=*/true));
  TACET_CHECK(ledger.create_budget(place.dataset, terms, shares));
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
  const privacy::Currency currency = state.terms.budget.currency;
  Json entries = Json::array();
  for (const kernel::Entry& entry : history) {
    TACET_TRY(const std::string charged, kernel::charge_words(currency, entry.loss));
    entries.push_back({{"entry", entry.number},
                       {"time", entry.time},
                       {"analyst", entry.analyst},
                       {"charged", amount_json(currency, entry.charged)},
                       {"charged_words", charged},
                       {"spent_after", amount_json(currency, entry.spent_after)},
                       {"spent_after_words", privacy::describe(currency, entry.spent_after)},
                       {"statement", entry.statement},
                       {"statement_hash", entry.statement_hash},
                       {"entry_hash", entry.entry_hash},
                       {"clock_went_back", entry.clock_went_back}});
  }
  return Json{{"dataset", place.dataset},
              {"ledger", place.ledger},
              {"currency", privacy::name(currency)},
              {"rule", privacy::name(state.terms.rule)},
              {"verified", true},
              {"entries", entries}};
}

/// What an entry paid for, in short: "counts by smoking, disease (gaussian)"; other statements as they are, cut to a line.
std::string statement_words(const std::string& statement) {
  constexpr std::size_t kMostLetters = 80;
  const auto read = mechanisms::parse_json(statement, "statement", "text");
  const Json parsed = read ? *read : Json(nullptr);
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
  return {
      "budget create",
      "Set a dataset's privacy budget, once and for all analysts together",
      "tacet budget create --schema patients.toml --rho 1 --share ada=0.5",
      with(with(ledger_place_fields(), currency_fields("the whole budget")),
           {{"rule", "RULE",
             "how charges are counted, for ever: basic, or with --delta rogers or whitehouse (best for many small releases)"},
            {"slack", "D", "with --rule whitehouse: the part of delta that pays for it; half of delta, if not given", FieldKind::Number},
            {"neighbours", "RELATION", "without a schema: replace-one (the default) or add-or-remove-one"},
            {"share", "NAME=AMOUNT,...", "what an analyst may spend at most, in the budget's own terms", FieldKind::List}}),
      run_create,
      [](const Json& result) { return budget_words(result); }};
}

Verb budget_show_verb() {
  return {"budget show",
          "What was spent of a budget, what remains, and how many more releases fit",
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

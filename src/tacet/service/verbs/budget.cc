#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "tacet/data/canonical_schema.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/ledger/words.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/readable_ledger.h"
#include "tacet/service/request.h"
#include "tacet/service/share_field.h"
#include "tacet/service/source_register.h"
#include "tacet/service/terms_check.h"

namespace tacet::service {
namespace {

using kernel::Custody;

constexpr int kFormat = 3;  // of ledgers that can be charged

std::vector<Field> with(std::vector<Field> fields, const std::vector<Field>& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

/// The schema says what one person changes; where there is none, --neighbours does.
Result<kernel::Relation> relation_of(const Json& request, const LedgerPlace& place) {
  const auto written = text_field(request, "neighbours");
  kernel::Relation usual = place.schema ? place.schema->relation : kernel::Relation(kernel::Relation::ReplaceOne);
  if (!written) return usual;
  TACET_TRY(const kernel::Relation::Kind kind,
            named<kernel::Relation::Kind>("neighbours", *written,
                                          "the number of people is public under replace-one, and private under add-or-remove-one"));
  if (!place.schema) return kernel::Relation(kind);
  if (usual.kind() == kind) return usual;
  return Error::invalid("neighbours", *written, fmt::format("must be what the schema says, {}", name(usual.kind())),
                        "leave it out, or change the schema");
}

Result<kernel::Declaration> terms_of(const Json& request, const LedgerPlace& place, const std::string& custodian) {
  TACET_TRY(const privacy::Budget budget, budget_field(request));
  TACET_TRY(const kernel::Relation relation, relation_of(request, place));
  kernel::Declaration terms = kernel::plain_terms(budget, relation);
  if (place.schema) {
    terms.schema = data::canonical(*place.schema);
    terms.idealised = place.schema->idealised;
  }
  TACET_TRY(terms.source, source_field(request, place.schema));
  terms.custodian = custodian;
  TACET_TRY(const std::optional<std::string> again, reason_field(request, "again"));
  terms.again = again.value_or("");
  if (const auto others = text_field(request, "others")) {
    TACET_TRY(terms.others, parse_others(*others, budget.currency));
  }
  if (const auto rule = text_field(request, "rule")) {
    TACET_TRY(terms.rule, named<privacy::FilterRule>("rule", *rule));
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

Status create(Custody& ledger, const LedgerPlace& place, const kernel::Declaration& terms, const std::vector<kernel::Share>& shares) {
  TACET_TRY(const std::vector<std::string> datasets, ledger.datasets());
  // Of a dataset that has a budget no source is written down: the budget is refused below.
  if (std::find(datasets.begin(), datasets.end(), place.dataset) == datasets.end())
    TACET_CHECK(claim_source(terms.source, {ledger.name(), place.dataset, place.ledger}, terms.again));
  return ledger.create_budget(place.dataset, terms, shares);
}

Result<Json> run_create(const Json& request, const Context& context) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const kernel::Declaration terms, terms_of(request, place, context.analyst));
  TACET_TRY(const std::vector<std::string> written, list_field(request, "share"));
  std::vector<kernel::Share> shares;
  for (const std::string& text : written) {
    TACET_TRY(kernel::Share share, parse_share(text, terms.budget.currency));
    shares.push_back(std::move(share));
  }
  // All that can be refused is, before a ledger is made for it.
  TACET_CHECK(Custody::check_terms(place.dataset, terms, shares));
  std::vector<std::string> warnings;
  if (place.schema) {
    TACET_TRY(warnings, check_new_terms(*place.schema, terms.source));
  }
  TACET_CHECK(check_source_is_free(terms.source, {}, terms.again));
  TACET_TRY(Custody ledger, Custody::open(place.ledger, {.create = true}));
  if (Status made = create(ledger, place, terms, shares); !made.ok()) {
    ledger.discard_if_new();
    return std::move(made).error();
  }
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  Json budget = budget_json(state, place.ledger, context.analyst);
  budget["warnings"] = warnings;
  return budget;
}

/// With what an old format does not know.
Json shown_budget(const ReadableLedger& ledger, const kernel::BudgetState& state, const std::string& path, const std::string& analyst) {
  Json budget = budget_json(state, path, analyst);
  budget["format"] = ledger.format;
  if (ledger.format < kFormat) budget["sealed"] = false;
  if (!ledger.knows_relation) {
    budget["neighbours"] = nullptr;
    budget["words"]["neighbours"] = "not written down in this format";
  }
  return budget;
}

/// --ledger alone: all of its datasets.
Result<Json> run_list(const std::string& path, const Context& context) {
  TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(path));
  TACET_TRY(const std::vector<std::string> datasets, ledger.custody.datasets());
  Json budgets = Json::array();
  for (const std::string& dataset : datasets) {
    TACET_TRY(const kernel::BudgetState state, ledger.custody.show(dataset));
    budgets.push_back(shown_budget(ledger, state, path, context.analyst));
  }
  return Json{{"ledger", path}, {"format", ledger.format}, {"datasets", budgets}};
}

Result<Json> run_show(const Json& request, const Context& context) {
  TACET_TRY(const LedgerPlace place, ledger_place(request, /*any_dataset=*/true));
  if (place.dataset.empty()) return run_list(place.ledger, context);
  TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.custody.show(place.dataset));
  return shown_budget(ledger, state, place.ledger, context.analyst);
}

std::string show_words(const Json& result) {
  if (!result.contains("datasets")) return budget_words(result);
  if (result.at("datasets").empty()) return "The ledger has no dataset yet.\n";
  const Json& budgets = result.at("datasets");
  const bool sealed = std::all_of(budgets.begin(), budgets.end(), [](const Json& budget) { return budget.at("sealed").get<bool>(); });
  return budget_list_words(budgets) +
         (sealed ? "" : "The custodian's key is not here: the chain of hashes agrees, but forged entries cannot be detected.\n");
}

Result<Json> run_history(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.custody.show(place.dataset));
  TACET_TRY(const std::vector<kernel::Entry> history, ledger.custody.history(place.dataset));
  const privacy::Currency currency = state.terms.budget.currency;
  Json entries = Json::array();
  for (const kernel::Entry& entry : history) {
    std::string charged = "nothing";
    if (entry.loss) {
      TACET_TRY(charged, kernel::charge_words(currency, *entry.loss));
    }
    entries.push_back({{"entry", entry.number},
                       {"kind", name(entry.kind)},
                       {"release_hash", entry.release_hash.empty() ? Json(nullptr) : Json(entry.release_hash)},
                       {"time", entry.time},
                       {"analyst", entry.analyst},
                       {"charged", amount_json(currency, entry.charged)},
                       {"charged_words", charged},
                       {"spent_after", amount_json(currency, entry.spent_after)},
                       {"spent_after_words", amount_words(currency, entry.spent_after)},
                       {"statement", entry.statement},
                       {"statement_hash", entry.statement_hash},
                       {"entry_hash", entry.entry_hash},
                       {"clock_went_back", entry.clock_went_back}});
  }
  return Json{{"dataset", place.dataset},       {"ledger", place.ledger}, {"currency", name(currency)},
              {"rule", name(state.terms.rule)}, {"verified", true},       {"sealed", ledger.format == kFormat && state.sealed},
              {"format", ledger.format},        {"entries", entries}};
}

std::string names_words(const Json& names) {
  std::string words;
  for (const Json& name : names) words += (words.empty() ? "" : ", ") + (name.is_string() ? name.get<std::string>() : dump(name));
  return words;
}

/// What an entry paid for, in short: "counts by smoking, disease (gaussian)", "mean of ldl by smoking (k-norm)"; other statements as they
/// are. Cut to a line.
std::string statement_words(const std::string& statement) {
  constexpr std::size_t kMostLetters = 80;
  const auto read = mechanisms::parse_json(statement, "statement", "text");
  const Json parsed = read && read->is_object() ? *read : Json::object();
  const Json kind = parsed.value("release", Json());
  const Json columns = parsed.value("columns", Json());
  const Json by = parsed.value("by", Json());
  const Json group = parsed.value("group_by", Json());
  // A query has Gaussian noise, whatever it is of.
  const Json mechanism = parsed.value("mechanism", kind == "query" ? Json("gaussian") : Json());
  std::string words = statement;
  if (kind.is_string() && mechanism.is_string() && (columns.is_array() || by.is_array())) {
    words = kind.get<std::string>();
    if (columns.is_array()) words += " of " + names_words(columns);
    if (by.is_array()) words += " by " + names_words(by);
    if (group.is_string()) words += " by " + group.get<std::string>();
    words += fmt::format(" ({})", mechanism.get<std::string>());
  }
  return words.size() <= kMostLetters ? words : words.substr(0, kMostLetters) + "...";
}

std::string entry_words(const Json& entry) {
  std::string what = statement_words(entry.at("statement"));
  if (entry.at("kind") == "failed-scan") return "the data could not be read: " + what;
  if (entry.at("kind") == "amendment") return "the terms were amended: " + what;
  return what;
}

std::string history_words(const Json& result) {
  const Json& entries = result.at("entries");
  if (entries.empty()) return "Nothing has been charged yet.\n";
  report::TextTable table({"entry", "when", "who", "charged", "spent in all", "what"});
  for (const Json& entry : entries) {
    const std::string when = entry.at("time").get<std::string>() + (entry.at("clock_went_back").get<bool>() ? " (clock went back)" : "");
    table.add({fmt::format("{}", entry.at("entry").get<std::int64_t>()), when, entry.at("analyst"), entry.at("charged_words"),
               entry.at("spent_after_words"), entry_words(entry)});
  }
  return table.render() +
         (result.at("sealed").get<bool>()
              ? "Every entry agrees with the chain of hashes and with the custodian's key.\n"
              : "Every entry agrees with the chain of hashes. The custodian's key is not here, so forged entries cannot be detected.\n");
}

}  // namespace

Verb budget_create_verb() {
  return {
      "budget create",
      "Set a dataset's privacy budget, once and for all analysts together",
      "tacet budget create --schema patients.toml --rho 1 --share ada=0.5 --others 0.5",
      with(with(ledger_place_fields(), currency_fields("the whole budget")),
           {{"rule", "RULE",
             "how charges are counted, for ever: basic, or with --delta rogers or whitehouse (best for many small releases)"},
            {"slack", "D", "with --rule whitehouse: the part of delta that pays for it; half of delta, if not given", FieldKind::Number},
            {"neighbours", "RELATION", "without a schema: replace-one (the default) or add-or-remove-one"},
            {"share", "NAME=AMOUNT,...", "what an analyst may spend at most, in the budget's own terms; others then get nothing",
             FieldKind::List},
            {"others", "AMOUNT", "with --share: what all analysts without a share may spend together"},
            {"source", "FILE", "where the data is, if not the schema's; later releases read nothing else"},
            {"again", "REASON", "why there is a second budget for the same source, if there is one"}}),
      run_create,
      [](const Json& result) { return budget_words(result) + warning_words(result); }};
}

Verb budget_show_verb() {
  return {"budget show",
          "What was spent of a budget, what remains, and how many more releases fit; with --ledger alone, of all its datasets",
          "tacet budget show --schema patients.toml",
          ledger_place_fields(),
          run_show,
          show_words};
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

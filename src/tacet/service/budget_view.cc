#include "tacet/service/budget_view.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/room_left.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/ledger/words.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using privacy::Currency;
using privacy::FilterRule;

std::string_view composition(FilterRule rule) {
  switch (rule) {
    case FilterRule::Basic:
    case FilterRule::Zcdp: return "losses add up";
    case FilterRule::Rogers: return "squares of epsilon and their drift add up";
    case FilterRule::Whitehouse: return "squares of epsilon add up";
    case FilterRule::Gdp: break;
  }
  return "squares of mu add up";
}

/// "whitehouse: adaptive releases, up to epsilon 1 and delta 0.000001 together; squares of epsilon add up, slack 0.0000005".
std::string promise_words(const kernel::Declaration& terms) {
  const privacy::Amount& total = terms.budget.total;
  const std::string most = terms.budget.currency == Currency::ApproximateDp
                               ? fmt::format("epsilon {} and delta {}", total.first.to_string(), total.second.to_string())
                               : privacy::describe(terms.budget.currency, total);
  const std::string slack = terms.rule == FilterRule::Whitehouse ? fmt::format(", slack {}", terms.slack.to_string()) : "";
  return fmt::format("{}: adaptive releases, up to {} together; {}{}", privacy::name(terms.rule), most, composition(terms.rule), slack);
}

/// A loss of the kind that a budget is usually charged with.
privacy::Loss usual_loss(Currency currency) {
  const Decimal one(1);
  if (currency == Currency::PureDp) return privacy::PureLoss{one};
  if (currency == Currency::ApproximateDp) return privacy::ApproximateLoss{one, {}};
  return privacy::GaussianLoss{one};
}

void add_questions_left(const kernel::BudgetState& state, Json& budget) {
  const Currency currency = state.terms.budget.currency;
  const auto largest = accounting::largest_like(state.filter, state.last ? state.last->loss : usual_loss(currency));
  budget["words"]["largest_release"] = largest ? Json(kernel::loss_words(currency, *largest)) : Json(nullptr);
  budget["last"] = nullptr;
  budget["releases_left_like_last"] = nullptr;
  if (!state.last) return;
  // What was charged once can be counted again.
  const auto step = privacy::step_in(currency, state.last->loss);
  const auto charged = kernel::charge_words(currency, state.last->loss);
  if (!step || !charged) return;
  const auto left_in = [&step](const privacy::Filter& filter) {
    const auto left = accounting::times_left(filter, *step);
    return left ? Json(*left) : Json(nullptr);
  };
  budget["releases_left_like_last"] = left_in(state.filter);
  budget["last"] = {{"analyst", state.last->analyst}, {"charged_words", *charged}, {"left_in_share", nullptr}};
  for (const auto& analyst : state.analysts) {
    if (analyst.analyst == state.last->analyst && analyst.limit) budget["last"]["left_in_share"] = left_in(analyst.filter);
  }
}

/// "12", or what is as good as without end.
std::string times_words(std::uint64_t times) {
  return times >= accounting::kMostTimes ? "At least a million billion" : times == 0 ? "No" : fmt::format("{}", times);
}

std::string questions_words(const Json& budget) {
  const Json& largest = budget.at("words").at("largest_release");
  const std::string fits = largest.is_null() ? "the budget is used up" : fmt::format("one of at most {} fits", largest.get<std::string>());
  const Json& last = budget.at("last");
  if (last.is_null()) return fmt::format("No release was charged yet; {}.\n", fits);
  const auto left = budget.at("releases_left_like_last").get<std::uint64_t>();
  const std::string analyst = report::printable(last.at("analyst").get<std::string>());
  std::string out = fmt::format("{} more release{} like the last one ({} by {}) fit{}", times_words(left), left == 1 ? "" : "s",
                                last.at("charged_words").get<std::string>(), analyst, left == 1 ? "s" : "");
  if (left == 0) return fmt::format("{}; {}.\n", out, fits);
  out += ".";
  if (const Json& share = last.at("left_in_share"); !share.is_null()) {
    const std::uint64_t own = std::min(left, share.get<std::uint64_t>());
    out += fmt::format(" {} of them fit{} into the share of {}.", own == 0 ? "None" : times_words(own), own == 1 ? "s" : "", analyst);
  }
  return out + "\n";
}

}  // namespace

Result<LedgerPlace> ledger_place(const Json& request) {
  LedgerPlace place;
  if (const auto path = text_field(request, "schema")) {
    TACET_TRY(data::Schema schema, schemas::read_schema(*path));
    place = {schema.ledger, schema.dataset, std::move(schema)};
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
  const privacy::Currency currency = state.terms.budget.currency;
  Json analysts = Json::array();
  for (const auto& analyst : state.analysts) {
    const privacy::Amount spent = analyst.filter.spent_amount();
    Json row = {{"analyst", analyst.analyst}, {"spent", amount_json(currency, spent)}, {"spent_words", privacy::describe(currency, spent)}};
    row["share"] = analyst.limit ? amount_json(currency, *analyst.limit) : Json(nullptr);
    row["share_words"] = analyst.limit ? privacy::describe(currency, *analyst.limit) : "none of their own";
    analysts.push_back(row);
  }
  const privacy::Amount& total = state.terms.budget.total;
  const privacy::Amount spent = state.filter.spent_amount();
  const privacy::Amount remaining = state.filter.remaining();
  Json budget = {{"dataset", state.dataset},
                 {"ledger", ledger},
                 {"currency", privacy::name(currency)},
                 {"rule", privacy::name(state.terms.rule)},
                 {"neighbours", kernel::name(state.terms.relation.kind())},
                 {"public_columns", state.terms.relation.public_columns()},
                 {"source", state.terms.source.empty() ? Json(nullptr) : Json(state.terms.source)},
                 {"custodian", state.terms.custodian},
                 {"guarantee", state.idealised == 0 ? "exact" : "idealised"},
                 {"idealised_charges", state.idealised},
                 {"sealed", state.sealed},
                 {"format", 3},
                 {"composition", composition(state.terms.rule)},
                 {"total", amount_json(currency, total)},
                 {"spent", amount_json(currency, spent)},
                 {"remaining", amount_json(currency, remaining)},
                 {"words",
                  {{"total", privacy::describe(currency, total)},
                   {"spent", privacy::describe(currency, spent)},
                   {"remaining", privacy::describe(currency, remaining)},
                   {"neighbours", kernel::describe(state.terms.relation)},
                   {"promise", promise_words(state.terms)}}},
                 {"entries", state.entries},
                 {"charges", state.charges},
                 {"analysts", analysts}};
  if (state.terms.rule == privacy::FilterRule::Whitehouse) budget["slack"] = state.terms.slack.to_string();
  add_questions_left(state, budget);
  return budget;
}

std::string budget_words(const Json& budget) {
  const Json& words = budget.at("words");
  std::string out = fmt::format("The budget of \"{}\" is {} ({}). Neighbours: {}.\n",
                                report::printable(budget.at("dataset").get<std::string>()), words.at("total").get<std::string>(),
                                words.at("promise").get<std::string>(), report::printable(words.at("neighbours").get<std::string>()));
  const auto charges = budget.at("charges").get<std::int64_t>();
  out += fmt::format("Spent: {} in {} charge{}. Remaining: {}.\n", words.at("spent").get<std::string>(), charges, charges == 1 ? "" : "s",
                     words.at("remaining").get<std::string>());
  out += questions_words(budget);
  if (const auto idealised = budget.at("idealised_charges").get<std::int64_t>(); idealised > 0) {
    out += fmt::format("Guarantee: idealised, since {} charge{} for a mechanism that is proven in real arithmetic only.\n", idealised,
                       idealised == 1 ? " was" : "s were");
  }
  if (const int format = budget.value("format", 3); format < 3) {
    out +=
        fmt::format("The ledger has format {}, which is read but not charged; its custodian goes on with: tacet dataset adopt\n", format);
  } else if (!budget.at("sealed").get<bool>()) {
    out += "The custodian's key is not here: the chain of hashes agrees, but forged entries cannot be detected.\n";
  }
  if (!budget.at("analysts").empty()) {
    report::TextTable table({"analyst", "spent", "share"});
    for (const Json& row : budget.at("analysts")) table.add({row.at("analyst"), row.at("spent_words"), row.at("share_words")});
    out += table.render();
  }
  return out;
}

}  // namespace tacet::service

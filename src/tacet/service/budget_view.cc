#include "tacet/service/budget_view.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
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
  return fmt::format("{}: adaptive releases, up to {} together; {}{}", name(terms.rule), most, composition(terms.rule), slack);
}

/// A loss of the kind that a budget is usually charged with.
privacy::Loss usual_loss(Currency currency) {
  const Decimal one(1);
  if (currency == Currency::PureDp) return privacy::PureLoss{one};
  if (currency == Currency::ApproximateDp) return privacy::ApproximateLoss{one, {}};
  return privacy::GaussianLoss{one};
}

/// What binds an analyst beside the whole budget: "share", "others" (what all without a share have together), "nothing", where whoever has
/// no share gets nothing, or "total", where nothing else does.
struct Purse {
  const char* from = "total";
  std::optional<privacy::Amount> limit{};
  const privacy::Filter* filter = nullptr;  // of "share" and "others"
};

Purse purse_of(const kernel::BudgetState& state, const std::string& analyst) {
  if (!state.shared) return {};
  for (const auto& known : state.analysts) {
    if (known.analyst == analyst && known.limit) return {"share", known.limit, &known.filter};
  }
  if (state.others) return {"others", state.terms.others, &*state.others};
  return {"nothing"};
}

privacy::Amount smaller(const privacy::Amount& a, const privacy::Amount& b) {
  return {std::min(a.first, b.first), std::min(a.second, b.second)};
}

privacy::Amount remaining_in(const kernel::BudgetState& state, const Purse& purse) {
  if (purse.filter != nullptr) return smaller(purse.filter->remaining(), state.filter.remaining());
  return std::string_view(purse.from) == "nothing" ? privacy::Amount{} : state.filter.remaining();
}

/// Of two losses of one kind, what fits where either does.
privacy::Loss smaller(const privacy::Loss& a, const privacy::Loss& b) {
  if (const auto* left = std::get_if<privacy::GaussianLoss>(&a)) {
    if (const auto* right = std::get_if<privacy::GaussianLoss>(&b)) return left->mu_squared < right->mu_squared ? a : b;
  }
  if (const auto* left = std::get_if<privacy::PureLoss>(&a)) {
    if (const auto* right = std::get_if<privacy::PureLoss>(&b)) return left->epsilon < right->epsilon ? a : b;
  }
  const auto* left = std::get_if<privacy::ApproximateLoss>(&a);
  const auto* right = std::get_if<privacy::ApproximateLoss>(&b);
  if (left == nullptr || right == nullptr) return b;
  return privacy::ApproximateLoss{std::min(left->epsilon, right->epsilon), std::min(left->delta, right->delta)};
}

/// In words, the largest loss like `like` that fits into all and into a purse; nothing if none does.
std::optional<std::string> largest_in(const kernel::BudgetState& state, const Purse& purse, const privacy::Loss& like) {
  const Currency currency = state.terms.budget.currency;
  if (std::string_view(purse.from) == "nothing") return std::nullopt;
  auto largest = accounting::largest_like(state.filter, like);
  if (purse.filter != nullptr && largest) {
    const auto own = accounting::largest_like(*purse.filter, like);
    largest = own ? std::optional(smaller(*largest, *own)) : std::nullopt;
  }
  if (!largest) return std::nullopt;
  const bool gaussian = std::holds_alternative<privacy::GaussianLoss>(*largest) && currency == Currency::Gdp;
  return gaussian ? amount_words(currency, {std::get<privacy::GaussianLoss>(*largest).mu_squared, {}})
                  : kernel::loss_words(currency, *largest);
}

/// The same of the last release, or before there is one, of a usual one; null if none fits.
Json largest_in(const kernel::BudgetState& state, const Purse& purse) {
  const auto words = largest_in(state, purse, state.last ? state.last->loss : usual_loss(state.terms.budget.currency));
  return words ? Json(*words) : Json(nullptr);
}

void add_questions_left(const kernel::BudgetState& state, Json& budget) {
  const Currency currency = state.terms.budget.currency;
  budget["words"]["largest_release"] = largest_in(state, {});
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
  budget["last"] = {{"analyst", state.last->analyst}, {"charged_words", *charged}, {"left_in_share", nullptr}, {"left_in_others", nullptr}};
  const Purse last = purse_of(state, state.last->analyst);
  if (last.filter != nullptr) budget["last"][fmt::format("left_in_{}", last.from)] = left_in(*last.filter);
  // Of the one who asks: what fits into both.
  const Purse own = purse_of(state, budget.at("asker").at("analyst"));
  Json left = budget["releases_left_like_last"];
  if (own.filter != nullptr && left.is_number()) {
    const Json within = left_in(*own.filter);
    left = within.is_number() ? Json(std::min(left.get<std::uint64_t>(), within.get<std::uint64_t>())) : Json(nullptr);
  }
  budget["asker"]["releases_left_like_last"] = std::string_view(own.from) == "nothing" ? Json(0) : left;
}

/// What somebody may spend, has spent and may still spend, with the names that it goes by in JSON.
Json asker_json(const kernel::BudgetState& state, const std::string& analyst) {
  const Currency currency = state.terms.budget.currency;
  const Purse purse = purse_of(state, analyst);
  const privacy::Amount remaining = remaining_in(state, purse);
  return {{"analyst", analyst},
          {"from", purse.from},
          {"most", purse.limit ? amount_json(currency, *purse.limit) : Json(nullptr)},
          {"most_words", purse.limit ? Json(amount_words(currency, *purse.limit)) : Json(nullptr)},
          {"remaining", amount_json(currency, remaining)},
          {"remaining_words", amount_words(currency, remaining)},
          {"largest_release", largest_in(state, purse)},
          {"releases_left_like_last", nullptr}};
}

Json others_json(const kernel::BudgetState& state) {
  if (!state.others || !state.terms.others) return nullptr;
  const Currency currency = state.terms.budget.currency;
  const privacy::Amount spent = state.others->spent_amount();
  const privacy::Amount remaining = smaller(state.others->remaining(), state.filter.remaining());
  return {{"most", amount_json(currency, *state.terms.others)},
          {"most_words", amount_words(currency, *state.terms.others)},
          {"spent", amount_json(currency, spent)},
          {"spent_words", amount_words(currency, spent)},
          {"remaining", amount_json(currency, remaining)},
          {"remaining_words", amount_words(currency, remaining)}};
}

/// "12", or what is as good as without end.
std::string times_words(std::uint64_t times) {
  return times >= accounting::kMostTimes ? "At least a million billion" : times == 0 ? "No" : fmt::format("{}", times);
}

/// The largest release that fits: where there are shares, for whom.
std::string fits_words(const Json& budget) {
  const Json& all = budget.at("words").at("largest_release");
  if (all.is_null()) return "the budget is used up";
  const Json& asker = budget.at("asker");
  if (asker.at("from") == "total") return fmt::format("one of at most {} fits", all.get<std::string>());
  const std::string name = report::printable(asker.at("analyst").get<std::string>());
  const Json& own = asker.at("largest_release");
  return own.is_null() ? fmt::format("none by {} fits", name) : fmt::format("one of at most {} by {} fits", own.get<std::string>(), name);
}

std::string questions_words(const Json& budget) {
  const std::string fits = fits_words(budget);
  const Json& last = budget.at("last");
  if (last.is_null()) return fmt::format("No release was charged yet; {}.\n", fits);
  const auto left = budget.at("releases_left_like_last").get<std::uint64_t>();
  const std::string analyst = report::printable(last.at("analyst").get<std::string>());
  std::string out = fmt::format("{} more release{} like the last one ({} by {}) fit{}", times_words(left), left == 1 ? "" : "s",
                                last.at("charged_words").get<std::string>(), analyst, left == 1 ? "s" : "");
  if (left == 0) return fmt::format("{}; {}.\n", out, fits);
  out += ".";
  const std::pair<const char*, std::string> purses[] = {{"left_in_share", fmt::format("the share of {}", analyst)},
                                                        {"left_in_others", "what is left to those without a share"}};
  for (const auto& [field, where] : purses) {
    if (last.at(field).is_null()) continue;
    const std::uint64_t own = std::min(left, last.at(field).get<std::uint64_t>());
    out += fmt::format(" {} of them fit{} into {}.", own == 0 ? "None" : times_words(own), own == 1 ? "s" : "", where);
  }
  return out + "\n";
}

/// What the one who asks may still spend, where that is not all that remains.
std::string asker_line(const Json& budget) {
  const Json& asker = budget.at("asker");
  const std::string from = asker.at("from");
  if (from == "total") return {};
  const std::string name = report::printable(asker.at("analyst").get<std::string>());
  if (from == "nothing") return fmt::format("Remaining for {}: nothing, since there are shares and none is for {}.\n", name, name);
  const std::string of = from == "share" ? fmt::format("a share of {}", asker.at("most_words").get<std::string>())
                                         : fmt::format("with all others who have no share, {}", asker.at("most_words").get<std::string>());
  const std::string remaining = asker.at("remaining_words");
  const Json& largest = asker.at("largest_release");
  const std::string fits =
      largest.is_null() || largest == remaining ? "" : fmt::format("; one of at most {} fits", largest.get<std::string>());
  return fmt::format("Remaining for {} ({}): {}{}.\n", name, of, remaining, fits);
}

}  // namespace

Result<LedgerPlace> ledger_place(const Json& request, bool any_dataset) {
  LedgerPlace place;
  if (const auto path = text_field(request, "schema")) {
    TACET_TRY(data::Schema schema, schemas::read_schema(*path));
    place = {schema.ledger, schema.dataset, std::move(schema)};
  }
  if (const auto ledger = text_field(request, "ledger")) place.ledger = *ledger;
  if (const auto dataset = text_field(request, "dataset")) place.dataset = *dataset;
  for (const auto& [name, value] : {std::pair("ledger", &place.ledger), std::pair("dataset", &place.dataset)}) {
    if (!value->empty() || (any_dataset && value == &place.dataset && !request.contains(name))) continue;
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

std::optional<std::string> largest_release_words(const kernel::BudgetState& state, const std::string& analyst, const privacy::Loss& like) {
  return largest_in(state, purse_of(state, analyst), like);
}

Json budget_json(const kernel::BudgetState& state, const std::string& ledger, const std::string& asker) {
  const privacy::Currency currency = state.terms.budget.currency;
  Json analysts = Json::array();
  for (const auto& analyst : state.analysts) {
    const privacy::Amount spent = analyst.filter.spent_amount();
    const privacy::Amount left = remaining_in(state, purse_of(state, analyst.analyst));
    Json row = {{"analyst", analyst.analyst}, {"spent", amount_json(currency, spent)}, {"spent_words", amount_words(currency, spent)}};
    row["share"] = analyst.limit ? amount_json(currency, *analyst.limit) : Json(nullptr);
    row["share_words"] = analyst.limit ? amount_words(currency, *analyst.limit) : "none of their own";
    row["remaining"] = amount_json(currency, left);
    row["remaining_words"] = amount_words(currency, left);
    analysts.push_back(row);
  }
  const privacy::Amount& total = state.terms.budget.total;
  const privacy::Amount spent = state.filter.spent_amount();
  const privacy::Amount remaining = state.filter.remaining();
  Json budget = {{"dataset", state.dataset},
                 {"ledger", ledger},
                 {"currency", name(currency)},
                 {"rule", name(state.terms.rule)},
                 {"neighbours", name(state.terms.relation.kind())},
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
                  {{"total", amount_words(currency, total)},
                   {"spent", amount_words(currency, spent)},
                   {"remaining", amount_words(currency, remaining)},
                   {"neighbours", kernel::describe(state.terms.relation)},
                   {"promise", promise_words(state.terms)}}},
                 {"entries", state.entries},
                 {"charges", state.charges},
                 {"analysts", analysts},
                 {"others", others_json(state)},
                 {"asker", asker_json(state, asker)}};
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
  out += asker_line(budget);
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
    const Json& analysts = budget.at("analysts");
    const bool shared = std::any_of(analysts.begin(), analysts.end(), [](const Json& row) { return !row.at("share").is_null(); });
    std::vector<std::string> header = {"analyst", "spent", "share"};
    if (shared) header.emplace_back("remaining");
    report::TextTable table(header);
    for (const Json& row : analysts)
      table.add({row.at("analyst"), row.at("spent_words"), row.at("share_words"), row.at("remaining_words")});
    const Json& others = budget.at("others");
    if (!others.is_null())
      table.add({"all without a share", others.at("spent_words"), others.at("most_words"), others.at("remaining_words")});
    if (others.is_null() && shared) table.add({"all without a share", "", "nothing", ""});
    out += table.render();
  }
  return out;
}

std::string asker_words(const Json& budget) {
  const Json& asker = budget.at("asker");
  if (asker.at("from") == "total") return {};
  return fmt::format("{} for {}", asker.at("remaining_words").get<std::string>(),
                     report::printable(asker.at("analyst").get<std::string>()));
}

std::string budget_list_words(const Json& budgets) {
  const bool parted =
      std::any_of(budgets.begin(), budgets.end(), [](const Json& budget) { return budget.at("asker").at("from") != "total"; });
  std::vector<std::string> header = {"dataset", "budget", "spent", "remaining", "charges"};
  if (parted) header.emplace_back("remaining for you");
  report::TextTable table(header);
  for (const Json& budget : budgets) {
    const Json& words = budget.at("words");
    table.add({budget.at("dataset"), words.at("total"), words.at("spent"), words.at("remaining"),
               fmt::format("{}", budget.at("charges").get<std::int64_t>()), budget.at("asker").at("remaining_words")});
  }
  return table.render();
}

}  // namespace tacet::service

#include "tacet/service/budget_answer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/room_left.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/words.h"
#include "tacet/workflow/amount_words.h"

namespace tacet::service {
namespace {

using privacy::Currency;
using Amount = BudgetAmount;

constexpr const char* kNoKey = "The custodian's key is not here: the chain of hashes agrees, but forged entries cannot be detected.\n";

std::optional<std::string> amount_in_words(const std::optional<BudgetAmount>& amount) {
  return amount ? std::optional(words(*amount)) : std::nullopt;
}

/// "whitehouse: adaptive releases, up to epsilon 1 and delta 0.000001 together; squares of epsilon
/// add up, slack 0.0000005".
std::string promise_of_budget(const BudgetSummary& budget) {
  if (budget.unlimited()) return "odometer: adaptive releases without a limit; losses add up in rho";
  const privacy::Amount& total = budget.total.amount;
  const std::string most = budget.total.currency == Currency::ApproximateDp
                               ? fmt::format("epsilon {} and delta {}", total.first.to_string(), total.second.to_string())
                               : privacy::describe(budget.total.currency, total);
  const std::string slack = budget.slack ? fmt::format(", slack {}", budget.slack->to_string()) : "";
  return fmt::format("{}: adaptive releases, up to {} together; {}{}", name(budget.rule), most, composition_words(budget.rule), slack);
}

std::string neighbours_words(const BudgetSummary& budget) {
  if (!budget.relation) return "not written down in this format";
  return schemas::neighbour_words(*budget.relation, budget.contributions);
}

AnswerTable<AnalystSummary> analyst_table() {
  return AnswerTable<AnalystSummary>()
      .value("analyst", &AnalystSummary::analyst, "the analyst's name")
      .value("spent", &AnalystSummary::spent, "what the analyst was charged")
      .value(
          "spent_words", [](const AnalystSummary& a) { return words(a.spent, AmountIs::Spent); }, "the same in words")
      .value("share", &AnalystSummary::share, "what the analyst may spend in all; null without a share")
      .value(
          "share_words", [](const AnalystSummary& a) { return amount_in_words(a.share).value_or("none of their own"); },
          "the same in words")
      .value("remaining", &AnalystSummary::remaining, "what the analyst may still spend")
      .value("remaining_words", [](const AnalystSummary& a) { return words(a.remaining); }, "the same in words");
}

AnswerTable<OthersSummary> others_table() {
  return AnswerTable<OthersSummary>()
      .value("most", &OthersSummary::most, "what all without a share may spend together")
      .value(
          "most_words", [](const OthersSummary& o) { return words(o.most); }, "the same in words")
      .value("spent", &OthersSummary::spent, "what they were charged")
      .value(
          "spent_words", [](const OthersSummary& o) { return words(o.spent, AmountIs::Spent); }, "the same in words")
      .value("remaining", &OthersSummary::remaining, "what they may still spend")
      .value("remaining_words", [](const OthersSummary& o) { return words(o.remaining); }, "the same in words");
}

AnswerTable<AskerSummary> asker_table() {
  return AnswerTable<AskerSummary>()
      .value("analyst", &AskerSummary::analyst, "who asks")
      .value("from", &AskerSummary::from, "their limit besides the whole budget")
      .value("most", &AskerSummary::most, "what they may spend in all; null if only the whole budget limits them")
      .value(
          "most_words", [](const AskerSummary& a) { return amount_in_words(a.most); }, "the same in words")
      .value("remaining", &AskerSummary::remaining, "what they may still spend")
      .value(
          "remaining_words", [](const AskerSummary& a) { return words(a.remaining); }, "the same in words")
      .value("largest_release", &AskerSummary::largest_release, "the largest release that fits, in words; null if none does")
      .value("releases_left_like_last", &AskerSummary::releases_left_like_last, "how many more releases like the last one fit");
}

AnswerTable<LastCharge> last_table() {
  return AnswerTable<LastCharge>()
      .value("analyst", &LastCharge::analyst, "who was charged last")
      .value("charged_words", &LastCharge::charged, "what was charged, in words")
      .value("left_in_share", &LastCharge::left_in_share, "how many more like it fit into the analyst's share; null without one")
      .value("left_in_others", &LastCharge::left_in_others,
             "how many more fit into what is left to others; null where that is not a limit");
}

struct BudgetWords {
  std::string total, spent, remaining, neighbours, promise;
  std::optional<std::string> largest_release;
};

constexpr const char* kNoLimit = "no limit";

BudgetWords words_in_answer(const BudgetSummary& b) {
  if (b.unlimited()) return {kNoLimit, words(b.spent, AmountIs::Spent), kNoLimit, neighbours_words(b), promise_of_budget(b), {}};
  return {words(b.total),   words(b.spent, AmountIs::Spent), words(b.remaining), neighbours_words(b), promise_of_budget(b),
          b.largest_release};
}

AnswerTable<BudgetWords> words_table() {
  return AnswerTable<BudgetWords>()
      .value("total", &BudgetWords::total, "the budget")
      .value("spent", &BudgetWords::spent, "what was spent")
      .value("remaining", &BudgetWords::remaining, "what remains")
      .value("neighbours", &BudgetWords::neighbours, "the neighbour relation")
      .value("promise", &BudgetWords::promise, "what all releases together promise")
      .value("largest_release", &BudgetWords::largest_release, "the largest release that fits; null if none does");
}

/// "12", or words for a number without practical limit.
std::string times_words(std::uint64_t times) {
  return times >= accounting::kMostTimes ? "At least 10^15" : times == 0 ? "No" : fmt::format("{}", times);
}

/// The largest release that fits; if there are shares, for whom.
std::string fits_words(const BudgetSummary& budget) {
  if (!budget.largest_release) return "the budget is used up";
  if (budget.asker.from == SpendsFrom::Total) return fmt::format("a release of at most {} fits", *budget.largest_release);
  const std::string name = report::printable(budget.asker.analyst);
  const std::optional<std::string>& own = budget.asker.largest_release;
  return own ? fmt::format("a release of at most {} by {} fits", *own, name) : fmt::format("no release by {} fits", name);
}

std::string questions_words(const BudgetSummary& budget) {
  if (budget.unlimited()) return {};
  const std::string fits = fits_words(budget);
  if (!budget.last || !budget.releases_left_like_last) return fmt::format("No release was charged yet; {}.\n", fits);
  const std::uint64_t left = *budget.releases_left_like_last;
  const std::string analyst = report::printable(budget.last->analyst);
  std::string out = fmt::format("{} more release{} like the last one ({} by {}) fit{}", times_words(left), left == 1 ? "" : "s",
                                short_amounts(budget.last->charged), analyst, left == 1 ? "s" : "");
  if (left == 0) return fmt::format("{}; {}.\n", out, fits);
  out += ".";
  const std::pair<std::optional<std::uint64_t>, std::string> limits[] = {
      {budget.last->left_in_share, fmt::format("the share of {}", analyst)},
      {budget.last->left_in_others, "what is left to those without a share"}};
  for (const auto& [times, where] : limits) {
    if (!times) continue;
    const std::uint64_t own = std::min(left, *times);
    out += fmt::format(" {} of them fit{} into {}.", own == 0 ? "None" : times_words(own), own == 1 ? "s" : "", where);
  }
  return out + "\n";
}

/// Not where the amount that was spent is its own reading.
std::string reading_words(const BudgetSummary& budget) {
  if (!budget.reading || (budget.charges == 0 && !budget.unlimited()) || budget.rule == privacy::FilterRule::Basic) return {};
  return fmt::format("Given away so far: epsilon {} with delta {:g}; this holds at any moment (odometer).\n",
                     short_amount(budget.reading->epsilon, AmountIs::Spent), budget.reading->delta);
}

/// The limit of the asking analyst, if it is less than the remaining budget.
std::string asker_line(const BudgetSummary& budget) {
  const AskerSummary& asker = budget.asker;
  if (asker.from == SpendsFrom::Total) return {};
  const std::string name = report::printable(asker.analyst);
  if (asker.from == SpendsFrom::Nothing)
    return fmt::format("Remaining for {}: nothing, since there are shares and none is for {}.\n", name, name);
  const std::string most = amount_in_words(asker.most).value_or("");
  const std::string of =
      asker.from == SpendsFrom::Share ? fmt::format("a share of {}", most) : fmt::format("with all others who have no share, {}", most);
  const std::string remaining = words(asker.remaining);
  const bool as_much = !asker.largest_release || *asker.largest_release == remaining;
  const std::string fits = as_much ? "" : fmt::format("; a release of at most {} fits", *asker.largest_release);
  return fmt::format("Remaining for {} ({}): {}{}.\n", name, of, remaining, fits);
}

std::string analysts_words(const BudgetSummary& budget) {
  if (budget.analysts.empty()) return {};
  const bool shared =
      std::any_of(budget.analysts.begin(), budget.analysts.end(), [](const AnalystSummary& a) { return a.share.has_value(); });
  std::vector<std::string> header = {"analyst", "spent", "share"};
  if (shared) header.emplace_back("remaining");
  report::TextTable table(header);
  for (const AnalystSummary& a : budget.analysts)
    table.add({a.analyst, words(a.spent, AmountIs::Spent), amount_in_words(a.share).value_or("none of their own"), words(a.remaining)});
  if (budget.others) {
    table.add(
        {"all without a share", words(budget.others->spent, AmountIs::Spent), words(budget.others->most), words(budget.others->remaining)});
  }
  if (!budget.others && shared) table.add({"all without a share", "", "nothing", ""});
  return table.render();
}

}  // namespace

Json Codec<BudgetAmount>::write(const BudgetAmount& value) {
  const privacy::Amount& amount = value.amount;
  switch (value.currency) {
    case Currency::PureDp: return {{"epsilon", amount.first.to_string()}};
    case Currency::ApproximateDp: return {{"epsilon", amount.first.to_string()}, {"delta", amount.second.to_string()}};
    case Currency::Zcdp: return {{"rho", amount.first.to_string()}};
    case Currency::Gdp: break;
  }
  return {{"mu_squared", amount.first.to_string()}, {"mu", std::sqrt(amount.first.approximate())}};
}

Json Codec<BudgetAmount>::schema() {
  const Json text = {{"type", "string"}};
  return {{"type", "object"},
          {"properties", {{"epsilon", text}, {"delta", text}, {"rho", text}, {"mu_squared", text}, {"mu", {{"type", "number"}}}}},
          {"additionalProperties", false}};
}

AnswerTable<BudgetSummary> budget_table() {
  return AnswerTable<BudgetSummary>()
      .value("dataset", &BudgetSummary::dataset, "the dataset")
      .value("ledger", &BudgetSummary::ledger, "the path of its ledger")
      .value(
          "currency", [](const BudgetSummary& b) { return b.total.currency; }, "how privacy is counted")
      .value("rule", &BudgetSummary::counted_by, "the rule by which losses combine; odometer: there is no limit")
      .value(
          "neighbours", [](const BudgetSummary& b) { return b.relation ? std::optional(b.relation->kind()) : std::nullopt; },
          "the neighbour relation; null where an old ledger does not say it")
      .value(
          "public_columns", [](const BudgetSummary& b) { return b.relation ? b.relation->public_columns() : std::vector<std::string>(); },
          "columns whose values neighbours share")
      .value("source", &BudgetSummary::source, "where the rows are; null until the first release")
      .value("custodian", &BudgetSummary::custodian, "who created the budget")
      .value(
          "guarantee", [](const BudgetSummary& b) { return std::string(b.idealised_charges == 0 ? "exact" : "idealised"); },
          "exact, or idealised once such a mechanism was charged")
      .value("idealised_charges", &BudgetSummary::idealised_charges, "charges for mechanisms that are proven in real arithmetic only")
      .value("sealed", &BudgetSummary::sealed, "whether every entry was checked with the custodian's key")
      .value(
          "format", [](const BudgetSummary& b) { return static_cast<std::uint64_t>(b.format); }, "the format of the ledger")
      .value(
          "composition", [](const BudgetSummary& b) { return std::string(composition_words(b.rule)); }, "how losses combine, in words")
      .value("total", &BudgetSummary::total, "the budget")
      .value("spent", &BudgetSummary::spent, "what was spent")
      .value("remaining", &BudgetSummary::remaining, "what remains")
      .object("words", words_in_answer, words_table(), "the same in words")
      .value("entries", &BudgetSummary::entries, "entries of the ledger about this dataset")
      .value("charges", &BudgetSummary::charges, "how many of them are charges")
      .list("analysts", &BudgetSummary::analysts, analyst_table(), "those with a share or a charge")
      .object("others", &BudgetSummary::others, others_table(), "what all without a share may spend together; null without such a limit")
      .object("asker", &BudgetSummary::asker, asker_table(), "what the one who asks may spend")
      .value(
          "slack", [](const BudgetSummary& b) { return b.slack ? std::optional(b.slack->to_string()) : std::nullopt; },
          "of the rule whitehouse")
      .unless_null()
      .object("last", &BudgetSummary::last, last_table(), "the last charge; null before the first")
      .value("releases_left_like_last", &BudgetSummary::releases_left_like_last,
             "how many more releases like the last one fit; null before the first")
      .object("odometer", &BudgetSummary::reading,
              AnswerTable<OdometerReading>()
                  .value("epsilon", &OdometerReading::epsilon, "what was given away so far")
                  .value("delta", &OdometerReading::delta, "except with this probability"),
              "what was given away so far; it holds at the moment it is read; null beyond the odometer's domain");
}

std::string budget_words(const BudgetSummary& budget) {
  const BudgetWords text = words_in_answer(budget);
  std::string out = fmt::format("The budget of \"{}\" {} {} ({}). Neighbours: {}.\n", report::printable(budget.dataset),
                                budget.unlimited() ? "has" : "is", text.total, text.promise, report::printable(text.neighbours));
  out += fmt::format("Spent: {} in {} charge{}.", text.spent, budget.charges, budget.charges == 1 ? "" : "s");
  out += budget.unlimited() ? std::string("\n") : fmt::format(" Remaining: {}.\n", text.remaining);
  out += asker_line(budget);
  out += questions_words(budget);
  out += reading_words(budget);
  if (budget.idealised_charges > 0) {
    out += fmt::format("Guarantee: idealised, since {} charge{} for a mechanism that is proven in real arithmetic only.\n",
                       budget.idealised_charges, budget.idealised_charges == 1 ? " was" : "s were");
  }
  if (budget.format < kLedgerFormat) {
    out += fmt::format("The ledger has format {}, which is read but not charged; to continue it, its custodian runs: tacet dataset adopt\n",
                       budget.format);
  } else if (!budget.sealed) {
    out += kNoKey;
  }
  return out + analysts_words(budget);
}

std::string asker_words(const BudgetSummary& budget) {
  if (budget.asker.from == SpendsFrom::Total) return {};
  return fmt::format("{} for {}", words(budget.asker.remaining), report::printable(budget.asker.analyst));
}

std::string budget_list_words(const std::vector<BudgetSummary>& budgets) {
  if (budgets.empty()) return "The ledger has no dataset yet.\n";
  const bool shared = std::any_of(budgets.begin(), budgets.end(), [](const BudgetSummary& b) { return b.asker.from != SpendsFrom::Total; });
  std::vector<std::string> header = {"dataset", "budget", "spent", "remaining", "charges"};
  if (shared) header.emplace_back("remaining for you");
  report::TextTable table(header);
  for (const BudgetSummary& b : budgets) {
    const BudgetWords text = words_in_answer(b);
    const bool free = b.unlimited() && b.asker.from == SpendsFrom::Total;
    table.add(
        {b.dataset, text.total, text.spent, text.remaining, fmt::format("{}", b.charges), free ? kNoLimit : words(b.asker.remaining)});
  }
  const bool sealed = std::all_of(budgets.begin(), budgets.end(), [](const BudgetSummary& b) { return b.sealed; });
  return table.render() + (sealed ? "" : kNoKey);
}

}  // namespace tacet::service

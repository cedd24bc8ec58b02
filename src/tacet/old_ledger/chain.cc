#include "tacet/old_ledger/chain.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/exact/fixed_decimal.h"
#include "tacet/kernel/ledger/record.h"

namespace tacet::old_ledger {
namespace {

using kernel::hash_hex;
using privacy::Currency;
using privacy::Filter;

/// Fields one after the other, each preceded by its length in 8 bytes, least significant first.
class Fields {
 public:
  Fields(Format format, std::string_view kind) : format_(format) { add(fmt::format("tacet {} {}", kind, static_cast<int>(format))); }
  Fields& add(std::string_view field) {
    for (unsigned shift = 0; shift < 64; shift += 8)
      bytes_ += static_cast<char>((static_cast<std::uint64_t>(field.size()) >> shift) & 0xFFU);
    bytes_ += field;
    return *this;
  }
  Fields& add(std::int64_t field) { return add(std::to_string(field)); }
  Fields& add(const AmountText& field) { return add(field.first).add(field.second); }
  Fields& add(const TotalsText& field) { return add(field.first).add_new(field.drift).add(field.delta); }
  /// A field that format 1 does not have.
  Fields& add_new(std::string_view field) { return format_ == Format::PlainSums ? *this : add(field); }
  std::string hash() const { return hash_hex(bytes_); }

 private:
  Format format_;
  std::string bytes_;
};

Error contradiction(std::string_view dataset, std::string_view what) {
  return Error::of(Code::LedgerCorrupt, fmt::format("the ledger of \"{}\" contradicts itself: {}", dataset, what),
                   "it was damaged or edited; restore the newest backup and compare it with the releases made since");
}

Error no_amount() { return Error::of(Code::LedgerCorrupt, "the ledger holds an amount that is none", "restore the newest backup"); }

Result<Decimal> to_decimal(const std::string& text) {
  auto value = Decimal::parse(text);
  if (!value || *value < Decimal() || value->to_string() != text) return no_amount();
  return value;
}

Result<privacy::Amount> to_amount(const AmountText& text) {
  TACET_TRY(Decimal first, to_decimal(text.first));
  TACET_TRY(Decimal second, to_decimal(text.second));
  return privacy::Amount{std::move(first), std::move(second)};
}

/// Format 1 stored charges in the currency of the budget, and accepted losses in that currency
/// only.
Result<privacy::Loss> loss_of_amount(Currency currency, privacy::Amount amount) {
  if (currency != Currency::ApproximateDp && !amount.second.is_zero()) return no_amount();
  switch (currency) {
    case Currency::PureDp: return privacy::Loss(privacy::PureLoss{std::move(amount.first)});
    case Currency::ApproximateDp:
      if (amount.second.is_zero()) return privacy::Loss(privacy::PureLoss{std::move(amount.first)});
      return privacy::Loss(privacy::ApproximateLoss{std::move(amount.first), std::move(amount.second)});
    // rho is half of mu^2.
    case Currency::Zcdp: return privacy::Loss(privacy::GaussianLoss{amount.first + amount.first});
    case Currency::Gdp: break;
  }
  return privacy::Loss(privacy::GaussianLoss{std::move(amount.first)});
}

Result<privacy::Loss> read_loss(Format format, Currency currency, const EntryRow& entry) {
  TACET_TRY(privacy::Amount charged, to_amount(entry.charged));
  if (!charged.first.is_positive()) return no_amount();
  if (format == Format::PlainSums) return loss_of_amount(currency, std::move(charged));
  if (entry.loss == "approximate") return privacy::Loss(privacy::ApproximateLoss{std::move(charged.first), std::move(charged.second)});
  if (!charged.second.is_zero()) return no_amount();
  if (entry.loss == "pure") return privacy::Loss(privacy::PureLoss{std::move(charged.first)});
  if (entry.loss == "gaussian") return privacy::Loss(privacy::GaussianLoss{std::move(charged.first)});
  return Error::of(Code::LedgerCorrupt, "the ledger holds a loss of a kind that there is not", "restore the newest backup");
}

/// The spent amount, summed again from the losses: plain sums (format 1), or the filter of the
/// budget (format 2).
class Sums {
 public:
  Sums(Format format, Currency currency, Filter none) : format_(format), currency_(currency), none_(std::move(none)) {
    if (format == Format::PlainSums) {
      zero_ = {"0", "", "0"};
    } else {
      zero_ = text(none_.totals());
    }
  }
  Status count(const EntryRow& entry, const privacy::Loss& loss) {
    if (format_ == Format::PlainSums) {
      TACET_TRY(const privacy::Amount charged, to_amount(entry.charged));
      plain_all_ = plain_all_ + charged;
      privacy::Amount& by = plain_by_[entry.analyst];
      by = by + charged;
      all_ = {plain_all_.first.to_string(), "", plain_all_.second.to_string()};
      by_[entry.analyst] = {by.first.to_string(), "", by.second.to_string()};
      return {};
    }
    TACET_TRY(const privacy::Step step, privacy::step_in(currency_, loss));
    Filter& all = filters_.try_emplace("", none_).first->second;  // no analyst has an empty name
    Filter& by = filters_.try_emplace(entry.analyst, none_).first->second;
    TACET_TRY(all, all.forced(step));
    TACET_TRY(by, by.forced(step));
    all_ = text(all.totals());
    by_[entry.analyst] = text(by.totals());
    return {};
  }
  TotalsText all() const { return all_.value_or(zero_); }
  TotalsText by(const std::string& analyst) const {
    const auto found = by_.find(analyst);
    return found == by_.end() ? zero_ : found->second;
  }

 private:
  static TotalsText text(const Filter::Totals& totals) {
    const auto digits = [](const mpz_class& units) { return exact::FixedDecimal::of_units(units).to_string(); };
    return {digits(totals.first), digits(totals.drift), digits(totals.delta)};
  }
  Format format_;
  Currency currency_;
  Filter none_;
  TotalsText zero_;
  std::optional<TotalsText> all_;
  std::map<std::string, TotalsText> by_;
  std::map<std::string, Filter> filters_;
  privacy::Amount plain_all_;
  std::map<std::string, privacy::Amount> plain_by_;
};

/// Checks the row of the budget, without its entries.
Result<OldDataset> check_terms(Format format, const std::string& ledger, const BudgetRows& rows) {
  const BudgetRow& row = rows.budget;
  if (row.origin_hash != origin_hash(format, ledger, row, rows.shares))
    return contradiction(row.dataset, "its total, its rule, its neighbours or its shares are not those it was made with");
  const auto currency = named<privacy::Currency>("currency", row.currency);
  if (!currency) return contradiction(row.dataset, "its currency, rule or neighbours are unknown");
  OldDataset old{.ledger = ledger,
                 .format = static_cast<int>(format),
                 .dataset = row.dataset,
                 .created = row.created,
                 .budget = {*currency, {}},
                 .relation = {},
                 .rule = privacy::usual_rule(*currency),
                 .slack = {},
                 .shares = {},
                 .charges = {},
                 .last_hash = row.head_hash};
  TACET_TRY(old.budget.total, to_amount(row.total));
  if (format == Format::FilterRules) {
    const auto rule = named<privacy::FilterRule>("rule", row.rule);
    const auto relation = named<kernel::Relation::Kind>("neighbours", row.neighbours);
    if (!rule || !relation) return contradiction(row.dataset, "its currency, rule or neighbours are unknown");
    old.rule = *rule;
    old.relation.emplace(*relation);
    TACET_TRY(old.slack, to_decimal(row.slack));
  }
  for (const ShareRow& share : rows.shares) {
    TACET_TRY(privacy::Amount most, to_amount(share.most));
    old.shares.push_back({share.analyst, std::move(most)});
  }
  return old;
}

/// Checks that an entry is unchanged and follows the one before it.
Status check_entry(Format format, const BudgetRow& budget, const EntryRow& entry, std::int64_t number, const std::string& previous) {
  const auto wrong = [&](std::string_view what) { return contradiction(budget.dataset, fmt::format("entry {} {}", number, what)); };
  if (entry.number != number) return wrong("is missing");
  if (entry.statement_hash != statement_hash(entry.statement)) return wrong("has a statement without its hash");
  if (entry.entry_hash != entry_hash(format, entry)) return wrong("does not have its hash");
  if (entry.previous_hash != previous) return wrong("does not follow on the one before it");
  return {};
}

/// The only mechanism of that time that is proven in real arithmetic only.
bool is_idealised(const std::string& statement) { return statement.find(R"("mechanism":"ed")") != std::string::npos; }

}  // namespace

std::string statement_hash(std::string_view statement) { return hash_hex(statement); }

std::string origin_hash(Format format, std::string_view ledger, const BudgetRow& budget, const std::vector<ShareRow>& shares) {
  Fields fields(format, "budget");
  fields.add(ledger).add(budget.id).add(budget.dataset).add_new(budget.neighbours).add(budget.currency).add_new(budget.rule);
  fields.add(budget.total).add_new(budget.slack).add(budget.created);
  for (const ShareRow& share : shares) fields.add(share.analyst).add(share.most);
  return fields.hash();
}

std::string entry_hash(Format format, const EntryRow& entry) {
  Fields fields(format, "entry");
  fields.add(entry.number).add(entry.analyst).add(entry.statement).add(entry.statement_hash);
  fields.add_new(entry.loss).add(entry.charged).add(entry.spent).add(entry.analyst_spent);
  fields.add(entry.time).add(entry.clock_went_back).add(entry.previous_hash);
  return fields.hash();
}

std::string roll_hash(std::string_view before, std::string_view origin) {
  // The same in both formats.
  return Fields(Format::PlainSums, "roll").add(before).add(origin).hash();
}

Status check_roll(const LedgerRows& ledger) {
  std::string hash = ledger.roll.name;
  std::int64_t count = 0;
  bool in_order = true;
  for (const BudgetRows& rows : ledger.budgets) {
    in_order = in_order && rows.budget.id == ++count;
    hash = roll_hash(hash, rows.budget.origin_hash);
  }
  if (in_order && count == ledger.roll.budgets && hash == ledger.roll.hash) return {};
  return Error::of(Code::LedgerCorrupt, "the ledger's budgets are not those that it was given",
                   "it was damaged or edited; restore the newest backup and compare it with the releases made since");
}

Result<OldDataset> check_budget(Format format, const std::string& ledger, const BudgetRows& rows) {
  const BudgetRow& budget = rows.budget;
  TACET_TRY(OldDataset old, check_terms(format, ledger, rows));
  const auto filter = Filter::of(old.budget, old.rule, old.slack);
  if (!filter) return contradiction(budget.dataset, "its total is none that its rule can keep");
  Filter counted = *filter;
  Sums sums(format, old.budget.currency, *filter);
  std::map<std::string, std::int64_t> last_by;
  std::string previous = budget.origin_hash;
  for (const EntryRow& entry : rows.entries) {
    const auto number = static_cast<std::int64_t>(old.charges.size()) + 1;
    TACET_CHECK(check_entry(format, budget, entry, number, previous));
    const auto loss = read_loss(format, old.budget.currency, entry);
    const auto step = loss.ok() ? privacy::step_in(old.budget.currency, *loss) : Result<privacy::Step>(loss.error());
    if (!step || !sums.count(entry, *loss).ok())
      return contradiction(budget.dataset, fmt::format("the loss of entry {} cannot be counted", number));
    if (entry.spent != sums.all() || entry.analyst_spent != sums.by(entry.analyst))
      return contradiction(budget.dataset, fmt::format("the sums of entry {} are wrong", number));
    TACET_TRY(counted, counted.forced(*step));
    old.charges.push_back({.analyst = entry.analyst,
                           .statement = entry.statement,
                           .time = entry.time,
                           .entry_hash = entry.entry_hash,
                           .loss = *loss,
                           .idealised = is_idealised(entry.statement)});
    last_by[entry.analyst] = number;
    previous = entry.entry_hash;
  }
  if (!counted.kept()) return contradiction(budget.dataset, "more was spent than its total");
  if (budget.entries != static_cast<std::int64_t>(old.charges.size()) || budget.head_hash != previous || budget.spent != sums.all())
    return contradiction(budget.dataset, "its entries do not add up to what was spent");
  bool agree = rows.analysts.size() == last_by.size();
  for (const AnalystRow& row : rows.analysts) {
    const auto found = last_by.find(row.analyst);
    agree = agree && found != last_by.end() && found->second == row.last_entry && row.spent == sums.by(row.analyst);
  }
  if (!agree) return contradiction(budget.dataset, "its entries do not add up to what each analyst spent");
  return old;
}

}  // namespace tacet::old_ledger

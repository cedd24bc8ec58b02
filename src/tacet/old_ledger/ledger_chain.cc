#include "tacet/kernel/ledger_chain.h"

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

#include "tacet/kernel/ledger/rules.h"

namespace tacet::kernel {
namespace {

constexpr std::size_t kHashBytes = 32;

std::string hash_hex(std::string_view bytes) {
  std::array<unsigned char, kHashBytes> hash{};
  // Fails only for lengths out of its range, which these are not; the zeros it would leave match no stored hash.
  (void)crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr, 0);
  std::array<char, 2 * kHashBytes + 1> hex{};
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  return {hex.data(), 2 * kHashBytes};
}

/// Fields one after the other, each preceded by its length in 8 bytes, the least significant first.
class Fields {
 public:
  explicit Fields(std::string_view kind) {
    bytes_.reserve(1024);
    add(kind);
  }
  Fields& add(std::string_view field) {
    add_length(field.size());
    bytes_ += field;
    return *this;
  }
  Fields& add(std::int64_t field) { return add(std::to_string(field)); }
  Fields& add(const AmountText& field) { return add(field.first).add(field.second); }
  Fields& add(const TotalsText& field) { return add(field.first).add(field.drift).add(field.delta); }
  std::string hash() const { return hash_hex(bytes_); }

 private:
  void add_length(std::uint64_t length) {
    for (unsigned shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>((length >> shift) & 0xFFU);
  }
  std::string bytes_;
};

Error no_amount() { return Error::of(Code::LedgerCorrupt, "the ledger holds an amount that is none", "restore the newest backup"); }

Result<Decimal> to_decimal(const std::string& text) {
  auto value = Decimal::parse(text);
  if (!value || *value < Decimal() || value->to_string() != text) return no_amount();
  return value;
}

Result<exact::FixedDecimal> to_total(const std::string& text) {
  auto value = exact::FixedDecimal::parse(text);
  if (!value || value->is_unlimited() || value->to_string() != text) return no_amount();
  return value;
}

std::optional<Relation> relation_named(std::string_view text) {
  for (const Relation relation : {Relation::ReplaceOne, Relation::AddOrRemoveOne}) {
    if (name(relation) == text) return relation;
  }
  return std::nullopt;
}

constexpr std::string_view kPure = "pure";
constexpr std::string_view kApproximate = "approximate";
constexpr std::string_view kGaussian = "gaussian";

/// The sums of a chain of entries, derived again from the losses that were charged.
class Sums {
 public:
  explicit Sums(const Standing& standing) : currency_(standing.budget.currency), none_(standing.filter.resumed({})), all_(none_) {}

  /// Counts the entry's loss; whether it fitted then is what the final totals show, since totals only grow.
  Status count(const EntryRow& entry) {
    TACET_TRY(const privacy::Step* const step, step_of(entry));
    privacy::Filter& by = by_.try_emplace(entry.analyst, none_).first->second;
    TACET_TRY(all_, all_.forced(*step));
    TACET_TRY(by, by.forced(*step));
    return {};
  }
  TotalsText all() const { return to_text(all_.totals()); }
  TotalsText by(const std::string& analyst) const {
    const auto found = by_.find(analyst);
    return to_text(found == by_.end() ? none_.totals() : found->second.totals());
  }

 private:
  /// Most entries of a ledger have one of a few losses, and a step takes longer to make than to count.
  Result<const privacy::Step*> step_of(const EntryRow& entry) {
    const auto key = std::make_tuple(entry.loss, entry.charged.first, entry.charged.second);
    if (const auto found = steps_.find(key); found != steps_.end()) return &found->second;
    TACET_TRY(const privacy::Loss loss, read_loss(entry));
    TACET_TRY(const privacy::Step step, privacy::step_in(currency_, loss));
    return &steps_.emplace(key, step).first->second;
  }

  privacy::Currency currency_;
  privacy::Filter none_, all_;
  std::map<std::string, privacy::Filter> by_;
  std::map<std::tuple<std::string, std::string, std::string>, privacy::Step> steps_;
};

/// An entry that was not changed by itself.
Status check_entry(const BudgetRow& budget, const EntryRow& entry) {
  if (entry.statement_hash != statement_hash(entry.statement))
    return contradiction(budget.dataset, fmt::format("the statement of entry {} does not have its hash", entry.number));
  if (entry.entry_hash != entry_hash(entry))
    return contradiction(budget.dataset, fmt::format("entry {} does not have its hash", entry.number));
  return {};
}

}  // namespace

std::string statement_hash(std::string_view statement) { return hash_hex(statement); }

std::string origin_hash(std::string_view ledger, const BudgetRow& budget, const std::vector<ShareRow>& shares) {
  Fields fields("tacet budget 2");
  fields.add(ledger).add(budget.id).add(budget.dataset).add(budget.neighbours).add(budget.currency).add(budget.rule);
  fields.add(budget.total).add(budget.slack).add(budget.created);
  for (const ShareRow& share : shares) fields.add(share.analyst).add(share.most);
  return fields.hash();
}

std::string entry_hash(const EntryRow& entry) {
  Fields fields("tacet entry 2");
  fields.add(entry.number).add(entry.analyst).add(entry.statement).add(entry.statement_hash);
  fields.add(entry.loss).add(entry.charged).add(entry.spent).add(entry.analyst_spent);
  fields.add(entry.time).add(entry.clock_went_back).add(entry.previous_hash);
  return fields.hash();
}

std::string roll_hash(std::string_view before, std::string_view origin) { return Fields("tacet roll 1").add(before).add(origin).hash(); }

AmountText to_text(const privacy::Amount& amount) { return {amount.first.to_string(), amount.second.to_string()}; }

TotalsText to_text(const privacy::Filter::Totals& totals) {
  return {totals.first.to_string(), totals.drift.to_string(), totals.delta.to_string()};
}

Result<privacy::Amount> to_amount(const AmountText& text) {
  TACET_TRY(Decimal first, to_decimal(text.first));
  TACET_TRY(Decimal second, to_decimal(text.second));
  return privacy::Amount{std::move(first), std::move(second)};
}

Result<privacy::Filter::Totals> to_totals(const TotalsText& text) {
  privacy::Filter::Totals totals;
  TACET_TRY(totals.first, to_total(text.first));
  TACET_TRY(totals.drift, to_total(text.drift));
  TACET_TRY(totals.delta, to_total(text.delta));
  return totals;
}

void write_loss(const privacy::Loss& loss, EntryRow& entry) {
  entry.loss = std::holds_alternative<privacy::PureLoss>(loss)          ? kPure
               : std::holds_alternative<privacy::ApproximateLoss>(loss) ? kApproximate
                                                                        : kGaussian;
  entry.charged = to_text(parameters_of(loss));
}

Result<privacy::Loss> read_loss(const EntryRow& entry) {
  TACET_TRY(privacy::Amount charged, to_amount(entry.charged));
  if (entry.loss == kApproximate) return privacy::Loss(privacy::ApproximateLoss{std::move(charged.first), std::move(charged.second)});
  if (!charged.second.is_zero()) return no_amount();
  if (entry.loss == kPure) return privacy::Loss(privacy::PureLoss{std::move(charged.first)});
  if (entry.loss == kGaussian) return privacy::Loss(privacy::GaussianLoss{std::move(charged.first)});
  return Error::of(Code::LedgerCorrupt, "the ledger holds a loss of a kind that there is not", "restore the newest backup");
}

Error contradiction(std::string_view dataset, std::string_view what) {
  return Error::of(Code::LedgerCorrupt, fmt::format("the ledger of \"{}\" contradicts itself: {}", dataset, what),
                   "it was damaged or edited; restore the newest backup and compare it with the releases made since");
}

Result<Standing> check_standing(std::string_view ledger, const BudgetRow& budget, const std::vector<ShareRow>& shares,
                                const std::optional<EntryRow>& last) {
  if (budget.origin_hash != origin_hash(ledger, budget, shares))
    return contradiction(budget.dataset, "its total, its rule, its neighbours or its shares are not those it was made with");
  if (last) TACET_CHECK(check_entry(budget, *last));
  if (budget.entries != (last ? last->number : 0)) return contradiction(budget.dataset, "the last entry is not the last that was written");
  if (budget.head_hash != (last ? last->entry_hash : budget.origin_hash))
    return contradiction(budget.dataset, "its last entry is not the one that was written");
  if (budget.spent != (last ? last->spent : to_text(privacy::Filter::Totals{})))
    return contradiction(budget.dataset, "what was spent differs from its last entry");
  const auto currency = privacy::currency_named(budget.currency);
  const auto rule = privacy::rule_named(budget.rule);
  const std::optional<Relation> relation = relation_named(budget.neighbours);
  if (!currency || !rule || !relation) return contradiction(budget.dataset, "its currency, rule or neighbours are unknown");
  TACET_TRY(privacy::Amount total, to_amount(budget.total));
  TACET_TRY(Decimal slack, to_decimal(budget.slack));
  TACET_TRY(const privacy::Filter::Totals totals, to_totals(budget.spent));
  const auto filter = privacy::Filter::of({*currency, total}, *rule, slack);
  if (!filter) return contradiction(budget.dataset, "its total is none that its rule can keep");
  Standing standing{{*currency, std::move(total)}, *relation, std::move(slack), filter->resumed(totals)};
  if (!standing.filter.kept()) return contradiction(budget.dataset, "more was spent than its total");
  return standing;
}

Result<privacy::Filter::Totals> check_analyst(const BudgetRow& budget, const std::optional<AnalystRow>& standing,
                                              const std::optional<EntryRow>& last) {
  if (standing.has_value() != last.has_value())
    return contradiction(budget.dataset, "an analyst's entries and standing do not belong together");
  if (!standing) return privacy::Filter::Totals{};
  TACET_CHECK(check_entry(budget, *last));
  if (standing->analyst != last->analyst || standing->last_entry != last->number || standing->spent != last->analyst_spent) {
    return contradiction(budget.dataset, "what an analyst spent differs from the analyst's last entry");
  }
  return to_totals(standing->spent);
}

Status check_history(const BudgetRow& budget, const Standing& standing, const std::vector<AnalystRow>& analysts,
                     const std::vector<EntryRow>& entries) {
  Sums sums(standing);
  std::map<std::string, std::int64_t> last_by;
  std::string previous = budget.origin_hash;
  std::int64_t number = 0;
  for (const EntryRow& entry : entries) {
    if (entry.number != ++number) return contradiction(budget.dataset, fmt::format("entry {} is missing", number));
    TACET_CHECK(check_entry(budget, entry));
    if (entry.previous_hash != previous)
      return contradiction(budget.dataset, fmt::format("entry {} does not follow on the one before it", number));
    if (!sums.count(entry).ok()) return contradiction(budget.dataset, fmt::format("the loss of entry {} cannot be counted", number));
    if (entry.spent != sums.all() || entry.analyst_spent != sums.by(entry.analyst))
      return contradiction(budget.dataset, fmt::format("the sums of entry {} are wrong", number));
    last_by[entry.analyst] = number;
    previous = entry.entry_hash;
  }
  if (budget.entries != number || budget.head_hash != previous || budget.spent != sums.all()) {
    return contradiction(budget.dataset, "its entries do not add up to what was spent");
  }
  bool agree = analysts.size() == last_by.size();
  for (const AnalystRow& row : analysts) {
    const auto found = last_by.find(row.analyst);
    agree = agree && found != last_by.end() && found->second == row.last_entry && row.spent == sums.by(row.analyst);
  }
  if (!agree) return contradiction(budget.dataset, "its entries do not add up to what each analyst spent");
  return {};
}

Status check_roll(const RollRow& roll, const std::vector<BudgetRow>& budgets) {
  std::string hash = roll.name;
  std::int64_t count = 0;
  bool in_order = true;
  for (const BudgetRow& budget : budgets) {
    in_order = in_order && budget.id == ++count;
    hash = roll_hash(hash, budget.origin_hash);
  }
  if (!in_order || count != roll.budgets || hash != roll.hash) {
    return Error::of(Code::LedgerCorrupt, "the ledger's budgets are not those that it was given",
                     "it was damaged or edited; restore the newest backup and compare it with the releases made since");
  }
  return {};
}

}  // namespace tacet::kernel

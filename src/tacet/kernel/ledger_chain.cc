#include "tacet/kernel/ledger_chain.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

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
  std::string hash() const { return hash_hex(bytes_); }

 private:
  void add_length(std::uint64_t length) {
    for (unsigned shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>((length >> shift) & 0xFFU);
  }
  std::string bytes_;
};

Result<Decimal> to_decimal(const std::string& text) {
  auto value = Decimal::parse(text);
  if (!value || *value < Decimal() || value->to_string() != text)
    return Error::of(Code::LedgerCorrupt, "the ledger holds an amount that is none", "restore the newest backup");
  return value;
}

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
  Fields fields("tacet budget 1");
  fields.add(ledger).add(budget.id).add(budget.dataset).add(budget.currency).add(budget.total).add(budget.created);
  for (const ShareRow& share : shares) fields.add(share.analyst).add(share.most);
  return fields.hash();
}

std::string entry_hash(const EntryRow& entry) {
  Fields fields("tacet entry 1");
  fields.add(entry.number).add(entry.analyst).add(entry.statement).add(entry.statement_hash);
  fields.add(entry.charged).add(entry.spent).add(entry.analyst_spent);
  fields.add(entry.time).add(entry.clock_went_back).add(entry.previous_hash);
  return fields.hash();
}

std::string roll_hash(std::string_view before, std::string_view origin) { return Fields("tacet roll 1").add(before).add(origin).hash(); }

AmountText to_text(const privacy::Amount& amount) { return {amount.first.to_string(), amount.second.to_string()}; }

Result<privacy::Amount> to_amount(const AmountText& text) {
  TACET_TRY(Decimal first, to_decimal(text.first));
  TACET_TRY(Decimal second, to_decimal(text.second));
  return privacy::Amount{std::move(first), std::move(second)};
}

Error contradiction(std::string_view dataset, std::string_view what) {
  return Error::of(Code::LedgerCorrupt, fmt::format("the ledger of \"{}\" contradicts itself: {}", dataset, what),
                   "it was damaged or edited; restore the newest backup and compare it with the releases made since");
}

Result<Standing> check_standing(std::string_view ledger, const BudgetRow& budget, const std::vector<ShareRow>& shares,
                                const std::optional<EntryRow>& last) {
  if (budget.origin_hash != origin_hash(ledger, budget, shares))
    return contradiction(budget.dataset, "its total or its shares are not those it was made with");
  auto currency = privacy::currency_named(budget.currency);
  if (!currency) return contradiction(budget.dataset, "its currency is unknown");
  if (last) TACET_CHECK(check_entry(budget, *last));
  if (budget.entries != (last ? last->number : 0)) return contradiction(budget.dataset, "the last entry is not the last that was written");
  if (budget.head_hash != (last ? last->entry_hash : budget.origin_hash))
    return contradiction(budget.dataset, "its last entry is not the one that was written");
  if (budget.spent != (last ? last->spent : AmountText{"0", "0"}))
    return contradiction(budget.dataset, "what was spent differs from its last entry");
  TACET_TRY(privacy::Amount total, to_amount(budget.total));
  TACET_TRY(privacy::Amount spent, to_amount(budget.spent));
  if (!privacy::fits(spent, total)) return contradiction(budget.dataset, "more was spent than its total");
  return Standing{*currency, std::move(total), std::move(spent)};
}

Result<privacy::Amount> check_analyst(const BudgetRow& budget, const std::optional<AnalystRow>& standing,
                                      const std::optional<EntryRow>& last) {
  if (standing.has_value() != last.has_value())
    return contradiction(budget.dataset, "an analyst's entries and standing do not belong together");
  if (!standing) return privacy::Amount{};
  TACET_CHECK(check_entry(budget, *last));
  if (standing->analyst != last->analyst || standing->last_entry != last->number || standing->spent != last->analyst_spent) {
    return contradiction(budget.dataset, "what an analyst spent differs from the analyst's last entry");
  }
  return to_amount(standing->spent);
}

Status check_history(const BudgetRow& budget, const std::vector<AnalystRow>& analysts, const std::vector<EntryRow>& entries) {
  privacy::Amount spent;
  std::map<std::string, privacy::Amount> spent_by;
  std::map<std::string, std::int64_t> last_by;
  std::string previous = budget.origin_hash;
  std::int64_t number = 0;
  for (const EntryRow& entry : entries) {
    if (entry.number != ++number) return contradiction(budget.dataset, fmt::format("entry {} is missing", number));
    TACET_CHECK(check_entry(budget, entry));
    if (entry.previous_hash != previous)
      return contradiction(budget.dataset, fmt::format("entry {} does not follow on the one before it", number));
    TACET_TRY(const privacy::Amount charged, to_amount(entry.charged));
    privacy::Amount& by = spent_by[entry.analyst];
    spent = spent + charged;
    by = by + charged;
    if (entry.spent != to_text(spent) || entry.analyst_spent != to_text(by)) {
      return contradiction(budget.dataset, fmt::format("the sums of entry {} are wrong", number));
    }
    last_by[entry.analyst] = number;
    previous = entry.entry_hash;
  }
  if (budget.entries != number || budget.head_hash != previous || budget.spent != to_text(spent)) {
    return contradiction(budget.dataset, "its entries do not add up to what was spent");
  }
  bool agree = analysts.size() == last_by.size();
  for (const AnalystRow& row : analysts) {
    const auto found = last_by.find(row.analyst);
    agree = agree && found != last_by.end() && found->second == row.last_entry && row.spent == to_text(spent_by[row.analyst]);
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

#include "tacet/kernel/ledger.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tacet/kernel/ledger_chain.h"
#include "tacet/kernel/ledger_file.h"
#include "tacet/kernel/ledger_rules.h"
#include "tacet/kernel/ledger_store.h"

namespace tacet::kernel {
namespace {

using privacy::Amount;
using privacy::Currency;

std::int64_t system_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// RFC 3339 in UTC. Years 1970 to 9999, so that times compare like their texts.
std::string to_time(std::int64_t seconds) {
  constexpr std::int64_t kLastSecond = 253402300799;
  const std::chrono::sys_seconds when{std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kLastSecond))};
  const auto midnight = std::chrono::floor<std::chrono::days>(when);
  const std::chrono::year_month_day day(midnight);
  const std::chrono::hh_mm_ss clock(when - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

/// "0.0625 of 1", and where an amount has more than one part or is a square, in full: "mu 0.3 of mu 0.5".
std::string part_of(Currency currency, const Amount& part, const Amount& whole) {
  if (currency == Currency::PureDp || currency == Currency::Zcdp)
    return fmt::format("{} of {}", part.first.to_string(), whole.first.to_string());
  return fmt::format("{} of {}", privacy::describe(currency, part), privacy::describe(currency, whole));
}

Status check_fits(Currency currency, const Amount& charge, const Amount& spent, const Amount& whole, const std::string& where) {
  const Amount room = whole - spent;
  if (privacy::fits(charge, room)) return {};
  const std::string remedy =
      room.first.is_positive() ? fmt::format("a release of at most {} fits", privacy::describe(currency, room)) : "it is used up";
  return Error::of(
      Code::BudgetExhausted,
      fmt::format("the release needs {}, but {} remains in {}", privacy::describe(currency, charge), part_of(currency, room, whole), where),
      remedy);
}

Error unknown_dataset(const std::string& dataset) {
  return Error::of(Code::NotFound, fmt::format("the ledger has no budget for the dataset \"{}\"", dataset),
                   "check the name, capitals included, or set its budget: tacet budget create");
}

/// A transaction that was not committed leaves nothing behind.
struct RollbackAtEnd {
  LedgerStore& store;
  explicit RollbackAtEnd(LedgerStore& transaction) : store(transaction) {}
  RollbackAtEnd(const RollbackAtEnd&) = delete;
  RollbackAtEnd& operator=(const RollbackAtEnd&) = delete;
  ~RollbackAtEnd() { store.rollback(); }
};

Status check_request(const ChargeRequest& request) {
  TACET_CHECK(check_name("dataset", request.dataset));
  TACET_CHECK(check_name("analyst", request.analyst));
  return check_statement(request.statement);
}

}  // namespace

struct Ledger::Impl {
  Impl(sqlite::Database database, Clock given_clock) : store(std::move(database)), clock(std::move(given_clock)) {}

  LedgerStore store;
  Clock clock;
  std::string name;

  /// A budget whose rows agree, with everything that a decision needs.
  struct Checked {
    BudgetRow row;
    Standing standing;
    std::vector<ShareRow> shares;
    std::optional<EntryRow> last;
  };

  std::string now() const { return to_time(clock ? clock() : system_seconds()); }

  Result<Checked> find(const std::string& dataset) {
    TACET_TRY(std::optional<BudgetRow> row, store.budget(dataset));
    if (!row) {
      // An unknown name, or a damaged ledger that lost it? Only the first may be answered with "make one".
      TACET_CHECK(check_unknown(dataset));
      return unknown_dataset(dataset);
    }
    TACET_TRY(std::vector<ShareRow> shares, store.shares(row->id));
    TACET_TRY(std::optional<EntryRow> last, store.last_entry(row->id));
    TACET_TRY(Standing standing, check_standing(name, *row, shares, last));
    if (row->dataset != dataset) return contradiction(dataset, "its name in the index is another than in its row");
    return Checked{std::move(*row), std::move(standing), std::move(shares), std::move(last)};
  }

  Status check_unknown(const std::string& dataset) {
    TACET_TRY(const RollRow roll, store.roll());
    TACET_TRY(const std::vector<BudgetRow> budgets, store.budgets());
    TACET_CHECK(check_roll(roll, budgets));
    for (const BudgetRow& budget : budgets) {
      TACET_TRY(const std::vector<ShareRow> shares, store.shares(budget.id));
      if (budget.origin_hash != origin_hash(roll.name, budget, shares))
        return contradiction(budget.dataset, "its name, total or shares were changed");
      if (budget.dataset == dataset) return contradiction(dataset, "its name is in its row, but not in the index");
    }
    return {};
  }

  Result<Amount> spent_by(const Checked& budget, const std::string& analyst) {
    TACET_TRY(const std::optional<AnalystRow> standing, store.analyst(budget.row.id, analyst));
    if (budget.last && budget.last->analyst == analyst) return check_analyst(budget.row, standing, budget.last);
    TACET_TRY(const std::optional<EntryRow> last, store.last_entry_of(budget.row.id, analyst));
    return check_analyst(budget.row, standing, last);
  }

  Status check_share(const Checked& budget, const std::string& analyst, const Amount& charge, const Amount& spent) {
    const auto share =
        std::find_if(budget.shares.begin(), budget.shares.end(), [&](const ShareRow& row) { return row.analyst == analyst; });
    if (share == budget.shares.end()) return {};
    TACET_TRY(const Amount most, to_amount(share->most));
    return check_fits(budget.standing.currency, charge, spent, most,
                      fmt::format("the share of \"{}\" in the budget of \"{}\"", analyst, budget.row.dataset));
  }

  /// A charge that fits, with what the entry for it needs.
  struct Admission {
    Checked budget;
    Amount amount, spent_by_analyst;
  };

  /// Inside a transaction: the admission, or the refusal.
  Result<Admission> admit(const ChargeRequest& request) {
    TACET_TRY(Checked budget, find(request.dataset));
    TACET_TRY(Amount spent_by_analyst, spent_by(budget, request.analyst));
    const Standing& standing = budget.standing;
    TACET_TRY(Amount amount, privacy::amount_in(standing.currency, request.loss));
    TACET_CHECK(check_charge(standing.currency, amount));
    TACET_CHECK(
        check_fits(standing.currency, amount, standing.spent, standing.total, fmt::format("the budget of \"{}\"", request.dataset)));
    TACET_CHECK(check_share(budget, request.analyst, amount, spent_by_analyst));
    return Admission{std::move(budget), std::move(amount), std::move(spent_by_analyst)};
  }

  /// The disk failed during a commit: finds out what can be known about the entry, and says it.
  Error after_failed_commit(Error why, const Checked& before, const EntryRow& entry, const std::string& charged) {
    store.rollback();
    const RollbackAtEnd ended(store);
    const std::string what = fmt::format("{} as entry {} of \"{}\"", charged, entry.number, before.row.dataset);
    const std::string unsure = fmt::format("{} may have been spent, without a release: see whether that entry is in the history", what);
    if (!store.begin_read().ok()) return std::move(why).after_charge(unsure);
    const auto read = store.entry(before.row.id, entry.number);
    if (!read.ok()) return std::move(why).after_charge(unsure);
    const std::optional<EntryRow>& found = *read;
    if (!found) {
      // The log may hold all of the transaction without its end being known to be synced; after a crash it would count.
      return std::move(why).after_charge(
          fmt::format("nothing was spent, unless {} is in the history after a restart, without a release", what));
    }
    if (found->entry_hash == entry.entry_hash) return std::move(why).after_charge(fmt::format("{} was spent, without a release", what));
    return why;  // another process has taken that place since, so this charge can no longer appear
  }
};

Ledger::Ledger(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Result<Ledger> Ledger::open(const std::string& path, bool create, Clock clock) {
  TACET_TRY(sqlite::Database database, open_ledger_file(path, create));
  auto impl = std::make_unique<Impl>(std::move(database), std::move(clock));
  TACET_TRY(RollRow roll, impl->store.roll());
  impl->name = std::move(roll.name);
  return Ledger(std::move(impl));
}

Status Ledger::create_budget(const std::string& dataset, const privacy::Budget& budget, const std::vector<Share>& shares) {
  TACET_CHECK(check_name("dataset", dataset));
  TACET_CHECK(check_total(budget.currency, budget.total));
  std::map<std::string, AmountText> by_name;  // in the order of their bytes, as SQLite reads them back
  for (const Share& share : shares) {
    TACET_CHECK(check_name("analyst", share.analyst));
    const std::string what = fmt::format("the share of \"{}\"", share.analyst);
    TACET_CHECK(check_amount(what, budget.currency, share.limit));
    if (!privacy::fits(share.limit, budget.total)) {
      return Error::invalid(what, privacy::describe(budget.currency, share.limit),
                            fmt::format("must be at most the whole budget, {}", privacy::describe(budget.currency, budget.total)));
    }
    if (!by_name.emplace(share.analyst, to_text(share.limit)).second)
      return Error::invalid("analyst", fmt::format("\"{}\" twice", share.analyst), "must have one share only");
  }

  LedgerStore& store = impl_->store;
  TACET_CHECK(store.begin_write());
  const RollbackAtEnd ended(store);
  TACET_TRY(const std::optional<BudgetRow> existing, store.budget(dataset));
  if (existing) {
    return Error::of(Code::AlreadyExists, fmt::format("the dataset \"{}\" has a budget already, and a budget is set once", dataset),
                     "see what remains of it: tacet budget show");
  }
  TACET_CHECK(impl_->check_unknown(dataset));
  TACET_TRY(RollRow roll, store.roll());

  std::vector<ShareRow> share_rows;
  share_rows.reserve(by_name.size());
  for (auto& [analyst, most] : by_name) share_rows.push_back({.analyst = analyst, .most = std::move(most)});
  BudgetRow row;
  row.id = ++roll.budgets;
  row.dataset = dataset;
  row.currency = privacy::name(budget.currency);
  row.total = to_text(budget.total);
  row.created = impl_->now();
  row.origin_hash = origin_hash(roll.name, row, share_rows);
  row.spent = to_text({});
  row.head_hash = row.origin_hash;
  roll.hash = roll_hash(roll.hash, row.origin_hash);
  TACET_CHECK(store.add_budget(row, share_rows, roll));
  return store.commit();
}

Result<Grant> Ledger::charge(const ChargeRequest& request) {
  TACET_CHECK(check_request(request));
  LedgerStore& store = impl_->store;
  TACET_CHECK(store.begin_write());
  const RollbackAtEnd ended(store);
  TACET_TRY(const Impl::Admission admission, impl_->admit(request));
  const Impl::Checked& budget = admission.budget;
  const Standing& standing = budget.standing;
  const Amount& amount = admission.amount;

  EntryRow entry;
  entry.number = budget.row.entries + 1;
  entry.analyst = request.analyst;
  entry.statement = request.statement;
  entry.statement_hash = statement_hash(request.statement);
  entry.charged = to_text(amount);
  entry.spent = to_text(standing.spent + amount);
  entry.analyst_spent = to_text(admission.spent_by_analyst + amount);
  entry.time = impl_->now();
  entry.clock_went_back = budget.last && entry.time < budget.last->time ? 1 : 0;
  entry.previous_hash = budget.row.head_hash;
  entry.entry_hash = entry_hash(entry);
  TACET_CHECK(store.add_entry(budget.row.id, entry));

  std::string charged = privacy::describe(standing.currency, amount);
  if (Status committed = store.commit(); !committed.ok())
    return impl_->after_failed_commit(std::move(committed).error(), budget, entry, charged);
  // Only here: the entry is on disk.
  return Grant(request.loss, Receipt{.ledger = impl_->name,
                                     .dataset = request.dataset,
                                     .entry = entry.number,
                                     .entry_hash = std::move(entry.entry_hash),
                                     .statement_hash = std::move(entry.statement_hash),
                                     .time = std::move(entry.time),
                                     .charged = std::move(charged)});
}

Status Ledger::check(const ChargeRequest& request) const {
  TACET_CHECK(check_request(request));
  TACET_CHECK(impl_->store.begin_read());
  const RollbackAtEnd ended(impl_->store);
  const auto admitted = impl_->admit(request);
  return admitted.ok() ? Status() : Status(admitted.error());
}

Result<BudgetState> Ledger::show(const std::string& dataset) const {
  TACET_CHECK(check_name("dataset", dataset));
  LedgerStore& store = impl_->store;
  TACET_CHECK(store.begin_read());
  const RollbackAtEnd ended(store);
  TACET_TRY(Impl::Checked budget, impl_->find(dataset));
  std::map<std::string, BudgetState::AnalystState> analysts;
  for (const ShareRow& share : budget.shares) {
    TACET_TRY(Amount most, to_amount(share.most));
    analysts[share.analyst].limit = std::move(most);
  }
  TACET_TRY(const std::vector<AnalystRow> standings, store.analysts(budget.row.id));
  for (const AnalystRow& standing : standings) analysts[standing.analyst];
  BudgetState state{.dataset = dataset,
                    .currency = budget.standing.currency,
                    .total = std::move(budget.standing.total),
                    .spent = std::move(budget.standing.spent),
                    .entries = budget.row.entries,
                    .analysts = {}};
  for (auto& [analyst, known] : analysts) {
    TACET_TRY(known.spent, impl_->spent_by(budget, analyst));
    known.analyst = analyst;
    state.analysts.push_back(std::move(known));
  }
  return state;
}

Result<std::vector<Entry>> Ledger::history(const std::string& dataset) const {
  TACET_CHECK(check_name("dataset", dataset));
  LedgerStore& store = impl_->store;
  TACET_CHECK(store.begin_read());
  const RollbackAtEnd ended(store);
  TACET_TRY(const Impl::Checked budget, impl_->find(dataset));
  TACET_TRY(const std::vector<AnalystRow> standings, store.analysts(budget.row.id));
  TACET_TRY(std::vector<EntryRow> rows, store.entries(budget.row.id));
  TACET_CHECK(check_history(budget.row, standings, rows));
  std::vector<Entry> entries;
  entries.reserve(rows.size());
  for (EntryRow& row : rows) {
    TACET_TRY(Amount charged, to_amount(row.charged));
    TACET_TRY(Amount spent_after, to_amount(row.spent));
    entries.push_back({.number = row.number,
                       .analyst = std::move(row.analyst),
                       .statement = std::move(row.statement),
                       .statement_hash = std::move(row.statement_hash),
                       .time = std::move(row.time),
                       .entry_hash = std::move(row.entry_hash),
                       .charged = std::move(charged),
                       .spent_after = std::move(spent_after),
                       .clock_went_back = row.clock_went_back != 0});
  }
  return entries;
}

Result<std::vector<std::string>> Ledger::datasets() const {
  LedgerStore& store = impl_->store;
  TACET_CHECK(store.begin_read());
  const RollbackAtEnd ended(store);
  TACET_TRY(const RollRow roll, store.roll());
  TACET_TRY(std::vector<BudgetRow> budgets, store.budgets());
  TACET_CHECK(check_roll(roll, budgets));
  std::vector<std::string> names;
  names.reserve(budgets.size());
  for (BudgetRow& budget : budgets) names.push_back(std::move(budget.dataset));
  return names;
}

}  // namespace tacet::kernel

#include "tacet/kernel/ledger.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacet/kernel/ledger_chain.h"
#include "tacet/kernel/ledger_file.h"
#include "tacet/kernel/ledger_rules.h"
#include "tacet/kernel/ledger_store.h"
#include "tacet/kernel/ledger_words.h"

namespace tacet::kernel {
namespace {

using privacy::Amount;
using privacy::Filter;

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
  TACET_CHECK(check_statement(request.statement));
  return check_loss(request.loss);
}

/// A share is a part of the budget that its rule can keep.
Status check_share(const BudgetTerms& terms, const Share& share) {
  const std::string what = fmt::format("the share of \"{}\"", share.analyst);
  TACET_CHECK(check_name("analyst", share.analyst));
  TACET_CHECK(check_amount(what, terms.budget.currency, share.limit));
  const std::string written = privacy::describe(terms.budget.currency, share.limit);
  if (!privacy::fits(share.limit, terms.budget.total)) {
    return Error::invalid(
        what, written, fmt::format("must be at most the whole budget, {}", privacy::describe(terms.budget.currency, terms.budget.total)));
  }
  if (share.limit.second < terms.slack) {
    return Error::invalid(what, written, fmt::format("must have a delta of at least the slack of the budget, {}", terms.slack.to_string()),
                          "give the share more delta, or the budget less slack");
  }
  if (const auto filter = Filter::of({terms.budget.currency, share.limit}, terms.rule, terms.slack); !filter) {
    return Error::invalid(what, written,
                          fmt::format("must be one that the rule {} can keep ({})", name(terms.rule), filter.error().message()));
  }
  return {};
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
        return contradiction(budget.dataset, "its name, total, rule, neighbours or shares were changed");
      if (budget.dataset == dataset) return contradiction(dataset, "its name is in its row, but not in the index");
    }
    return {};
  }

  Result<Filter::Totals> spent_by(const Checked& budget, const std::string& analyst) {
    TACET_TRY(const std::optional<AnalystRow> standing, store.analyst(budget.row.id, analyst));
    if (budget.last && budget.last->analyst == analyst) return check_analyst(budget.row, standing, budget.last);
    TACET_TRY(const std::optional<EntryRow> last, store.last_entry_of(budget.row.id, analyst));
    return check_analyst(budget.row, standing, last);
  }

  /// What one analyst may spend and has spent: a filter over the analyst's own charges.
  Result<BudgetState::AnalystState> standing_of(const Checked& budget, const std::string& analyst) {
    const Standing& standing = budget.standing;
    TACET_TRY(const Filter::Totals spent, spent_by(budget, analyst));
    const auto share =
        std::find_if(budget.shares.begin(), budget.shares.end(), [&](const ShareRow& row) { return row.analyst == analyst; });
    if (share == budget.shares.end()) return BudgetState::AnalystState{analyst, std::nullopt, standing.filter.resumed(spent)};
    TACET_TRY(const Amount most, to_amount(share->most));
    const auto filter = Filter::of({standing.budget.currency, most}, standing.filter.rule(), standing.slack);
    if (!filter) return contradiction(budget.row.dataset, "a share is none that its rule can keep");
    return BudgetState::AnalystState{analyst, most, filter->resumed(spent)};
  }

  /// A charge that fits, with the totals after it.
  struct Admission {
    Checked budget;
    Filter::Totals spent, spent_by_analyst;
    std::string charged;  // in words
  };

  /// Inside a transaction: the admission, or the refusal.
  Result<Admission> admit(const ChargeRequest& request) {
    TACET_TRY(Checked budget, find(request.dataset));
    TACET_TRY(const BudgetState::AnalystState analyst, standing_of(budget, request.analyst));
    const Standing& standing = budget.standing;
    const std::string where = fmt::format("the budget of \"{}\"", request.dataset);
    if (request.relation != standing.relation) {
      return Error::invalid("neighbours", std::string(kernel::name(request.relation)),
                            fmt::format("must be {}, as in {}", kernel::name(standing.relation), where),
                            "set it back in the schema; losses under different relations do not add up");
    }
    TACET_TRY(const privacy::Step step, privacy::step_in(standing.budget.currency, request.loss));
    Filter all = standing.filter;
    TACET_TRY(const privacy::Verdict verdict, all.spend(step));
    if (verdict == privacy::Verdict::Stop) return no_room(standing.filter, standing.budget, request.loss, step, where);
    // Without a share, the analyst's own charges are counted all the same; the total has let this one through, so it fits.
    TACET_TRY(const Filter own, analyst.filter.forced(step));
    TACET_TRY(const privacy::Verdict share, analyst.filter.ask(step));
    if (analyst.limit && share == privacy::Verdict::Stop) {
      return no_room(analyst.filter, {standing.budget.currency, *analyst.limit}, request.loss, step,
                     fmt::format("the share of \"{}\" in {}", request.analyst, where));
    }
    TACET_TRY(std::string charged, charge_words(standing.budget.currency, request.loss));
    return Admission{std::move(budget), all.totals(), own.totals(), std::move(charged)};
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

BudgetTerms plain_terms(const privacy::Budget& budget, Relation relation) {
  return {budget, relation, privacy::usual_rule(budget.currency), {}};
}

Status Ledger::create_budget(const std::string& dataset, const BudgetTerms& terms, const std::vector<Share>& shares) {
  const privacy::Budget& budget = terms.budget;
  TACET_CHECK(check_name("dataset", dataset));
  TACET_CHECK(check_total(budget.currency, budget.total));
  TACET_CHECK(check_amount("slack", privacy::Currency::PureDp, {terms.slack, {}}));
  TACET_CHECK(Filter::of(budget, terms.rule, terms.slack));
  std::map<std::string, AmountText> by_name;  // in the order of their bytes, as SQLite reads them back
  for (const Share& share : shares) {
    TACET_CHECK(check_share(terms, share));
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
  row.neighbours = kernel::name(terms.relation);
  row.currency = privacy::name(budget.currency);
  row.rule = privacy::name(terms.rule);
  row.total = to_text(budget.total);
  row.slack = terms.slack.to_string();
  row.created = impl_->now();
  row.origin_hash = origin_hash(roll.name, row, share_rows);
  row.spent = to_text(Filter::Totals{});
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

  EntryRow entry;
  entry.number = budget.row.entries + 1;
  entry.analyst = request.analyst;
  entry.statement = request.statement;
  entry.statement_hash = statement_hash(request.statement);
  write_loss(request.loss, entry);
  entry.spent = to_text(admission.spent);
  entry.analyst_spent = to_text(admission.spent_by_analyst);
  entry.time = impl_->now();
  entry.clock_went_back = budget.last && entry.time < budget.last->time ? 1 : 0;
  entry.previous_hash = budget.row.head_hash;
  entry.entry_hash = entry_hash(entry);
  TACET_CHECK(store.add_entry(budget.row.id, entry));

  if (Status committed = store.commit(); !committed.ok())
    return impl_->after_failed_commit(std::move(committed).error(), budget, entry, admission.charged);
  // Only here: the entry is on disk.
  return Grant(request.loss, request.relation,
               Receipt{.ledger = impl_->name,
                       .dataset = request.dataset,
                       .entry = entry.number,
                       .entry_hash = std::move(entry.entry_hash),
                       .statement_hash = std::move(entry.statement_hash),
                       .time = std::move(entry.time),
                       .charged = admission.charged});
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
  std::set<std::string> names;
  for (const ShareRow& share : budget.shares) names.insert(share.analyst);
  TACET_TRY(const std::vector<AnalystRow> standings, store.analysts(budget.row.id));
  for (const AnalystRow& standing : standings) names.insert(standing.analyst);
  const Standing& standing = budget.standing;
  BudgetState state{.dataset = dataset,
                    .terms = {standing.budget, standing.relation, standing.filter.rule(), standing.slack},
                    .filter = standing.filter,
                    .entries = budget.row.entries,
                    .analysts = {},
                    .last = {}};
  for (const std::string& analyst : names) {
    TACET_TRY(BudgetState::AnalystState known, impl_->standing_of(budget, analyst));
    state.analysts.push_back(std::move(known));
  }
  if (budget.last) {
    TACET_TRY(privacy::Loss loss, read_loss(*budget.last));
    state.last = {budget.last->analyst, std::move(loss)};
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
  TACET_CHECK(check_history(budget.row, budget.standing, standings, rows));
  std::vector<Entry> entries;
  entries.reserve(rows.size());
  for (EntryRow& row : rows) {
    TACET_TRY(privacy::Loss loss, read_loss(row));
    TACET_TRY(Amount charged, privacy::charge_in(budget.standing.budget.currency, loss));
    TACET_TRY(const Filter::Totals spent, to_totals(row.spent));
    entries.push_back({.number = row.number,
                       .analyst = std::move(row.analyst),
                       .statement = std::move(row.statement),
                       .statement_hash = std::move(row.statement_hash),
                       .time = std::move(row.time),
                       .entry_hash = std::move(row.entry_hash),
                       .loss = std::move(loss),
                       .charged = std::move(charged),
                       .spent_after = budget.standing.filter.resumed(spent).spent_amount(),
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

#include "tacet/kernel/ledger/book.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/kernel/ledger/disk.h"

namespace tacet::kernel {

using privacy::Filter;

namespace {

/// The amounts are public, and kernel/custody/words.h tells them.
Error no_room(const std::string& where) {
  return Error::of(Code::BudgetExhausted, fmt::format("the release needs more than remains in {}", where), "see what fits: `budget show`");
}

}  // namespace

Error contradiction(std::string_view dataset, std::string_view what) {
  return ledger_damaged(fmt::format("the ledger of \"{}\" contradicts itself: {}", dataset, what));
}

const privacy::Amount* Book::Account::share_of(const std::string& analyst) const {
  const auto found = std::find_if(shares.begin(), shares.end(), [&](const Share& share) { return share.analyst == analyst; });
  return found == shares.end() ? nullptr : &found->limit;
}

Result<Filter> Book::Account::filter_of(const privacy::Amount& limit, const Filter::Totals& spent) const {
  TACET_TRY(const Filter limited, Filter::of({declared.budget.currency, limit}, declared.rule, declared.slack));
  return limited.resumed(spent);
}

const Book::Account* Book::find(const std::string& dataset) const {
  const auto found = accounts_.find(dataset);
  return found == accounts_.end() ? nullptr : &found->second;
}

Book Book::with_only(const std::string& dataset) const {
  Book one;
  if (const Account* account = find(dataset)) one.accounts_.emplace(dataset, *account);
  return one;
}

void Book::take(const std::string& dataset, Book&& tried) {
  if (!accounts_.contains(dataset)) order_.push_back(dataset);
  accounts_.insert_or_assign(dataset, std::move(tried.accounts_.at(dataset)));
}

Status Book::apply(const Record& record, std::string_view hash) {
  return std::visit([&](const auto& kind) { return apply_record(kind, hash); }, record);
}

Result<const privacy::Step*> Book::step_of(privacy::Currency currency, const privacy::Loss& loss) {
  const std::string key = fmt::format("{} {}", name(currency), loss_key(loss));
  if (const auto found = steps_.find(key); found != steps_.end()) return &found->second;
  TACET_TRY(const privacy::Step step, privacy::step_in(currency, loss));
  return &steps_.emplace(key, step).first->second;
}

Status Book::apply_record(const TermsRecord& record, std::string_view hash) {
  if (accounts_.contains(record.dataset)) return contradiction(record.dataset, "it has terms twice");
  const auto filter = Filter::of(record.declared.budget, record.declared.rule, record.declared.slack);
  if (!filter) return contradiction(record.dataset, "its total is none that its rule can keep");
  Account account{.declared = record.declared,
                  .shares = record.shares,
                  .origin_hash = std::string(hash),
                  .filter = *filter,
                  .spent_by = {},
                  .spent_by_others = {},
                  .adopted = record.adopted,
                  .last = {}};
  for (const AdoptedCharge& charge : record.charges) {
    ++account.entries;
    TACET_CHECK(count(account, record.dataset, charge.analyst, charge.loss, charge.idealised));
  }
  accounts_.emplace(record.dataset, std::move(account));
  order_.push_back(record.dataset);
  return {};
}

Result<Book::Account*> Book::next_entry(const std::string& dataset, std::int64_t entry) {
  const auto found = accounts_.find(dataset);
  if (found == accounts_.end()) return contradiction(dataset, "it has entries, but no terms");
  Account& account = found->second;
  if (entry != account.entries + 1) return contradiction(dataset, fmt::format("entry {} is missing", account.entries + 1));
  account.entries = entry;
  return &account;
}

Status Book::count(Account& account, const std::string& dataset, const std::string& analyst, const privacy::Loss& loss, bool idealised) {
  const auto step = step_of(account.declared.budget.currency, loss);
  if (!step) return contradiction(dataset, fmt::format("the loss of entry {} cannot be counted", account.entries));
  Filter::Totals& own = account.spent_by[analyst];
  const auto all_after = account.filter.forced(**step);
  const auto own_after = account.filter.resumed(own).forced(**step);
  if (!all_after || !own_after || !all_after->kept()) return contradiction(dataset, "more was spent than its total");
  account.filter = *all_after;
  own = own_after->totals();
  if (!account.shares.empty() && account.share_of(analyst) == nullptr) {
    TACET_TRY(const Filter others, account.filter.resumed(account.spent_by_others).forced(**step));
    account.spent_by_others = others.totals();
  }
  if (idealised) ++account.idealised;
  ++account.charges;
  account.last.emplace(analyst, loss);
  return {};
}

Status Book::apply_record(const ChargeRecord& record, std::string_view /*hash*/) {
  TACET_TRY(Account* const account, next_entry(record.dataset, record.entry));
  TACET_CHECK(count(*account, record.dataset, record.analyst, record.loss, record.idealised));
  if (account->declared.source.empty()) account->declared.source = record.source;
  return {};
}

Status Book::apply_record(const FailedScanRecord& record, std::string_view /*hash*/) {
  if (auto account = next_entry(record.dataset, record.entry); !account) return std::move(account).error();
  return {};
}

Status Book::apply_record(const AmendmentRecord& record, std::string_view /*hash*/) {
  TACET_TRY(Account* const account, next_entry(record.dataset, record.entry));
  if (record.relation && account->charges > 0 && !(*record.relation == account->declared.relation))
    return contradiction(record.dataset, "its neighbours were changed after a charge");
  // The schema decides who is in which public group.
  if (record.schema && account->charges > 0 && !account->declared.relation.public_columns().empty())
    return contradiction(record.dataset, "what its public groups are was changed after a charge");
  if (record.relation) account->declared.relation = *record.relation;
  if (record.schema) account->declared.schema = *record.schema;
  if (record.source) account->declared.source = *record.source;
  return {};
}

Status Book::apply_record(const PublishedRecord& record, std::string_view /*hash*/) {
  const Account* account = find(record.dataset);
  if (account == nullptr || record.of < 1 || record.of > account->entries)
    return contradiction(record.dataset, "a release was written for an entry that there is not");
  return {};
}

Status Book::admit(const std::string& dataset, const std::string& analyst, const privacy::Loss& loss) const {
  const Account* account = find(dataset);
  if (account == nullptr) return contradiction(dataset, "it has no terms");
  const privacy::Budget& budget = account->declared.budget;
  const std::string where = fmt::format("the budget of \"{}\"", dataset);
  TACET_TRY(const privacy::Step step, privacy::step_in(budget.currency, loss));
  TACET_TRY(const privacy::Verdict all, account->filter.ask(step));
  if (all == privacy::Verdict::Stop) return no_room(where);
  if (account->shares.empty()) return {};
  const privacy::Amount* share = account->share_of(analyst);
  const bool other = share == nullptr;
  if (other && account->declared.others) share = &*account->declared.others;
  if (share == nullptr) {
    return Error::of(Code::BudgetExhausted, fmt::format("\"{}\" has no share of {}, and its terms leave nothing to others", analyst, where),
                     "ask its custodian: shares are given when the budget is created");
  }
  const auto spent = account->spent_by.find(analyst);
  const Filter::Totals own = other ? account->spent_by_others : spent == account->spent_by.end() ? Filter::Totals{} : spent->second;
  TACET_TRY(const Filter filter, account->filter_of(*share, own));
  TACET_TRY(const privacy::Verdict verdict, filter.ask(step));
  return verdict == privacy::Verdict::Go ? Status() : Status(no_room(fmt::format("the part of \"{}\" in {}", analyst, where)));
}

}  // namespace tacet::kernel

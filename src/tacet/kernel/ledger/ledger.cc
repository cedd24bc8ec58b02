#include "tacet/kernel/ledger/ledger.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/exact/entropy.h"
#include "tacet/kernel/ledger/ledger_state.h"
#include "tacet/kernel/ledger/rules.h"

namespace tacet::kernel {
namespace {

/// Refuses what no ledger takes, and what this one cannot.
Result<FileLock> lock_for(const LedgerState& state, const ChargeRequest& request, FileLock::Access access) {
  TACET_CHECK(check_name("dataset", request.dataset));
  TACET_CHECK(check_name("analyst", request.analyst));
  TACET_CHECK(check_statement(request.statement));
  TACET_CHECK(check_text("source", request.source));
  TACET_CHECK(check_loss(request.loss));
  TACET_CHECK(state.check_writable());
  return state.lock(access);
}

/// Inside a lock: decides whether the request may be charged.
Status admit(LedgerState& state, const ChargeRequest& request) {
  TACET_TRY(const Book::Account* const found, state.account(request.dataset));
  const Declaration& declared = found->declared;
  if (!(request.relation == declared.relation)) {
    return Error::invalid("neighbours", describe(request.relation),
                          fmt::format("must be {}, as in the budget of \"{}\"", describe(declared.relation), request.dataset),
                          "set it back in the schema; losses under different relations do not add up");
  }
  if (!request.source.empty() && !declared.source.empty() && request.source != declared.source) {
    return Error::invalid("data", fmt::format("\"{}\"", request.source),
                          fmt::format("must be \"{}\", the source in the terms of \"{}\"", declared.source, request.dataset),
                          "if the file moved, its custodian says so: `dataset amend source = FILE reason = TEXT`");
  }
  if (request.idealised && !declared.idealised) {
    return Error::of(Code::Unsupported, fmt::format("the terms of \"{}\" allow no idealised mechanism", request.dataset),
                     "choose an exact one; a custodian allows them with idealised = true in the schema when the budget is created");
  }
  return state.book.admit(request.dataset, request.analyst, request.loss);
}

}  // namespace

Ledger::Ledger(std::unique_ptr<LedgerState> state) : state_(std::move(state)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

const std::string& Ledger::name() const { return state_->name; }

Result<Ledger> Ledger::open(const std::string& path, const LedgerOptions& options) {
  TACET_CHECK(exact::start_sodium());
  TACET_TRY(LogFile file, LogFile::open(path, options.disk == nullptr ? Disk::real() : *options.disk));
  TACET_TRY(std::unique_ptr<LedgerState> state, LedgerState::read(std::move(file), std::nullopt, options));
  return Ledger(std::move(state));
}

Result<Terms> Ledger::terms(const std::string& dataset) const {
  TACET_TRY(const FileLock lock, state_->lock(FileLock::Access::Read));
  TACET_TRY(const Book::Account* const account, state_->account(dataset));
  return Terms(DatasetId(state_->name, dataset), account->declared, account->shares, account->origin_hash);
}

Result<Grant> Ledger::charge(const ChargeRequest& request) {
  TACET_TRY(const FileLock lock, lock_for(*state_, request, FileLock::Access::Write));
  TACET_CHECK(admit(state(), request));
  const Book::Account& account = *state_->book.find(request.dataset);
  const privacy::Currency currency = account.declared.budget.currency;
  TACET_TRY(const privacy::Amount cost, privacy::charge_in(currency, request.loss));
  const std::string charged = request.words.empty() ? privacy::describe(currency, cost) : request.words;
  const ChargeRecord record{request.dataset,
                            account.entries + 1,
                            request.analyst,
                            request.statement,
                            request.loss,
                            request.idealised,
                            account.declared.source.empty() ? request.source : std::string(),
                            state_->now()};
  LedgerState::Wrote wrote = state_->append_marked(record.dataset, record);
  if (!wrote.status.ok()) {
    Error error = std::move(wrote.status).error();
    if (!wrote.may_be_there) return error;
    return std::move(error).after_charge(
        fmt::format("{} as entry {} of \"{}\" may have been spent, without a release: see whether that entry is in the history", charged,
                    record.entry, request.dataset));
  }
  // Only here: the entry is on disk, in the file that the path names, and marked.
  return Grant({request.loss, request.relation, DatasetId(state_->name, request.dataset),
                Receipt{.ledger = state_->name,
                        .dataset = request.dataset,
                        .entry = record.entry,
                        .entry_hash = state_->head(),
                        .statement_hash = hash_hex(request.statement),
                        .time = record.time,
                        .charged = charged},
                request.idealised});
}

Status Ledger::check(const ChargeRequest& request) const {
  TACET_TRY(const FileLock lock, lock_for(*state_, request, FileLock::Access::Read));
  return admit(state(), request);
}

Status Ledger::record_failed_scan(const ChargeRequest& request) {
  TACET_TRY(const FileLock lock, lock_for(*state_, request, FileLock::Access::Write));
  TACET_TRY(const Book::Account* const account, state_->account(request.dataset));
  const FailedScanRecord record{request.dataset, account->entries + 1, request.analyst, request.statement, state_->now()};
  return state_->append_marked(record.dataset, record).status;
}

Status Ledger::record_published(const Receipt& receipt, const std::string& release_hash) {
  if (!is_hash(release_hash)) return Error::invalid("release hash", "something else", "must be a hash in hex");
  TACET_CHECK(state_->check_writable());
  TACET_TRY(const FileLock lock, state_->lock(FileLock::Access::Write));
  TACET_CHECK(state_->catch_up());
  if (receipt.ledger != state_->name ||
      std::find(state_->hashes.rbegin(), state_->hashes.rend(), receipt.entry_hash) == state_->hashes.rend())
    return Error::invalid("receipt", fmt::format("entry {} of \"{}\"", receipt.entry, receipt.dataset), "must be of this ledger");
  // Not synced or marked: no privacy depends on it, and the next charge syncs it.
  return state_->append(receipt.dataset, PublishedRecord{receipt.dataset, receipt.entry, release_hash}, /*sync=*/false).status;
}

}  // namespace tacet::kernel

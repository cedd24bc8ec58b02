#include "tacet/kernel/custody/history.h"

#include <utility>

#include "tacet/privacy/filter_words.h"

namespace tacet::kernel {
namespace {

privacy::Amount charged_in(privacy::Currency currency, const privacy::Loss& loss) {
  const auto charged = privacy::charge_in(currency, loss);
  return charged.ok() ? *charged : privacy::Amount{};
}

/// An entry that charges nothing.
Entry free_entry(EntryKind kind, const std::string& analyst, const std::string& statement, const std::string& time, std::string_view hash,
                 privacy::Amount spent) {
  return {.kind = kind,
          .analyst = analyst,
          .statement = statement,
          .statement_hash = {},
          .time = time,
          .entry_hash = std::string(hash),
          .loss = {},
          .charged = {},
          .spent_after = std::move(spent),
          .release_hash = {}};
}

template <class Charge>
Entry charge_entry(const Charge& charge, std::string_view hash, privacy::Currency currency, privacy::Amount spent) {
  Entry entry = free_entry(EntryKind::Charge, charge.analyst, charge.statement, charge.time, hash, std::move(spent));
  entry.loss = charge.loss;
  entry.charged = charged_in(currency, charge.loss);
  return entry;
}

}  // namespace

void History::add(const Record& record, std::string_view hash, const Book& book) {
  std::visit([&](const auto& kind) { add_record(kind, hash, book); }, record);
}

const std::vector<Entry>& History::of(const std::string& dataset) const {
  static const std::vector<Entry> kNone;
  const auto own = datasets_.find(dataset);
  return own == datasets_.end() ? kNone : own->second.entries;
}

void History::Own::push(Entry entry) {
  entry.number = static_cast<std::int64_t>(entries.size()) + 1;
  entry.statement_hash = hash_hex(entry.statement);
  entry.clock_went_back = entry.time < last_time;
  last_time = entry.time;
  entries.push_back(std::move(entry));
}

void History::add_record(const TermsRecord& record, std::string_view /*hash*/, const Book& /*book*/) {
  const privacy::Budget& budget = record.declared.budget;
  auto filter = privacy::Filter::of(budget, record.declared.rule, record.declared.slack);
  Own& own = datasets_[record.dataset];
  for (const AdoptedCharge& charge : record.charges) {
    const auto step = privacy::step_in(budget.currency, charge.loss);
    if (filter.ok() && step.ok()) filter = filter->forced(*step);  // as the book did
    own.push(charge_entry(charge, charge.entry_hash, budget.currency, filter.ok() ? privacy::spent_amount(*filter) : privacy::Amount{}));
  }
  own.last_time = record.time;
}

void History::add_record(const ChargeRecord& record, std::string_view hash, const Book& book) {
  const Book::Account& account = *book.find(record.dataset);
  datasets_[record.dataset].push(charge_entry(record, hash, account.declared.budget.currency, privacy::spent_amount(account.filter)));
}

void History::add_record(const FailedScanRecord& record, std::string_view hash, const Book& book) {
  datasets_[record.dataset].push(free_entry(EntryKind::FailedScan, record.analyst, record.statement, record.time, hash,
                                            privacy::spent_amount(book.find(record.dataset)->filter)));
}

void History::add_record(const AmendmentRecord& record, std::string_view hash, const Book& book) {
  datasets_[record.dataset].push(free_entry(EntryKind::Amendment, record.custodian, record.reason, record.time, hash,
                                            privacy::spent_amount(book.find(record.dataset)->filter)));
}

void History::add_record(const PublishedRecord& record, std::string_view /*hash*/, const Book& /*book*/) {
  // The book has checked the number. The first record stays: one charge is published once.
  std::string& published = datasets_[record.dataset].entries.at(static_cast<std::size_t>(record.of - 1)).release_hash;
  if (published.empty()) published = record.release_hash;
}

}  // namespace tacet::kernel

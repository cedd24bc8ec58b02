#include "tacet/kernel/custody/history.h"

namespace tacet::kernel {
namespace {

privacy::Amount charged_in(privacy::Currency currency, const privacy::Loss& loss) {
  const auto charged = privacy::charge_in(currency, loss);
  return charged.ok() ? *charged : privacy::Amount{};
}

}  // namespace

void History::add(const Record& record, std::string_view hash, const Book& book) {
  std::visit(
      [&](const auto& kind) {
        if (kind.dataset == dataset_) add_record(kind, hash, book);
      },
      record);
}

void History::push(Entry entry) {
  entry.number = static_cast<std::int64_t>(entries_.size()) + 1;
  entry.statement_hash = hash_hex(entry.statement);
  entry.clock_went_back = entry.time < last_time_;
  last_time_ = entry.time;
  entries_.push_back(std::move(entry));
}

void History::add_record(const TermsRecord& record, std::string_view /*hash*/, const Book& /*book*/) {
  const privacy::Budget& budget = record.declared.budget;
  auto filter = privacy::Filter::of(budget, record.declared.rule, record.declared.slack);
  for (const AdoptedCharge& charge : record.charges) {
    const auto step = privacy::step_in(budget.currency, charge.loss);
    if (filter.ok() && step.ok()) filter = filter->forced(*step);  // as the book did
    push({.kind = EntryKind::Charge,
          .analyst = charge.analyst,
          .statement = charge.statement,
          .statement_hash = {},
          .time = charge.time,
          .entry_hash = charge.entry_hash,
          .loss = charge.loss,
          .charged = charged_in(budget.currency, charge.loss),
          .spent_after = filter.ok() ? filter->spent_amount() : privacy::Amount{},
          .release_hash = {}});
  }
  last_time_ = record.time;
}

void History::add_record(const ChargeRecord& record, std::string_view hash, const Book& book) {
  const Book::Account& account = *book.find(dataset_);
  push({.kind = EntryKind::Charge,
        .analyst = record.analyst,
        .statement = record.statement,
        .statement_hash = {},
        .time = record.time,
        .entry_hash = std::string(hash),
        .loss = record.loss,
        .charged = charged_in(account.declared.budget.currency, record.loss),
        .spent_after = account.filter.spent_amount(),
        .release_hash = {}});
}

void History::add_record(const FailedScanRecord& record, std::string_view hash, const Book& book) {
  push({.kind = EntryKind::FailedScan,
        .analyst = record.analyst,
        .statement = record.statement,
        .statement_hash = {},
        .time = record.time,
        .entry_hash = std::string(hash),
        .loss = {},
        .charged = {},
        .spent_after = book.find(dataset_)->filter.spent_amount(),
        .release_hash = {}});
}

void History::add_record(const AmendmentRecord& record, std::string_view hash, const Book& book) {
  push({.kind = EntryKind::Amendment,
        .analyst = record.custodian,
        .statement = record.reason,
        .statement_hash = {},
        .time = record.time,
        .entry_hash = std::string(hash),
        .loss = {},
        .charged = {},
        .spent_after = book.find(dataset_)->filter.spent_amount(),
        .release_hash = {}});
}

void History::add_record(const PublishedRecord& record, std::string_view /*hash*/, const Book& /*book*/) {
  // The book has checked the number. The first record stays: one charge is published once.
  std::string& published = entries_[static_cast<std::size_t>(record.of - 1)].release_hash;
  if (published.empty()) published = record.release_hash;
}

}  // namespace tacet::kernel

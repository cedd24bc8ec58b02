// tacet/kernel/ledger/book.h: the state after all records of a ledger. No input or output.
//
//   Book book;
//   TACET_CHECK(book.apply(record, hash));                      // in the order of the file
//   TACET_CHECK(book.admit("patients", "ada", loss));           // or the refusal
//
// Every total is derived from the charged losses by the filter of the budget (privacy/filter.h).
// No total is stored, so none can contradict the entries.
// Error    LedgerCorrupt for a record that cannot follow those before.    Cost   1 us per record.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

class Book {
 public:
  /// The current state of one dataset.
  struct Account {
    Declaration declared;  // with all amendments
    std::vector<Share> shares;
    std::string origin_hash;
    privacy::Filter filter;                                   // over all charges
    std::map<std::string, privacy::Filter::Totals> spent_by;  // each analyst's own charges
    privacy::Filter::Totals spent_by_others;                  // without a share
    std::int64_t entries = 0, charges = 0, idealised = 0;
    std::string adopted;                                        // the old ledger
    std::optional<std::pair<std::string, privacy::Loss>> last;  // the last charge

    /// The limit of the analyst; null if there is none.
    const privacy::Amount* share_of(const std::string& analyst) const;
    /// A filter with this limit, the rule of the budget, and these totals.
    Result<privacy::Filter> filter_of(const privacy::Amount& limit, const privacy::Filter::Totals& spent) const;
  };

  Status apply(const Record& record, std::string_view hash);

  const Account* find(const std::string& dataset) const;
  /// A book with this account only, to try records on; take() puts the account back.
  Book with_only(const std::string& dataset) const;
  void take(const std::string& dataset, Book&& tried);
  /// In the order in which their terms were set.
  const std::vector<std::string>& datasets() const { return order_; }

  /// May this analyst spend `loss` now?
  Status admit(const std::string& dataset, const std::string& analyst, const privacy::Loss& loss) const;

 private:
  Status apply_record(const TermsRecord& record, std::string_view hash);
  Status apply_record(const ChargeRecord& record, std::string_view hash);
  Status apply_record(const FailedScanRecord& record, std::string_view hash);
  Status apply_record(const AmendmentRecord& record, std::string_view hash);
  Status apply_record(const PublishedRecord& record, std::string_view hash);
  Status count(Account& account, const std::string& dataset, const std::string& analyst, const privacy::Loss& loss, bool idealised);
  Result<Account*> next_entry(const std::string& dataset, std::int64_t entry);
  Result<const privacy::Step*> step_of(privacy::Currency currency, const privacy::Loss& loss);

  std::map<std::string, Account> accounts_;
  std::vector<std::string> order_;
  std::map<std::string, privacy::Step> steps_;  // few differ; making one is slow
};

/// The records contradict each other.
Error contradiction(std::string_view dataset, std::string_view what);

}  // namespace tacet::kernel

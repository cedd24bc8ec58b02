// tacet/kernel/custody/history.h: the entries of one dataset, in order. Private to the kernel.
//
//   History history("patients"); Book book;
//   TACET_CHECK(book.apply(record, hash));
//   history.add(record, hash, book);                            // in the order of the file
//   return std::move(history).entries();
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacet/kernel/custody/entry.h"
#include "tacet/kernel/ledger/book.h"
#include "tacet/kernel/ledger/record.h"

namespace tacet::kernel {

class History {
 public:
  explicit History(std::string dataset) : dataset_(std::move(dataset)) {}

  /// `book` has just applied this record.
  void add(const Record& record, std::string_view hash, const Book& book);
  std::vector<Entry> entries() && { return std::move(entries_); }

 private:
  void add_record(const TermsRecord& record, std::string_view hash, const Book& book);
  void add_record(const ChargeRecord& record, std::string_view hash, const Book& book);
  void add_record(const FailedScanRecord& record, std::string_view hash, const Book& book);
  void add_record(const AmendmentRecord& record, std::string_view hash, const Book& book);
  void add_record(const PublishedRecord& record, std::string_view hash, const Book& book);
  void push(Entry entry);

  std::string dataset_, last_time_;
  std::vector<Entry> entries_;
};

}  // namespace tacet::kernel

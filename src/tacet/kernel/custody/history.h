// tacet/kernel/custody/history.h: the entries of each dataset, in order. Private to the kernel.
//
//   History history; Book book;
//   TACET_CHECK(book.apply(record, hash));
//   history.add(record, hash, book);                            // in the order of the file
//   return history.of("patients");
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/kernel/custody/entry.h"
#include "tacet/kernel/ledger/book.h"
#include "tacet/kernel/ledger/record.h"

namespace tacet::kernel {

class History {
 public:
  /// `book` has just applied this record.
  void add(const Record& record, std::string_view hash, const Book& book);
  /// Empty for a dataset without terms.
  const std::vector<Entry>& of(const std::string& dataset) const;

 private:
  /// The entries of one dataset.
  struct Own {
    std::vector<Entry> entries{};
    std::string last_time{};
    void push(Entry entry);
  };
  void add_record(const TermsRecord& record, std::string_view hash, const Book& book);
  void add_record(const ChargeRecord& record, std::string_view hash, const Book& book);
  void add_record(const FailedScanRecord& record, std::string_view hash, const Book& book);
  void add_record(const AmendmentRecord& record, std::string_view hash, const Book& book);
  void add_record(const PublishedRecord& record, std::string_view hash, const Book& book);

  std::map<std::string, Own> datasets_;
};

}  // namespace tacet::kernel

// tacet/kernel/ledger/ledger_state.h: an open ledger: file, key and state. Private to the kernel.
//
//   TACET_TRY(const FileLock lock, state.lock(FileLock::Access::Write));
//   TACET_TRY(const Book::Account* const account, state.account("patients"));  // reads news first
//   return state.append_marked("patients", record).status;
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/kernel/ledger/book.h"
#include "tacet/kernel/ledger/ledger.h"
#include "tacet/kernel/ledger/log_file.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/kernel/ledger/seal.h"

namespace tacet::kernel {

struct LedgerState {
  LogFile file;
  std::function<std::int64_t()> clock;
  std::string seals;
  std::chrono::milliseconds patience;
  std::optional<Seal> seal;
  std::string name;

  /// Told of each record, after the book has it.
  using Visit = std::function<void(const Record& record, std::string_view hash, const Book& book)>;
  Visit visit{};

  // The part that has been read and checked.
  Book book{};
  std::int64_t end = 0;               // its offset
  std::vector<std::string> hashes{};  // of the first line and of every record
  pid_t process = ::getpid();

  /// Reads and checks everything. Without `own` it takes the seal from the folder of the options.
  static Result<std::unique_ptr<LedgerState>> read(LogFile file, std::optional<Seal> own, const LedgerOptions& options, Visit visit = {});

  std::int64_t records() const { return static_cast<std::int64_t>(hashes.size()) - 1; }
  const std::string& head() const { return hashes.back(); }
  /// RFC 3339 in UTC.
  std::string now() const;

  /// Refused in a forked child: it shares the open file, so the lock would not separate them.
  Result<FileLock> lock(FileLock::Access access) const;

  /// Reads new lines, under a lock, and compares them with the mark.
  Status catch_up();
  /// A mark that is not reached, or has another hash, is that of a newer ledger.
  Status check_mark() const;
  Result<const Book::Account*> account(const std::string& dataset);
  Status check_writable() const;

  /// Inside a write lock, after catch_up: appends a record.
  using Wrote = LogFile::Appended;
  Wrote append(const std::string& dataset, const Record& record, bool sync);
  /// Appends and advances the mark, so that older copies are refused.
  Wrote append_marked(const std::string& dataset, const Record& record);

 private:
  /// The line after the last, checked against everything before it, for a book.
  Result<Record> read_line(std::string_view line, std::string& hash, Book& into) const;
  void took(const Record& record, std::string hash, std::size_t bytes);
};

}  // namespace tacet::kernel

// tacet/kernel/sqlite.h: as much of SQLite as the ledger needs, with owners for its handles and our errors.
//
//   Statement find{"SELECT total FROM budget WHERE dataset = ?"};   // compiled at its first use, kept for the next
//   Rows rows(database, find, dataset);                              // binds; the destructor resets
//   TACET_TRY(const bool found, rows.next());
//   if (found) use(rows.text(0));
//
// Used by kernel/ledger*.cc alone. One thread at a time; nothing here survives a fork.
// Error    LedgerUnavailable: in use, full, read-only, unreadable. LedgerCorrupt: not a database, or damaged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tacet/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tacet::kernel::sqlite {

class Database {
 public:
  /// Opens what is there, for writing if its permissions allow it; never makes a file. ":memory:" is a new database without one.
  static Result<Database> open(const std::string& path);

  /// Runs statements that return nothing.
  Status run(const char* sql);
  /// The first column of the first row, as text; empty if there is no row.
  Result<std::string> ask(const char* sql);

  bool read_only() const;
  bool in_transaction() const;
  /// Rows changed by the last statement that changed any.
  int changes() const;
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  explicit Database(sqlite3* handle) : handle_(handle) {}
  std::unique_ptr<sqlite3, Close> handle_;
};

class Statement {
 public:
  explicit Statement(const char* sql) : sql_(sql) {}

 private:
  friend class Rows;
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  const char* sql_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// One execution of a statement, from binding to reset.
class Rows {
 public:
  template <class... Values>
  Rows(Database& database, Statement& statement, const Values&... values) : Rows(Bare{}, database, statement) {
    int position = 0;
    (bind(++position, values), ...);
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows();

  /// True: there is a row to read. False: there are no more.
  Result<bool> next();
  /// A column of the row, counted from 0. What a damaged file holds in place of a text or a number reads as "" or 0.
  std::string text(int column) const;
  std::int64_t integer(int column) const;

 private:
  struct Bare {};
  Rows(Bare bare, Database& database, Statement& statement);
  void bind(int position, std::string_view value);
  void bind(int position, std::int64_t value);
  sqlite3* database_;
  sqlite3_stmt* statement_;
  int state_;  // SQLite's result code so far
};

/// Executes a statement that returns no rows.
template <class... Values>
Status run(Database& database, Statement& statement, const Values&... values) {
  Rows rows(database, statement, values...);
  if (auto done = rows.next(); !done) return std::move(done).error();
  return {};
}

}  // namespace tacet::kernel::sqlite

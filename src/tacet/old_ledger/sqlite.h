// tacet/old_ledger/sqlite.h: the part of SQLite that reads an old ledger, with owned handles.
//
//   Database database = *Database::open("people.ledger");
//   Rows rows(database, "SELECT total FROM budget WHERE id = ?", /*value=*/1);
//   TACET_TRY(const bool found, rows.next());
//   if (found) show(rows.text(0));
//
// Error    LedgerUnavailable: in use, full, read-only, unreadable. LedgerCorrupt: not a database,
//          or damaged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tacet/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tacet::old_ledger::sqlite {

class Database {
 public:
  /// Opens an existing file, for writing if permissions allow it; never creates one.
  static Result<Database> open(const std::string& path);
  /// For a file that nobody writes, in a folder where nothing may be created. Its log is not read.
  static Result<Database> open_alone(const std::string& path);

  /// Runs statements that return nothing.
  Status run(const char* sql);
  /// The first column of the first row, as text; empty if there is no row.
  Result<std::string> ask(const char* sql);
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  static Result<Database> open_as(const std::string& name, int flags);
  explicit Database(sqlite3* handle) : handle_(handle) {}
  std::unique_ptr<sqlite3, Close> handle_;
};

class Rows {
 public:
  Rows(Database& database, const char* sql, std::optional<std::int64_t> value = {});

  /// True: there is a row to read. False: there are no more.
  Result<bool> next();
  /// A column of the row, from 0. In a damaged file a value of the wrong type reads as "" or 0.
  std::string text(int column) const;
  std::int64_t integer(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int state_;  // SQLite's result code so far
};

}  // namespace tacet::old_ledger::sqlite

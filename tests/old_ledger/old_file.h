// Ledgers of the older formats, as those versions of Tacet wrote them: their contents as SQL, from
// which a test makes the file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <sqlite3.h>

namespace tacet::testing {

/// Edits the ledger as somebody with the sqlite3 program would.
inline void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  const bool opened = sqlite3_open(path.c_str(), &database) == SQLITE_OK;
  if (opened) sqlite3_exec(database, "PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);  // tests wait for no disk
  const bool ran = opened && sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  const std::string error = ran ? "" : sqlite3_errmsg(database);
  sqlite3_close(database);
  if (!ran) throw std::runtime_error(error);
}

/// format: 1 or 2. With a write-ahead log, as such ledgers have.
inline void make_old_ledger(const std::string& path, int format) {
  std::ifstream in("tests/old_ledger/format_" + std::to_string(format) + ".sql");
  const std::string sql{std::istreambuf_iterator<char>(in), {}};
  if (sql.empty()) throw std::runtime_error("the contents of an old ledger are missing: tests run in the source folder");
  run_sql(path, sql);
  run_sql(path, "PRAGMA journal_mode = WAL");
}

}  // namespace tacet::testing

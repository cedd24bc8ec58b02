#include "tacet/old_ledger/sqlite.h"

#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace tacet::old_ledger::sqlite {
namespace {

constexpr int kPatienceSeconds = 30;

Error failure(int code, sqlite3* database) {
  const char* path = database == nullptr ? nullptr : sqlite3_db_filename(database, "main");
  const std::string file = path == nullptr || *path == '\0' ? "the ledger" : fmt::format("the ledger \"{}\"", path);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return Error::of(Code::LedgerUnavailable,
                       fmt::format("{} is in use by another process and stayed so for {} seconds", file, kPatienceSeconds),
                       "try again; if it persists, find the program that keeps it open");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return Error::of(Code::LedgerUnavailable, fmt::format("{} cannot be opened for writing ({})", file, sqlite3_errstr(code)),
                       "its file and its folder must be writable by whoever adopts it");
    case SQLITE_FULL:
      return Error::of(Code::LedgerUnavailable, fmt::format("the disk that holds {} is full", file), "free some space and try again");
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
    case SQLITE_NOLFS:
    case SQLITE_INTERRUPT:
      return Error::of(Code::LedgerUnavailable,
                       fmt::format("{} cannot be read or written ({}, SQLite code {})", file, sqlite3_errstr(code), code),
                       "check the disk and try again");
    case SQLITE_MISUSE: return Error::of(Code::Internal, "the ledger called SQLite wrongly");
    default:
      return Error::of(Code::LedgerCorrupt,
                       fmt::format("{} is no Tacet ledger or is damaged ({}, SQLite code {})", file, sqlite3_errstr(code), code),
                       "check the path; if it is right, restore the newest backup and compare it with the releases made since");
  }
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
void Rows::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Result<Database> Database::open(const std::string& path) {
  // Some builds of SQLite read "file:..." as a URI with options; a leading folder prevents this.
  return open_as(path.starts_with('/') ? path : "./" + path, SQLITE_OPEN_READWRITE);
}

Result<Database> Database::open_alone(const std::string& path) {
  std::string name = "file:";
  for (const char c : path) {
    const bool plain =
        c == '/' || c == '.' || c == '-' || c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    name += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return open_as(name + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

Result<Database> Database::open_as(const std::string& name, int flags) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  Database database(handle);
  if (code != SQLITE_OK) return failure(code, handle);
  sqlite3_busy_timeout(handle, kPatienceSeconds * 1000);
  // A ledger has tables only; code in a tampered file is not executed.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  TACET_CHECK(database.run("PRAGMA cell_size_check = ON"));
  return database;
}

Status Database::run(const char* sql) {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(code, handle());
  return {};
}

Result<std::string> Database::ask(const char* sql) {
  Rows rows(*this, sql);
  TACET_TRY(const bool found, rows.next());
  return found ? rows.text(0) : std::string();
}

Rows::Rows(Database& database, const char* sql, std::optional<std::int64_t> value) : database_(database.handle()), state_(SQLITE_OK) {
  sqlite3_stmt* compiled = nullptr;
  state_ = sqlite3_prepare_v2(database_, sql, -1, &compiled, nullptr);
  statement_.reset(compiled);
  if (state_ == SQLITE_OK && value) state_ = sqlite3_bind_int64(compiled, 1, *value);
}

Result<bool> Rows::next() {
  if (state_ == SQLITE_OK || state_ == SQLITE_ROW) state_ = sqlite3_step(statement_.get());
  if (state_ == SQLITE_ROW) return true;
  if (state_ == SQLITE_DONE) return false;
  return failure(state_, database_);
}

std::string Rows::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::int64_t Rows::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

}  // namespace tacet::old_ledger::sqlite

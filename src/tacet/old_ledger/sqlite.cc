#include "tacet/kernel/sqlite.h"

#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace tacet::kernel::sqlite {
namespace {

// How long a charge waits for other processes before it gives up; a charge itself takes milliseconds.
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
                       "its file and its folder must be writable by whoever charges");
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
void Statement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Result<Database> Database::open(const std::string& path) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  Database database(handle);
  if (code != SQLITE_OK) return failure(code, handle);
  sqlite3_busy_timeout(handle, kPatienceSeconds * 1000);
  // A ledger holds tables and nothing that runs; what a tampered file brings along is not executed.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  return database;
}

Status Database::run(const char* sql) {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(code, handle());
  return {};
}

Result<std::string> Database::ask(const char* sql) {
  Statement statement(sql);
  Rows rows(*this, statement);
  TACET_TRY(const bool found, rows.next());
  return found ? rows.text(0) : std::string();
}

bool Database::read_only() const { return sqlite3_db_readonly(handle(), "main") == 1; }
bool Database::in_transaction() const { return sqlite3_get_autocommit(handle()) == 0; }
int Database::changes() const { return sqlite3_changes(handle()); }

Rows::Rows(Bare /*bare*/, Database& database, Statement& statement) : database_(database.handle()), statement_(nullptr), state_(SQLITE_OK) {
  if (!statement.handle_) {
    sqlite3_stmt* compiled = nullptr;
    state_ = sqlite3_prepare_v3(database_, statement.sql_, -1, SQLITE_PREPARE_PERSISTENT, &compiled, nullptr);
    statement.handle_.reset(compiled);
  }
  statement_ = statement.handle_.get();
}

Rows::~Rows() { sqlite3_reset(statement_); }

void Rows::bind(int position, std::string_view value) {
  if (state_ != SQLITE_OK) return;
  // An empty view may have no address, which SQLite would take for NULL.
  const char* bytes = value.empty() ? "" : value.data();
  state_ = sqlite3_bind_text64(statement_, position, bytes, value.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);  // NOLINT(performance-no-int-to-ptr): SQLite's own macro
}

void Rows::bind(int position, std::int64_t value) {
  if (state_ == SQLITE_OK) state_ = sqlite3_bind_int64(statement_, position, value);
}

Result<bool> Rows::next() {
  if (state_ == SQLITE_OK || state_ == SQLITE_ROW) state_ = sqlite3_step(statement_);
  if (state_ == SQLITE_ROW) return true;
  if (state_ == SQLITE_DONE) return false;
  return failure(state_, database_);
}

std::string Rows::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::int64_t Rows::integer(int column) const { return sqlite3_column_int64(statement_, column); }

}  // namespace tacet::kernel::sqlite

#include "tacet/kernel/ledger_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tacet/exact/entropy.h"

namespace tacet::kernel {
namespace {

using sqlite::Database;

constexpr std::size_t kNameBytes = 16;
constexpr std::string_view kMemory = ":memory:";
constexpr std::string_view kApplication = "1413563237";  // "TACe" as a 32-bit number, in the file's header
constexpr std::string_view kFormat = "2";                // user_version in the file's header

constexpr std::array<const char*, 6> kTables = {
    "CREATE TABLE ledger (name TEXT NOT NULL, budgets INTEGER NOT NULL, budgets_hash TEXT NOT NULL) STRICT",
    "CREATE TABLE budget (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL UNIQUE, neighbours TEXT NOT NULL, currency TEXT NOT NULL, "
    "rule TEXT NOT NULL, total TEXT NOT NULL, total_delta TEXT NOT NULL, slack TEXT NOT NULL, created TEXT NOT NULL, "
    "origin_hash TEXT NOT NULL, spent TEXT NOT NULL, spent_drift TEXT NOT NULL, spent_delta TEXT NOT NULL, "
    "entries INTEGER NOT NULL, head_hash TEXT NOT NULL) STRICT",
    "CREATE TABLE share (budget INTEGER NOT NULL, analyst TEXT NOT NULL, most TEXT NOT NULL, most_delta TEXT NOT NULL, "
    "PRIMARY KEY (budget, analyst)) STRICT, WITHOUT ROWID",
    "CREATE TABLE analyst (budget INTEGER NOT NULL, analyst TEXT NOT NULL, spent TEXT NOT NULL, spent_drift TEXT NOT NULL, "
    "spent_delta TEXT NOT NULL, last_entry INTEGER NOT NULL, PRIMARY KEY (budget, analyst)) STRICT, WITHOUT ROWID",
    "CREATE TABLE entry (budget INTEGER NOT NULL, number INTEGER NOT NULL, analyst TEXT NOT NULL, statement TEXT NOT NULL, "
    "statement_hash TEXT NOT NULL, loss TEXT NOT NULL, charged TEXT NOT NULL, charged_delta TEXT NOT NULL, spent TEXT NOT NULL, "
    "spent_drift TEXT NOT NULL, spent_delta TEXT NOT NULL, analyst_spent TEXT NOT NULL, analyst_spent_drift TEXT NOT NULL, "
    "analyst_spent_delta TEXT NOT NULL, time TEXT NOT NULL, clock_went_back INTEGER NOT NULL, "
    "previous_hash TEXT NOT NULL, entry_hash TEXT NOT NULL, UNIQUE (budget, number)) STRICT",
    "CREATE INDEX entry_by_analyst ON entry (budget, analyst, number)"};

Error unavailable(const std::string& path, std::string_view what, int number) {
  return Error::of(Code::LedgerUnavailable,
                   fmt::format("the ledger \"{}\" cannot be {} ({})", path, what, std::generic_category().message(number)),
                   "check that its folder exists and that you may write in it");
}

/// Some builds of SQLite read "file:..." as an address with options; with a folder in front it is always a path.
Result<Database> open_database(const std::string& path) { return Database::open(path.starts_with('/') ? path : "./" + path); }

Status create_tables(Database& database) {
  TACET_CHECK(database.run("BEGIN IMMEDIATE"));
  for (const char* table : kTables) TACET_CHECK(database.run(table));
  TACET_TRY(const std::string name, exact::random_hex(kNameBytes));
  sqlite::Statement insert("INSERT INTO ledger VALUES (?, 0, ?)");
  TACET_CHECK(sqlite::run(database, insert, name, name));
  TACET_CHECK(database.run(fmt::format("PRAGMA application_id = {}", kApplication).c_str()));
  TACET_CHECK(database.run(fmt::format("PRAGMA user_version = {}", kFormat).c_str()));
  return database.run("COMMIT");
}

/// Makes what was written in the folder of `path` outlast a power cut: its name, and not only its contents.
Status sync_folder(const std::string& path) {
  std::error_code unresolved;
  const std::filesystem::path file = std::filesystem::canonical(path, unresolved);  // a symbolic link's target is in another folder
  if (unresolved) return unavailable(path, "opened", unresolved.value());
  const std::string folder = file.parent_path().string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Whoever may not read the folder did not make the file in it just now, and whoever did has synced it.
  if (descriptor < 0) return errno == EACCES ? Status() : unavailable(path, "synced", errno);
  const bool synced = ::fsync(descriptor) == 0 || errno == EROFS || errno == EINVAL;
  const int number = errno;
  ::close(descriptor);
  if (!synced) return unavailable(path, "synced", number);
  return {};
}

/// A whole, synced ledger at `path`, an empty file before. All of it is in the file itself: it is written before the log exists.
Status build(const std::string& path) {
  TACET_TRY(Database database, open_database(path));
  TACET_CHECK(database.run("PRAGMA synchronous = FULL"));
  TACET_CHECK(create_tables(database));
  TACET_TRY(const std::string mode, database.ask("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return Error::of(Code::LedgerUnavailable, fmt::format("no write-ahead log can be kept for the ledger \"{}\"", path),
                     "put the ledger on a local disk");
  }
  return {};
}

Status make_file(const std::string& path) {
  TACET_TRY(const std::string draft_name, exact::random_hex(kNameBytes));
  const std::string draft = fmt::format("{}.new-{}", path, draft_name);
  const int descriptor = ::open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return unavailable(path, "made", errno);
  ::close(descriptor);
  Status status = build(draft);
  // Another process may have been first; then its ledger is the one.
  if (status.ok() && ::link(draft.c_str(), path.c_str()) != 0 && errno != EEXIST) status = unavailable(path, "made", errno);
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) ::unlink((draft + suffix).c_str());
  return status;
}

Status check_ours(Database& database, const std::string& path) {
  TACET_TRY(const std::string application, database.ask("PRAGMA application_id"));
  if (application != kApplication) {
    return Error::of(Code::LedgerCorrupt, fmt::format("\"{}\" is a database, but no Tacet ledger, or its header is damaged", path),
                     "check the path; a new ledger is made by \"tacet budget create\" at a path where there is no file");
  }
  TACET_TRY(const std::string format, database.ask("PRAGMA user_version"));
  if (format != kFormat) {
    return Error::of(
        Code::Unsupported, fmt::format("the ledger \"{}\" has format {}, but this version of Tacet reads format {}", path, format, kFormat),
        format == "1" ? "use the version of Tacet that wrote it, or set what remains in it as the budget of a new ledger, once, "
                        "and put the old one away: tacet budget create"
                      : "use the version of Tacet that wrote it, or a newer one");
  }
  sqlite::Statement select("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid");
  sqlite::Rows rows(database, select);
  bool same = true;
  for (const char* table : kTables) {
    TACET_TRY(const bool found, rows.next());
    same = same && found && rows.text(0) == table;
  }
  TACET_TRY(const bool more, rows.next());
  if (!same || more) {
    return Error::of(Code::LedgerCorrupt, fmt::format("the tables of the ledger \"{}\" are not those that Tacet makes", path),
                     "it was damaged or edited; restore the newest backup");
  }
  return {};
}

/// What makes a returned COMMIT durable, and damage noticed.
Status configure(Database& database, const std::string& path) {
  TACET_CHECK(database.run("PRAGMA cell_size_check = ON"));
  if (database.read_only()) return {};
  TACET_TRY(const std::string mode, database.ask("PRAGMA journal_mode = WAL"));
  TACET_CHECK(database.run("PRAGMA synchronous = FULL"));
  TACET_CHECK(database.run("PRAGMA fullfsync = ON"));  // macOS: a sync that reaches the disk; elsewhere nothing
  TACET_TRY(const std::string synchronous, database.ask("PRAGMA synchronous"));
  // After every commit the log is copied into the main file: at rest the main file is whole, even if the log is lost.
  TACET_TRY(const std::string checkpoint, database.ask("PRAGMA wal_autocheckpoint = 1"));
  if (mode != "wal" || synchronous != "2" || checkpoint != "1") {
    return Error::of(Code::LedgerUnavailable, fmt::format("the ledger \"{}\" cannot be written durably where it is", path),
                     "put the ledger on a local disk");
  }
  return {};
}

}  // namespace

Result<Database> open_ledger_file(const std::string& path, bool create) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return Error::invalid("ledger", "\"\"", "must be the path of a file", "for example: people.ledger");
  TACET_CHECK(exact::start_sodium());
  if (path == kMemory) {
    TACET_TRY(Database database, Database::open(path));
    TACET_CHECK(create_tables(database));
    return database;
  }
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0) {
    if (errno != ENOENT) return unavailable(path, "opened", errno);
    if (!create) {
      return Error::of(Code::NotFound, fmt::format("there is no ledger at \"{}\"", path),
                       "check the path, or make one: tacet budget create");
    }
    TACET_CHECK(make_file(path));
    if (::stat(path.c_str(), &file) != 0) return unavailable(path, "opened", errno);
  }
  if (!S_ISREG(file.st_mode)) return Error::invalid("ledger", fmt::format("\"{}\"", path), "must be a file", "for example: people.ledger");
  if (file.st_size == 0) {
    return Error::of(Code::LedgerCorrupt, fmt::format("the file \"{}\" is empty, which a ledger never is", path),
                     "restore the newest backup; if there never was a ledger here, delete the file");
  }
  TACET_TRY(Database database, open_database(path));
  TACET_CHECK(check_ours(database, path));
  TACET_CHECK(configure(database, path));
  TACET_CHECK(sync_folder(path));
  return database;
}

}  // namespace tacet::kernel

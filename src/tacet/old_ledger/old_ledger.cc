#include "tacet/old_ledger/old_ledger.h"

#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tacet/exact/entropy.h"
#include "tacet/old_ledger/chain.h"
#include "tacet/old_ledger/rows.h"
#include "tacet/old_ledger/sqlite.h"

namespace tacet::old_ledger {
namespace {

using sqlite::Database;

constexpr std::string_view kApplication = "1413563237";  // "TACe" as a number, in the header
// user_version in the header: the format, or above this a closing mark.
constexpr std::int64_t kClosed = 9;
constexpr std::size_t kMarkDigits = 7;  // user_version has 31 bits

struct Opened {
  Database database;
  Format format;
  std::int64_t closed_for;
};

/// SQLite creates files beside a ledger even to read it. If it may not, and there is no log, the
/// file alone is complete.
Result<Database> open_database(const std::string& path) {
  TACET_TRY(Database database, Database::open(path));
  const auto asked = database.ask("PRAGMA application_id");
  struct stat log{};
  if (asked.ok() || asked.error().code() != Code::LedgerUnavailable || ::stat((path + "-wal").c_str(), &log) == 0) return database;
  return Database::open_alone(path);
}

Result<Opened> open(const std::string& path) {
  TACET_CHECK(exact::start_sodium());
  struct stat file{};
  if (path.empty() || path.find('\0') != std::string::npos || (::stat(path.c_str(), &file) == 0 && !S_ISREG(file.st_mode)))
    return Error::invalid("old ledger", fmt::format("\"{}\"", path.c_str()), "must be a file", "for example: people.ledger");
  if (::stat(path.c_str(), &file) != 0 && errno == ENOENT)
    return Error::of(Code::NotFound, fmt::format("there is no ledger at \"{}\"", path), "check the path");
  TACET_TRY(Database database, open_database(path));
  TACET_TRY(const std::string application, database.ask("PRAGMA application_id"));
  if (application != kApplication) {
    return Error::of(Code::LedgerCorrupt, fmt::format("\"{}\" is no Tacet ledger of an older format, or its header is damaged", path),
                     "check the path");
  }
  TACET_TRY(const std::string version, database.ask("PRAGMA user_version"));
  std::int64_t number = 0;
  (void)std::from_chars(version.data(), version.data() + version.size(), number);
  if (number != 1 && number != 2 && number <= kClosed) {
    return Error::of(Code::Unsupported, fmt::format("the ledger \"{}\" has format {}, which is neither 1 nor 2", path, version),
                     "use the version of Tacet that wrote it, or a newer one");
  }
  TACET_TRY(const Format format, format_of(database, path));
  const bool closed = number > kClosed;
  if (!closed && number != static_cast<int>(format)) {
    return Error::of(Code::LedgerCorrupt, fmt::format("the tables of the ledger \"{}\" are not those of its format", path),
                     "it was damaged or edited; restore the newest backup");
  }
  return Opened{std::move(database), format, closed ? number : 0};
}

}  // namespace

std::string OldDataset::from() const { return fmt::format("{} {}", ledger, last_hash); }

Result<std::vector<OldDataset>> read_old_ledger(const std::string& path) {
  TACET_TRY(Opened opened, open(path));
  TACET_TRY(const LedgerRows ledger, read_rows(opened.database, opened.format));
  TACET_CHECK(check_roll(ledger));
  std::vector<OldDataset> datasets;
  for (const BudgetRows& rows : ledger.budgets) {
    TACET_TRY(OldDataset dataset, check_budget(opened.format, ledger.roll.name, rows));
    dataset.closed_for = opened.closed_for;
    datasets.push_back(std::move(dataset));
  }
  return datasets;
}

std::int64_t closing_mark(const std::string& ledger) {
  std::int64_t mark = 0;
  const std::string_view digits = std::string_view(ledger).substr(0, kMarkDigits);
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), mark, 16);
  return kClosed + 1 + mark;
}

Status close_old_ledger(const std::string& path, const std::string& ledger) {
  TACET_TRY(Opened opened, open(path));
  const std::int64_t mark = closing_mark(ledger);
  if (opened.closed_for == mark) return {};
  if (opened.closed_for != 0) {
    return Error::of(Code::AlreadyExists, fmt::format("the ledger \"{}\" was closed, and goes on in another one than this", path),
                     "use that one: one budget cannot go on in two ledgers");
  }
  TACET_CHECK(opened.database.run("PRAGMA synchronous = FULL"));
  TACET_CHECK(opened.database.run("BEGIN IMMEDIATE"));
  // Another program may have closed it in between.
  TACET_TRY(const std::string version, opened.database.ask("PRAGMA user_version"));
  if (version != std::to_string(static_cast<int>(opened.format))) {
    return Error::of(Code::LedgerUnavailable, fmt::format("the ledger \"{}\" is being closed by another program", path), "try again");
  }
  TACET_CHECK(opened.database.run(kClosingTrigger));
  TACET_CHECK(opened.database.run(fmt::format("PRAGMA user_version = {}", mark).c_str()));
  return opened.database.run("COMMIT");
}

}  // namespace tacet::old_ledger

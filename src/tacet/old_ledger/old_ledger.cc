#include "tacet/old_ledger/old_ledger.h"

#include <sys/stat.h>

#include <cerrno>
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

constexpr std::string_view kApplication = "1413563237";  // "TACe" as a 32-bit number, in the file's header
constexpr std::string_view kRetired = "9";               // user_version in the file's header; otherwise the format

struct Opened {
  Database database;
  Format format;
  bool retired;
};

/// SQLite wants to make files beside a ledger even to read it. Where it may not, and there is no log, the file alone is all there is.
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
  if (version != "1" && version != "2" && version != kRetired) {
    return Error::of(Code::Unsupported, fmt::format("the ledger \"{}\" has format {}, which is neither 1 nor 2", path, version),
                     "use the version of Tacet that wrote it, or a newer one");
  }
  TACET_TRY(const Format format, format_of(database, path));
  const bool retired = version == kRetired;
  if (!retired && version != std::to_string(static_cast<int>(format))) {
    return Error::of(Code::LedgerCorrupt, fmt::format("the tables of the ledger \"{}\" are not those of its format", path),
                     "it was damaged or edited; restore the newest backup");
  }
  return Opened{std::move(database), format, retired};
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
    dataset.retired = opened.retired;
    datasets.push_back(std::move(dataset));
  }
  return datasets;
}

Status retire_old_ledger(const std::string& path) {
  TACET_TRY(Opened opened, open(path));
  if (opened.retired) return {};
  TACET_CHECK(opened.database.run("PRAGMA synchronous = FULL"));
  TACET_CHECK(opened.database.run("BEGIN IMMEDIATE"));
  TACET_CHECK(opened.database.run(fmt::format("PRAGMA user_version = {}", kRetired).c_str()));
  return opened.database.run("COMMIT");
}

}  // namespace tacet::old_ledger

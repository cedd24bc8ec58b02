// ledger_bench: the time of a charge, against a bare synced commit of SQLite in the same folder in
// the same run.
//
//   ledger_bench            in the folder for temporary files; exits 1 if the median ratio exceeds
//                           the limit of 1.5
//   ledger_bench FOLDER     on the disk of that folder
//
// A charge is a whole one, with a ledger that is open: lock, read what others did, decide, append,
// sync, move the mark on. The commit is one INSERT of the same statement into a table, with a
// write-ahead log and synchronous = FULL, and a checkpoint when SQLite wants one. Runs are
// interleaved; the numbers are the median and the range. Then what opening takes, and a charge by a
// program that has just started.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>

#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/parameters.h"

#include "measure.h"

namespace {

using namespace tacet::bench;
using tacet::kernel::ChargeRequest;
using tacet::kernel::Custody;
using tacet::kernel::LedgerOptions;
namespace privacy = tacet::privacy;

constexpr int kRuns = 51;
constexpr int kChargesPerRun = 10;
constexpr double kMostRatio = 1.5;

template <class T>
T required(tacet::Result<T> result) {
  if (!result.ok()) fail(result.error().message());
  return *std::move(result);
}

/// As long as that of a release of counts.
const std::string kStatement =
    R"({"by":["smoking","disease"],"cost":"rho 0.000001","dataset":"patients","mechanism":"gaussian","neighbours":"replace-one","release":"counts"})";

ChargeRequest request() {
  return {.dataset = "patients",
          .analyst = "ada",
          .statement = kStatement,
          .relation = tacet::kernel::Relation::ReplaceOne,
          .loss = privacy::gaussian_loss_from_rho(required(privacy::Rho::parse("0.000001")))};
}

void charge(Custody& ledger) { (void)required(ledger.charge(request())); }

/// For making long ledgers.
class WithoutSync : public tacet::kernel::Disk {
  int sync(int /*descriptor*/) override { return 0; }
};

Custody made(const std::filesystem::path& folder, int entries) {
  const std::string path = folder / fmt::format("{}.ledger", entries);
  WithoutSync quick;
  Custody ledger = required(Custody::open(path, {.create = true, .seals = folder / "keys", .disk = &quick}));
  const auto budget = privacy::budget_of(required(privacy::Rho::parse("1000000")));
  if (!ledger.create_budget("patients", tacet::kernel::plain_terms(budget, tacet::kernel::Relation::ReplaceOne), {}).ok())
    fail("no budget");
  for (int i = 0; i < entries; ++i) charge(ledger);
  return required(Custody::open(path, {.seals = folder / "keys"}));
}

class Sqlite {
 public:
  explicit Sqlite(const std::string& path) {
    if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK) fail("no database");
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = FULL");
    run("CREATE TABLE entry (number INTEGER PRIMARY KEY, analyst TEXT, statement TEXT, time TEXT)");
    if (sqlite3_prepare_v2(database_, "INSERT INTO entry (analyst, statement, time) VALUES ('ada', ?, '2026-01-01T00:00:00Z')", -1,
                           &insert_, nullptr) != SQLITE_OK)
      fail("no statement");
  }
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;
  ~Sqlite() {
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }
  void commit() {
    sqlite3_bind_text(insert_, 1, kStatement.data(), static_cast<int>(kStatement.size()), SQLITE_STATIC);
    if (sqlite3_step(insert_) != SQLITE_DONE) fail("no commit");
    sqlite3_reset(insert_);
  }

 private:
  void run(const char* sql) {
    if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
  }
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

std::string shown(const std::vector<double>& values, double unit) {
  const Summary s = summary(values);
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", s.median / unit, s.least / unit, s.most / unit);
}

double compare(const std::filesystem::path& folder) {
  Custody ledger = made(folder, 0);
  Sqlite sqlite(folder / "plain.db");
  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> ratios;
  for (int run = -1; run < kRuns; ++run) {
    const auto timed = [&](const auto& once) {
      return seconds([&] {
               for (int i = 0; i < kChargesPerRun; ++i) once();
             }) /
             kChargesPerRun;
    };
    const double a = timed([&] { charge(ledger); });
    const double b = timed([&] { sqlite.commit(); });
    if (run < 0) continue;  // to warm up
    ours.push_back(a);
    theirs.push_back(b);
    ratios.push_back(a / b);
  }
  const double start = processor_seconds();
  for (int i = 0; i < kChargesPerRun; ++i) charge(ledger);
  fmt::print("a charge       {} microseconds, of which the processor works {:.4g}\n", shown(ours, 1e-6),
             (processor_seconds() - start) / kChargesPerRun / 1e-6);
  fmt::print("a bare commit  {} microseconds\n", shown(theirs, 1e-6));
  fmt::print("ratio          {}\n", shown(ratios, 1));
  return summary(ratios).median;
}

void open_with(const std::filesystem::path& folder, int entries) {
  const LedgerOptions options{.seals = folder / "keys"};
  const std::string path = folder / fmt::format("{}.ledger", entries);
  {
    (void)made(folder, entries);
  }
  std::vector<double> opening;
  std::vector<double> charging;
  for (int run = 0; run < (entries > 10'000 ? 5 : kRuns); ++run) {
    const double start = processor_seconds();
    Custody ledger = required(Custody::open(path, options));
    opening.push_back(processor_seconds() - start);
    charging.push_back(opening.back() + seconds([&] { charge(ledger); }));
  }
  fmt::print("{:>7} entries: opening {} microseconds of the processor, {:.3g} for an entry; with a charge {}\n", entries,
             shown(opening, 1e-6), summary(opening).median / 1e-6 / entries, shown(charging, 1e-6));
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path where = count > 1 ? std::filesystem::path(arguments[1]) : std::filesystem::temp_directory_path();
  std::string folder = (where / "tacet-ledger-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) fail("cannot make a temporary folder");
  const double ratio = compare(folder);
  for (const int entries : {10, 1'000, 100'000}) open_with(folder, entries);
  std::filesystem::remove_all(folder);
  fmt::print("median ratio {:.3g}, limit {}: {}\n", ratio, kMostRatio, ratio <= kMostRatio ? "PASS" : "FAIL");
  return ratio <= kMostRatio ? 0 : 1;
}

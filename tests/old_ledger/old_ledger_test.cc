#include "tacet/old_ledger/old_ledger.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <ostream>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/filter_words.h"

#include "kernel/ledger_requests.h"
#include "kernel/scratch_folder.h"
#include "old_ledger/old_file.h"

namespace tacet::old_ledger {
namespace {

using kernel::Relation;
using privacy::FilterRule;
using testing::decimal;
using ::testing::ElementsAre;
using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::make_old_ledger;
using ::testing::MatchesRegex;
using testing::mu_loss;
using testing::rho_loss;
using testing::run_sql;

/// One for each loss.
std::string text(const privacy::Loss& loss) {
  if (const auto* pure = std::get_if<privacy::PureLoss>(&loss)) return "pure " + pure->epsilon.to_string();
  if (const auto* both = std::get_if<privacy::ApproximateLoss>(&loss))
    return "approximate " + both->epsilon.to_string() + " " + both->delta.to_string();
  return "gaussian " + std::get<privacy::GaussianLoss>(loss).mu_squared.to_string();
}

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class OldLedger : public ::testing::TestWithParam<int> {
 protected:
  OldLedger() { make_old_ledger(path(), format()); }
  static int format() { return GetParam(); }
  std::string path() const { return folder_.path("old.ledger"); }
  std::vector<OldDataset> read() const {
    auto datasets = read_old_ledger(path());
    EXPECT_TRUE(datasets.ok()) << datasets.error().message();
    return datasets.ok() ? *std::move(datasets) : std::vector<OldDataset>();
  }
  OldDataset dataset(const std::string& name) const {
    for (OldDataset& one : read()) {
      if (one.dataset == name) return one;
    }
    throw std::runtime_error("no such dataset");
  }

  testing::ScratchFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Formats, OldLedger, ::testing::Values(1, 2),
                         [](const auto& chosen) { return fmt::format("Format{}", chosen.param); });

TEST_P(OldLedger, IsReadAsItWasWritten) {
  const OldDataset patients = dataset("patients");
  EXPECT_EQ(patients.format, format());
  EXPECT_EQ(patients.closed_for, 0);
  EXPECT_THAT(patients.ledger, MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(patients.budget.currency, privacy::Currency::Zcdp);
  EXPECT_EQ(patients.budget.total.first, decimal("1"));
  EXPECT_EQ(patients.rule, FilterRule::Zcdp);
  EXPECT_EQ(patients.created, "2026-01-01T00:01:00Z");
  ASSERT_EQ(patients.shares.size(), 1U);
  EXPECT_EQ(patients.shares[0].analyst, "ada");
  EXPECT_EQ(patients.shares[0].limit.first, decimal("0.5"));
  ASSERT_EQ(patients.charges.size(), 3U);
  EXPECT_EQ(patients.charges[0].analyst, "ada");
  EXPECT_EQ(patients.charges[0].statement, "counts by sex");
  EXPECT_EQ(text(patients.charges[0].loss), text(rho_loss("0.125")));
  EXPECT_EQ(patients.charges[1].analyst, "ben");
  EXPECT_EQ(patients.charges[1].statement, "counts by \"age\" and sex, Zo\xc3\xab");
  EXPECT_EQ(text(patients.charges[1].loss), text(mu_loss("0.3")));
  EXPECT_LT(patients.charges[2].time, patients.charges[1].time) << "the clock went back";
  EXPECT_EQ(patients.last_hash, patients.charges[2].entry_hash);
  EXPECT_EQ(patients.from(), patients.ledger + " " + patients.last_hash);
  EXPECT_THAT(patients.last_hash, MatchesRegex("[0-9a-f]{64}"));
}

TEST_P(OldLedger, HasItsDatasetsInTheirOrderAndThoseThatWereNeverCharged) {
  std::vector<std::string> names;
  for (const OldDataset& one : read()) names.push_back(one.dataset);
  if (format() == 1) {
    EXPECT_THAT(names, ElementsAre("patients", "clinics", "mu", "pure", "untouched"));
  } else {
    EXPECT_THAT(names, ElementsAre("patients", "clinics", "rogers", "mu", "pure", "untouched"));
  }
  EXPECT_TRUE(dataset("untouched").charges.empty());
  EXPECT_THAT(dataset("untouched").last_hash, MatchesRegex("[0-9a-f]{64}"));
}

TEST_P(OldLedger, IsNotChangedByReading) {
  const std::string before = read_all(path());
  read();
  EXPECT_EQ(read_all(path()), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.folder()), {}), 1) << "nothing is left beside it";
}

TEST_P(OldLedger, WhoseLastChargeIsStillInItsLogIsReadWithIt) {
  // A program that was killed left the log beside the ledger.
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "PRAGMA wal_autocheckpoint = 0; UPDATE budget SET spent = '9' WHERE dataset = 'patients'", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  for (const char* suffix : {"", "-wal"}) std::filesystem::copy_file(path() + suffix, folder_.path("copy") + suffix);
  sqlite3_close(database);
  EXPECT_THAT(read_old_ledger(folder_.path("copy")).error().message(), HasSubstr("its entries do not add up to what was spent"));
}

TEST_P(OldLedger, GoesOnInANewLedger) {
  kernel::Custody ledger = *kernel::Custody::open(folder_.path("new.ledger"), {.create = true});
  for (const OldDataset& old : read()) {
    const kernel::Declaration declared{
        .budget = old.budget, .relation = old.relation.value_or(Relation::ReplaceOne), .rule = old.rule, .slack = old.slack};
    const Status adopted = ledger.adopt(old.dataset, declared, old.shares, old.from(), old.charges);
    ASSERT_TRUE(adopted.ok()) << adopted.error().message();
    const auto history = ledger.history(old.dataset);
    ASSERT_EQ(history->size(), old.charges.size());
    for (std::size_t i = 0; i < old.charges.size(); ++i) {
      EXPECT_EQ(history->at(i).entry_hash, old.charges[i].entry_hash);
      EXPECT_EQ(text(*history->at(i).loss), text(old.charges[i].loss));
    }
  }
  const kernel::BudgetState state = *ledger.show("patients");
  EXPECT_EQ(state.entries, 3);
  EXPECT_EQ(state.idealised, format() == 2 ? 1 : 0);
  // 0.125 + 0.045 + 0.25, and in format 2 the last is epsilon 0.5, which is rho 0.125.
  EXPECT_EQ(privacy::spent_amount(state.filter).first, decimal(format() == 1 ? "0.42" : "0.295"));
}

TEST_P(OldLedger, ThatIsClosedIsReadAndGoesOnInOneLedgerAlone) {
  const std::string ledger = "0123456789abcdef0123456789abcdef";
  const std::vector<OldDataset> before = read();
  EXPECT_EQ(before[0].closed_for, 0);
  ASSERT_TRUE(close_old_ledger(path(), ledger).ok());
  ASSERT_TRUE(close_old_ledger(path(), ledger).ok()) << "twice does no harm";
  const Status other = close_old_ledger(path(), "1" + ledger.substr(1));
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code(), Code::AlreadyExists);
  const std::vector<OldDataset> after = read();
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[0].closed_for, closing_mark(ledger));
  EXPECT_EQ(after[0].format, format());
  EXPECT_EQ(after[0].last_hash, before[0].last_hash);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
  std::string version;
  sqlite3_exec(
      database, "PRAGMA user_version",
      [](void* out, int, char** values, char**) {
        *static_cast<std::string*>(out) = values[0];
        return 0;
      },
      &version, nullptr);
  sqlite3_close(database);
  EXPECT_EQ(version, std::to_string(10 + 0x0123456)) << "earlier versions compare it with their own format";
}

TEST_P(OldLedger, IsReadWhereItMayNotBeWritten) {
  ASSERT_EQ(::chmod(path().c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder_.folder().c_str(), 0555), 0);
  EXPECT_EXIT(
      {
        const bool dropped = ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0);
        const auto datasets = read_old_ledger(path());
        const Status retired = close_old_ledger(path(), "ab");
        if (!datasets.ok()) std::fprintf(stderr, "%s\n", datasets.error().message().c_str());
        std::_Exit(dropped && datasets.ok() && !retired.ok() && retired.error().code() == Code::LedgerUnavailable ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
  ASSERT_EQ(::chmod(folder_.folder().c_str(), 0700), 0);
}

TEST_P(OldLedger, OfAnotherKindIsRefused) {
  const std::string other = folder_.path("other");
  EXPECT_EQ(read_old_ledger(other).error().code(), Code::NotFound);
  EXPECT_EQ(close_old_ledger(other, "ab").error().code(), Code::NotFound);
  EXPECT_FALSE(std::filesystem::exists(other));
  EXPECT_EQ(read_old_ledger("").error().code(), Code::InvalidArgument);
  EXPECT_EQ(read_old_ledger(folder_.folder().string()).error().code(), Code::InvalidArgument);
  std::ofstream(other) << "age,sex\n" << std::string(1000, 'x');
  EXPECT_EQ(read_old_ledger(other).error().code(), Code::LedgerCorrupt);
  run_sql(folder_.path("database"), "CREATE TABLE budget (x)");
  EXPECT_EQ(read_old_ledger(folder_.path("database")).error().message(),
            "\"" + folder_.path("database") + "\" is no Tacet ledger of an older format, or its header is damaged; check the path");
  EXPECT_FALSE(close_old_ledger(folder_.path("database"), "ab").ok());
  run_sql(path(), "PRAGMA user_version = 3");
  EXPECT_EQ(read_old_ledger(path()).error().message(),
            "the ledger \"" + path() +
                "\" has format 3, which is neither 1 nor 2; use the version of Tacet that wrote it, or a "
                "newer one");
  run_sql(path(), fmt::format("PRAGMA user_version = {}", 3 - format()));
  EXPECT_EQ(read_old_ledger(path()).error().message(),
            "the tables of the ledger \"" + path() + "\" are not those of its format; it was damaged or edited; restore the newest backup");
  ASSERT_TRUE(kernel::Custody::open(folder_.path("new"), {.create = true}).ok());
  EXPECT_EQ(read_old_ledger(folder_.path("new")).error().code(), Code::LedgerCorrupt);
}

TEST_P(OldLedger, ThatWasEditedIsRefused) {
  const std::string whole = folder_.path("whole");
  std::filesystem::copy_file(path(), whole);
  std::vector<std::string> edits = {
      "UPDATE budget SET total = '2' WHERE dataset = 'patients'",
      "UPDATE budget SET spent = '0' WHERE dataset = 'patients'",
      "UPDATE budget SET spent_delta = '0.1' WHERE dataset = 'patients'",
      "UPDATE budget SET currency = 'mu' WHERE dataset = 'patients'",
      "UPDATE budget SET dataset = 'former patients' WHERE dataset = 'patients'",
      "UPDATE budget SET created = '2020-01-01T00:00:00Z' WHERE dataset = 'patients'",
      "UPDATE budget SET entries = 2 WHERE dataset = 'patients'",
      "UPDATE budget SET head_hash = origin_hash WHERE dataset = 'patients'",
      "DELETE FROM budget WHERE dataset = 'patients'",
      "DELETE FROM budget WHERE dataset = 'untouched'",
      "DELETE FROM budget; DELETE FROM entry; DELETE FROM analyst; DELETE FROM share",
      "DELETE FROM ledger",
      "INSERT INTO ledger SELECT * FROM ledger",
      "UPDATE ledger SET name = 'another'",
      "UPDATE ledger SET budgets = 4",
      "UPDATE share SET most = '1'",
      "DELETE FROM share",
      "UPDATE share SET analyst = 'cleo'",
      "UPDATE analyst SET spent = '0' WHERE analyst = 'ada'",
      "UPDATE analyst SET last_entry = 1 WHERE analyst = 'ada'",
      "DELETE FROM analyst WHERE analyst = 'ben'",
      "INSERT INTO analyst SELECT budget, 'eve', spent" + std::string(format() == 2 ? ", spent_drift" : "") +
          ", spent_delta, last_entry FROM analyst WHERE analyst = 'ben'",
      "DELETE FROM entry WHERE number = 3",
      "DELETE FROM entry WHERE number = 1",
      "DELETE FROM entry",
      "UPDATE entry SET charged = '0.001' WHERE number = 1",
      "UPDATE entry SET charged_delta = '0.001' WHERE number = 1",
      "UPDATE entry SET spent = '0.001' WHERE number = 2",
      "UPDATE entry SET analyst_spent = '0.001' WHERE number = 2",
      "UPDATE entry SET analyst = 'eve' WHERE number = 2",
      "UPDATE entry SET statement = 'nothing much' WHERE number = 1",
      "UPDATE entry SET statement_hash = entry_hash WHERE number = 1",
      "UPDATE entry SET time = '2001-01-01T00:00:00Z' WHERE number = 1",
      "UPDATE entry SET clock_went_back = 1 - clock_went_back WHERE number = 1",
      "UPDATE entry SET number = 100 WHERE number = 1 AND budget = 1; UPDATE entry SET number = 1 WHERE number = 3 AND budget = 1; "
      "UPDATE entry SET number = 3 WHERE number = 100",
      "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END",
      "CREATE VIEW v AS SELECT * FROM entry",
      "ALTER TABLE entry ADD COLUMN note TEXT",
      "DROP INDEX entry_by_analyst",
  };
  if (format() == 2) {
    for (const char* edit :
         {"UPDATE budget SET rule = 'basic' WHERE dataset = 'clinics'", "UPDATE budget SET slack = '0.1' WHERE dataset = 'clinics'",
          "UPDATE budget SET neighbours = 'replace-one' WHERE dataset = 'clinics'",
          "UPDATE budget SET spent_drift = '0' WHERE dataset = 'rogers'", "UPDATE entry SET loss = 'pure' WHERE number = 1",
          "UPDATE entry SET spent_drift = '0' WHERE number = 2 AND budget = 3", "UPDATE analyst SET spent_drift = '0' WHERE budget = 3"})
      edits.emplace_back(edit);
  }
  for (const std::string& edit : edits) {
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path() + suffix);
    std::filesystem::copy_file(whole, path());
    run_sql(path(), edit);
    const auto datasets = read_old_ledger(path());
    ASSERT_FALSE(datasets.ok()) << edit;
    EXPECT_EQ(datasets.error().code(), Code::LedgerCorrupt) << edit;
  }
}

TEST_P(OldLedger, WithDamagedBytesIsRightOrRefused) {
  const std::vector<OldDataset> right = read();
  const std::string whole = read_all(path());
  std::mt19937_64 random(20260104);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string damaged = whole;
    const std::size_t at = i < 100 ? static_cast<std::size_t>(i) : random() % whole.size();
    damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random() % 255));
    const std::string copy = folder_.path("copy");
    std::ofstream(copy, std::ios::binary) << damaged;
    const auto datasets = read_old_ledger(copy);
    if (datasets.ok()) {
      ASSERT_EQ(datasets->size(), right.size()) << at;
      for (std::size_t j = 0; j < right.size(); ++j) EXPECT_EQ(datasets->at(j).last_hash, right[j].last_hash) << at;
    } else {
      ++refused;
    }
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(copy + suffix);
  }
  EXPECT_GT(refused, 40);
}

TEST(OldLedgerFormat1, HasPlainSumsAndNoRelation) {
  const testing::ScratchFolder folder;
  make_old_ledger(folder.path("l"), 1);
  const std::vector<OldDataset> datasets = *read_old_ledger(folder.path("l"));
  for (const OldDataset& old : datasets) {
    EXPECT_FALSE(old.relation.has_value());
    EXPECT_EQ(old.rule, privacy::usual_rule(old.budget.currency));
    EXPECT_TRUE(old.slack.is_zero());
  }
  EXPECT_EQ(text(datasets[1].charges.at(0).loss), text(epsilon_loss("0.25")));
  EXPECT_EQ(text(datasets[1].charges.at(1).loss), text(epsilon_delta_loss("0.5", "1e-7")));
  EXPECT_EQ(text(datasets[2].charges.at(0).loss), text(mu_loss("0.3")));
  EXPECT_EQ(text(datasets[3].charges.at(1).loss), text(epsilon_loss("0.2")));
}

TEST(OldLedgerFormat2, HasItsRulesAndRelations) {
  const testing::ScratchFolder folder;
  make_old_ledger(folder.path("l"), 2);
  const std::vector<OldDataset> datasets = *read_old_ledger(folder.path("l"));
  EXPECT_EQ(*datasets[0].relation, Relation(Relation::ReplaceOne));
  EXPECT_EQ(*datasets[1].relation, Relation(Relation::AddOrRemoveOne));
  EXPECT_EQ(datasets[1].rule, FilterRule::Whitehouse);
  EXPECT_EQ(datasets[1].slack, decimal("5e-7"));
  EXPECT_EQ(datasets[1].shares.at(0).limit.second, decimal("6e-7"));
  EXPECT_EQ(text(datasets[1].charges.at(1).loss), text(epsilon_delta_loss("0.03", "1e-9")));
  EXPECT_EQ(datasets[2].rule, FilterRule::Rogers);
  EXPECT_TRUE(datasets[0].charges.at(2).idealised);
  EXPECT_EQ(text(datasets[0].charges.at(2).loss), text(epsilon_loss("0.5")));
  EXPECT_FALSE(datasets[0].charges.at(0).idealised);
}

}  // namespace
}  // namespace tacet::old_ledger

// Damaged and edited ledgers: what is opened is either right or refused; a budget never comes back.
#include <algorithm>
#include <ostream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "faults/damaged_ledger.h"
#include "kernel/ledger_requests.h"

namespace tacet::kernel {
namespace {

using ::testing::HasSubstr;
using testing::read_all;
using testing::request;
using testing::rho_loss;
using testing::write_all;

constexpr std::uint64_t kSeed = 20260104;
constexpr std::size_t kPage = 4096;

class Damage : public ::testing::Test, public testing::DamagedLedger {};

TEST_F(Damage, UndamagedLedgerIsRight) { EXPECT_FALSE(is_right_or_refused(path())); }

TEST_F(Damage, OfOneByteAnywhereGivesTheRightAnswersOrARefusal) {
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<unsigned> bits(1, 255);
  int refused = 0;
  int tried = 0;
  // Every byte of the file's header, then every 37th; of the unused zeros one in eight.
  for (std::size_t at = 0; at < size(); at += at < 100 ? 1 : 37) {
    if (at >= 512 && bytes()[at] == 0 && random() % 8 != 0) continue;
    SCOPED_TRACE(::testing::Message() << "byte " << at);
    ++tried;
    if (is_right_or_refused_with(at, static_cast<unsigned char>(bits(random)))) ++refused;
  }
  EXPECT_GT(tried, 300);
  EXPECT_GT(refused, tried / 4);
}

TEST_F(Damage, OfSeveralBytesGivesTheRightAnswersOrARefusal) {
  const std::string& whole = bytes();
  std::mt19937_64 random(kSeed + 1);
  std::uniform_int_distribution<std::size_t> anywhere(0, whole.size() - 1);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(::testing::Message() << "round " << round);
    std::string damaged = whole;
    const std::size_t at = anywhere(random);
    for (std::size_t i = at; i < std::min(whole.size(), at + 64); ++i) damaged[i] = static_cast<char>(random() & 0xFFU);
    const std::string copy = folder().path("copy" + std::to_string(round));
    write_all(copy, damaged);
    is_right_or_refused(copy);
  }
}

TEST_F(Damage, OfTheWriteAheadLogBringsNoBudgetBack) {
  Ledger ledger = *Ledger::open(path());
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.0625"), "ben", "visitors")).ok());  // leaves a log
  const std::string whole = read_all(path());
  const std::string log = read_all(path() + "-wal");
  ASSERT_FALSE(log.empty());
  std::mt19937_64 random(kSeed + 2);
  std::uniform_int_distribution<std::size_t> anywhere(0, log.size() - 1);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(::testing::Message() << "round " << round);
    std::string damaged = log;
    if (round == 0) damaged.clear();
    if (round % 2 == 1) damaged.resize(anywhere(random));
    if (round % 2 == 0 && round > 0) damaged[anywhere(random)] ^= 0x10;
    const std::string copy = folder().path("copy" + std::to_string(round));
    write_all(copy, whole);
    write_all(copy + "-wal", damaged);
    auto opened = Ledger::open(copy);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    EXPECT_EQ(opened->history("visitors")->size(), 1U);
    EXPECT_EQ(opened->history("patients")->size(), 20U);
  }
}

TEST_F(Damage, TruncatedFileIsRefused) {
  const std::string& whole = bytes();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{99}, std::size_t{100}, std::size_t{512},
                                 kPage - 1, kPage, kPage + 1, 2 * kPage, 3 * kPage, whole.size() - kPage, whole.size() - 1}) {
    SCOPED_TRACE(::testing::Message() << size << " bytes");
    const std::string copy = folder().path("copy" + std::to_string(size));
    write_all(copy, whole.substr(0, size));
    EXPECT_TRUE(is_right_or_refused(copy));
  }
}

TEST_F(Damage, EmptyFileIsNeverTakenForANewLedger) {
  write_all(folder().path("empty"), "");
  for (const bool create : {false, true}) {
    const auto ledger = Ledger::open(folder().path("empty"), create);
    ASSERT_FALSE(ledger.ok());
    EXPECT_EQ(ledger.error().code(), Code::LedgerCorrupt);
    EXPECT_THAT(ledger.error().message(), HasSubstr("is empty, which a ledger never is; restore the newest backup"));
  }
  EXPECT_EQ(read_all(folder().path("empty")), "");
}

TEST_F(Damage, TextFileIsNoLedgerAndIsLeftAlone) {
  const std::string text = "age,sex\n" + std::string(10'000, 'x');
  write_all(folder().path("people.csv"), text);
  const auto ledger = Ledger::open(folder().path("people.csv"), true);
  ASSERT_FALSE(ledger.ok());
  EXPECT_EQ(ledger.error().code(), Code::LedgerCorrupt);
  EXPECT_THAT(ledger.error().message(), HasSubstr("is no Tacet ledger or is damaged"));
  EXPECT_EQ(read_all(folder().path("people.csv")), text);
}

TEST_F(Damage, DatabaseOfAnotherProgramIsNoLedger) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(folder().path("other.db").c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "CREATE TABLE budget (x)", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  const auto ledger = Ledger::open(folder().path("other.db"), true);
  ASSERT_FALSE(ledger.ok());
  EXPECT_EQ(ledger.error().code(), Code::LedgerCorrupt);
  EXPECT_THAT(ledger.error().message(), HasSubstr("is a database, but no Tacet ledger"));
}

TEST_F(Damage, NewerFormatIsUnsupported) {
  edit("PRAGMA user_version = 3");
  const auto ledger = Ledger::open(path());
  ASSERT_FALSE(ledger.ok());
  EXPECT_EQ(ledger.error().code(), Code::Unsupported);
  EXPECT_THAT(ledger.error().message(),
              HasSubstr("has format 3, but this version of Tacet reads format 2; use the version of Tacet that wrote it, or a newer one"));
}

TEST_F(Damage, OlderFormatIsUnsupportedAndTheMessageSaysWhatToDo) {
  edit("PRAGMA user_version = 1");
  const std::string before = read_all(path());
  for (const bool create : {false, true}) {
    const auto ledger = Ledger::open(path(), create);
    ASSERT_FALSE(ledger.ok());
    EXPECT_EQ(ledger.error().code(), Code::Unsupported);
    EXPECT_THAT(
        ledger.error().message(),
        HasSubstr("has format 1, but this version of Tacet reads format 2; use the version of Tacet that wrote it, or set what remains "
                  "in it as the budget of a new ledger, once, and put the old one away: tacet budget create"));
  }
  EXPECT_EQ(read_all(path()), before);
}

TEST_F(Damage, EditedTermsOfAnAdvancedBudgetAreFoundOutAtOnce) {
  const std::string whole = bytes();
  for (const char* edited : {"slack = '0.000001'", "slack = '0.0000001'", "rule = 'rogers', slack = '0'", "rule = 'basic', slack = '0'",
                             "neighbours = 'add-or-remove-one'", "total_delta = '0.00001'", "spent = '0'", "spent_delta = '0'"}) {
    write_all(path(), whole);
    {
      Ledger ledger = *Ledger::open(path());
      ASSERT_TRUE(ledger.create_budget("clinics", testing::whitehouse_budget("1", "1e-6", "5e-7"), {}).ok());
      ASSERT_TRUE(ledger.charge(request(testing::epsilon_delta_loss("0.01", "1e-9"), "ada", "clinics")).ok());
    }
    edit(std::string("UPDATE budget SET ") + edited + " WHERE dataset = 'clinics'");
    Ledger ledger = *Ledger::open(path());
    const auto grant = ledger.charge(request(testing::epsilon_loss("0.01"), "ada", "clinics"));
    ASSERT_FALSE(grant.ok()) << edited;
    EXPECT_EQ(grant.error().code(), Code::LedgerCorrupt) << edited;
    EXPECT_EQ(ledger.show("clinics").error().code(), Code::LedgerCorrupt) << edited;
    EXPECT_EQ(ledger.history("clinics").error().code(), Code::LedgerCorrupt) << edited;
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.01"), "ben")).ok()) << edited;  // the other budgets are whole
  }
}

struct Edit {
  const char* name;
  const char* sql;
  bool at_once;  // found by the next charge; otherwise by history()
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

class Edited : public Damage, public ::testing::WithParamInterface<Edit> {};

TEST_P(Edited, LedgerIsFoundOut) {
  edit(GetParam().sql);
  auto ledger = Ledger::open(path());
  if (ledger.ok()) {
    const auto history = ledger->history("patients");
    ASSERT_FALSE(history.ok());
    EXPECT_EQ(history.error().code(), Code::LedgerCorrupt) << history.error().message();
    if (GetParam().at_once) {
      const auto grant = ledger->charge(request(rho_loss("0.05"), "ada"));
      ASSERT_FALSE(grant.ok());
      EXPECT_EQ(grant.error().code(), Code::LedgerCorrupt) << grant.error().message();
      EXPECT_EQ(grant.error().spent(), "nothing was spent");
    }
  } else {
    EXPECT_EQ(ledger.error().code(), Code::LedgerCorrupt) << ledger.error().message();
  }
  EXPECT_TRUE(is_right_or_refused(path()));
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Edited,
    ::testing::Values(Edit{"TotalRaised", "UPDATE budget SET total = '2' WHERE dataset = 'patients'", true},
                      Edit{"SpentLowered", "UPDATE budget SET spent = '0' WHERE dataset = 'patients'", true},
                      Edit{"CurrencyChanged", "UPDATE budget SET currency = 'mu' WHERE dataset = 'patients'", true},
                      Edit{"RuleChanged", "UPDATE budget SET rule = 'basic' WHERE dataset = 'patients'", true},
                      Edit{"RuleAndCurrencyChanged", "UPDATE budget SET rule = 'gdp', currency = 'mu' WHERE dataset = 'patients'", true},
                      Edit{"SlackChanged", "UPDATE budget SET slack = '0.1' WHERE dataset = 'patients'", true},
                      Edit{"NeighboursChanged", "UPDATE budget SET neighbours = 'add-or-remove-one' WHERE dataset = 'patients'", true},
                      Edit{"DriftChanged", "UPDATE budget SET spent_drift = '0.1' WHERE dataset = 'patients'", true},
                      Edit{"DeltaChanged", "UPDATE budget SET spent_delta = '0.1' WHERE dataset = 'patients'", true},
                      Edit{"StandingOfDriftChanged", "UPDATE analyst SET spent_drift = '0.1' WHERE analyst = 'ada'", true},
                      Edit{"LastLossChanged", "UPDATE entry SET loss = 'pure' WHERE number = 20", true},
                      Edit{"EarlyLossChanged", "UPDATE entry SET loss = 'pure' WHERE number = 3", false},
                      Edit{"EarlyDriftChanged", "UPDATE entry SET analyst_spent_drift = '0.1' WHERE number = 3", false},
                      Edit{"DatasetRenamed", "UPDATE budget SET dataset = 'former patients' WHERE dataset = 'patients'", true},
                      Edit{"BudgetDeleted", "DELETE FROM budget WHERE dataset = 'patients'", true},
                      Edit{"BudgetAndEntriesDeleted",
                           "DELETE FROM budget WHERE dataset = 'patients'; DELETE FROM entry; DELETE FROM analyst; DELETE FROM share",
                           true},
                      Edit{"AllDeleted", "DELETE FROM budget; DELETE FROM entry; DELETE FROM analyst; DELETE FROM share", true},
                      Edit{"RollDeleted", "DELETE FROM ledger", true}, Edit{"LedgerRenamed", "UPDATE ledger SET name = 'another'", true},
                      Edit{"ShareRaised", "UPDATE share SET most = '1'", true}, Edit{"ShareDeleted", "DELETE FROM share", true},
                      Edit{"ShareMoved", "UPDATE share SET analyst = 'cleo'", true},
                      Edit{"StandingLowered", "UPDATE analyst SET spent = '0' WHERE analyst = 'ada'", true},
                      Edit{"StandingDeleted", "DELETE FROM analyst WHERE analyst = 'ada'", true},
                      Edit{"LastEntryDeleted", "DELETE FROM entry WHERE number = 20", true},
                      Edit{"LastEntryOfAnalystDeleted", "DELETE FROM entry WHERE number = 19", true},
                      Edit{"AllEntriesDeleted", "DELETE FROM entry", true},
                      Edit{"LastAmountLowered", "UPDATE entry SET charged = '0.001' WHERE number = 20", true},
                      Edit{"LastSumLowered", "UPDATE entry SET spent = '0.1' WHERE number = 20", true},
                      Edit{"LastSumAndStandingLowered",
                           "UPDATE entry SET spent = '0.1' WHERE number = 20; UPDATE budget SET spent = '0.1' WHERE id = 1", true},
                      Edit{"LastStatementChanged", "UPDATE entry SET statement = 'nothing much' WHERE number = 20", true},
                      Edit{"EntryAdded",
                           "INSERT INTO entry SELECT budget, 21, analyst, statement, statement_hash, loss, charged, charged_delta, '0.1', "
                           "'0', '0', '0.1', "
                           "'0', '0', time, 0, entry_hash, entry_hash FROM entry WHERE number = 20",
                           true},
                      Edit{"EarlyAmountLowered", "UPDATE entry SET charged = '0.001' WHERE number = 3", false},
                      Edit{"EarlyEntryDeleted", "DELETE FROM entry WHERE number = 3", false},
                      Edit{"EarlyTimeChanged", "UPDATE entry SET time = '2001-01-01T00:00:00Z' WHERE number = 3", false},
                      Edit{"EarlyAnalystChanged", "UPDATE entry SET analyst = 'ben' WHERE number = 3", false},
                      Edit{"EarlyClockForgiven", "UPDATE entry SET clock_went_back = 1 - clock_went_back WHERE number = 3", false},
                      Edit{"TwoEntriesSwapped",
                           "UPDATE entry SET number = 100 WHERE number = 3; UPDATE entry SET number = 3 WHERE number = 5; "
                           "UPDATE entry SET number = 5 WHERE number = 100",
                           false},
                      Edit{"TriggerAdded", "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END", true},
                      Edit{"ColumnAdded", "ALTER TABLE entry ADD COLUMN note TEXT", true},
                      Edit{"IndexDropped", "DROP INDEX entry_by_analyst", true}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace tacet::kernel

// The power goes at every single operation of a ledger's life, and at every byte of an append; what
// was granted before must be on the disk after.
#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faults/faulty_disk.h"
#include "faults/scenario.h"
#include "kernel/ledger_requests.h"
#include "kernel/scratch_folder.h"

namespace tacet::kernel {
namespace {

using testing::contradiction_of;
using testing::Fault;
using testing::FaultyDisk;
using ::testing::HasSubstr;
using testing::QuickDisk;
using testing::read_all;
using testing::request;
using testing::rho_budget;
using testing::rho_loss;
using testing::ScratchFolder;
using testing::Story;
using testing::write_all;

constexpr std::uint64_t kPowerCutSeed = 20260104;
constexpr int kImagesPerCut = 6;
constexpr std::size_t kSector = 512;

/// What a check of the disk finds after the power went: the first contradiction among several
/// random survivals, or nothing.
std::string contradiction_after_cut(FaultyDisk& disk, const ScratchFolder& folder, const Story& story, std::mt19937_64& random) {
  for (int i = 0; i < kImagesPerCut; ++i) {
    const ScratchFolder image;
    const double survival = i == 0 ? 0.0 : i == 1 ? 1.0 : 0.5;  // of each unsynced sector: none, all, some
    const std::filesystem::path keys = image.folder() / "keys";
    disk.write_survivors(folder.folder(), image.folder(), random, survival);
    if (std::filesystem::exists(ScratchFolder::keys())) disk.write_survivors(ScratchFolder::keys(), keys, random, survival);
    std::string wrong = contradiction_of(image.path("l"), story, keys.string());
    // A line of which a sector is lost and its end is not is refused: a loss of use, and of nothing
    // else. It has to be one that nobody was granted.
    const bool torn = wrong.starts_with("it cannot be opened: record") && disk.struck() && i > 1;
    if (torn) wrong.clear();
    if (!wrong.empty()) return wrong;
  }
  return "";
}

TEST(PowerCut, AtAnyOperationKeepsTheEntryOfEveryGrant) {
  std::mt19937_64 random(kPowerCutSeed);
  std::int64_t at = 1;
  std::size_t most_grants = 0;
  for (bool struck = true; struck; ++at) {
    SCOPED_TRACE(::testing::Message() << "operation " << at);
    const ScratchFolder folder;
    FaultyDisk disk;
    Story story;
    disk.fail({.at = at, .kind = Fault::Kind::PowerCut});
    if (testing::make_ledger(folder.path("l"), disk, story)) testing::charge_ledger(folder.path("l"), disk, story);
    struck = disk.struck();
    EXPECT_EQ(contradiction_after_cut(disk, folder, story, random), "");
    if (struck) most_grants = std::max(most_grants, story.grants.size());
  }
  EXPECT_EQ(most_grants, 3U);  // otherwise no cut fell after a grant, and the test shows nothing
}

TEST(PowerCut, BudgetKeepsTheNameOfItsLedgerAndItsKeyBeforeItIsEverCharged) {
  std::mt19937_64 random(kPowerCutSeed);
  const ScratchFolder folder;
  const ScratchFolder image;
  FaultyDisk disk;
  Story story;
  ASSERT_TRUE(testing::make_ledger(folder.path("l"), disk, story));
  disk.write_survivors(folder.folder(), image.folder(), random, 0.0);
  disk.write_survivors(ScratchFolder::keys(), image.folder() / "keys", random, 0.0);
  auto ledger = Custody::open(image.path("l"), {.seals = image.path("keys")});
  ASSERT_TRUE(ledger.ok()) << ledger.error().message();
  EXPECT_TRUE(ledger->charge(request(rho_loss("0.1"))).ok());
}

TEST(PowerCut, TestFindsTheLossOnADiskThatOnlyPretendsToSync) {
  std::mt19937_64 random(kPowerCutSeed);
  int cuts = 0;
  int found = 0;
  for (bool struck = true; struck; ++cuts) {
    const ScratchFolder folder;
    FaultyDisk disk;
    Story story;
    ASSERT_TRUE(testing::make_ledger(folder.path("l"), disk, story));  // on an honest disk
    disk.fail({.at = cuts + 1, .kind = Fault::Kind::PowerCut, .lying_sync = true});
    testing::charge_ledger(folder.path("l"), disk, story);
    struck = disk.struck();
    if (!contradiction_after_cut(disk, folder, story, random).empty()) ++found;
  }
  EXPECT_GT(found, cuts / 2);
}

/// A ledger before and after one charge, and its key before and after.
class Append : public ::testing::Test {
 protected:
  explicit Append(std::size_t statement = 20) {
    Custody ledger = *Custody::open(path(), {.create = true, .disk = &QuickDisk::one()});
    EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.25"))).ok());
    key_ = ScratchFolder::keys() / (ledger.name() + ".seal");
    before_ = read_all(path());
    key_before_ = read_all(key_);
    ChargeRequest asked = request(rho_loss("0.5"));
    asked.statement = std::string(statement, 's');
    EXPECT_TRUE(ledger.charge(asked).ok());
    after_ = read_all(path());
    key_after_ = read_all(key_);
  }
  std::string path() const { return folder_.path("l"); }
  std::string line() const { return after_.substr(before_.size()); }

  /// How many entries a ledger with these bytes has; nothing if it is refused as damaged. It must
  /// then take charges up to its budget.
  std::optional<std::size_t> entries_of(const std::string& bytes, bool mark_survived) const {
    write_all(path(), bytes);
    write_all(key_, mark_survived ? key_after_ : key_before_);
    auto ledger = Custody::open(path(), {.disk = &QuickDisk::one()});
    if (!ledger.ok()) {
      EXPECT_EQ(ledger.error().code(), Code::LedgerCorrupt) << ledger.error().message();
      return std::nullopt;
    }
    const std::size_t entries = ledger->history("patients")->size();
    const bool charged = ledger->charge(request(rho_loss("0.5"))).ok();
    EXPECT_EQ(charged, entries == 1);
    EXPECT_EQ(Custody::open(path())->history("patients")->size(), 2U) << "what was appended after the cut is whole";
    return entries;
  }

  ScratchFolder folder_;
  std::filesystem::path key_;
  std::string before_, after_, key_before_, key_after_;
};

TEST_F(Append, OfWhichAnyBeginningSurvivedIsThereWholeOrNotAtAll) {
  for (std::size_t size = 0; size <= line().size(); ++size) {
    SCOPED_TRACE(::testing::Message() << size << " bytes");
    EXPECT_EQ(entries_of(before_ + line().substr(0, size), false), size == line().size() ? 2U : 1U);
  }
}

TEST_F(Append, ThatWasGrantedAndIsLostIsNeverPaidBack) {
  for (std::size_t size = 0; size < line().size(); ++size) {
    SCOPED_TRACE(::testing::Message() << size << " bytes");
    EXPECT_EQ(entries_of(before_ + line().substr(0, size), true), std::nullopt);
  }
  EXPECT_EQ(entries_of(after_, true), 2U);
}

class LongAppend : public Append {
 protected:
  LongAppend() : Append(6 * kSector) {}
};

TEST_F(LongAppend, OfWhichAnySectorsSurvivedIsThereWholeOrNotOrRefused) {
  std::vector<std::pair<std::size_t, std::size_t>> sectors;
  for (std::size_t at = before_.size(); at < after_.size();) {
    const std::size_t stop = std::min(after_.size(), (at / kSector + 1) * kSector);
    sectors.emplace_back(at, stop);
    at = stop;
  }
  ASSERT_GE(sectors.size(), 7U);
  ASSERT_LE(sectors.size(), 9U);
  const std::size_t all = (std::size_t{1} << sectors.size()) - 1;
  std::size_t refused = 0;
  for (std::size_t which = 0; which <= all; ++which) {
    SCOPED_TRACE(::testing::Message() << "sectors " << which);
    std::string bytes = before_;
    for (std::size_t i = 0; i < sectors.size(); ++i) {
      const auto [at, stop] = sectors[i];
      if (((which >> i) & 1U) == 0) continue;
      bytes.resize(stop, '\0');
      bytes.replace(at, stop - at, after_, at, stop - at);
    }
    const std::optional<std::size_t> entries = entries_of(bytes, false);
    const bool ends = (which >> (sectors.size() - 1)) != 0;  // the line feed is there
    if (which == all) {
      EXPECT_EQ(entries, 2U);
    } else if (ends) {
      EXPECT_EQ(entries, std::nullopt);
      ++refused;
    } else {
      EXPECT_EQ(entries, 1U);
    }
  }
  EXPECT_EQ(refused, all / 2);
}

TEST_F(Append, MarkOfWhichAPartWasWrittenIsRefusedAndAnOlderKeyHelps) {
  const std::size_t at = key_before_.find("mark ");
  std::size_t refused = 0;
  for (std::size_t stop = at; stop <= key_after_.find("\npath"); ++stop) {
    write_all(path(), after_);
    write_all(key_, key_after_.substr(0, stop) + key_before_.substr(stop));
    const auto ledger = Custody::open(path());
    if (ledger.ok()) {
      EXPECT_EQ(ledger->history("patients")->size(), 2U);
    } else {
      EXPECT_THAT(ledger.error().message(), HasSubstr("is not the newest"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 50U);
  write_all(key_, key_before_);
  EXPECT_EQ(Custody::open(path())->history("patients")->size(), 2U);
}

}  // namespace
}  // namespace tacet::kernel

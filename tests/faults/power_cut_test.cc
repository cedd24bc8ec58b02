// The power goes at every single operation of a ledger's life; what was granted before must be on the disk after.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "faults/faulty_vfs.h"
#include "faults/scenario.h"
#include "kernel/scratch_folder.h"

namespace tacet::kernel {
namespace {

using testing::contradiction_of;
using testing::Fault;
using testing::FaultyDisk;
using testing::ScratchFolder;
using testing::Story;

constexpr std::uint64_t kSeed = 20260104;
constexpr int kImagesPerCut = 4;

/// What a check of the disk finds after the power went: the first contradiction among several random survivals, or nothing.
std::string contradiction_after_cut(FaultyDisk& disk, const ScratchFolder& folder, const Story& story, std::mt19937_64& random) {
  for (int i = 0; i < kImagesPerCut; ++i) {
    const ScratchFolder image;
    const double survival = i == 0 ? 0.0 : i == 1 ? 1.0 : 0.5;  // of each unsynced write: none, all, some
    disk.write_survivors(folder.folder(), image.folder(), random, survival);
    disk.calm();
    if (std::string wrong = contradiction_of(image.path("l"), story); !wrong.empty()) return wrong;
  }
  return "";
}

TEST(PowerCut, AtAnyOperationKeepsTheEntryOfEveryGrant) {
  std::mt19937_64 random(kSeed);
  std::int64_t at = 1;
  std::size_t most_grants = 0;
  for (bool struck = true; struck; ++at) {
    SCOPED_TRACE(::testing::Message() << "operation " << at);
    const ScratchFolder folder;
    FaultyDisk disk;
    Story story;
    disk.fail({.at = at, .kind = Fault::Kind::PowerCut});
    if (testing::make_ledger(folder.path("l"), story)) testing::charge_ledger(folder.path("l"), story);
    struck = disk.struck();
    EXPECT_EQ(contradiction_after_cut(disk, folder, story, random), "");
    if (struck) most_grants = std::max(most_grants, story.grants.size());
  }
  EXPECT_EQ(most_grants, 3U);  // otherwise no cut fell after a grant, and the test shows nothing
}

TEST(PowerCut, NewLedgerKeepsItsNameBeforeItIsEverCharged) {
  std::mt19937_64 random(kSeed);
  const ScratchFolder folder;
  const ScratchFolder image;
  FaultyDisk disk;
  ASSERT_TRUE(Ledger::open(folder.path("l"), true).ok());
  disk.write_survivors(folder.folder(), image.folder(), random, 0.0);
  EXPECT_TRUE(Ledger::open(image.path("l")).ok());
}

TEST(PowerCut, TestFindsTheLossOnADiskThatOnlyPretendsToSync) {
  std::mt19937_64 random(kSeed);
  int cuts = 0;
  int found = 0;
  for (bool struck = true; struck; ++cuts) {
    const ScratchFolder folder;
    FaultyDisk disk;
    Story story;
    ASSERT_TRUE(testing::make_ledger(folder.path("l"), story));  // on an honest disk
    disk.fail({.at = cuts + 1, .kind = Fault::Kind::PowerCut, .lying_sync = true});
    testing::charge_ledger(folder.path("l"), story);
    struck = disk.struck();
    if (!contradiction_after_cut(disk, folder, story, random).empty()) ++found;
  }
  EXPECT_GT(found, cuts / 2);
}

}  // namespace
}  // namespace tacet::kernel

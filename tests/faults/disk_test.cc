// Every single write, sync and cut of a ledger's life fails once, and from then on.
#include <fcntl.h>
#include <unistd.h>

#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"

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
using testing::request;
using testing::rho_budget;
using testing::rho_loss;
using testing::ScratchFolder;
using testing::Story;

constexpr std::int64_t kAtLeastOperations = 20;  // fewer would mean that the disk is not the one in use

struct Failure {
  const char* name;
  Fault::Kind kind;
  bool lasting;
};
void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.name; }

class DiskFault : public ::testing::TestWithParam<Failure> {};

TEST_P(DiskFault, AtAnyOperationGivesNoGrantWithoutAnEntryAndNoOverspending) {
  const Fault::Kind kind = GetParam().kind;
  const bool lasting = GetParam().lasting;
  std::int64_t at = 1;
  for (bool struck = true; struck; ++at) {
    SCOPED_TRACE(::testing::Message() << "operation " << at);
    const ScratchFolder folder;
    FaultyDisk disk;
    Story story;
    disk.fail({.at = at, .kind = kind, .lasting = lasting});
    if (testing::make_ledger(folder.path("l"), disk, story)) testing::charge_ledger(folder.path("l"), disk, story);
    struck = disk.struck();
    disk.calm();
    EXPECT_EQ(contradiction_of(folder.path("l"), story), "");
    for (const Error& error : story.errors) {
      EXPECT_TRUE(error.code() == Code::LedgerUnavailable || error.code() == Code::BudgetExhausted)
          << name(error.code()) << ": " << error.message();
    }
    if (!struck || !lasting) {
      EXPECT_GE(story.grants.size(), struck ? 2U : 3U);  // a fault that passes costs one charge at most
    }
    if (kind == Fault::Kind::ShortWrite) {
      EXPECT_EQ(story.grants.size(), 3U) << "a short write is no error";
    }
  }
  EXPECT_GT(at, kAtLeastOperations);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DiskFault,
                         ::testing::Values(Failure{"FullOnce", Fault::Kind::Full, false}, Failure{"FullLasting", Fault::Kind::Full, true},
                                           Failure{"ErrorOnce", Fault::Kind::IoError, false},
                                           Failure{"ErrorLasting", Fault::Kind::IoError, true},
                                           Failure{"ShortWrite", Fault::Kind::ShortWrite, false},
                                           Failure{"ShortWrites", Fault::Kind::ShortWrite, true}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

/// The error of a charge whose every operation from the first on fails, and the ledger's state
/// after it.
Error error_of_charge_on(FaultyDisk& disk, const std::string& path, Fault fault) {
  Custody ledger = *Custody::open(path, {.create = true, .disk = &disk});
  EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
  disk.fail(fault);
  auto grant = ledger.charge(request(rho_loss("0.125")));
  disk.calm();
  EXPECT_FALSE(grant.ok());
  return grant.ok() ? Error::of(Code::Internal, "granted") : std::move(grant).error();
}

TEST(Disk, FullDiskIsNamedAndNothingIsSpent) {
  const ScratchFolder folder;
  FaultyDisk disk;
  const Error error = error_of_charge_on(disk, folder.path("l"), {.at = 1, .kind = Fault::Kind::Full});
  EXPECT_EQ(error.code(), Code::LedgerUnavailable);
  EXPECT_EQ(error.message(), "the ledger \"" + folder.path("l") +
                                 "\" cannot be written (No space left on device); check that its folder exists, that the disk has room and "
                                 "that you may write there");
  EXPECT_EQ(error.spent(), "nothing was spent");
  EXPECT_EQ(Custody::open(folder.path("l"))->show("patients")->entries, 0);
}

TEST(Disk, ChargeThatCannotBeTakenBackSaysWhatMayHaveBeenSpent) {
  const ScratchFolder folder;
  FaultyDisk disk;
  const Error error = error_of_charge_on(disk, folder.path("l"), {.at = 2, .kind = Fault::Kind::IoError, .lasting = true});  // the sync
  EXPECT_EQ(error.code(), Code::LedgerUnavailable);
  EXPECT_THAT(error.message(), HasSubstr("cannot be synced (Input/output error)"));
  EXPECT_EQ(error.spent(),
            "rho 0.125 as entry 1 of \"patients\" may have been spent, without a release: see whether that entry is in the history");
  EXPECT_EQ(Custody::open(folder.path("l"))->show("patients")->entries, 1) << "it was";
}

TEST(Disk, MarkThatCannotBeMovedOnGivesNoGrant) {
  const ScratchFolder folder;
  FaultyDisk disk;
  const Error error = error_of_charge_on(disk, folder.path("l"), {.at = 3, .kind = Fault::Kind::PowerCut});
  EXPECT_THAT(error.message(), HasSubstr(".seal\" cannot be written (Input/output error)"));
  EXPECT_THAT(error.spent(), HasSubstr("may have been spent"));
  EXPECT_EQ(Custody::open(folder.path("l"))->show("patients")->entries, 1);
}

TEST(Disk, BudgetWhoseFolderCannotBeSyncedIsNotMade) {
  const ScratchFolder folder;
  FaultyDisk disk;
  Custody ledger = *Custody::open(folder.path("l"), {.create = true, .disk = &disk});
  disk.fail({.at = 1, .kind = Fault::Kind::IoError});
  const Status made = ledger.create_budget("patients", rho_budget("1"), {});
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message(), HasSubstr("cannot be kept in its folder (Input/output error)"));
  EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
}

TEST(Disk, LedgerThatCannotBeMadeLeavesNeitherAFileNorAKey) {
  const ScratchFolder folder;
  for (std::int64_t at = 1;; ++at) {
    FaultyDisk disk;
    disk.fail({.at = at, .kind = Fault::Kind::Full, .lasting = true});
    if (Custody::open(folder.path("l"), {.create = true, .disk = &disk}).ok()) break;
    EXPECT_TRUE(std::filesystem::is_empty(folder.folder())) << at;
    std::error_code none;
    EXPECT_TRUE(std::filesystem::is_empty(ScratchFolder::keys(), none)) << at;
  }
  EXPECT_FALSE(Custody::open(folder.path("no/such/folder"), {.create = true}).ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(ScratchFolder::keys()), {}), 1);
}

/// Somebody else's open file, with a lock on all of it.
class Holder {
 public:
  explicit Holder(const std::string& path) : descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    lock_.emplace(*FileLock::take(descriptor_, FileLock::Access::Write, "x"));
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    lock_.reset();
    ::close(descriptor_);
  }

 private:
  int descriptor_;
  std::optional<FileLock> lock_;
};

TEST(Disk, LedgerHeldByAnotherProcessIsUnavailableAfterAWhile) {
  using namespace std::chrono_literals;
  const ScratchFolder folder;
  Custody ledger = *Custody::open(folder.path("l"), {.create = true, .patience = 100ms});
  ASSERT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
  const std::string key = (ScratchFolder::keys() / (ledger.name() + ".seal")).string();
  for (const std::string& held : {folder.path("l"), key}) {
    {
      const Holder holder(held);
      const auto grant = ledger.charge(request(rho_loss("0.125")));
      ASSERT_FALSE(grant.ok());
      EXPECT_EQ(grant.error().code(), Code::LedgerUnavailable);
      EXPECT_THAT(grant.error().message(), HasSubstr(held + "\" is in use by another process and stayed so for 0.1 seconds; try again"));
      EXPECT_EQ(grant.error().spent(), "nothing was spent");
    }
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.125"))).ok());
  }
  EXPECT_EQ(LedgerOptions().patience, 30s);
}

}  // namespace
}  // namespace tacet::kernel

// Every single write, sync, truncation and deletion of a ledger's life fails once, and from then on.
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/ledger/ledger.h"

#include "faults/faulty_vfs.h"
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

constexpr std::int64_t kAtLeastOperations = 40;  // fewer would mean that the disk is not the one in use

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
    if (testing::make_ledger(folder.path("l"), story)) testing::charge_ledger(folder.path("l"), story);
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
  }
  EXPECT_GT(at, kAtLeastOperations);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DiskFault,
                         ::testing::Values(Failure{"FullOnce", Fault::Kind::Full, false}, Failure{"FullLasting", Fault::Kind::Full, true},
                                           Failure{"ErrorOnce", Fault::Kind::IoError, false},
                                           Failure{"ErrorLasting", Fault::Kind::IoError, true}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

/// The error of a charge whose every operation from the first on fails, and the ledger's state after it.
Error error_of_charge_on(FaultyDisk& disk, const std::string& path, Fault fault) {
  Ledger ledger = *Ledger::open(path, true);
  EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
  disk.fail(fault);
  auto grant = ledger.charge(request(rho_loss("0.125")));
  disk.calm();
  EXPECT_FALSE(grant.ok());
  return grant.ok() ? Error::of(Code::Internal, "granted") : std::move(grant).error();
}

TEST(Disk, FullDiskIsNamedAndTheCostIsSaidHonestly) {
  const ScratchFolder folder;
  FaultyDisk disk;
  const Error error = error_of_charge_on(disk, folder.path("l"), {.at = 1, .kind = Fault::Kind::Full, .lasting = true});
  EXPECT_EQ(error.code(), Code::LedgerUnavailable);
  EXPECT_THAT(error.message(), HasSubstr("is full; free some space and try again"));
  EXPECT_EQ(error.spent(),
            "nothing was spent, unless rho 0.125 as entry 1 of \"patients\" is in the history after a restart, without a release");
}

TEST(Disk, LedgerThatCannotBeReadAfterTheFailureSaysWhatMayHaveBeenSpent) {
  const ScratchFolder folder;
  FaultyDisk disk;
  const Error error = error_of_charge_on(disk, folder.path("l"), {.at = 1, .kind = Fault::Kind::PowerCut});
  EXPECT_EQ(error.code(), Code::LedgerUnavailable);
  EXPECT_THAT(error.spent(), HasSubstr("rho 0.125 as entry 1 of \"patients\""));
}

TEST(Disk, LedgerHeldByAnotherProcessIsUnavailableAfterHalfAMinute) {
  const ScratchFolder folder;
  FaultyDisk disk;
  Ledger ledger = *Ledger::open(folder.path("l"), true);
  ASSERT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
  disk.hold_locks(true);
  auto grant = ledger.charge(request(rho_loss("0.125")));
  const std::int64_t waited = disk.waited_microseconds();
  disk.hold_locks(false);
  ASSERT_FALSE(grant.ok());
  EXPECT_EQ(grant.error().code(), Code::LedgerUnavailable);
  EXPECT_THAT(grant.error().message(), HasSubstr("is in use by another process and stayed so for 30 seconds"));
  EXPECT_EQ(grant.error().spent(), "nothing was spent");
  EXPECT_GE(waited, 29'000'000);
  EXPECT_LE(waited, 31'000'000);
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.125"))).ok());
}

}  // namespace
}  // namespace tacet::kernel

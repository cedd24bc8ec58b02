// Processes that charge at once, and processes that are killed while they charge.
#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "faults/charging_place.h"
#include "kernel/ledger_requests.h"

namespace tacet::kernel {
namespace {

using testing::ChargingPlace;
using testing::Child;
using testing::Gate;

constexpr int kProcesses = 8;

/// Starts them, lets all begin at once, and waits for their end.
void charge_at_once(const ChargingPlace& place, const std::string& rho) {
  Gate gate;
  std::vector<Child> children;
  children.reserve(kProcesses);
  for (int i = 0; i < kProcesses; ++i) children.push_back(place.charger(gate, "analyst " + std::to_string(i), rho, "1"));
  gate.open();
  for (Child& child : children) EXPECT_EQ(child.wait(), 0);
}

TEST(Processes, EightAtOnceAreGrantedExactlyWhatFits) {
  const ChargingPlace place;
  charge_at_once(place, "0.007");
  EXPECT_EQ(place.checked_releases("1"), 142U);  // 142 * 0.007 = 0.994
  EXPECT_EQ(place.history().size(), 142U);
}

TEST(Processes, EightThatMakeTheSameLedgerAtOnceShareOne) {
  for (int round = 0; round < 5; ++round) {
    const ChargingPlace place;
    charge_at_once(place, "0.25");
    EXPECT_EQ(place.checked_releases("1"), 4U);
    // Nothing is left beside the ledger but the folder of releases, and there is one key.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(place.folder().folder()), {}), 2);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(testing::ScratchFolder::keys()), {}), 1);
  }
}

TEST(Processes, ForkedChildMayNotUseItsParentsLedger) {
  const testing::ScratchFolder folder;
  Custody ledger = *Custody::open(folder.path("l"), {.create = true});
  ASSERT_TRUE(ledger.create_budget("patients", testing::rho_budget("1"), {}).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    const auto grant = ledger.charge(testing::request(testing::rho_loss("0.125")));
    const auto read = ledger.show("patients");
    const bool refused =
        !grant.ok() && grant.error().message() == "a ledger was used across a fork; open it anew in the child" && !read.ok();
    ::_exit(refused && Custody::open(folder.path("l"))->charge(testing::request(testing::rho_loss("0.125"))).ok() ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ledger.charge(testing::request(testing::rho_loss("0.125")))->receipt().entry, 2);
}

TEST(Processes, TwentyKillsNeverPublishForFree) { testing::kill_and_check(20); }

}  // namespace
}  // namespace tacet::kernel

// Processes that charge at once, and processes that are killed while they charge.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include "faults/child.h"
#include "kernel/ledger_requests.h"
#include "kernel/scratch_folder.h"
#include "tacet/kernel/ledger.h"

namespace tacet::kernel {
namespace {

using testing::Child;
using testing::decimal;
using testing::Gate;
using testing::ScratchFolder;

constexpr std::uint64_t kSeed = 20260104;

/// Where the ledger is and what was published; see charger.cc.
class Place {
 public:
  Place() { std::filesystem::create_directory(releases()); }

  std::string ledger() const { return folder_.path("people.ledger"); }
  std::string releases() const { return folder_.path("releases"); }
  Child charger(const Gate& gate, const std::string& analyst, const std::string& rho, const std::string& budget) const {
    return {{TACET_CHARGER, ledger(), analyst, rho, releases(), budget}, gate.standard_input()};
  }

  /// Checks that every release has its entry and that no more than `budget` was spent; returns the number of releases.
  std::size_t checked_releases(const std::string& budget) const {
    std::size_t count = 0;
    const std::vector<Entry> entries = history();
    for (const auto& file : std::filesystem::directory_iterator(releases())) {
      const std::string name = file.path().filename().string();
      if (name.starts_with("draft")) continue;  // killed before it was published
      ++count;
      std::string hash;
      std::ifstream(file.path()) >> hash;
      const std::size_t number = std::stoul(name);
      if (number > entries.size() || entries[number - 1].entry_hash != hash) ADD_FAILURE() << "release " << number << " has no entry";
    }
    if (!entries.empty()) {
      EXPECT_LE(entries.back().spent_after.first, decimal(budget));
    }
    return count;
  }

  /// All entries, after a check of the whole chain; none if the ledger or its budget was not made yet.
  std::vector<Entry> history() const {
    auto ledger = Ledger::open(this->ledger());
    if (!ledger.ok()) {
      EXPECT_EQ(ledger.error().code(), Code::NotFound) << ledger.error().message();
      return {};
    }
    auto entries = ledger->history("patients");
    if (!entries.ok()) {
      EXPECT_EQ(entries.error().code(), Code::NotFound) << entries.error().message();
      return {};
    }
    return *std::move(entries);
  }

 private:
  ScratchFolder folder_;
};

TEST(Processes, EightAtOnceAreGrantedExactlyWhatFits) {
  const Place place;
  {
    Gate gate;
    std::vector<Child> children;
    for (int i = 0; i < 8; ++i) children.push_back(place.charger(gate, "analyst " + std::to_string(i), "0.007", "1"));
    gate.open();
    for (Child& child : children) EXPECT_EQ(child.wait(), 0);
  }
  EXPECT_EQ(place.checked_releases("1"), 142U);  // 142 * 0.007 = 0.994
  EXPECT_EQ(place.history().size(), 142U);
}

TEST(Processes, EightThatMakeTheSameLedgerAtOnceShareOne) {
  for (int round = 0; round < 5; ++round) {
    const Place place;
    Gate gate;
    std::vector<Child> children;
    for (int i = 0; i < 8; ++i) children.push_back(place.charger(gate, "ada", "0.25", "1"));
    gate.open();
    for (Child& child : children) EXPECT_EQ(child.wait(), 0);
    EXPECT_EQ(place.checked_releases("1"), 4U);
    const auto files = std::distance(std::filesystem::directory_iterator(std::filesystem::path(place.ledger()).parent_path()), {});
    EXPECT_EQ(files, 2);  // the ledger and the folder of releases
  }
}

/// Kills two chargers at random moments, over and over: sometimes of a ledger that they still have to make.
void kill_and_check(int kills) {
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<int> microseconds(0, 25'000);
  auto place = std::make_unique<Place>();
  std::size_t releases = 0;
  std::size_t wasted = 0;
  for (int i = 0; i < kills; ++i) {
    SCOPED_TRACE(::testing::Message() << "kill " << i);
    if (i % 4 == 0) place = std::make_unique<Place>();
    {
      Gate gate;
      gate.open();
      Child first = place->charger(gate, "ada", "0.01", "1");
      Child second = place->charger(gate, "ben", "0.01", "1");
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
      first.kill();
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random) / 4));
      second.kill();
      first.wait();
      second.wait();
    }
    const std::size_t published = place->checked_releases("1");
    const std::size_t entries = place->history().size();
    EXPECT_LE(published, entries);
    EXPECT_LE(entries, 100U);
    if (i % 4 == 3) {
      releases += published;
      wasted += entries - published;
    }
  }
  EXPECT_GT(releases, 0U);  // otherwise every kill came too early to show anything
  ::testing::Test::RecordProperty("releases", static_cast<int>(releases));
  ::testing::Test::RecordProperty("wasted", static_cast<int>(wasted));
}

TEST(Processes, TwentyKillsNeverPublishForFree) { kill_and_check(20); }
TEST(ProcessesSlow, TwoHundredKillsNeverPublishForFree) { kill_and_check(200); }

}  // namespace
}  // namespace tacet::kernel

#include "faults/charging_place.h"

#include <chrono>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "kernel/ledger_requests.h"

namespace tacet::testing {
namespace {

constexpr std::uint64_t kSeed = 20260104;

}  // namespace

ChargingPlace::ChargingPlace() { std::filesystem::create_directory(releases()); }

Child ChargingPlace::charger(const Gate& gate, const std::string& analyst, const std::string& rho, const std::string& budget) const {
  return {{TACET_CHARGER, ledger(), analyst, rho, releases(), budget}, gate.standard_input()};
}

std::size_t ChargingPlace::checked_releases(const std::string& budget) const {
  std::size_t count = 0;
  const std::vector<kernel::Entry> entries = history();
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

std::vector<kernel::Entry> ChargingPlace::history() const {
  auto opened = kernel::Ledger::open(ledger());
  if (!opened.ok()) {
    EXPECT_EQ(opened.error().code(), Code::NotFound) << opened.error().message();
    return {};
  }
  auto entries = opened->history("patients");
  if (!entries.ok()) {
    EXPECT_EQ(entries.error().code(), Code::NotFound) << entries.error().message();
    return {};
  }
  return *std::move(entries);
}

void kill_and_check(int kills) {
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<int> microseconds(0, 25'000);
  auto place = std::make_unique<ChargingPlace>();
  std::size_t releases = 0;
  std::size_t wasted = 0;
  for (int i = 0; i < kills; ++i) {
    SCOPED_TRACE(::testing::Message() << "kill " << i);
    if (i % 4 == 0) place = std::make_unique<ChargingPlace>();
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

}  // namespace tacet::testing

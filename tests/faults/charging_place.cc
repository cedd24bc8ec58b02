#include "faults/charging_place.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "kernel/ledger_requests.h"

namespace tacet::testing {
namespace {

constexpr std::uint64_t kSeed = 20260104;
constexpr std::chrono::seconds kPatience(20);

/// A draft is a release that was killed before it was one.
bool is_published(const std::filesystem::directory_entry& file) { return !file.path().filename().string().starts_with("draft"); }

}  // namespace

ChargingPlace::ChargingPlace() { std::filesystem::create_directory(releases()); }

Child ChargingPlace::charger(const Gate& gate, const std::string& analyst, const std::string& rho, const std::string& budget) const {
  return {{TACET_CHARGER, ledger(), analyst, rho, releases(), budget}, gate.standard_input()};
}

Child ChargingPlace::charger_of(const Gate& gate, const std::string& name, bool bind, const std::string& analyst,
                                const std::string& rho) const {
  std::vector<std::string> command = {TACET_CHARGER};
  if (bind) command.insert(command.end(), {"--bind", ledger()});
  command.insert(command.end(), {name, analyst, rho, releases()});
  return {command, gate.standard_input()};
}

std::size_t ChargingPlace::checked_releases(const std::string& budget) const {
  std::size_t count = 0;
  const std::vector<kernel::Entry> entries = history();
  for (const auto& file : std::filesystem::directory_iterator(releases())) {
    if (!is_published(file)) continue;
    ++count;
    std::string hash;
    std::ifstream(file.path()) >> hash;
    const std::size_t number = std::stoul(file.path().filename().string());
    if (number > entries.size() || entries[number - 1].entry_hash != hash) ADD_FAILURE() << "release " << number << " has no entry";
  }
  if (!entries.empty()) {
    EXPECT_LE(entries.back().spent_after.first, decimal(budget));
  }
  return count;
}

std::size_t ChargingPlace::published() const {
  return static_cast<std::size_t>(std::count_if(std::filesystem::directory_iterator(releases()), {}, is_published));
}

void ChargingPlace::wait_for_releases(std::size_t count) const {
  const auto latest = std::chrono::steady_clock::now() + kPatience;
  while (published() < count && std::chrono::steady_clock::now() < latest) std::this_thread::sleep_for(std::chrono::microseconds(200));
}

std::vector<kernel::Entry> ChargingPlace::history() const {
  auto opened = kernel::Custody::open(ledger());
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
  constexpr int kKillsPerPlace = 4;
  std::mt19937_64 random(kSeed);
  const auto pause = [&](int most) {
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, most)(random)));
  };
  auto place = std::make_unique<ChargingPlace>();
  int releases = 0;
  int wasted = 0;
  for (int i = 0; i < kills; ++i) {
    SCOPED_TRACE(::testing::Message() << "kill " << i);
    if (i % kKillsPerPlace == 0) place = std::make_unique<ChargingPlace>();
    const std::size_t before = place->published();
    {
      Gate gate;
      gate.open();
      Child first = place->charger(gate, "ada", "0.001", "1");
      Child second = place->charger(gate, "ben", "0.001", "1");
      // Every other time as soon as they charge, however slow the machine is; otherwise perhaps
      // before the ledger is made.
      if (i % 2 == 1) place->wait_for_releases(before + 1);
      pause(i % 2 == 1 ? 3'000 : 25'000);
      first.kill();
      pause(5'000);
      second.kill();
      first.wait();
      second.wait();
    }
    const std::size_t published = place->checked_releases("1");
    const std::size_t entries = place->history().size();
    EXPECT_LE(published, entries);
    EXPECT_LE(entries, published + 2 * static_cast<std::size_t>(i % kKillsPerPlace + 1)) << "a kill wastes one charge at most";
    EXPECT_LE(entries, 1000U);
    if (i % 2 == 1) {
      EXPECT_GT(published, 0U);  // otherwise this kill shows nothing
    }
    if ((i + 1) % kKillsPerPlace == 0) {
      releases += static_cast<int>(published);
      wasted += static_cast<int>(entries - published);
    }
  }
  ::testing::Test::RecordProperty("releases", releases);
  ::testing::Test::RecordProperty("wasted", wasted);
}

}  // namespace tacet::testing

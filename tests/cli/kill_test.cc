#include <filesystem>

#include <gtest/gtest.h>

#include "cli/killing.h"

namespace tacet::test {
namespace {

TEST(Killed, ReleasesLeaveNoReleaseWithoutItsChargeInTenRandomMoments) {
  const Program program;
  kill_releases(program, 10);
}

// Eight at once, and room for three.
TEST(AtOnce, ReleasesNeverOverspendTogether) {
  const Program program;
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--rho", "0.3"}).exit_code, 0);
  std::vector<Running> all;
  for (int i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i);
    all.push_back(program.start(Program::release_words({"--rho", "0.1", "--out", "r" + number + ".json"}), number));
  }
  int done = 0;
  for (Running& each : all) {
    const int code = each.wait();
    EXPECT_TRUE(code == 0 || code == 3) << code;
    done += code == 0 ? 1 : 0;
  }
  EXPECT_EQ(done, 3);
  EXPECT_EQ(program.spent(), "rho 0.3");
  expect_every_release_paid(program);
}

TEST(AtOnce, ReleasesUnderOneNameAreNeverLostOnceTheyArePaid) {
  const Program program;
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--rho", "10"}).exit_code, 0);
  std::vector<Running> all;
  for (int i = 0; i < 6; ++i) all.push_back(program.start(Program::release_words({"--rho", "0.1", "--out", "r.json"}), std::to_string(i)));
  std::size_t done = 0;
  for (Running& each : all) done += each.wait() == 0 ? 1 : 0;
  EXPECT_GE(done, 1U);
  EXPECT_EQ(program.entries(), done);
  std::size_t files = 0;
  for (const std::string& name : program.files()) files += name.ends_with(".json") ? 1 : 0;
  EXPECT_EQ(files, done);
  expect_every_release_paid(program);
}

TEST(AtOnce, BudgetsAreSetOnce) {
  const Program program;
  std::vector<Running> all;
  for (int i = 0; i < 6; ++i) {
    all.push_back(program.start({"budget", "create", "--schema", "people.toml", "--rho", std::to_string(i + 1)}, std::to_string(i)));
  }
  int done = 0;
  for (Running& each : all) done += each.wait() == 0 ? 1 : 0;
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace tacet::test

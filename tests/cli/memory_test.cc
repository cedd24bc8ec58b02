// The program with too little memory: it says so before anything is charged, and no signal ends it.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace tacet::test {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;  // which maps terabytes
#else
constexpr bool kSanitized = false;
#endif

/// A table of 60,000 cells of one person.
class LargeTable : public Program {
 public:
  LargeTable() {
    std::string schema = "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n";
    for (const char* name : {"a", "b"}) {
      schema += fmt::format("[columns.{}]\nother = 0\ncategories = [0", name);
      for (int i = 1; i < 245; ++i) schema += fmt::format(", {}", i);
      schema += "]\n";
    }
    write("large.toml", schema);
    write("large.csv", "a,b\n3,4\n");
    EXPECT_EQ(run({"budget", "create", "--schema", "large.toml", "--rho", "1000"}).exit_code, 0);
  }

  /// With this much address space.
  Ended release_within(std::size_t mebibytes) {
    ++tries_;
    return run_command({"/bin/sh", "-c", fmt::format("ulimit -v {} && exec \"$@\"", mebibytes * 1024), "sh", TACET_PROGRAM, "release",
                        "counts", "--data", "large.csv", "--schema", "large.toml", "--by", "a,b", "--mechanism", "gaussian", "--rho", "1",
                        "--out", fmt::format("r{}.json", tries_)});
  }
  std::size_t charges() const {
    const service::Json entries = one_object(run({"budget", "history", "--schema", "large.toml", "--json"}).out)->at("entries");
    return static_cast<std::size_t>(
        std::count_if(entries.begin(), entries.end(), [](const service::Json& entry) { return entry.at("kind") == "charge"; }));
  }

 private:
  int tries_ = 0;
};

TEST(Memory, ThatEndsDuringAReleaseEndsBeforeTheCharge) {
  if (kSanitized) GTEST_SKIP();
  LargeTable table;
  std::size_t released = 0;
  std::size_t enough = 4096;
  std::size_t little = 1;
  ASSERT_EQ(table.release_within(enough).exit_code, 0);
  ++released;
  const auto try_with = [&](std::size_t mebibytes) {
    const Ended ended = table.release_within(mebibytes);
    EXPECT_NE(ended.exit_code, -1) << "a signal at " << mebibytes << " MiB";
    released += ended.exit_code == 0 ? 1 : 0;
    EXPECT_TRUE(ended.exit_code == 0 || !ended.err.empty()) << mebibytes;
    return ended.exit_code == 0;
  };
  while (enough - little > 1) {
    const std::size_t middle = (enough + little) / 2;
    (try_with(middle) ? enough : little) = middle;
  }
  // The steps below what is enough are where memory ends in the middle of the work.
  for (std::size_t less = 1; less <= 16 && less < enough; ++less) try_with(enough - less);
  EXPECT_EQ(table.charges(), released);
}

}  // namespace
}  // namespace tacet::test

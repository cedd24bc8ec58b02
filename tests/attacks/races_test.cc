// Attacks that change a file between two looks at it. What they would catch: a release whose parts
// come from two versions of the schema, or from a file that is not the one that was compared with
// the terms.
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;

Json sums_of_releases(const Desk& desk, const std::string& out) {
  return {
      {"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"columns", "age"}, {"rho", "0.000000001"}, {"out", out}};
}

/// At least 40 times, and until both outcomes have been met: then the race was one. A try meets
/// either with a probability of about a half, so that a thousand tries miss one with a probability
/// far below 10^-9.
bool goes_on(int tries, int published, int refused) { return tries < 40 || (tries < 1000 && (published == 0 || refused == 0)); }

// Turns a name to one file and to another, over and over, until it is destroyed.
class Turning {
 public:
  Turning(std::string name, std::vector<std::string> targets)
      : thread_([this, name = std::move(name), targets = std::move(targets)] {
          for (std::size_t i = 0; !done_; ++i) {
            std::filesystem::create_symlink(targets[i % targets.size()], name + ".new");
            std::filesystem::rename(name + ".new", name);
          }
        }) {}
  Turning(const Turning&) = delete;
  Turning& operator=(const Turning&) = delete;
  ~Turning() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

// Whichever schema a release meets, at whichever of its steps: what is published is bounded by the
// terms, or nothing is.
TEST(AttackRace, ASchemaThatIsSwappedDuringAReleaseNeverCounts) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::string wider = test::kPeopleSchema;
  wider.replace(wider.find("upper = 120"), 11, "upper = 999");
  desk.write("true.toml", test::kPeopleSchema);
  desk.write("wider.toml", wider);
  int published = 0, refused = 0;
  for (int i = 0; goes_on(i, published, refused); ++i) {
    const Turning turning(desk.path("people.toml"), {desk.path("true.toml"), desk.path("wider.toml")});
    const std::string out = desk.path("race" + std::to_string(i) + ".json");
    const auto released = desk.call("release sum", sums_of_releases(desk, out));
    if (!released.ok()) {
      EXPECT_EQ(released.error().code(), Code::SchemaInvalid) << released.error().message();
      EXPECT_FALSE(std::filesystem::exists(out));
      ++refused;
      continue;
    }
    ++published;
    EXPECT_EQ(released->at("columns").at(0).at("upper"), 120);
  }
  EXPECT_GT(published, 0);
  EXPECT_GT(refused, 0);
  desk.write("people.toml", test::kPeopleSchema);
  EXPECT_EQ(desk.entries(), static_cast<std::size_t>(published));
}

// A name that is one file when it is compared with the terms and another when it is opened: the
// open file is what is compared.
TEST(AttackRace, ASymbolicLinkThatIsTurnedMeanwhileReadsNobodyElse) {
  const Desk desk;
  std::filesystem::rename(desk.path("people.csv"), desk.path("ours.csv"));
  std::filesystem::create_symlink(desk.path("ours.csv"), desk.path("people.csv"));
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto first = desk.call("release sum", sums_of_releases(desk, desk.path("first.json")));
  ASSERT_TRUE(first.ok()) << first.error().message();
  desk.write("theirs.csv", std::string(test::kPeople) + "f,basic,30\n");
  int published = 0, refused = 0;
  for (int i = 0; goes_on(i, published, refused); ++i) {
    const Turning turning(desk.path("people.csv"), {desk.path("ours.csv"), desk.path("theirs.csv")});
    const std::string out = desk.path("race" + std::to_string(i) + ".json");
    const auto released = desk.call("release sum", sums_of_releases(desk, out));
    if (!released.ok()) {
      EXPECT_EQ(released.error().code(), Code::InvalidArgument) << released.error().message();
      EXPECT_FALSE(std::filesystem::exists(out));
      ++refused;
      continue;
    }
    ++published;
    EXPECT_EQ(released->at("n"), first->at("n"));
  }
  EXPECT_GT(published, 0);
  EXPECT_GT(refused, 0);
  EXPECT_EQ(desk.entries(), static_cast<std::size_t>(published) + 1);
}

}  // namespace
}  // namespace tacet::service

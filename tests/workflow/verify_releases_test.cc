#include "tacet/workflow/custody/verify_releases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/release/release_counts.h"

#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;
using enum ReleaseFinding;

class VerifyReleases : public ::testing::Test {
 protected:
  VerifyReleases() {
    create(desk);
    release(desk, "a.json");
    release(desk, "b.json");
  }
  static void create(const Desk& at) {
    EXPECT_TRUE(create_budget({.schema = *schemas::read_schema(at.path("people.toml")), .total = Rho(1)}).ok());
  }
  static void release(const Desk& at, const std::string& out) {
    const auto dataset = Dataset::open({.ledger = at.path("people.ledger"), .data = at.path("people.csv")});
    ASSERT_TRUE(dataset.ok()) << dataset.error().message();
    const auto released = release_counts(*dataset, {.by = {"sex"}, .loss = Rho(0.1), .out = at.path(out)});
    ASSERT_TRUE(released.ok()) << released.error().message();
  }
  ReleaseCheck check(const std::vector<std::string>& names) const {
    std::vector<std::string> files;
    for (const std::string& name : names) files.push_back(desk.path(name));
    const auto checked = verify_releases(*Dataset::open(desk.path("people.ledger")), files);
    EXPECT_TRUE(checked.ok()) << checked.error().message();
    return *checked;
  }
  ReleaseFinding finding(const std::string& name) const { return check({name}).releases.at(0).finding; }
  Desk desk;
};

TEST_F(VerifyReleases, MatchesEveryFileWithItsCharge) {
  const ReleaseCheck both = check({"b.json", "a.json"});
  EXPECT_TRUE(both.verified());
  EXPECT_TRUE(both.sealed);
  EXPECT_EQ(both.releases[0].entry, 2U);
  EXPECT_EQ(both.releases[1].entry, 1U);
  EXPECT_TRUE(both.charges_without_release.empty());
}

TEST_F(VerifyReleases, NamesChargesWithoutAFile) {
  const ReleaseCheck one = check({"b.json"});
  EXPECT_TRUE(one.verified());
  ASSERT_EQ(one.charges_without_release.size(), 1U);
  EXPECT_EQ(one.charges_without_release[0].entry, 1U);
  EXPECT_TRUE(one.charges_without_release[0].published);
}

TEST_F(VerifyReleases, FindsFilesThatAreNotWhatWasPublished) {
  desk.write("altered.json", desk.read("a.json") + "\n");
  EXPECT_EQ(finding("altered.json"), Altered);
  const ReleaseCheck twice = check({"a.json", "altered.json"});
  EXPECT_FALSE(twice.verified());
  EXPECT_EQ(twice.releases[0].finding, Agrees);
  EXPECT_EQ(twice.releases[1].finding, Replayed);
  desk.write("none.json", "[1, 2]");
  EXPECT_EQ(finding("none.json"), NoReceipt);
  EXPECT_EQ(check({"none.json"}).releases[0].entry, std::nullopt);
}

TEST_F(VerifyReleases, FindsReceiptsOfAnotherLedger) {
  const Desk other;
  create(other);
  release(other, "c.json");
  desk.write("c.json", other.read("c.json"));
  EXPECT_EQ(finding("c.json"), OtherLedger);
}

TEST_F(VerifyReleases, RefusesAFileThatIsNotThere) {
  const auto refused = verify_releases(*Dataset::open(desk.path("people.ledger")), {desk.path("gone.json")});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::NotFound);
}

}  // namespace
}  // namespace tacet

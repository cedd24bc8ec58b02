// A warning where the same release was paid for already.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

class PaidBeforeVerbs : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(desk.budget("create", {{"rho", 10}}).ok()); }
  /// The earlier charge that the answer names; null: none.
  Json before(const Json& more) const {
    const auto answer = desk.release(more);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() ? answer->value("paid_before", Json()) : Json("refused");
  }
  Desk desk;
};

TEST_F(PaidBeforeVerbs, NamesTheEarlierChargeAndItsFileAndChargesAgain) {
  EXPECT_TRUE(before({{"out", "first.json"}}).is_null());
  EXPECT_THAT(desk.said, Not(HasSubstr("Warning")));
  const Json found = before({{"out", "second.json"}});
  EXPECT_EQ(found.at("entry"), 1);
  EXPECT_EQ(found.at("analyst"), "ada");
  EXPECT_EQ(found.at("file"), desk.path("first.json"));
  const Json history = desk.budget("history")->at("entries");
  EXPECT_EQ(found.at("release_hash"), history.at(0).at("release_hash"));
  EXPECT_EQ(found.at("time"), history.at(0).at("time"));
  EXPECT_EQ(history.size(), 2U);
  EXPECT_EQ(desk.spent(), "rho 0.2");
  EXPECT_TRUE(desk.has("second.json"));
  EXPECT_FALSE(Json::parse(desk.read("second.json")).contains("paid_before"))
      << "a release file says nothing of the ledger's other entries";
}

TEST_F(PaidBeforeVerbs, SaysSoBeforeTheAnswer) {
  ASSERT_TRUE(desk.release({{"out", "first.json"}}).ok());
  ASSERT_TRUE(desk.release({{"out", "second.json"}}).ok());
  EXPECT_THAT(desk.said,
              MatchesRegex("Warning: the same release was paid for already, by ada at [^ ]* \\(entry 1 of the history\\); its "
                           "file is [^ ]*first\\.json\\.\n"
                           "Unless the data have changed since, that file would have served at no cost\\.\nNoisy counts(.|\n)*"));
  // A file that is not beside the new one is named by its hash.
  std::filesystem::remove(desk.path("first.json"));
  std::filesystem::remove(desk.path("second.json"));
  const Json found = before({{"out", "third.json"}});
  EXPECT_EQ(found.at("entry"), 2);
  EXPECT_TRUE(found.at("file").is_null());
  EXPECT_THAT(desk.said, HasSubstr("its file has the hash " + found.at("release_hash").get<std::string>() + ".\n"));
}

TEST_F(PaidBeforeVerbs, AnyOtherReleaseIsNotTheSame) {
  ASSERT_TRUE(desk.release({{"out", "first.json"}}).ok());
  EXPECT_TRUE(before({{"rho", "0.2"}, {"out", "a.json"}}).is_null());
  EXPECT_TRUE(before({{"by", "sex"}, {"out", "b.json"}}).is_null());
  EXPECT_TRUE(before({{"where", "age >= 40"}, {"out", "c.json"}}).is_null());
  EXPECT_TRUE(before({{"mechanism", "rank-deficient"}, {"out", "d.json"}}).is_null());
  EXPECT_EQ(before({{"where", "not age < 40"}, {"out", "e.json"}}).at("file"), desk.path("c.json")) << "the same condition";
}

TEST_F(PaidBeforeVerbs, ARefusedReleaseWasNotPaidFor) {
  EXPECT_FALSE(desk.release({{"rho", "11"}, {"out", "a.json"}}).ok());
  desk.write("people.csv", "sex,plan\nf,basic\n");
  EXPECT_FALSE(desk.release({{"by", "age"}, {"out", "a.json"}}).ok());
  desk.write("people.csv", test::kPeople);
  EXPECT_TRUE(before({{"out", "b.json"}}).is_null());
}

TEST_F(PaidBeforeVerbs, EveryReleaseVerbWarns) {
  for (const std::string verb :
       {"release sum", "release mean", "release second-moment", "release covariance", "release query", "release histogram"}) {
    Json request = {{"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"columns", "age"}, {"rho", "0.1"}};
    if (verb == "release query") request["direction"] = "1";
    if (verb == "release histogram") request["column"] = request["columns"];
    if (verb == "release histogram") request.erase("columns");
    for (const std::string out : {"a.json", "b.json"}) {
      request["out"] = desk.path(verb + out);
      const auto answer = desk.call(verb, request);
      ASSERT_TRUE(answer.ok()) << verb << ": " << answer.error().message();
      ASSERT_EQ(answer->contains("paid_before"), out == "b.json") << verb;
    }
    EXPECT_THAT(desk.said, StartsWith("Warning: the same release was paid for already, by ada at ")) << verb;
    EXPECT_THAT(desk.said, HasSubstr(verb + "a.json")) << verb;
  }
}

}  // namespace
}  // namespace tacet::service

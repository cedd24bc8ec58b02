// infer two-sample and infer k-sample.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"

#include "service/desk.h"
#include "workflow/moment_releases.h"

namespace tacet::service {
namespace {

using mechanisms::MomentRelease;
using test::covariance_release;
using test::Desk;
using test::people_at;
using ::testing::HasSubstr;

class TwoSample : public ::testing::Test {
 protected:
  TwoSample() {
    write("three.json", covariance_release({people_at(50, 60), people_at(50.3, 59.8), people_at(56, 60)}, {"a", "b", "c"}));
    write("one.json", covariance_release({people_at(50, 60)}));
    write("other.json", covariance_release({people_at(56, 60)}));
    MomentRelease wider = covariance_release({people_at(56, 60)});
    wider.columns[0].upper = 120;
    write("wider.json", wider);
    MomentRelease means = covariance_release({people_at(56, 60)});
    means.kind = mechanisms::MomentKind::Mean;
    means.parts[0].products.clear();
    write("means.json", means);
    MomentRelease empty = covariance_release({people_at(50, 60), people_at(50, 60)}, {"a", "b"});
    empty.parts[1].people = {-4, 6};
    write("empty.json", empty);
  }
  void write(const std::string& name, const MomentRelease& r) { desk.write(name, mechanisms::to_text(r)); }
  Result<Answer> answer(const std::vector<std::string>& files, const Json& more = Json::object(),
                        const std::string& verb = "infer two-sample") const {
    Json request = {{"releases", Json::array()}};
    for (const std::string& file : files) request["releases"].push_back(desk.path(file));
    if (!more.is_null()) request.update(more);
    return perform(verb, request, desk.context);
  }
  Result<Json> infer(const std::vector<std::string>& files, const Json& more = Json::object(),
                     const std::string& verb = "infer two-sample") const {
    TACET_TRY(const Answer compared, answer(files, more, verb));
    return compared.json();
  }
  Desk desk;
};

TEST_F(TwoSample, AnswersWithTheFieldsThatOthersRelyOn) {
  const auto compared = answer({"three.json"}, {{"groups", {"a", "b"}}});
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  const Json result = compared->json();
  for (const std::string field : {"statistic", "df", "p_value", "critical", "power"}) EXPECT_TRUE(result.at(field).is_number()) << field;
  EXPECT_EQ(result.at("outcome"), "retain");
  EXPECT_TRUE(result.at("reason").is_null());
  EXPECT_EQ(result.at("df"), 2);
  const std::string words = compared->words();
  EXPECT_THAT(words, HasSubstr("No evidence that the means differ at level 0.05"));
  EXPECT_THAT(words, HasSubstr("arm=a"));
  EXPECT_THAT(words, HasSubstr("Distribution under the null hypothesis: 1999 simulated differences of means"));
  EXPECT_THAT(words, HasSubstr(" % of the variance of the difference; the rest is sampling.\n"));
}

TEST_F(TwoSample, FindsADifferenceBetweenGroupsAndBetweenReleases) {
  const auto groups = answer({"three.json"}, {{"groups", {"a", "c"}}, {"alpha", "0.01"}});
  ASSERT_TRUE(groups.ok()) << groups.error().message();
  EXPECT_EQ(groups->json().at("outcome"), "reject");
  EXPECT_THAT(groups->words(), HasSubstr("The groups have different means: equality rejected at level 0.01"));
  const auto releases = infer({"one.json", "other.json"}, {{"covariances", "unequal"}});
  EXPECT_EQ(releases->at("outcome"), "reject");
  EXPECT_NEAR(releases->at("means")[1][0].get<double>(), 56, 1e-9);
}

TEST_F(TwoSample, ComparesAllGroupsAtOnce) {
  const auto all = infer({"three.json"}, {}, "infer k-sample");
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->at("outcome"), "reject");
  EXPECT_EQ(all->at("df"), 4);
  EXPECT_EQ(all->at("groups").size(), 3);
}

TEST_F(TwoSample, IsInconclusiveAndPrintsNoMeanIfAGroupMayBeEmpty) {
  MomentRelease few = covariance_release({people_at(50, 60), people_at(50, 60)}, {"a", "b"});
  few.parts[1].people = {8, 6};
  write("few.json", few);
  const auto compared = answer({"few.json"});
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  EXPECT_TRUE(compared->json().at("means")[0].is_array());
  EXPECT_TRUE(compared->json().at("means")[1].is_null());
  const std::string reason =
      "group arm=b has no mean to compare: its noisy number of people, 8, is within 2 times its noise (sd 6) of 0, so there may be nobody";
  EXPECT_EQ(compared->json().at("outcome"), "inconclusive");
  EXPECT_EQ(compared->json().at("reason"), reason);
  for (const std::string field : {"statistic", "p_value", "critical", "power", "null_law", "noise_share", "draws"})
    EXPECT_TRUE(compared->json().at(field).is_null()) << field;
  EXPECT_EQ(compared->json().at("df"), 2);
  EXPECT_THAT(compared->words(), HasSubstr("Inconclusive: " + reason + ".\n"));
  EXPECT_THAT(compared->words(), HasSubstr("no answer"));
  EXPECT_EQ(infer({"empty.json"}, {}, "infer k-sample")->at("outcome"), "inconclusive");
  EXPECT_EQ(infer({"few.json"}, {{"draws", 5}}).error().name(), "draws") << "a wrong request is refused first";
}

TEST_F(TwoSample, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(infer({"three.json"}).error().name(), "releases");  // three groups
  EXPECT_EQ(infer({"one.json"}).error().name(), "releases");    // no groups
  EXPECT_EQ(infer({"one.json", "wider.json"}).error().name(), "releases");
  EXPECT_EQ(infer({"one.json", "three.json"}).error().name(), "releases");
  EXPECT_EQ(infer({"three.json"}, {{"groups", {"a", "z"}}}).error().name(), "groups");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"groups", {"a", "b"}}}).error().name(), "groups");
  EXPECT_EQ(infer({"one.json", "means.json"}).error().code(), Code::Unsupported);
  EXPECT_EQ(infer({"three.json"}, {{"groups", {"a", "a"}}}).error().message(), "groups is a, twice, but must be different groups");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"covariances", "some"}}).error().name(), "covariances");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"draws", 5}}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::service

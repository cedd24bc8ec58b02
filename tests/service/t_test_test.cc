// infer t-test.
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

class TTestVerb : public ::testing::Test {
 protected:
  TTestVerb() {
    desk.write("arms.json", mechanisms::to_text(covariance_release({people_at(50, 60), people_at(56, 60)}, {"old", "new"})));
    desk.write("all.json", mechanisms::to_text(covariance_release({people_at(50, 60)})));
  }
  Result<Answer> answer(const std::string& file, const Json& more) const {
    Json request = {{"release", desk.path(file)}};
    request.update(more);
    return perform("infer t-test", request, desk.context);
  }
  Desk desk;
};

TEST_F(TTestVerb, AnswersWithTheFieldsThatOthersRelyOn) {
  const auto tested = answer("arms.json", {{"column", "ldl"}});
  ASSERT_TRUE(tested.ok()) << tested.error().message();
  const Json result = tested->json();
  for (const std::string field : {"statistic", "df", "p_value", "estimate", "lower", "upper", "sd", "alpha"})
    EXPECT_TRUE(result.at(field).is_number()) << field;
  EXPECT_EQ(result.at("outcome"), "reject");
  EXPECT_NEAR(result.at("estimate").get<double>(), -6, 1e-9);
  EXPECT_EQ(result.at("groups"), Json({"arm=old", "arm=new"}));
  EXPECT_EQ(result.at("alternative"), "two-sided");
  EXPECT_EQ(result.at("for"), "population");
  EXPECT_EQ(result.at("disjoint"), "groups of one release");
  const std::string words = tested->words();
  EXPECT_THAT(words, HasSubstr("The mean of ldl of arm=old minus that of arm=new is not 0: equality rejected at level 0.05.\n"));
  EXPECT_THAT(words, HasSubstr("Estimate -6 (standard deviation "));
  EXPECT_THAT(words, HasSubstr("with confidence 0.95, for the population.\n"));
}

TEST_F(TTestVerb, MeansOfDatesAreDatesAndTheirDifferencesDays) {
  for (const auto& [file, groups] : {std::pair{"dates.json", true}, {"date.json", false}}) {
    MomentRelease release =
        groups ? covariance_release({people_at(50, 60), people_at(56, 60)}, {"old", "new"}) : covariance_release({people_at(50, 60)});
    release.header.statement = R"({"dates": ["ldl"]})";
    desk.write(file, mechanisms::to_text(release));
  }
  const std::string two = answer("dates.json", {{"column", "ldl"}})->words();
  EXPECT_THAT(two, HasSubstr("of arm=new is not 0 days: equality rejected"));
  EXPECT_THAT(two,
              ::testing::ContainsRegex("Estimate -6 days \\(standard deviation [0-9.]+ days\\); from -[0-9.]+ days to -[0-9.]+ days with"));
  EXPECT_THAT(two, HasSubstr("Mean of arm=old: 1970-02-"));
  const std::string one = answer("date.json", {{"column", "ldl"}, {"null", 31}})->words();
  EXPECT_THAT(one, HasSubstr("The mean of ldl of everybody is not 1970-02-01: equality rejected"));
  EXPECT_THAT(one,
              ::testing::ContainsRegex("Estimate 1970-02-[0-9]+ \\(standard deviation [0-9.]+ days\\); from 1970-02-[0-9]+ to 1970-02-"));
  desk.write("pair.json", desk.read("dates.json"));
  const auto compared = perform("infer two-sample", {{"releases", {desk.path("pair.json")}}, {"draws", 200}}, desk.context);
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  EXPECT_THAT(compared->words(), ::testing::ContainsRegex("ldl +1970-02-[0-9]+ +1970-02-[0-9]+\n"));
  EXPECT_THAT(compared->words(), HasSubstr("ldl (days)"));
}

TEST_F(TTestVerb, KnowsDirections) {
  const auto less = answer("arms.json", {{"column", "ldl"}, {"alternative", "less"}});
  EXPECT_EQ(less->json().at("outcome"), "reject");
  EXPECT_TRUE(less->json().at("lower").is_null());
  EXPECT_THAT(less->words(), HasSubstr("The mean of ldl of arm=old minus that of arm=new is less than 0: equality rejected"));
  EXPECT_THAT(less->words(), HasSubstr("; up to -"));
  const auto greater = answer("arms.json", {{"column", "ldl"}, {"alternative", "greater"}});
  EXPECT_EQ(greater->json().at("outcome"), "retain");
  EXPECT_TRUE(greater->json().at("upper").is_null());
  EXPECT_THAT(greater->words(),
              HasSubstr("No evidence at level 0.05 that the mean of ldl of arm=old minus that of arm=new is greater than 0"));
  EXPECT_EQ(answer("arms.json", {{"column", "ldl"}, {"alternative", "more"}}).error().name(), "alternative");
}

TEST_F(TTestVerb, ComparesOneGroupWithAValue) {
  const auto one = answer("all.json", {{"column", "hdl"}, {"null", 60}});
  EXPECT_EQ(one->json().at("outcome"), "retain");
  EXPECT_THAT(one->words(), HasSubstr("No evidence at level 0.05 that the mean of hdl of everybody is not 60.\n"));
  const auto file = answer("all.json", {{"column", "hdl"}, {"null", 60}, {"for", "data"}});
  EXPECT_TRUE(file->json().at("df").is_null());
  EXPECT_THAT(file->words(), HasSubstr("Includes only the noise of the release.\n"));
}

}  // namespace
}  // namespace tacet::service

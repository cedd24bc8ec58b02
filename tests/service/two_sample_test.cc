// infer two-sample and infer k-sample.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/moment_release.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using mechanisms::GroupMoments;
using mechanisms::MomentRelease;
using test::Desk;
using ::testing::HasSubstr;

/// 1000 people with this mean of two columns in [0, 100], standard deviation 10 in each.
GroupMoments people_at(double first, double second) {
  const double a = first - 50;
  const double b = second - 50;
  return {
      {1000, 0}, {{1000 * a, 300}, {1000 * b, 300}}, {{1000 * (a * a + 100), 3000}, {1000 * a * b, 3000}, {1000 * (b * b + 100), 3000}}};
}

MomentRelease release(std::vector<GroupMoments> parts, std::vector<std::string> labels) {
  MomentRelease r{};
  r.kind = mechanisms::MomentKind::Covariance;
  r.header.statement = R"({"release": "covariance"})";
  r.columns = {{"ldl", 0, 100, 1, 50}, {"hdl", 0, 100, 1, 50}};
  r.parts = std::move(parts);
  if (!labels.empty()) r.groups = {"arm", std::move(labels), kernel::Membership::Public};
  r.mechanism = mechanisms::MomentMechanism::Gaussian;
  r.header.privacy = {.currency = mechanisms::LossForm::Gaussian, .rho = 0.1, .neighbours = mechanisms::Neighbours::ReplaceOne};
  r.header.guarantee = mechanisms::Guarantee::Exact;
  r.header.time = "2026-01-01T00:00:00Z";
  return r;
}

class TwoSample : public ::testing::Test {
 protected:
  TwoSample() {
    write("three.json", release({people_at(50, 60), people_at(50.3, 59.8), people_at(56, 60)}, {"a", "b", "c"}));
    write("one.json", release({people_at(50, 60)}, {}));
    write("other.json", release({people_at(56, 60)}, {}));
    MomentRelease wider = release({people_at(56, 60)}, {});
    wider.columns[0].upper = 120;
    write("wider.json", wider);
    MomentRelease means = release({people_at(56, 60)}, {});
    means.kind = mechanisms::MomentKind::Mean;
    means.parts[0].products.clear();
    write("means.json", means);
    MomentRelease empty = release({people_at(50, 60), people_at(50, 60)}, {"a", "b"});
    empty.parts[1].people = {-4, 6};
    write("empty.json", empty);
  }
  void write(const std::string& name, const MomentRelease& r) { desk.write(name, mechanisms::to_json(r).dump()); }
  Result<Json> infer(const std::vector<std::string>& files, const Json& more = Json::object(),
                     const std::string& verb = "infer two-sample") const {
    Json request = {{"releases", Json::array()}};
    for (const std::string& file : files) request["releases"].push_back(desk.path(file));
    if (!more.is_null()) request.update(more);
    return desk.call(verb, request);
  }
  Desk desk;
};

TEST_F(TwoSample, AnswersWithTheFieldsThatOthersRelyOn) {
  const auto result = infer({"three.json"}, {{"groups", {"a", "b"}}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  for (const std::string field : {"statistic", "df", "p_value", "critical", "power"}) EXPECT_TRUE(result->at(field).is_number()) << field;
  EXPECT_EQ(result->at("outcome"), "retain");
  EXPECT_EQ(result->at("df"), 2);
  const std::string words = find_verb("infer two-sample")->words(*result);
  EXPECT_THAT(words, HasSubstr("No evidence that the means differ at level 0.05"));
  EXPECT_THAT(words, HasSubstr("arm=a"));
}

TEST_F(TwoSample, FindsADifferenceBetweenGroupsAndBetweenReleases) {
  const auto groups = infer({"three.json"}, {{"groups", {"a", "c"}}, {"alpha", "0.01"}});
  EXPECT_EQ(groups->at("outcome"), "reject");
  EXPECT_THAT(find_verb("infer two-sample")->words(*groups), HasSubstr("The groups have different means: equality rejected at level 0.01"));
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

TEST_F(TwoSample, PrintsNoMeanOfAGroupThatMayBeEmpty) {
  MomentRelease few = release({people_at(50, 60), people_at(50, 60)}, {"a", "b"});
  few.parts[1].people = {8, 6};
  write("few.json", few);
  const auto result = infer({"few.json"});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_TRUE(result->at("means")[0].is_array());
  EXPECT_TRUE(result->at("means")[1].is_null());
  EXPECT_THAT(find_verb("infer two-sample")->words(*result), HasSubstr("no answer"));
}

TEST_F(TwoSample, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(infer({"three.json"}).error().name(), "releases");  // three groups
  EXPECT_EQ(infer({"one.json"}).error().name(), "releases");    // no groups
  EXPECT_EQ(infer({"one.json", "wider.json"}).error().name(), "releases");
  EXPECT_EQ(infer({"one.json", "three.json"}).error().name(), "releases");
  EXPECT_EQ(infer({"three.json"}, {{"groups", {"a", "z"}}}).error().name(), "groups");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"groups", {"a", "b"}}}).error().name(), "groups");
  EXPECT_EQ(infer({"one.json", "means.json"}).error().code(), Code::Unsupported);
  EXPECT_EQ(infer({"empty.json"}).error().code(), Code::Unsupported);
  EXPECT_EQ(infer({"three.json"}, {{"groups", {"a", "a"}}}).error().message(), "groups is a, twice, but must be different groups");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"covariances", "some"}}).error().name(), "covariances");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"draws", 5}}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::service

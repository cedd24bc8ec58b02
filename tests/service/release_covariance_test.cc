// `tacet release covariance` by eigenvalues and eigenvectors (ed).
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/covariance.h"
#include "tacet/mechanisms/release_file.h"

#include "service/desk.h"
#include "support/eigenvalues.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

/// People with a height and a weight.
class ReleaseCovariance : public ::testing::Test {
 protected:
  ReleaseCovariance() {
    desk.write("people.toml", std::string("tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\nneighbours = \"replace-one\"\n") +
                                  "idealised = true\n[columns.sex]\ncategories = [\"f\", \"m\"]\nother = \"f\"\nmembership = \"public\"\n" +
                                  "[columns.height]\nlower = 140\nupper = 200\nresolution = 0.5\nmissing = 170\n" +
                                  "[columns.weight]\nlower = 40\nupper = 120\nresolution = 0.5\nmissing = 80\n");
    std::string rows = "sex,height,weight\n";
    for (int i = 0; i < 4000; ++i) {
      const int step = i % 41;
      rows += (i % 2 == 0 ? "f," : "m,") + std::to_string(150 + step) + "," + std::to_string(50 + step + i % 7) + "\n";
    }
    desk.write("people.csv", rows);
    EXPECT_TRUE(desk.budget("create", {{"epsilon", "1000000"}}).ok());
  }
  Result<Json> release(const std::string& kind, const Json& more) const {
    Json request = {{"data", desk.path("people.csv")},
                    {"schema", desk.path("people.toml")},
                    {"columns", "height,weight"},
                    {"mechanism", "ed"},
                    {"epsilon", "1"},
                    {"out", desk.path(desk.has("r.json") ? std::to_string(desk.files().size()) + ".json" : "r.json")}};
    if (!more.is_null()) request.update(more);
    return desk.call("release " + kind, request);
  }

  Desk desk;
};

TEST_F(ReleaseCovariance, ByEigenvectorsIsIdealisedAndSaysWhy) {
  const auto result = release("covariance", {});
  ASSERT_TRUE(result.ok()) << result.error().message();
  const Json file = Json::parse(desk.read("r.json"));
  EXPECT_EQ(file.at("kind"), "covariance");
  EXPECT_EQ(file.at("noise"), (Json{{"family", "ed"}, {"structure", "eigenvectors"}}));
  EXPECT_EQ(file.at("guarantee"), "idealised");
  EXPECT_THAT(file.at("floating_point").get<std::string>(), HasSubstr("drawn, in double precision"));
  EXPECT_EQ(file.at("statement").at("mechanism"), "ed");
  EXPECT_EQ(file.at("n"), 4000);
  EXPECT_EQ(file.at("privacy").at("epsilon"), 1.0);
  const auto read = mechanisms::read_release_as<mechanisms::MomentRelease>(desk.path("r.json"));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(mechanisms::to_json(*read), file);
  EXPECT_EQ(desk.spent(), "epsilon 1");
}

TEST_F(ReleaseCovariance, ByEigenvectorsIsPositiveDefiniteHoweverMuchNoise) {
  for (const std::string epsilon : {"0.001", "0.1", "10"}) {
    const auto result = release("covariance", {{"epsilon", epsilon}});
    ASSERT_TRUE(result.ok()) << result.error().message();
    for (const double value : test::eigenvalues(result->at("values").get<test::Matrix>())) EXPECT_GT(value, 0) << epsilon;
  }
}

TEST_F(ReleaseCovariance, ByEigenvectorsIsTheCovarianceWhenNoiseIsNegligible) {
  const auto exact = release("covariance", {{"epsilon", "100000"}, {"mechanism", "laplace"}});
  const auto eigen = release("covariance", {{"epsilon", "100000"}});
  ASSERT_TRUE(exact.ok() && eigen.ok());
  const auto first = exact->at("values").get<test::Matrix>();
  const auto second = eigen->at("values").get<test::Matrix>();
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(first[j][k], second[j][k], 1) << j << k;
  }
  EXPECT_NEAR(first[0][0], 140, 5);
}

TEST_F(ReleaseCovariance, ByEigenvectorsServesSecondMomentsAndGroups) {
  const auto moments = release("second-moment", {{"epsilon", "100000"}, {"group-by", "sex"}, {"membership", "public"}});
  ASSERT_TRUE(moments.ok()) << moments.error().message();
  EXPECT_EQ(moments->at("values").size(), 2U);
  EXPECT_EQ(moments->at("parts").at(1).at("people").at("value"), 2000.0);
  const auto apart = release("covariance", {{"epsilon", "100000"}, {"group-by", "sex"}});
  ASSERT_TRUE(apart.ok()) << apart.error().message();
  EXPECT_NEAR(apart->at("parts").at(0).at("people").at("value").get<double>(), 2000, 1);
}

TEST_F(ReleaseCovariance, ByEigenvectorsRefusesWhatItIsNotFor) {
  const auto mean = release("mean", {});
  EXPECT_EQ(mean.error().message(),
            "mechanism is ed, but must be gaussian, laplace or k-norm; for example: mechanism = gaussian rho = 0.125");
  const auto unknown = release("covariance", {{"mechanism", "eigen"}});
  EXPECT_EQ(unknown.error().message(), "mechanism is eigen, but must be gaussian, laplace, k-norm, k-norm+laplace or ed");
  EXPECT_REFUSED(desk, Code::InvalidArgument, release("covariance", {{"delta", "1e-6"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, release("covariance", {{"epsilon", "1e-12"}}));
}

TEST_F(ReleaseCovariance, AFileThatIsIdealisedMustSayWhy) {
  ASSERT_TRUE(release("covariance", {}).ok());
  Json file = Json::parse(desk.read("r.json"));
  file.erase("floating_point");
  EXPECT_EQ(mechanisms::moment_release_from_json(file).error().name(), "floating_point");
}

}  // namespace
}  // namespace tacet::service

// What is printed of moments: its noise is that of the delta method, and of nobody nothing is
// printed.
#include "tacet/mechanisms/moment_result.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mechanisms/moments_of_rows.h"

namespace tacet::mechanisms {
namespace {

using ::testing::HasSubstr;

const std::vector<std::vector<double>> kRows = {{0.5, -0.2}, {0.1, 0.4}, {-0.3, 0.9}, {0.8, 0.7}, {0.2, -0.6}};

/// Forty times five people and a noisy count; far more people than noise, so that no eigenvalue is
/// raised.
MomentRelease release_of(const std::string& kind, const std::string& family = "gaussian") {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 40; ++i) rows.insert(rows.end(), kRows.begin(), kRows.end());
  MomentRelease release = test::moments_of_rows(rows, {1e-3, 1e5}, 0.5);
  release.kind = *named<MomentKind>("kind", kind);
  release.mechanism = *named<MomentMechanism>("family", family);
  release.parts[0].people.scale = 0.7;
  return release;
}

/// The noise by differences: each noisy number is moved by a little, and what the result moves by
/// is counted.
std::vector<double> noise_by_differences(const MomentRelease& release) {
  constexpr double kLittle = 1e-4;
  const std::vector<double> before = moment_result(release, 0).values;
  std::vector<double> variance(before.size());
  const auto move = [&](const std::function<NoisyNumber&(GroupMoments&)>& number, double sd) {
    MomentRelease up = release;
    MomentRelease down = release;
    number(up.parts[0]).value += kLittle * sd;
    number(down.parts[0]).value -= kLittle * sd;
    const std::vector<double> above = moment_result(up, 0).values;
    const std::vector<double> below = moment_result(down, 0).values;
    for (std::size_t at = 0; at < before.size(); ++at) variance[at] += std::pow((above[at] - below[at]) / (2 * kLittle), 2);
  };
  move([](GroupMoments& part) -> NoisyNumber& { return part.people; }, release.sum_noise_sd(release.parts[0].people.scale));
  for (std::size_t j = 0; j < release.parts[0].sums.size(); ++j)
    move([j](GroupMoments& part) -> NoisyNumber& { return part.sums[j]; }, release.sum_noise_sd(release.parts[0].sums[j].scale));
  for (std::size_t j = 0; j < release.parts[0].products.size(); ++j) {
    move([j](GroupMoments& part) -> NoisyNumber& { return part.products[j]; },
         release.product_noise_sd(release.parts[0].products[j].scale));
  }
  for (double& value : variance) value = std::sqrt(value);
  return variance;
}

TEST(MomentResult, TheNoiseIsThatOfEveryNumberItIsMadeOf) {
  for (const std::string family : {"gaussian", "laplace", "k-norm", "k-norm+laplace"}) {
    for (const std::string kind : {"sum", "mean", "second-moment", "covariance"}) {
      const MomentRelease release = release_of(kind, family);
      const MomentResult result = moment_result(release, 0);
      ASSERT_TRUE(result.noise_sd) << kind;
      const std::vector<double> expected = noise_by_differences(release);
      ASSERT_EQ(result.noise_sd->size(), expected.size()) << kind;
      for (std::size_t at = 0; at < expected.size(); ++at) EXPECT_NEAR(result.noise_sd->at(at) / expected[at], 1, 1e-6) << kind << at;
    }
  }
}

TEST(MomentResult, OfEigenvectorsHasNoKnownNoiseInAMatrix) {
  EXPECT_FALSE(moment_result(release_of("covariance", "ed"), 0).noise_sd);
  EXPECT_TRUE(to_json(release_of("covariance", "ed")).at("noise_sd").is_null());
}

TEST(MomentResult, TheFileHasTheNoiseBesideTheValues) {
  const MomentRelease release = release_of("covariance");
  const nlohmann::json file = to_json(release);
  EXPECT_EQ(file.at("noise_sd").at(0).at(1), moment_result(release, 0).noise_sd->at(1));
  EXPECT_EQ(file.at("noise_sd").size(), 2U);
  EXPECT_TRUE(file.at("no_answer").is_null());
  EXPECT_EQ(to_json(release_of("mean")).at("noise_sd").size(), 2U);
}

struct Count {
  double value, scale;
};

TEST(MomentResult, OfNobodyThereIsNoAnswer) {
  for (const Count& count : {Count{0, 0}, {-18, 20}, {0, 20}, {0.9, 0.1}, {17.8, 20}, {39, 20}}) {
    for (const std::string kind : {"mean", "second-moment", "covariance"}) {
      MomentRelease release = release_of(kind);
      release.parts[0].people = {count.value, count.scale};
      const auto reason = why_no_answer(release, 0);
      ASSERT_TRUE(reason) << count.value;
      EXPECT_THAT(*reason, HasSubstr("nobody"));
      const nlohmann::json file = to_json(release);
      EXPECT_TRUE(file.at("values").is_null());
      EXPECT_TRUE(file.at("noise_sd").is_null());
      EXPECT_EQ(file.at("no_answer"), *reason);
    }
  }
}

TEST(MomentResult, OfSomebodyThereIsOneAndOfSumsAlways) {
  for (const Count& count : {Count{1, 0}, {41, 20}, {1.5, 0.5}}) {
    MomentRelease release = release_of("mean");
    release.parts[0].people = {count.value, count.scale};
    EXPECT_FALSE(why_no_answer(release, 0)) << count.value;
  }
  MomentRelease sums = release_of("sum");
  sums.parts[0].people = {-18, 20};
  EXPECT_FALSE(why_no_answer(sums, 0)) << "nobody adds up to 0, which is an answer";
  EXPECT_TRUE(to_json(sums).at("values").is_array());
}

TEST(MomentResult, AGroupWithoutAnAnswerLeavesTheOthersTheirs) {
  MomentRelease release = release_of("mean");
  release.groups = ReleasedGroups{"arm", {"old", "new"}, kernel::Membership::Private};
  release.parts.push_back(release.parts[0]);
  release.parts[1].people.value = -2;
  const nlohmann::json file = to_json(release);
  EXPECT_TRUE(file.at("values").at(0).is_array());
  EXPECT_TRUE(file.at("no_answer").at(0).is_null());
  EXPECT_TRUE(file.at("values").at(1).is_null());
  EXPECT_EQ(file.at("no_answer").at(1), "its noisy number of people is -2, so there may be nobody");
}

}  // namespace
}  // namespace tacet::mechanisms

#include "tacet/workflow/infer/mean_region.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"

#include "kernel/scratch_folder.h"
#include "workflow/moment_releases.h"

namespace tacet {
namespace {

using mechanisms::read_release_as;
using test::covariance_release;
using test::people_at;
using ::testing::Contains;
using ::testing::HasSubstr;

const Matrix kRow{2, 2, {100, 0, 0, 100}};

TEST(MeanRegion, OfAFileHoldsTheMeansThatItWasMadeFrom) {
  const testing::ScratchFolder folder;
  const std::string path = folder.path("moments.json");
  std::ofstream(path) << mechanisms::to_text(covariance_release({people_at(50, 60)}));
  const auto release = read_release_as<MomentRelease, QueryRelease>(path);
  ASSERT_TRUE(release.ok()) << release.error().message();
  const auto answer = mean_region(*release, {});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  ASSERT_TRUE(answer->region);
  EXPECT_FALSE(answer->reason);
  EXPECT_EQ(answer->region->center, (std::vector<double>{50, 60}));
  EXPECT_NEAR(answer->region->shape.at(1, 1), std::pow(300.0 / 1000, 2), 1e-12);
  EXPECT_LT(answer->region->simultaneous.lower[0], answer->region->marginal.lower[0]);
  EXPECT_EQ(answer->basis.target, MeanTarget::Data);
  EXPECT_EQ(answer->basis.n, 1000);
  EXPECT_TRUE(answer->basis.n_is_public);
  EXPECT_EQ(answer->basis.covariance, CovarianceSource::None);
  EXPECT_FALSE(answer->basis.seed) << "nothing was drawn";
  EXPECT_THAT(answer->basis.includes, Contains("the gaussian noise of the release"));
}

TEST(MeanRegion, OfThePopulationIsWiderAndSaysWhereItsCovarianceComesFrom) {
  const MeanRelease release = covariance_release({people_at(50, 60)});
  const double of_data = mean_region(release, {})->region->log_volume;
  const auto given = mean_region(release, {.means = {.covariance = kRow}});
  ASSERT_TRUE(given.ok()) << given.error().message();
  EXPECT_EQ(given->basis.target, MeanTarget::Population) << "a covariance is for the population";
  EXPECT_EQ(given->basis.covariance, CovarianceSource::Given);
  EXPECT_GT(given->region->log_volume, of_data);
  const auto drawn = mean_region(release, {.means = {.target = MeanTarget::Population, .draws = 999, .seed = 7}});
  ASSERT_TRUE(drawn.ok()) << drawn.error().message();
  EXPECT_EQ(drawn->basis.covariance, CovarianceSource::Released);
  EXPECT_EQ(drawn->basis.method, MeanMethod::Bootstrap);
  EXPECT_EQ(drawn->basis.draws, 999U);
  EXPECT_EQ(drawn->basis.seed, 7U);
}

TEST(MeanRegion, OfAGroupIsThatOfTheGroup) {
  const MeanRelease release = covariance_release({people_at(50, 60), people_at(70, 20)}, {"no", "yes"});
  const auto yes = mean_region(release, {.means = {.group = "yes"}});
  ASSERT_TRUE(yes.ok()) << yes.error().message();
  EXPECT_EQ(yes->basis.group, "yes");
  EXPECT_EQ(yes->region->center, (std::vector<double>{70, 20}));
  EXPECT_EQ(mean_region(release, {}).error().message(),
            "group is missing, but must be a group of the release: no, yes; for example: group = no");
  EXPECT_EQ(mean_region(covariance_release({people_at(50, 60)}), {.means = {.group = "yes"}}).error().message(),
            "group is yes, but goes with a release that has groups; leave group out");
}

TEST(MeanRegion, IsNotThereForAnEmptyGroupAndSaysWhy) {
  mechanisms::GroupMoments nobody = people_at(50, 50);
  nobody.people.value = 0;
  const auto answer = mean_region(covariance_release({nobody}), {});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_FALSE(answer->region);
  EXPECT_EQ(answer->reason, "nobody is in this group, so it has no mean");
}

TEST(MeanRegion, RefusesBadInputWithItsName) {
  const MeanRelease release = covariance_release({people_at(50, 60)});
  EXPECT_EQ(mean_region(release, {.confidence = 0.2}).error().message(),
            "confidence is 0.2, but must be at least 0.5 and at most 1 - 1e-9; for example: confidence = 0.95");
  EXPECT_EQ(mean_region(release, {.means = {.covariance = Matrix{1, 4, {1, 0, 0, 1}}}}).error().message(),
            "covariance is a matrix of 1 x 4, but must be a square matrix");
  EXPECT_EQ(mean_region(release, {.means = {.target = MeanTarget::Data, .covariance = kRow}}).error().message(),
            "covariance is given, but goes with the population: the mean of the data has no sampling error; ask about the population");
  EXPECT_THAT(mean_region(release, {.means = {.covariance = Matrix{2, 2, {1, 2, 2, 1}}}}).error().message(),
              HasSubstr("must be symmetric and positive definite"));
}

}  // namespace
}  // namespace tacet

#include "tacet/workflow/plan/plan_region.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tacet {
namespace {

const MeanQueryDesign kRegionDesign{.covariance = Matrix{2, 2, {200, 100, 100, 100}}, .loss = Rho(0.02)};

TEST(PlanRegion, OfTheDataIsSmallerThanOfThePopulation) {
  const auto population = plan_region({.design = kRegionDesign, .n = 2000});
  ASSERT_TRUE(population.ok()) << population.error().message();
  EXPECT_EQ(population->target, MeanTarget::Population);
  EXPECT_EQ(population->log_volumes.at(MeanQuery::Whitened), population->log_volume);
  EXPECT_EQ(population->log_volumes.size(), 2U) << "without ranges nothing is compared with bounded";
  EXPECT_LT(plan_region({.design = kRegionDesign, .n = 2000, .target = MeanTarget::Data})->log_volume, population->log_volume);
}

TEST(PlanRegion, FindsThePeopleForAVolume) {
  const auto plan = plan_region({.design = kRegionDesign, .volume = 2});
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_TRUE(plan->n_was_found);
  EXPECT_LE(std::exp(plan->log_volume), 2);
  const auto fewer = static_cast<std::uint64_t>(plan->n) - 1;
  EXPECT_GT(std::exp(plan_region({.design = kRegionDesign, .n = fewer})->log_volume), 2);
}

TEST(PlanRegion, RefusesBadInputWithItsName) {
  EXPECT_EQ(plan_region({.design = kRegionDesign, .n = 10, .volume = 2}).error().message(),
            "n is given with a wanted volume, but must be given where the volume is asked for, and left out where people are; for "
            "example: n = 1000 for the volume, or volume = 2 for the people");
  EXPECT_EQ(plan_region({.design = kRegionDesign, .volume = 0}).error().message(),
            "volume is 0, but must be greater than 0; for example: volume = 2");
  MeanQueryDesign bounded = kRegionDesign;
  bounded.query = MeanQuery::Bounded;
  EXPECT_EQ(plan_region({.design = bounded, .n = 10}).error().name(), "range");
}

}  // namespace
}  // namespace tacet

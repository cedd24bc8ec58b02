// What the room eigen says where it was built without its mechanism (cmake -DTACET_EIGEN=OFF). This
// program has not_built_in.cc in its place.
#include <gtest/gtest.h>

#include "tacet/eigen/release_eigen.h"

#include "kernel/ledger_requests.h"
#include "kernel/purse.h"
#include "support/scripted_bits.h"

namespace tacet::eigen {
namespace {

TEST(EigenLeftOut, APlanIsRefusedInWordsBeforeAnythingIsSpent) {
  const kernel::BoxSensitivity box{kernel::Relation::ReplaceOne, {1, 2, 1}, 1, 1, 2};
  const auto plan = plan_eigen(box, {1}, testing::epsilon_loss("1"));
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code(), Code::Unsupported);
  EXPECT_EQ(plan.error().message(),
            "the mechanism ed was not built into this program; build it with cmake -DTACET_EIGEN=ON, or use mechanism = laplace");
  EXPECT_EQ(plan.error().spent(), "nothing was spent");
}

TEST(EigenLeftOut, AReleaseThatWasPaidForPublishesNothingAndSaysWhatItCost) {
  testing::Purse purse;
  test::InsecureSeededBits bits(1);
  const kernel::BoxSensitivity box{kernel::Relation::ReplaceOne, {1, 2, 1}, 1, 1, 2};
  const auto out = release_eigen(testing::sealed({1, 0, 1}, box), EigenPlan{}, purse.grant(testing::epsilon_loss("1")), bits);
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().spent(), "epsilon 1 was spent (entry 1 of \"patients\")");
}

}  // namespace
}  // namespace tacet::eigen

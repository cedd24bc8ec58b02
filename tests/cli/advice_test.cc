// Advice of the library names parameters; people type options.
#include "advice.h"

#include <gtest/gtest.h>

namespace tacet::app {
namespace {

const std::vector<service::Field> kFields = {{"rho", "R", ""}, {"mechanism", "M", ""}, {"group-by", "C", ""}};

TEST(Advice, ParametersOfTheVerbGetTheirDashes) {
  EXPECT_EQ(with_dashes("for example: rho = 0.125", kFields), "for example: --rho 0.125");
  EXPECT_EQ(with_dashes("ask with mechanism = gaussian rho = 0.1, or wait", kFields), "ask with --mechanism gaussian --rho 0.1, or wait");
  EXPECT_EQ(with_dashes("add group-by = COLUMN", kFields), "add --group-by COLUMN");
  EXPECT_EQ(with_dashes("rho = 1", kFields), "--rho 1");
}

TEST(Advice, OtherWordsStay) {
  EXPECT_EQ(with_dashes("declare bounds: lower = 0", kFields), "declare bounds: lower = 0");
  EXPECT_EQ(with_dashes("nothing was spent", kFields), "nothing was spent");
  EXPECT_EQ(with_dashes(" = ", kFields), " = ");
  EXPECT_EQ(with_dashes("rho = 1", {}), "rho = 1");
}

}  // namespace
}  // namespace tacet::app

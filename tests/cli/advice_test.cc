// Advice of the library names parameters; people type options.
#include "advice.h"

#include <gtest/gtest.h>

namespace tacet::app {
namespace {

const std::vector<service::Field> kFields = {{"rho", "R", ""}, {"mechanism", "M", ""}, {"group-by", "C", ""}};

TEST(Advice, ParametersOfTheVerbGetTheirDashes) {
  EXPECT_EQ(as_typed("for example: rho = 0.125", kFields), "for example: --rho 0.125");
  EXPECT_EQ(as_typed("ask with mechanism = gaussian rho = 0.1, or wait", kFields), "ask with --mechanism gaussian --rho 0.1, or wait");
  EXPECT_EQ(as_typed("add group-by = COLUMN", kFields), "add --group-by COLUMN");
  EXPECT_EQ(as_typed("rho = 1", kFields), "--rho 1");
  EXPECT_EQ(as_typed("say so: disjoint = true; or rho = 1", {{"disjoint", "", "", service::FieldKind::Flag}, {"rho", "R", ""}}),
            "say so: --disjoint; or --rho 1");
}

TEST(Advice, VerbsInBackquotesBecomeCommandsWithTheirOwnOptions) {
  EXPECT_EQ(as_typed("see what fits: `budget show`", kFields), "see what fits: `tacet budget show`");
  EXPECT_EQ(as_typed("`dataset amend source = FILE reason = TEXT`; or rho = 1", kFields),
            "`tacet dataset amend --source FILE --reason TEXT`; or --rho 1");
  EXPECT_EQ(as_typed("give a file written by `release` or `import`", kFields), "give a file written by `tacet release` or `tacet import`");
}

TEST(Advice, TextBetweenDoubleQuotesStays) {
  EXPECT_EQ(as_typed("the column \"rho = 2\" has no bounds; ask with rho = 1", kFields),
            "the column \"rho = 2\" has no bounds; ask with --rho 1");
  EXPECT_EQ(as_typed("rename \"a \\\" rho = 1\", or rho = 2", kFields), "rename \"a \\\" rho = 1\", or --rho 2");
  EXPECT_EQ(as_typed("the column \"`budget show`\", see `budget show`", kFields), "the column \"`budget show`\", see `tacet budget show`");
  EXPECT_EQ(as_typed("`dataset amend reason = \"source = A\"`", kFields), "`tacet dataset amend --reason \"source = A\"`");
  EXPECT_EQ(as_typed("5\" wide, rho = 1", kFields), "5\" wide, --rho 1");
}

TEST(Advice, LinesForTheSchemaStay) {
  EXPECT_EQ(as_typed("write under [columns.x]: rho = [..., ...]; or ask with rho = 1", kFields),
            "write under [columns.x]: rho = [..., ...]; or ask with --rho 1");
  EXPECT_EQ(as_typed("write under [columns.x]: rho = [..., ...]", kFields), "write under [columns.x]: rho = [..., ...]");
}

TEST(Advice, OtherWordsStay) {
  EXPECT_EQ(as_typed("run `make setup`", kFields), "run `make setup`");
  EXPECT_EQ(as_typed("see `tacet budget show`", kFields), "see `tacet budget show`");
  EXPECT_EQ(as_typed("the name ` is odd, rho = 1", kFields), "the name ` is odd, --rho 1");

  EXPECT_EQ(as_typed("declare bounds: lower = 0", kFields), "declare bounds: lower = 0");
  EXPECT_EQ(as_typed("nothing was spent", kFields), "nothing was spent");
  EXPECT_EQ(as_typed(" = ", kFields), " = ");
  EXPECT_EQ(as_typed("rho = 1", {}), "rho = 1");
}

}  // namespace
}  // namespace tacet::app

#include "tacet/schemas/expression/row_expression.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/expression/expression_tree.h"

namespace tacet::schemas {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Decimal expression_number(const char* text) { return *Decimal::parse(text); }

data::Schema measured() {
  data::Schema schema;
  schema.columns.push_back({.name = "age", .bounds = data::Bounds{Decimal(18), Decimal(120), Decimal(1), Decimal(50)}});
  schema.columns.push_back({.name = "smoking", .categories = data::Categories{{"never", "current", "other", "missing"}, 2, 2, 3}});
  schema.columns.push_back({.name = "body mass", .bounds = data::Bounds{Decimal(10), Decimal(12), expression_number("0.5"), {}}});
  schema.columns.push_back({.name = "income", .bounds = data::Bounds{Decimal(0), Decimal(1'000'000), Decimal(1), Decimal(0)}});
  schema.columns.push_back({.name = "odd", .bounds = data::Bounds{Decimal(-1), Decimal(3), expression_number("1.5"), Decimal(0)}});
  schema.columns.push_back({.name = "note"});
  return schema;
}

CellNumbers cell_numbers(const char* text) {
  const data::Schema schema = measured();
  auto out = tabulate_expression(schema, text);
  EXPECT_TRUE(out.ok()) << text << ": " << out.error().message();
  return *out;
}

std::string expression_refusal(const char* text) {
  const data::Schema schema = measured();
  const auto out = tabulate_expression(schema, text);
  EXPECT_FALSE(out.ok()) << text;
  return out.ok() ? "" : out.error().message();
}

TEST(RowExpression, ANumberCountsAsTheNearestStep) {
  const CellNumbers out = cell_numbers("if_missing(\"body mass\", 11) * 2");
  EXPECT_THAT(out.columns, ElementsAre("body mass"));
  // Steps 10, 10.5, 11, 11.5, 12 and missing: a cell ends in the middle between two.
  EXPECT_THAT(out.numbers, ElementsAre(20, 21, 22, 23, 24, 22));
  ASSERT_EQ(out.bins.size(), 1U);
  std::vector<std::string> edges;
  for (const Decimal& edge : out.bins[0].edges) edges.push_back(edge.to_string());
  EXPECT_THAT(edges, ElementsAre("10", "10.25", "10.75", "11.25", "11.75", "12"));
  EXPECT_TRUE(out.steps.empty());
  EXPECT_EQ(out.lowest, 20);
  EXPECT_EQ(out.highest, 24);
}

TEST(RowExpression, TheLastStepMayBeShorter) {
  const CellNumbers out = cell_numbers("odd");
  EXPECT_THAT(out.numbers, ElementsAre(-1, 0.5, 2, 3, 0));
  EXPECT_EQ(out.bins[0].edges[3].to_string(), "2.5");
}

TEST(RowExpression, ArithmeticFollowsTheUsualRules) {
  // Of odd = -1, 0.5, 2, 3 and missing, which counts as 0.
  EXPECT_THAT(cell_numbers("1 + 2 * odd").numbers, ElementsAre(-1, 2, 5, 7, 1));
  EXPECT_THAT(cell_numbers("(1 + 2) * odd").numbers, ElementsAre(-3, 1.5, 6, 9, 0));
  EXPECT_THAT(cell_numbers("8 - odd - 1").numbers, ElementsAre(8, 6.5, 5, 4, 7));
  EXPECT_THAT(cell_numbers("odd ^ 2").numbers, ElementsAre(1, 0.25, 4, 9, 0));
  EXPECT_THAT(cell_numbers("-odd ^ 2").numbers, ElementsAre(-1, -0.25, -4, -9, 0));
  EXPECT_THAT(cell_numbers("12 / (odd + 2) / 2").numbers, ElementsAre(6, 2.4, 1.5, 1.2, 3));
  EXPECT_THAT(cell_numbers("abs(odd) + max(odd, 1) - min(odd, 2)").numbers, ElementsAre(3, 1, 2, 4, 1));
  EXPECT_THAT(cell_numbers("sqrt(odd + 1)").numbers, ElementsAre(0, std::sqrt(1.5), std::sqrt(3.0), 2, 1));
  EXPECT_THAT(cell_numbers("exp(odd) - log(odd + 2)").numbers,
              ElementsAre(std::exp(-1.0), std::exp(0.5) - std::log(2.5), std::exp(2.0) - std::log(4.0), std::exp(3.0) - std::log(5.0),
                          1 - std::log(2.0)));
  EXPECT_THAT(cell_numbers("[odd >= 2] - [odd = 0.5 or odd is missing]").numbers, ElementsAre(0, -1, 1, 1, -1));
}

TEST(RowExpression, TheCellsAreThoseOfATableOfItsColumns) {
  const CellNumbers out = cell_numbers("odd * [smoking = current]");
  EXPECT_THAT(out.columns, ElementsAre("smoking", "odd"));  // in the order of the schema, the last fastest
  ASSERT_EQ(out.numbers.size(), 4U * 5U);
  for (std::size_t i = 0; i < out.numbers.size(); ++i) EXPECT_EQ(out.numbers[i] != 0, i / 5 == 1 && i % 5 != 4) << i;
}

TEST(RowExpression, AFractionHasOnlyTheCellsThatItsConditionTellsApart) {
  const data::Schema schema = measured();
  const CellNumbers out = *tabulate_fraction(schema, "income > 50000 and income <= 60000 and smoking = current");
  EXPECT_THAT(out.columns, ElementsAre("smoking", "income"));
  EXPECT_EQ(out.lowest, 0);
  EXPECT_EQ(out.highest, 1);
  std::vector<std::string> edges;
  for (const Decimal& edge : out.bins.at(0).edges) edges.push_back(edge.to_string());
  EXPECT_THAT(edges, ElementsAre("0", "49999.5", "50000.5", "59999.5", "60000.5", "999999.5", "1000000"));
  double holds = 0;
  for (const double number : out.numbers) holds += number;
  EXPECT_EQ(holds, 2);  // 50001 to 59999, and 60000
  EXPECT_THAT(tabulate_fraction(schema, "odd > 0.5")->numbers, ElementsAre(0, 0, 1, 1, 0));
}

TEST(RowExpression, ManyStepsBecomeFewerLongerOnes) {
  const CellNumbers alone = cell_numbers("income / 1000000");
  ASSERT_EQ(alone.steps.size(), 1U);
  EXPECT_EQ(alone.steps[0].second.to_string(), "16");
  EXPECT_EQ(alone.numbers.size(), 62'500U + 2);
  EXPECT_NEAR(alone.numbers[1], 16e-6, 1e-20);
  const CellNumbers both = cell_numbers("income * age");
  EXPECT_EQ(both.steps.at(0).second.to_string(), "128");
  EXPECT_LE(both.numbers.size(), kMostExpressionCells);
}

TEST(RowExpression, OneExpressionHasOneText) {
  const data::Schema schema = measured();
  const std::pair<const char*, const char*> texts[] = {
      {"  ( age-40 )/80*[ smoking in (current) ]", "(age - 40) / 80 * [smoking = current]"},
      {"odd-(1-odd)", "odd - (1 - odd)"},
      {"odd/(age*2)", "odd / (age * 2)"},
      {"-(odd+1)", "-(odd + 1)"},
      {"2*-odd", "2 * -odd"},
      {"max(if_missing(\"body mass\",11), 1e1,age)", "max(if_missing(\"body mass\", 11), 10, age)"},
  };
  for (const auto& [written, text] : texts) {
    const auto once = tabulate_expression(schema, written);
    ASSERT_TRUE(once.ok()) << written << ": " << once.error().message();
    EXPECT_EQ(once->text, text);
    const auto again = tabulate_expression(schema, once->text);
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_EQ(again->text, once->text);
    EXPECT_EQ(again->numbers, once->numbers);
  }
}

TEST(RowExpression, WhatHasNoValueSomewhereIsRefusedBeforeAnyRowIsRead) {
  EXPECT_EQ(
      expression_refusal("1 / (age - 40)"),
      "mean-of is a division by age - 40, but must not divide by 0, as it may where age = 40; add a constant, or keep it away from 0: "
      "max(x, 1)");
  EXPECT_THAT(expression_refusal("1 / [age >= 40]"), HasSubstr("must not divide by 0"));
  EXPECT_THAT(expression_refusal("log(odd)"), HasSubstr("must be a number of at most 1e60 in size for every row"));
  EXPECT_THAT(expression_refusal("sqrt(odd)"), HasSubstr("where odd = -1"));
  EXPECT_THAT(expression_refusal("exp(income)"), HasSubstr("must be a number of at most 1e60"));
  EXPECT_EQ(expression_refusal("\"body mass\" / 2"),
            "mean-of is without a number where \"body mass\" is missing, but must say what a missing number counts as; write "
            "if_missing(\"body mass\", 10), or declare missing = 10 in the schema");
  EXPECT_EQ(expression_refusal("age - age"),
            "mean-of is 0 for every row, but must not be the same for every row; what needs no data costs nothing");
}

// Such answers were charged, and no verb read the file.
TEST(RowExpression, WhatNoReleaseFileCouldHoldIsRefused) {
  EXPECT_EQ(expression_refusal("age * 1e-99"),
            "mean-of is between 1.8e-98 and 1.2e-97, but must differ by at least 1e-60 among rows; use larger factors, or measure in a "
            "smaller unit");
  EXPECT_THAT(expression_refusal("age * 1e-323 * 0.1"), HasSubstr("must differ by at least 1e-60"));
  EXPECT_THAT(expression_refusal("age * 1e98"), HasSubstr("mean-of is 1.8e+99 where age = 18, but must be a number of at most 1e60"));
  EXPECT_THAT(expression_refusal("log(0 - 1)"), HasSubstr("mean-of is no number for every row, but must be"));
  EXPECT_THAT(expression_refusal("exp(exp(income))"), HasSubstr("mean-of is infinite where income = 16, but"));
  EXPECT_TRUE(tabulate_expression(measured(), "age * 1e-60").ok());
  EXPECT_TRUE(tabulate_expression(measured(), "age / 120 * 1e60").ok());
}

TEST(RowExpression, RefusalsSayWhereTheTextGoesWrong) {
  EXPECT_EQ(expression_refusal("age + wieght"),
            "mean-of is \"wieght\" at character 7, but must be a declared column; the schema declares \"age\", \"smoking\", \"body mass\", "
            "\"income\", \"odd\", \"note\"");
  EXPECT_THAT(expression_refusal("agee"), HasSubstr("did you mean \"age\"?"));
  EXPECT_THAT(expression_refusal("smoking + 1"), HasSubstr("a category counts in a condition: [smoking = ...]"));
  EXPECT_THAT(expression_refusal("note"), HasSubstr("lower = ..."));
  EXPECT_THAT(expression_refusal("(age"), HasSubstr("must be closed by another parenthesis"));
  EXPECT_THAT(expression_refusal("age)"), HasSubstr("must not close a parenthesis"));
  EXPECT_THAT(expression_refusal("[age >= 40"), HasSubstr("must be closed by ]"));
  EXPECT_THAT(expression_refusal("age >= 40"), HasSubstr("must have comparisons inside brackets"));
  EXPECT_THAT(expression_refusal("[age >= 4000]"),
              HasSubstr("mean-of is a condition that is \"4000\" at character 8, but must be within the bounds"));
  EXPECT_THAT(expression_refusal("age age"), HasSubstr("must continue with + - * /"));
  EXPECT_THAT(expression_refusal("age +"), HasSubstr("over at character 6"));
  EXPECT_THAT(expression_refusal("sin(age)"), HasSubstr("must be one of the functions"));
  EXPECT_THAT(expression_refusal("abs(age, 2)"), HasSubstr("must have one argument"));
  EXPECT_THAT(expression_refusal("age ^ 9"), HasSubstr("whole number from 2 to 8"));
  EXPECT_THAT(expression_refusal("age ^ 2.5"), HasSubstr("whole number from 2 to 8"));
  EXPECT_THAT(expression_refusal("1e101 * age"), HasSubstr("must be a number"));
  EXPECT_THAT(expression_refusal("2age"), HasSubstr("must be a number"));
  EXPECT_THAT(expression_refusal("if_missing(age, 500)"), HasSubstr("within the bounds, 18 to 120"));
  EXPECT_THAT(expression_refusal(""), HasSubstr("must be an expression"));
  EXPECT_THAT(expression_refusal("a\x01"), HasSubstr("control characters"));
  EXPECT_THAT(expression_refusal("a\u0096"), HasSubstr("control characters"));
  EXPECT_THAT(expression_refusal((std::string(100, '(') + "age").c_str()), HasSubstr("64 parentheses"));
  std::string long_sum = "age";
  for (int i = 0; i < 300; ++i) long_sum += " + age";
  EXPECT_THAT(expression_refusal(long_sum.c_str()), HasSubstr("256 operations"));
  std::string powers = "age";
  for (int i = 0; i < 30; ++i) powers = "(" + powers + ")^8";  // 8^30 ages, if each power copied the last
  EXPECT_THAT(expression_refusal(powers.c_str()), HasSubstr("256 operations"));
  const data::Schema schema = measured();
  EXPECT_EQ(tabulate_fraction(schema, "age >= 4000").error().name(), "fraction");
}

}  // namespace
}  // namespace tacet::schemas

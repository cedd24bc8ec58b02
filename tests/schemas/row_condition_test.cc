#include "tacet/schemas/row_condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/canonical_schema.h"

namespace tacet::schemas {
namespace {

using ::testing::HasSubstr;

Decimal condition_number(const char* text) { return *Decimal::parse(text); }

data::Bounds bounds_of(const char* lower, const char* upper, const char* resolution = "1") {
  return {condition_number(lower), condition_number(upper), condition_number(resolution), {}};
}

/// One column of each kind.
data::Schema survey() {
  data::Schema schema;
  data::Column age{.name = "age", .bounds = bounds_of("18", "120")};
  age.bins = {condition_number("18"), condition_number("40"), condition_number("120")};
  age.categories = data::Categories{data::bin_labels(age.bins, /*dates=*/false), 2, 2, 2};
  age.categories->labels.emplace_back("missing");
  schema.columns.push_back(age);
  schema.columns.push_back(
      {.name = "smoking", .categories = data::Categories{{"never", "former", "current", "other", "missing"}, 3, 3, 4}});
  schema.columns.push_back(
      {.name = "marital status", .categories = data::Categories{{"married", "never married", "it's \"odd\"", "other"}, 3, 3, 3}});
  schema.columns.push_back(
      {.name = "grade", .categories = data::Categories{{"1", "2", "3", "other"}, 3, 3, 3}, .bounds = bounds_of("1", "3")});
  data::Column visit{.name = "visit", .bounds = bounds_of("18262", "20088")};  // 2020-01-01 to 2024-12-31
  visit.text.date = true;
  schema.columns.push_back(visit);
  schema.columns.push_back({.name = "sex", .categories = data::Categories{{"f", "m"}, 2, 0, 1}});
  schema.columns.push_back({.name = "patient"});
  schema.columns.push_back({.name = "rate", .bounds = bounds_of("-1e20", "1e20", "1e15")});
  data::Column binned{.name = "binned"};
  binned.bins = age.bins;
  binned.categories = age.categories;
  schema.columns.push_back(binned);
  schema.columns.push_back({.name = "In", .categories = data::Categories{{"and", "line\nbreak", "<=50K", "other"}, 3, 3, 3}});
  return schema;
}

std::string text_of(const std::string& written) {
  const auto condition = parse_condition(survey(), written);
  EXPECT_TRUE(condition.ok()) << written << ": " << (condition.ok() ? "" : condition.error().message());
  if (!condition.ok()) return "";
  const auto again = parse_condition(survey(), condition->text);
  EXPECT_TRUE(again.ok()) << condition->text << ": " << (again.ok() ? "" : again.error().message());
  if (again.ok()) {
    EXPECT_EQ(again->text, condition->text);
    EXPECT_EQ(again->filter, condition->filter);
  }
  EXPECT_TRUE(condition->filter.depth().has_value());
  return condition->text;
}

std::string refusal(const std::string& written) {
  const auto condition = parse_condition(survey(), written);
  EXPECT_FALSE(condition.ok()) << written;
  if (condition.ok()) return condition->text;
  EXPECT_EQ(condition.error().code(), Code::InvalidArgument);
  EXPECT_EQ(condition.error().name(), "where");
  EXPECT_NE(condition.error().remedy(), "") << written;
  EXPECT_EQ(condition.error().spent(), "nothing was spent");
  return condition.error().message();
}

using Accepts = std::vector<std::uint8_t>;

TEST(RowCondition, ComparesNumbersByClasses) {
  const auto test = [](const std::string& text) { return parse_condition(survey(), text)->filter.tests.at(0); };
  EXPECT_EQ(test("age >= 40"), (data::ClassTest{"age", {condition_number("40")}, {0, 1, 1, 0}}));
  EXPECT_EQ(test("age > 40").accepts, (Accepts{0, 0, 1, 0}));
  EXPECT_EQ(test("age <= 40").accepts, (Accepts{1, 1, 0, 0}));
  EXPECT_EQ(test("age < 40").accepts, (Accepts{1, 0, 0, 0}));
  EXPECT_EQ(test("age = 40").accepts, (Accepts{0, 1, 0, 0}));
  EXPECT_EQ(test("age != 40").accepts, (Accepts{1, 0, 1, 0}));
  EXPECT_EQ(test("age between 40 and 65").accepts, (Accepts{0, 1, 1, 1, 0, 0}));
  EXPECT_EQ(test("age not between 40 and 65").accepts, (Accepts{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(test("age in (65, 40, 40.0)").accepts, (Accepts{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(test("age not in (65, 40)").accepts, (Accepts{1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(test("age is missing"), (data::ClassTest{"age", {condition_number("18")}, {0, 0, 0, 1}}));
  EXPECT_EQ(test("age is not missing").accepts, (Accepts{1, 1, 1, 0}));
}

TEST(RowCondition, ComparesCategoriesByTheirCells) {
  const auto accepts = [](const std::string& text) { return parse_condition(survey(), text)->filter.tests.at(0).accepts; };
  EXPECT_EQ(accepts("smoking = never"), (Accepts{1, 0, 0, 0, 0}));
  EXPECT_EQ(accepts("smoking != never"), (Accepts{0, 1, 1, 1, 0}));  // other, not missing
  EXPECT_EQ(accepts("smoking in (current, other)"), (Accepts{0, 0, 1, 1, 0}));
  EXPECT_EQ(accepts("smoking not in (current, former)"), (Accepts{1, 0, 0, 1, 0}));
  EXPECT_EQ(accepts("smoking is missing"), (Accepts{0, 0, 0, 0, 1}));
  EXPECT_EQ(accepts("smoking is not missing"), (Accepts{1, 1, 1, 1, 0}));
  EXPECT_EQ(accepts("sex = m"), (Accepts{0, 1}));  // where missing values count as m
  EXPECT_EQ(accepts("\"marital status\" = 'never married'"), (Accepts{0, 1, 0, 0}));
}

TEST(RowCondition, ReadsAndBeforeOrAndParentheses) {
  const data::RowFilter filter = parse_condition(survey(), "sex = f or age >= 40 and smoking = never")->filter;
  EXPECT_EQ(filter.steps, (std::vector<std::int32_t>{0, 1, data::RowFilter::kAnd, 2, data::RowFilter::kOr}));
  EXPECT_EQ(text_of("(sex = f or age >= 40) and smoking = never"), "(age >= 40 or sex = f) and smoking = never");
  EXPECT_EQ(text_of("((((age >= 40))))"), "age >= 40");
}

TEST(RowCondition, PushesNotToTheTests) {
  EXPECT_EQ(text_of("not age >= 40"), "age < 40");
  EXPECT_EQ(text_of("not not age >= 40"), "age >= 40");
  EXPECT_EQ(text_of("not age = 40"), "age != 40");
  EXPECT_EQ(text_of("not smoking is missing"), "smoking is not missing");
  EXPECT_EQ(text_of("not smoking = current"), "smoking != current");
  EXPECT_EQ(text_of("not (age >= 40 and smoking in (current, former))"), "age < 40 or smoking in (never, other)");
  EXPECT_EQ(text_of("not (age >= 40 or not sex = f)"), "age < 40 and sex = f");
  EXPECT_EQ(text_of("not age not in (20, 30)"), "age in (20, 30)");
}

TEST(RowCondition, AMissingValueSatisfiesNeitherAConditionNorItsNegation) {
  for (const char* text : {"age >= 40", "age between 20 and 30", "age in (20, 30)", "smoking = never", "smoking in (never, other)"}) {
    const auto yes = parse_condition(survey(), text), no = parse_condition(survey(), std::string("not (") + text + ")");
    EXPECT_EQ(yes->filter.tests[0].accepts.back(), 0);
    EXPECT_EQ(no->filter.tests[0].accepts.back(), 0);
  }
}

TEST(RowCondition, HasOneTextForOneMeaning) {
  const std::string text = "age >= 40 and smoking in (former, current)";
  for (const char* written : {"smoking in (current, former) and age >= 40", "age>=40 AND smoking IN ('current',\"former\")",
                              "not (age < 40 or age is missing) and not (smoking != current and smoking != former) and age >= 18",
                              "(smoking = current or smoking = former) and (age > 40.0 or age = 4e1)",
                              "age >= 30 and smoking in (former, current) and age >= 40 and (age >= 40)"}) {
    EXPECT_EQ(text_of(written), text) << written;
  }
  EXPECT_EQ(text_of("age < 20 or age > 60"), "age < 20 or age > 60");
  EXPECT_EQ(text_of("sex = m and (age > 60 or age < 20)"), "(age < 20 or age > 60) and sex = m");
  EXPECT_EQ(text_of("age <= 40 and age >= 20"), "age between 20 and 40");
  EXPECT_EQ(text_of("age < 40 and age >= 20"), "age >= 20 and age < 40");
  EXPECT_EQ(text_of("age >= 18"), "age is not missing");
  EXPECT_EQ(text_of("age = 18"), "age <= 18");
  EXPECT_EQ(text_of("age is missing or age > 40"), "age > 40 or age is missing");
  EXPECT_EQ(text_of("smoking is missing or smoking = never"), "smoking = never or smoking is missing");
  EXPECT_EQ(text_of("age > 20 and age != 30"), "age > 20 and age < 30 or age > 30");
  EXPECT_EQ(text_of("age between 30 and 30"), "age = 30");
  EXPECT_EQ(text_of("sex = f and age < 40 or age < 40 and sex = f"), "age < 40 and sex = f");
  EXPECT_EQ(text_of("smoking != other"), "smoking != other");
}

TEST(RowCondition, QuotesOnlyWhatNeedsQuotes) {
  EXPECT_EQ(text_of("'marital status' = \"never married\""), "\"marital status\" = 'never married'");
  EXPECT_EQ(text_of("\"marital status\" = 'it''s \"odd\"'"), "\"marital status\" = 'it''s \"odd\"'");
  EXPECT_EQ(text_of("\"In\" = '<=50K' or \"In\" = 'and'"), "\"In\" in ('and', '<=50K')");
  // A label with a control character cannot be written, but the others can.
  EXPECT_EQ(text_of("\"In\" not in ('and', other, '<=50K')"), "\"In\" not in ('and', '<=50K', other)");
}

TEST(RowCondition, ColumnsWithBoundsAreNumbers) {
  EXPECT_EQ(text_of("grade = 2"), "grade = 2");
  EXPECT_EQ(parse_condition(survey(), "grade = 2")->filter.tests[0].cuts, std::vector<Decimal>{condition_number("2")});
  EXPECT_EQ(parse_condition(survey(), "grade in (1, 3)")->filter.tests[0].cuts.size(), 2U);
  EXPECT_THAT(refusal("grade = other"), HasSubstr("where is \"other\" at character 9, but must be a number: grade is compared as one"));
  EXPECT_THAT(refusal("age = '18 to under 40'"), HasSubstr("must be a number: age is compared as one, by its bounds"));
  EXPECT_EQ(text_of("rate >= 1e20"), "rate >= 1e20");
  EXPECT_EQ(text_of("rate >= -12.5"), "rate >= -12.5");
}

TEST(RowCondition, ComparesDates) {
  EXPECT_EQ(text_of("visit >= 2024-05-31"), "visit >= 2024-05-31");
  EXPECT_EQ(text_of("visit between '2021-01-01' and 2021-12-31"), "visit between 2021-01-01 and 2021-12-31");
  EXPECT_EQ(parse_condition(survey(), "visit < 2024-05-31")->filter.tests[0].cuts, std::vector<Decimal>{condition_number("19874")});
  EXPECT_EQ(refusal("visit < 19874"), "where is \"19874\" at character 9, but must be a date: visit has dates; for example: 2024-05-31");
  EXPECT_THAT(refusal("visit < 2023-02-29"), HasSubstr("must be a date"));
  EXPECT_THAT(refusal("visit < '2023-02-28 10:00'"), HasSubstr("must be a date"));
  EXPECT_THAT(refusal("visit < 2019-12-31"), HasSubstr("must be within the bounds of visit, 2020-01-01 to 2024-12-31"));
}

TEST(RowCondition, RefusesUnknownColumnsAndConstants) {
  EXPECT_EQ(refusal("age >= 40 and smokng = never"),
            "where is \"smokng\" at character 15, but must be a declared column; did you mean \"smoking\"?");
  EXPECT_THAT(refusal("zzzzzzzz = 1"), HasSubstr("a test begins with a column, one of \"age\", \"smoking\""));
  EXPECT_THAT(refusal("Age >= 40"), HasSubstr("did you mean \"age\"?"));
  EXPECT_THAT(refusal("40 <= age"), HasSubstr("where is \"40\" at character 1, but must be a declared column"));
  EXPECT_EQ(refusal("smoking = current or former"),
            "where is \"former\" at character 22, but must be a declared column; name the column again, or write a list: smoking in (..., "
            "former)");
  EXPECT_THAT(refusal("patient = 7"),
              HasSubstr("must have bounds or categories in the schema: only what is declared can be compared; write "
                        "under [columns.patient]: categories"));
  EXPECT_THAT(refusal("binned = 7"), HasSubstr("must have bounds or categories"));
  EXPECT_EQ(
      refusal("smoking = currnt"),
      "where is \"currnt\" at character 11, but must be a category of smoking: \"never\", \"former\", \"current\", \"other\"; did you "
      "mean \"current\"?");
  EXPECT_EQ(refusal("smoking in (never, 3)"),
            "where is \"3\" at character 20, but must be a category of smoking: \"never\", \"former\", \"current\", \"other\"; undeclared "
            "values count in the cell of `other`");
  EXPECT_EQ(
      refusal("smoking = missing"),
      "where is \"missing\" at character 11, but must not be the cell of missing values, which satisfy no =; write smoking is missing");
  EXPECT_EQ(refusal("age = missing"), "where is \"missing\" at character 7, but must be a number; write age is missing");
  EXPECT_EQ(
      refusal("age >= 17.5"),
      "where is \"17.5\" at character 8, but must be within the bounds of age, 18 to 120; values outside the bounds count as the nearest "
      "bound");
  EXPECT_THAT(refusal("age in (40, 121)"), HasSubstr("where is \"121\" at character 13, but must be within the bounds"));
  EXPECT_EQ(
      refusal("age >= '40'"),
      "where is \"40\" at character 8, but must be a number: age is compared as one, by its bounds; write it without quotes, separators "
      "and units, for example: 1234.5");
  EXPECT_THAT(refusal("age >= forty"), HasSubstr("must be a number"));
  EXPECT_EQ(refusal("age >= 40.0000000000000001"),
            "where is \"40.0000000000000001\" at character 8, but must have at most 15 digits; round it");
  EXPECT_THAT(
      refusal("age between 40 and 30"),
      HasSubstr("where is \"30\" at character 20, but must not be below the first end of the range, 40; write the smaller one first"));
  EXPECT_THAT(refusal("smoking >= never"),
              HasSubstr("where is \">=\" at character 9, but must be =, !=, in or not in: smoking has categories, which have no order"));
  EXPECT_THAT(refusal("smoking between never and former"), HasSubstr("categories, which have no order"));
}

TEST(RowCondition, RefusesMissingValuesThatCountElsewhere) {
  EXPECT_EQ(
      refusal("sex is missing"),
      "where is \"missing\" at character 8, but cannot be told apart: the schema counts missing values of sex as \"m\"; write sex = m; a "
      "schema with missing = \"missing\" would keep them apart");
  EXPECT_THAT(refusal("\"marital status\" is not missing"), HasSubstr("counts missing values of \"marital status\" as \"other\""));
}

TEST(RowCondition, RefusesTextsOutsideOfTheGrammar) {
  EXPECT_EQ(
      refusal(""),
      "where is empty, but must be a condition on a row; for example: age >= 40 and smoking in (current, former); leave it out for all "
      "rows");
  EXPECT_THAT(refusal(" \t\n"), HasSubstr("where is empty"));
  EXPECT_EQ(refusal("(age >= 40"), "where is \"(\" at character 1, but must be closed by another parenthesis; write )");
  EXPECT_EQ(refusal("age >= 40)"), "where is \")\" at character 10, but must not close a parenthesis that was not opened; leave it out");
  EXPECT_EQ(
      refusal("age >= 18 < 40"),
      "where is \"<\" at character 11, but must compare a column once: comparisons are not chained; write for example: age >= 18 and age "
      "< 40, or age between 18 and 39");
  EXPECT_THAT(refusal("(age >= 18 < 40)"), HasSubstr("comparisons are not chained"));
  EXPECT_EQ(refusal("age >= 40,234"),
            "where is \",\" at character 10, but must have commas in the list of `in` only; write numbers as 1234.5");
  EXPECT_THAT(refusal("age >= 40 smoking = never"),
              HasSubstr("where is \"smoking\" at character 11, but must continue with `and` or `or` here, or end; texts of several words"));
  EXPECT_THAT(refusal("(age >= 40 smoking = never)"), HasSubstr("must continue with `and`, `or` or )"));
  EXPECT_THAT(refusal("age >="), HasSubstr("where is over at character 7, but must have a number here"));
  EXPECT_THAT(refusal("visit >="), HasSubstr("must have a date here"));
  EXPECT_THAT(refusal("smoking ="), HasSubstr("must have a category here"));
  EXPECT_THAT(refusal("age >= 40 and"), HasSubstr("where is over at character 14, but must have the name of a column here"));
  EXPECT_THAT(refusal("and age >= 40"), HasSubstr("where is \"and\" at character 1, but must have the name of a column here"));
  EXPECT_THAT(refusal("age"),
              HasSubstr("where is over at character 4, but must have a comparison of age here: = != < <= > >=, between a and b, "
                        "in (...) or is missing; for example: >= 40"));
  EXPECT_THAT(refusal("smoking"),
              HasSubstr("must have a comparison of smoking here: =, !=, in (...) or is missing; for example: in (current"));
  EXPECT_THAT(refusal("age not >= 40"), HasSubstr("must have a comparison of age here"));
  EXPECT_THAT(refusal("age like 40"), HasSubstr("where is \"like\" at character 5"));
  EXPECT_THAT(refusal("smoking in current, former"),
              HasSubstr("must be a list in parentheses after `in`; for example: in (current, former)"));
  EXPECT_THAT(refusal("smoking in (current"), HasSubstr("where is \"(\" at character 12, but must be closed"));
  EXPECT_THAT(refusal("smoking in (current former)"), HasSubstr("must be a comma or ) in a list"));
  EXPECT_THAT(refusal("smoking in ()"), HasSubstr("where is \")\" at character 13, but must have a category here"));
  EXPECT_THAT(refusal("age is null"),
              HasSubstr("where is \"null\" at character 8, but must be `missing` after `is`; write age is missing, or"));
  EXPECT_THAT(refusal("age between 20"), HasSubstr("must be `and` between the two ends; for example: between 18 and 39"));
  EXPECT_THAT(refusal("\"In\" = and"), HasSubstr("must have a category here, not a word of the language; as a text it stands in quotes"));
  EXPECT_THAT(refusal("\"In\" = <=50K"), HasSubstr("texts with signs stand in quotes: '<=50K'"));
  EXPECT_THAT(refusal("smoking = 'never"),
              HasSubstr("where is a text from character 11 without its end, but must close every ' by another one, on "
                        "the same line; a quote inside a text is written twice"));
}

TEST(RowCondition, NamesTheSignsOfOtherLanguages) {
  EXPECT_EQ(refusal("age == 40"),
            "where is \"==\" at character 5, but must be made of names, numbers, texts, parentheses and the signs = != < "
            "<= > >=; write =");
  EXPECT_THAT(refusal("age <> 40"), HasSubstr("write !="));
  EXPECT_THAT(refusal("age => 40"), HasSubstr("write >="));
  EXPECT_THAT(refusal("age > 40 && age < 50"), HasSubstr("write and"));
  EXPECT_THAT(refusal("age > 40; drop table people"), HasSubstr("where is \";\" at character 9"));
  EXPECT_THAT(refusal("age > (select 1)"), HasSubstr("where is \"(\" at character 7, but must have a number here"));
  EXPECT_THAT(refusal("age > 20 + 20"), HasSubstr("where is \"+\" at character 10, but must continue"));
}

TEST(RowCondition, CountsPositionsInCharacters) {
  EXPECT_THAT(refusal("'é' = ß"), HasSubstr("where is \"é\" at character 1"));
  EXPECT_THAT(refusal("smoking in ('ééé', never)"), HasSubstr("at character 13"));
  EXPECT_THAT(refusal("smoking in (never, 'é') ;"), HasSubstr("where is \";\" at character 25"));
}

TEST(RowCondition, RefusesHostileTexts) {
  EXPECT_THAT(refusal(std::string("age > 40\0 or", 12)), HasSubstr("where is a text with control characters, but must not contain any"));
  EXPECT_THAT(refusal("smoking = '\x1b[31m'"), HasSubstr("control characters"));
  // Of a terminal, beyond ASCII: U+0096; a separator of lines; a mark that turns the direction.
  for (const char* bad : {"e\u0398\u0096s", "smoking = '\u2028'", "smoking = 'a\u202Eb'", "smoking = 'a\u2066b'"})
    EXPECT_THAT(refusal(bad), HasSubstr("control characters")) << bad;
  EXPECT_THAT(refusal("smoking = '\u2030\u00A0'"), ::testing::Not(HasSubstr("control characters")));
  EXPECT_THAT(refusal("smoking = 'a\nb'"), HasSubstr("without its end"));
  EXPECT_THAT(refusal("smoking = '\xff'"), HasSubstr("where is not UTF-8, but must be a text in UTF-8"));
  EXPECT_THAT(refusal(std::string(1 << 20, 'a')), HasSubstr("where is a text of 1048576 bytes, but must have at most 8192"));
  EXPECT_THAT(refusal(std::string(4000, '(')), HasSubstr("must have at most 64 parentheses within each other"));
  EXPECT_THAT(refusal(std::string(3000, 'a') + " = 1"), HasSubstr(" ... at character 1"));
  std::string nots;
  for (int i = 0; i < 1500; ++i) nots += "not ";
  EXPECT_EQ(text_of(nots + "age > 40"), "age > 40");
  std::string many = "age > 20";
  for (int i = 0; i < 64; ++i) many += " and age > 20";
  EXPECT_THAT(refusal(many), HasSubstr("where is a condition of more than 64 tests, but must have at most 64; write lists by `in`"));
  std::string deep = "age > 40";
  for (int i = 0; i < 64; ++i) deep = "(" + deep + ")";
  EXPECT_EQ(text_of(deep), "age > 40");
}

TEST(RowCondition, RefusesConditionsThatDecideNothing) {
  EXPECT_EQ(
      refusal("age > 50 and age < 40"),
      "where is a condition that no row satisfies, but must count some rows and not others, by the bounds and categories of the schema; "
      "look for `and` in place of `or`");
  EXPECT_THAT(refusal("age < 18"), HasSubstr("no row satisfies"));
  EXPECT_THAT(refusal("age >= 18 or age is missing"), HasSubstr("where is a condition that every row satisfies"));
  EXPECT_THAT(refusal("sex in (f, m) and (smoking is missing or smoking is not missing)"), HasSubstr("every row satisfies"));
  EXPECT_THAT(refusal("sex = f and (age < 18 or smoking = never and smoking = current)"), HasSubstr("no row satisfies"));
}

}  // namespace
}  // namespace tacet::schemas

#include "tacet/schemas/schema_difference.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/canonical_schema.h"

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using namespace data;

using ::testing::HasSubstr;

const char* const kColumnsBefore = R"(
[columns.sex]
categories = ["f", "m"]
[columns.age]
lower = 0
upper = 120
resolution = 1
missing_values = ["NA", "?"]
[columns.note]
)";

std::string differs(const std::string& request, const std::string& terms) {
  return first_difference(schema_with(request), schema_with(terms)).value_or("the same");
}

TEST(FirstDifference, SaysEachKindOfDifferenceInOneSentence) {
  const std::string same = kColumnsBefore;
  const std::string a = "[columns.a]\n";
  const auto categories = [&](const std::string& lines) { return a + "categories = [\"x\", \"y\"]\n" + lines; };
  const auto bounds = [&](const std::string& lower, const std::string& upper, const std::string& lines = "resolution = 1\n") {
    return a + "lower = " + lower + "\nupper = " + upper + "\n" + lines;
  };
  EXPECT_EQ(differs(same, same), "the same");
  EXPECT_EQ(differs("source = \"x\"\n" + same, "source = \"y\"\n" + same), "the same");
  EXPECT_EQ(differs("neighbours = \"replace-one\"\n" + same, "neighbours = \"add-or-remove-one\"\n" + same),
            "neighbours is \"replace-one\", but the terms say \"add-or-remove-one\"");
  EXPECT_EQ(differs("idealised = true\n" + same, same), "idealised is true, but the terms say false");
  EXPECT_EQ(differs("table = \"t\"\n" + same, "table = \"u\"\n" + same), "table is \"t\", but the terms say \"u\"");
  EXPECT_EQ(differs(same, "table = \"u\"\n" + same), "table is none, but the terms say \"u\"");
  EXPECT_EQ(differs("table = \"t\"\n" + same, same), "table is \"t\", but the terms say none");

  EXPECT_EQ(differs("[csv]\ndelimiter = \";\"\n" + same, "[csv]\ndelimiter = \"\\t\"\n" + same),
            "csv.delimiter is \";\", but the terms say \"\\t\"");
  EXPECT_EQ(differs(same, "[csv]\ndelimiter = \",\"\n" + same), "csv.delimiter is that of the file's name, but the terms say \",\"");
  EXPECT_EQ(differs("[csv]\nquote = \"'\"\n" + same, same), "csv.quote is \"'\", but the terms say \"\\\"\"");
  EXPECT_EQ(differs("[csv]\nquote = \"\"\n" + same, same), "csv.quote is none, but the terms say \"\\\"\"");
  EXPECT_EQ(differs("[csv]\nescape = \"\\\\\"\n" + same, same), "csv.escape is \"\\\\\", but the terms say \"\\\"\"");
  EXPECT_EQ(differs("[csv]\nescape = \"\\\"\"\n" + same, same), "the same");
  EXPECT_EQ(differs("[csv]\nheader = false\n" + same, same), "csv.header is false, but the terms say true");
  EXPECT_EQ(differs(same, "[csv]\nline_breaks_in_quotes = true\n" + same), "csv.line_breaks_in_quotes is false, but the terms say true");

  EXPECT_EQ(differs("[columns.age]\n[columns.bmi]\n[columns.sex]\n", "[columns.age]\n[columns.sex]\n"),
            "column bmi is not in the terms, which have age, sex");
  EXPECT_EQ(differs("[columns.age]\n", "[columns.age]\n[columns.\"b.c\"]\n"),
            "column \"b.c\" of the terms is not in the schema, which has age");
  EXPECT_EQ(differs("[columns.a]\n[columns.b]\n", "[columns.b]\n[columns.a]\n"), "the same");
  const std::string headless = "[csv]\nheader = false\n";
  EXPECT_EQ(differs(headless + "[columns.a]\n[columns.b]\n", headless + "[columns.b]\n[columns.a]\n"),
            "columns are in the order a, b, but the terms say b, a");

  EXPECT_EQ(differs(categories(""), bounds("0", "1")), "column a has categories, but the terms say bounds");
  EXPECT_EQ(differs(a, bounds("0", "1")), "column a has neither categories nor bounds, but the terms say bounds");
  EXPECT_EQ(differs(categories(""), a + "categories = [\"y\", \"x\"]\n"),
            "categories of a are \"x\", \"y\", but the terms say \"y\", \"x\"");
  EXPECT_EQ(differs(categories(""), a + "categories = [\"x\"]\n"), "categories of a are \"x\", \"y\", but the terms say \"x\"");
  EXPECT_EQ(differs(categories("other = \"x\"\n"), categories("other = \"y\"\n")),
            "other values of a count as \"x\", but the terms say \"y\"");
  EXPECT_EQ(differs(categories("other = \"rest\"\n"), categories("")), "other values of a count as \"rest\", but the terms say \"other\"");
  EXPECT_EQ(differs(categories("missing = \"x\"\n"), categories("")), "missing values of a count as \"x\", but the terms say \"other\"");
  EXPECT_EQ(differs(categories("membership = \"public\"\n"), categories("")), "membership of a is public, but the terms say private");
  EXPECT_EQ(differs(categories("missing_values = [\"?\", \"NA\"]\n"), categories("missing_values = [\"NA\", \"?\"]\n")), "the same");
  EXPECT_EQ(differs(categories("missing_values = [\"?\"]\n"), categories("")), "missing_values of a are \"?\", but the terms say none");
  EXPECT_EQ(differs(bounds("0", "1"), bounds("0", "1", "resolution = 1\nmissing_values = [\"\"]\n")),
            "missing_values of a are none, but the terms say \"\"");

  EXPECT_EQ(differs(bounds("0", "150"), bounds("0", "120")), "bounds of a are 0 to 150, but the terms say 0 to 120");
  EXPECT_EQ(differs(bounds("-0.5", "1"), bounds("0", "1")), "bounds of a are -0.5 to 1, but the terms say 0 to 1");
  EXPECT_EQ(differs(bounds("0.0", "1e1"), bounds("0", "10.0")), "the same");
  EXPECT_EQ(differs(bounds("0", "1", "resolution = 0.5\n"), bounds("0", "1", "resolution = 0.25\n")),
            "resolution of a is 0.5, but the terms say 0.25");
  EXPECT_EQ(differs(bounds("0", "1", "resolution = 1\nmissing = 0\n"), bounds("0", "1")),
            "missing values of a count as 0, but the terms say 0.5");
}

TEST(FirstDifference, SaysHowNumbersBinsAndPeopleDiffer) {
  const auto age = [](const std::string& lines) { return "[columns.age]\nlower = 0\nupper = 120\nresolution = 1\nmissing = 40\n" + lines; };
  const auto both = [](const std::string& lines) {
    return "[columns.age]\nlower = 0\nupper = 120\nresolution = 1\nmissing_number = 40\n" + lines;
  };
  const std::string left_out = "[columns.age]\nlower = 0\nupper = 120\nresolution = 1\nmissing = \"left out\"\n";
  EXPECT_EQ(differs(age(""), left_out), "missing values of age count as 40, but the terms say left out");
  EXPECT_EQ(differs(left_out, age("")), "missing values of age are left out, but the terms say 40");
  EXPECT_EQ(differs(age("thousands = \",\"\n"), age("")), "thousands of age is \",\", but the terms say none");
  EXPECT_EQ(differs(age("decimal = \",\"\n"), age("")), "decimal of age is \",\", but the terms say \".\"");
  EXPECT_EQ(differs(age(""), age("unit = \"mg\"\n")), "unit of age is none, but the terms say \"mg\"");
  EXPECT_EQ(differs(age("date = false\n"), age("")), "the same");

  EXPECT_EQ(differs(both("bins = [0, 18, 120]\n"), age("")), "column age has bins and bounds, but the terms say bounds");
  EXPECT_EQ(differs(both("bins = [0, 18, 120]\n"), both("categories = [1]\n")),
            "column age has bins and bounds, but the terms say categories and bounds");
  EXPECT_EQ(differs("[columns.age]\nbins = [0, 1]\n", "[columns.age]\ncategories = [\"0 to 1\"]\nother = \"missing\"\n"),
            "column age has bins, but the terms say categories");
  EXPECT_EQ(differs(both("bins = [0, 18, 120]\n"), both("bins = [0, 18.5, 120]\n")),
            "bins of age are 0, 18, 120, but the terms say 0, 18.5, 120");
  EXPECT_EQ(differs(both("bins = [0, 18]\nmissing = \"unknown\"\n"), both("bins = [0, 18]\n")),
            "missing values of age count as \"unknown\", but the terms say \"missing\"");
  EXPECT_EQ(
      differs(both("bins = [0, 18]\n"), "[columns.age]\nlower = 0\nupper = 120\nresolution = 1\nbins = [0, 18]\nmissing_number = 50\n"),
      "missing numbers of age count as 40, but the terms say 50");
  const auto many = [](int edges, int last) {
    std::string lines = "[columns.age]\nbins = [";
    for (int i = 0; i + 1 < edges; ++i) lines += fmt::format("{}, ", i);
    return lines + fmt::format("{}]\n", last);
  };
  EXPECT_EQ(differs(many(30, 99), many(30, 98)), "edge 30 of age is 99, but the terms say 98");

  const auto born = [](const std::string& lower, const std::string& lines = "") {
    return "[columns.born]\ndate = true\nlower = " + lower + "\nupper = 2025-12-31\n" + lines;
  };
  EXPECT_EQ(differs(born("1900-01-01"), born("\"1900-01-01\"", "resolution = 1\n")), "the same");
  EXPECT_EQ(differs(born("1900-01-01"), born("1910-01-01")),
            "bounds of born are 1900-01-01 to 2025-12-31, but the terms say 1910-01-01 to 2025-12-31");
  EXPECT_EQ(differs(born("1900-01-01"), "[columns.born]\nlower = 0\nupper = 1\nresolution = 1\n"),
            "date of born is true, but the terms say false");

  const std::string two = "[columns.patient]\n[columns.site]\n";
  const auto limited = [&](const std::string& limits) { return "contributions = { " + limits + " }\n" + two; };
  EXPECT_EQ(differs(limited("person = \"patient\", rows = 3"), two),
            "one person has at most 3 rows, named by patient, but the terms say one row");
  EXPECT_EQ(differs(limited("person = \"patient\", rows = 3"), limited("person = \"site\", rows = 3")),
            "one person has at most 3 rows, named by patient, but the terms say at most 3 rows, named by site");
  EXPECT_EQ(differs(limited("person = \"patient\", rows = 1"), limited("person = \"patient\", rows = 1, groups = 2")),
            "one person has at most 1 row, named by patient, but the terms say at most 2 groups with at most 1 row each, named by patient");
}

TEST(FirstDifference, LongListsOfCategoriesAreComparedOneByOne) {
  const auto many = [](int count, int changed) {
    std::string lines = "[columns.icd]\ncategories = [";
    for (int i = 0; i < count; ++i) lines += i == changed ? std::string("\"changed\", ") : fmt::format("\"c{}\", ", i);
    return lines + "]\n";
  };
  EXPECT_EQ(differs(many(300, 24), many(300, -1)), "category 25 of icd is \"changed\", but the terms say \"c24\"");
  EXPECT_EQ(differs(many(300, -1), many(299, -1)), "icd has 300 categories, but the terms say 299");
}

// Whatever is written differently in the text is a difference in words, and the other way round.
TEST(FirstDifference, AgreesWithTheCanonicalText) {
  const std::vector<std::string> lines{
      "[columns.a]\n",
      "[columns.a]\ncategories = [\"x\"]\n",
      "[columns.a]\ncategories = [\"x\"]\nother = \"x\"\n",
      "[columns.a]\ncategories = [\"x\", \"other\"]\n",
      "[columns.a]\ncategories = [\"x\"]\nmissing = \"gone\"\n",
      "[columns.a]\ncategories = [\"x\"]\nmissing = \"other\"\n",
      "[columns.a]\ncategories = [\"x\"]\nmembership = \"public\"\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\nmissing = 0.50\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\nmissing = 1\n",
      "[csv]\nquote = \"\"\n[columns.a]\n",
      "[csv]\nheader = false\n[columns.a]\n",
      "table = \"t\"\n[columns.a]\n",
      "idealised = true\n[columns.a]\n",
      "neighbours = \"add-or-remove-one\"\n[columns.a]\n",
      "[columns.b]\n",
      "[columns.a]\n[columns.b]\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\nmissing = \"left out\"\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\nmissing = 1\nunit = \"mg\"\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\nmissing = 1\nthousands = \",\"\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\nmissing = 1\ndecimal = \",\"\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\nmissing = 1\ndate = true\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\ncategories = [\"x\"]\nmissing_number = 1\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\ncategories = [\"x\"]\nmissing_number = 0\n",
      "[columns.a]\nlower = 0\nupper = 1\nresolution = 1\nbins = [0, 1]\nmissing_number = 0\n",
      "[columns.a]\nbins = [0, 1]\n",
      "[columns.a]\nbins = [0, 0.5, 1]\n",
      "[columns.a]\nbins = [0, 1]\nmissing = \"gone\"\n",
      "[columns.a]\nbins = [0, 1]\ndate = true\n",
      "contributions = { person = \"a\", rows = 3 }\n[columns.a]\n",
      "contributions = { person = \"a\", rows = 3, groups = 3 }\n[columns.a]\n",
      "contributions = { person = \"b\", rows = 3 }\n[columns.a]\n[columns.b]\n",
  };
  for (const std::string& one : lines) {
    for (const std::string& two : lines) {
      const bool same = canonical(schema_with(one)) == canonical(schema_with(two));
      const std::string words = differs(one, two);
      EXPECT_EQ(words == "the same", same) << one << two << words;
      EXPECT_NE(words, "the schema is not that of the terms") << one << two;
    }
  }
}

}  // namespace
}  // namespace tacet::schemas

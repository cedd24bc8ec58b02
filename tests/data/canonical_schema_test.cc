#include "tacet/data/canonical_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/test_files.h"

namespace tacet::data {
namespace {

using ::testing::HasSubstr;

const char* const kColumns = R"(
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

TEST(CanonicalSchema, IsOneLineOfJsonWithEveryDefaultFilledIn) {
  EXPECT_EQ(canonical(schema_with(kColumns)),
            R"({"tacet":1,"neighbours":"replace-one","idealised":false,)"
            R"("csv":{"quote":"\"","escape":"\"","header":true,"line_breaks_in_quotes":false},)"
            R"("columns":{"sex":{"categories":["f","m"],"other":"other","missing":"other","membership":"private"},)"
            R"("age":{"lower":"0","upper":"120","resolution":"1","missing":"60","missing_values":["?","NA"]},"note":{}}})");
  EXPECT_EQ(canonical(schema_with("neighbours = \"add-or-remove-one\"\nidealised = true\ntable = \"t\"\nsource = \"x.csv\"\n[csv]\n"
                                  "delimiter = \"\\t\"\nquote = \"\"\nheader = false\n[columns.\"é\"]\ncategories = [1]\n")),
            R"({"tacet":1,"neighbours":"add-or-remove-one","idealised":true,"table":"t",)"
            R"("csv":{"delimiter":"\t","quote":"","header":false,"line_breaks_in_quotes":false},)"
            R"("columns":{"é":{"categories":["1"],"other":"other","missing":"other","membership":"private"}}})");
}

TEST(CanonicalSchema, IsTheSameForSchemasThatMeanTheSame) {
  const std::string text = canonical(schema_with(kColumns));
  EXPECT_EQ(canonical(*parse_schema(R"({"tacet": 1, "dataset": "another", "ledger": "/another.ledger", "source": "elsewhere.csv",
      "neighbours": "replace-one", "idealised": false, "csv": {"quote": "\"", "escape": "\"", "header": true},
      "columns": {"sex": {"categories": ["f", "m"], "other": "other", "missing": "other", "membership": "private"},
                  "age": {"missing_values": ["?", "NA"], "missing": 60.0, "lower": -0, "upper": 1.2e2, "resolution": "1.00"}, "note": {}}})",
                                    true, "folder")),
            text);
}

TEST(CanonicalSchema, ReadsBackExactly) {
  for (const std::string& lines : {
           std::string(kColumns),
           "neighbours = \"add-or-remove-one\"\n" + std::string(kColumns),
           std::string("idealised = true\ntable = \"s.t\"\n[csv]\ndelimiter = \"|\"\nquote = \"'\"\nescape = \"\\\\\"\nheader = "
                       "false\nline_breaks_in_quotes = true\n") +
               kColumns,
           std::string("[csv]\nquote = \"\"\n") + kColumns,
           std::string("[columns.c]\ncategories = [\"b\", \"a\", \"other\", 7, true]\nother = \"a\"\nmissing = \"gone\"\nmissing_values = "
                       "[\"x\", \"\", \"?\"]\nmembership = \"public\"\n"),
           std::string(
               "[columns.\"a.b\"]\ncategories = [\"\\\"\", \"\\\\\", \"\\u0001\", \"日本\\n\"]\n[columns.\"\"]\n[columns.\"\\u0000\"]\n"),
           std::string("[columns.c]\nlower = -1e300\nupper = 1e-300\nresolution = 0.001\nmissing = -0.1\n"),
           std::string("[columns.c]\nlower = \"-0.30000000000000000000000000000000001\"\nupper = 7\nresolution = 0.1\n"),
       }) {
    const Schema schema = schema_with(lines);
    const std::string text = canonical(schema);
    const Result<Schema> read = schema_from_canonical(text);
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_EQ(canonical(*read), text);
    EXPECT_EQ(first_difference(schema, *read), std::nullopt);
    EXPECT_EQ(first_difference(*read, schema), std::nullopt);
    EXPECT_EQ(read->dataset, "");
    EXPECT_EQ(read->ledger, "");
    EXPECT_EQ(read->relation, schema.relation);
    EXPECT_EQ(read->csv.delimiter, schema.csv.delimiter);
    EXPECT_EQ(read->csv.escape, schema.csv.escape);
    ASSERT_EQ(read->names(), schema.names());
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      const Column& made = read->columns[i];
      const Column& kept = schema.columns[i];
      ASSERT_EQ(made.categories.has_value(), kept.categories.has_value());
      ASSERT_EQ(made.bounds.has_value(), kept.bounds.has_value());
      EXPECT_EQ(made.public_membership, kept.public_membership);
      EXPECT_THAT(made.missing_values, ::testing::UnorderedElementsAreArray(kept.missing_values));
      if (kept.categories) {
        EXPECT_EQ(made.categories->labels, kept.categories->labels);
        EXPECT_EQ(made.categories->declared, kept.categories->declared);
        EXPECT_EQ(made.categories->other, kept.categories->other);
        EXPECT_EQ(made.categories->missing, kept.categories->missing);
      }
      if (kept.bounds) {
        EXPECT_EQ(made.bounds->lower, kept.bounds->lower);
        EXPECT_EQ(made.bounds->upper, kept.bounds->upper);
        EXPECT_EQ(made.bounds->resolution, kept.bounds->resolution);
        EXPECT_EQ(made.bounds->missing, kept.bounds->missing);
      }
    }
  }
}

TEST(CanonicalSchema, AnyOtherTextIsRefused) {
  const std::string text = canonical(schema_with(kColumns));
  ASSERT_TRUE(schema_from_canonical(text).ok());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
  };
  for (const std::string& other : {std::string(),
                                   std::string("{"),
                                   std::string("{}"),
                                   std::string("[]"),
                                   std::string("null"),
                                   " " + text,
                                   text + "\n",
                                   text + "}",
                                   text.substr(0, text.size() - 1),
                                   with(":1,", ": 1,"),
                                   with("\"1\"", "\"1.0\""),
                                   with("\"1\"", "1"),
                                   with("\"?\",\"NA\"", "\"NA\",\"?\""),
                                   with("\"other\":\"other\",", ""),
                                   with(",\"membership\":\"private\"", ""),
                                   with("\"idealised\":false,", ""),
                                   with("{\"tacet\"", "{\"source\":\"x\",\"tacet\""),
                                   with("{\"tacet\"", "{\"dataset\":\"x\",\"tacet\""),
                                   with("{\"tacet\"", "{\"new\":1,\"tacet\""),
                                   with("\"tacet\":1", "\"tacet\":2"),
                                   with("\"escape\":\"\\\"\",", ""),
                                   with("\"note\":{}", "\"note\":{},\"note\":{}"),
                                   with("\"f\"", "\"\\u0066\""),
                                   with("\"missing\":\"60\"", "\"missing\":\"600\"")}) {
    const Result<Schema> schema = schema_from_canonical(other);
    ASSERT_FALSE(schema.ok()) << other;
    EXPECT_EQ(schema.error().code(), Code::SchemaInvalid);
    EXPECT_THAT(schema.error().message(), HasSubstr("is not a schema as Tacet writes it for the terms of a budget"));
  }
}

TEST(FirstDifference, SaysEachKindOfDifferenceInOneSentence) {
  const std::string same = kColumns;
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
}  // namespace tacet::data

#include "tacet/data/canonical_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/declared.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/parameters.h"
#include "tacet/schemas/schema_difference.h"
#include "tacet/schemas/schema_text.h"

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
missing = 60
missing_values = ["NA", "?"]
[columns.note]
)";

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
  EXPECT_EQ(canonical(*schemas::parse_schema(R"({"tacet": 1, "dataset": "another", "ledger": "/another.ledger", "source": "elsewhere.csv",
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
           "contributions = { person = \"note\", rows = 3 }\n" + std::string(kColumns),
           "contributions = { person = \"sex\", rows = 1, groups = 1000 }\n" + std::string(kColumns),
           std::string("[columns.c]\nbins = [-1, 0.5, 1e3]\nmissing = \"gone\"\nmissing_values = [-9]\n"),
           std::string("[columns.c]\nlower = 0\nupper = 9\nresolution = 1\nbins = [0, 3, 9]\nmissing_number = 4\n"),
           std::string("[columns.c]\nlower = 0\nupper = 9\nresolution = 1\nbins = [0, 3]\nmissing_number = \"left out\"\n"),
           std::string("[columns.c]\nlower = 0\nupper = 9\nresolution = 1\nmissing = \"left out\"\nthousands = \"'\"\nunit = \"€\"\n"),
           std::string("[columns.c]\nlower = 0\nupper = 9\nresolution = 1\nmissing = 2\nthousands = \".\"\ndecimal = \",\"\n"),
           std::string("[columns.c]\ncategories = [0, 1]\nlower = 0\nupper = 9\nresolution = 1\nmissing = 1\nmissing_number = 0\n"),
           std::string("[columns.c]\ndate = true\nlower = 1900-01-01\nupper = 2000-01-01\nbins = [1900-01-01, 1950-01-01]\n"),
           std::string("[columns.c]\nlower = \"-0.30000000000000000000000000000000001\"\nupper = 7\nresolution = 0.1\n"),
       }) {
    const Schema schema = schema_with(lines);
    const std::string text = canonical(schema);
    const Result<Schema> read = schemas::kept_schema(text);
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_EQ(canonical(*read), text);
    EXPECT_EQ(schemas::first_difference(schema, *read), std::nullopt);
    EXPECT_EQ(schemas::first_difference(*read, schema), std::nullopt);
    EXPECT_EQ(read->dataset, "");
    EXPECT_EQ(read->ledger, "");
    EXPECT_EQ(read->relation, schema.relation);
    EXPECT_EQ(read->csv.delimiter, schema.csv.delimiter);
    EXPECT_EQ(read->csv.escape, schema.csv.escape);
    ASSERT_EQ(read->names(), schema.names());
    ASSERT_EQ(read->contributions.has_value(), schema.contributions.has_value());
    if (schema.contributions) {
      EXPECT_EQ(read->contributions->person, schema.contributions->person);
      EXPECT_EQ(read->contributions->rows, schema.contributions->rows);
      EXPECT_EQ(read->contributions->groups, schema.contributions->groups);
    }
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      const Column& made = read->columns[i];
      const Column& kept = schema.columns[i];
      ASSERT_EQ(made.categories.has_value(), kept.categories.has_value());
      ASSERT_EQ(made.bounds.has_value(), kept.bounds.has_value());
      EXPECT_EQ(made.public_membership, kept.public_membership);
      EXPECT_EQ(made.bins, kept.bins);
      EXPECT_EQ(made.text.thousands, kept.text.thousands);
      EXPECT_EQ(made.text.decimal, kept.text.decimal);
      EXPECT_EQ(made.text.unit, kept.text.unit);
      EXPECT_EQ(made.text.date, kept.text.date);
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
  ASSERT_TRUE(schemas::kept_schema(text).ok());
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
    const Result<Schema> schema = schemas::kept_schema(other);
    ASSERT_FALSE(schema.ok()) << other;
    EXPECT_EQ(schema.error().code(), Code::SchemaInvalid);
    EXPECT_THAT(schema.error().message(), HasSubstr("is not a schema as Tacet writes it for the terms of a budget"));
  }
}

// Well-formed JSON that breaks one rule of schemas each; canonical() would write every one of them
// as it stands.
TEST(CanonicalSchema, ATextThatBreaksARuleOfSchemasIsRefused) {
  const std::string sex = R"("sex":{"categories":["f","m"],"other":"other","missing":"other","membership":"private"})";
  const std::string age = R"("age":{"lower":"0","upper":"120","resolution":"1","missing":"60"})";
  const auto text = [](const std::string& column, const std::string& csv = R"("quote":"\"","escape":"\"")",
                       const std::string& kind = "replace-one") {
    return R"({"tacet":1,"neighbours":")" + kind + R"(","idealised":false,"csv":{)" + csv +
           R"(,"header":true,"line_breaks_in_quotes":false},"columns":{)" + column + "}}";
  };
  const auto with = [](std::string column, const std::string& from, const std::string& to) {
    const std::size_t at = column.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return column.replace(at, from.size(), to);
  };
  for (const std::string& good :
       {text(sex), text(age), text(sex + "," + age), text(with(sex, "private", "public")), text(R"("note":{})"),
        text(R"("age":{"bins":["0","1"],"missing":"missing"})"), text(with(age, R"("60")", R"("60","unit":"mg")")),
        with(text(sex), R"("columns")", R"("contributions":{"person":"sex","rows":1},"columns")"),
        text(sex, R"("delimiter":";","quote":"'","escape":"\\")"), text(age, R"("quote":"")")})
    EXPECT_TRUE(schemas::kept_schema(good).ok()) << good;
  for (const std::string& bad : {
           text(with(age, R"("lower":"0")", R"("lower":"120")")),
           text(with(age, R"("resolution":"1")", R"("resolution":"0")")),
           text(with(age, R"("resolution":"1")", R"("resolution":"121")")),
           text(with(age, R"("resolution":"1")", R"("resolution":"-1")")),
           text(with(age, R"("missing":"60")", R"("missing":"121")")),
           text(with(age, R"("upper":"120")", R"("upper":"nan")")),
           text(with(age, R"("upper":"120",)", "")),
           text(with(age, R"("lower":"0")", R"("lower":0)")),
           text(with(sex, R"(["f","m"])", "[]")),
           text(with(sex, R"(["f","m"])", R"(["f","f"])")),
           text(with(sex, R"(["f","m"])", R"(["f",1])")),
           text(with(sex, R"(["f","m"])", R"(["f",""])")),
           text(with(sex, R"(["f","m"])", R"(["f","m\u0000"])")),
           text(with(sex, R"("other":"other")", R"("other":"")")),
           text(with(sex, "private", "secret")),
           text(with(sex, "private", "public"), R"("quote":"\"","escape":"\"")", "add-or-remove-one"),
           text(with(sex, R"("private")", R"("private","missing_values":["f"])")),
           text(with(with(sex, R"("missing":"other")", R"("missing":"gone")"), R"("private")", R"("private","missing_values":["other"])")),
           text(with(age, R"("60")", R"("60","missing_values":["?","?"])")),
           text(R"("note":{"missing_values":["?"]})"),
           text(R"("age":{"bins":["0"],"missing":"missing"})"),
           text(R"("age":{"bins":["0","0"],"missing":"missing"})"),
           text(R"("age":{"bins":["1","0"],"missing":"missing"})"),
           text(R"("age":{"bins":["0","1"],"missing":"0 to 1"})"),
           text(R"("age":{"bins":["0","1"]})"),
           text(R"("age":{"bins":["0","1"],"missing":"missing","membership":"public"})"),
           text(R"("note":{"unit":"mg"})"),
           text(with(age, R"("60")", R"("60","thousands":"1")")),
           text(with(age, R"("60")", R"("60","thousands":".")")),
           text(with(age, R"("60")", R"("60","unit":"mg","date":true)")),
           with(text(sex), R"("columns")", R"("contributions":{"person":"age","rows":1},"columns")"),
           with(text(sex), R"("columns")", R"("contributions":{"person":"sex","rows":0},"columns")"),
           with(text(sex), R"("columns")", R"("contributions":{"person":"sex","rows":1,"groups":1001},"columns")"),
           with(text(with(sex, "private", "public")), R"("columns")", R"("contributions":{"person":"sex","rows":1},"columns")"),
           text(R"("note":7)"),
           text(with(sex, R"("membership")", R"("lower":"0","membership")")),
           text(""),
           text(sex, R"("delimiter":",","quote":",","escape":",")"),
           text(sex, R"("quote":",","escape":",")"),
           text(sex, R"("quote":"","escape":"x")"),
           text(sex, R"("quote":"ab","escape":"ab")"),
           text(sex, R"("quote":"\n","escape":"\n")"),
           text(sex, R"("delimiter":"é","quote":"")"),
           text(sex, R"("quote":"\"","escape":"\"")", "friends"),
       })
    EXPECT_FALSE(schemas::kept_schema(bad).ok()) << bad;
}

// ---- Who reads the text of the terms is not trusted. ----

Result<Declared> proposed(const Schema& kept, const Schema& proposal) {
  kernel::Custody ledger = *kernel::Custody::open(":memory:");
  kernel::Declaration terms = kernel::plain_terms(privacy::budget_of(*privacy::Rho::parse("1")), kept.relation);
  terms.schema = canonical(kept);
  EXPECT_TRUE(ledger.create_budget("people", terms, {}).ok());
  return Declared::of(*ledger.terms("people"), proposal);
}

TEST(Declared, TakesTheSchemaOfItsTermsAndNoOther) {
  const Schema kept = schema_with("contributions = { person = \"note\", rows = 3 }\n" + std::string(kColumns));
  EXPECT_TRUE(proposed(kept, kept).ok());
  EXPECT_TRUE(schemas::declared_by(proposed(kept, kept)->terms()).ok());
  const auto expect_refused = [&](auto&& change) {
    Schema other = kept;
    change(other);
    const Result<Declared> declared = proposed(kept, other);
    ASSERT_FALSE(declared.ok());
    EXPECT_EQ(declared.error().code(), Code::LedgerCorrupt);
  };
  expect_refused([](Schema& s) { s.columns[1].bounds->upper = Decimal(121); });
  expect_refused([](Schema& s) { s.columns[1].bounds->missing.reset(); });
  expect_refused([](Schema& s) { s.contributions->rows = 4; });
  expect_refused([](Schema& s) { s.contributions->person = "sex"; });
  expect_refused([](Schema& s) { s.contributions.reset(); });
  expect_refused([](Schema& s) { s.relation = kernel::Relation::AddOrRemoveOne; });
  expect_refused([](Schema& s) { s.csv.line_breaks_in_quotes = true; });
  expect_refused([](Schema& s) { s.columns.push_back(s.columns[1]); });
  expect_refused([](Schema& s) { std::swap(s.columns[0], s.columns[1]); });
  expect_refused([](Schema& s) { s = Schema(); });
}

TEST(Declared, TakesNoSchemaByWhichRowsCannotBeRead) {
  const Schema sound = schema_with("contributions = { person = \"note\", rows = 3 }\n" + std::string(kColumns));
  EXPECT_TRUE(is_sound(sound));
  const auto is_sound_with = [&](auto&& change) {
    Schema other = sound;
    change(other);
    return is_sound(other);
  };
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.columns[0].categories->other = 3; }));
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.columns[0].categories->missing = 9; }));
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.columns[0].categories->declared = 9; }));
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.columns[1].bins = {Decimal(0), Decimal(1)}; }));
  const auto with_bins = [](std::vector<std::string> labels) {
    return [labels = std::move(labels)](Schema& s) {
      s.columns[1].bins = {Decimal(0), Decimal(40), Decimal(120)};
      s.columns[1].categories = Categories{labels, 2, 2, 2};
    };
  };
  EXPECT_TRUE(is_sound_with(with_bins({"0 to under 40", "40 to 120", "missing"})));
  EXPECT_FALSE(is_sound_with(with_bins({"40 to 120", "0 to under 40", "missing"}))) << "the text has the edges alone";
  EXPECT_FALSE(is_sound_with(with_bins({"0 to under 40", "40 to 120", "120 to 130", "missing"})));
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.columns[2].name = "sex"; }));
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.contributions->rows = 0; }));
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.contributions->groups = 1001; }));
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.contributions->person = "nobody"; }));
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.columns[0].public_membership = true; })) << "the relation does not say so";
  EXPECT_FALSE(is_sound_with([](Schema& s) {
    s.columns[0].public_membership = true;
    s.relation = *kernel::Relation::within({"sex"});
  })) << "rows of one person may be in several groups";
  EXPECT_FALSE(is_sound_with([](Schema& s) { s.table = std::string("a\0b", 3); }));
  for (const char c : {'\n', '\r', '\0', '\x80', ','}) EXPECT_FALSE(is_sound_with([&](Schema& s) { s.csv.quote = c; })) << int{c};
  for (const char c : {'\n', '\xff', ','}) EXPECT_FALSE(is_sound_with([&](Schema& s) { s.csv.escape = c; })) << int{c};
  for (const char c : {'\n', '\0', '"'}) EXPECT_FALSE(is_sound_with([&](Schema& s) { s.csv.delimiter = c; })) << int{c};
  EXPECT_FALSE(is_sound_with([](Schema& s) {
    s.csv.quote.reset();
    s.csv.line_breaks_in_quotes = true;
  }));
}

}  // namespace
}  // namespace tacet::data

#include "tacet/schemas/schema_text.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using namespace data;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kStart = "tacet = 1\ndataset = \"patients\"\nledger = \"patients.ledger\"\n";

std::string error_of(const std::string& text, bool json = false) {
  const Result<Schema> schema = parse_schema(text, json, "");
  if (schema.ok()) return "no error";
  EXPECT_EQ(schema.error().code(), Code::SchemaInvalid);
  EXPECT_EQ(schema.error().spent(), "nothing was spent");
  return schema.error().message();
}
std::string error_in(const std::string& lines) { return error_of(kStart + lines); }
std::string error_in_column(const std::string& lines) { return error_in("[columns.c]\n" + lines); }

TEST(Schema, ReadsTheExampleOfItsHeader) {
  const Schema schema = *parse_schema(R"(
tacet = 1
dataset = "patients"
ledger = "patients.ledger"            # beside this file
neighbours = "add-or-remove-one"

[columns.smoking]
categories = ["never", "former", "current"]
other = "other"
missing = "missing"
missing_values = ["?", "NA"]

[columns.glucose]
lower = 20
upper = 300
resolution = 0.5
missing = 90

[csv]
delimiter = ";"
quote = "'"
escape = "\\"
header = false
line_breaks_in_quotes = true
)",
                                      false, "/somewhere");
  EXPECT_EQ(schema.dataset, "patients");
  EXPECT_EQ(schema.ledger, "/somewhere/patients.ledger");
  EXPECT_EQ(schema.relation.kind(), kernel::Relation::AddOrRemoveOne);
  EXPECT_THAT(schema.names(), ElementsAre("smoking", "glucose"));
  const Categories& smoking = *schema.find("smoking")->categories;
  EXPECT_THAT(smoking.labels, ElementsAre("never", "former", "current", "other", "missing"));
  EXPECT_EQ(smoking.declared, 3U);
  EXPECT_EQ(smoking.other, 3U);
  EXPECT_EQ(smoking.missing, 4U);
  EXPECT_THAT(schema.find("smoking")->missing_values, ElementsAre("?", "NA"));
  const Bounds& glucose = *schema.find("glucose")->bounds;
  EXPECT_EQ(glucose.lower, Decimal(20));
  EXPECT_EQ(glucose.resolution, *Decimal::parse("0.5"));
  EXPECT_EQ(glucose.missing, Decimal(90));
  EXPECT_EQ(schema.csv.delimiter, ';');
  EXPECT_EQ(schema.csv.quote, '\'');
  EXPECT_EQ(schema.csv.escape, '\\');
  EXPECT_FALSE(schema.csv.header);
  EXPECT_TRUE(schema.csv.line_breaks_in_quotes);
  EXPECT_EQ(schema.find("age"), nullptr);
}

TEST(Schema, JsonHasTheSameFields) {
  const Schema schema = *parse_schema(R"({"tacet": 1, "dataset": "d", "ledger": "/abs/d.ledger", "table": "t",
      "columns": {"z": {"categories": ["x", 1, true]}, "a": {"lower": 0.1, "upper": 123456789012345678901234567890, "resolution": "1e-2"}}})",
                                      true, "folder");
  EXPECT_EQ(schema.ledger, "/abs/d.ledger");
  EXPECT_EQ(schema.table, "t");
  EXPECT_EQ(schema.relation.kind(), kernel::Relation::ReplaceOne);
  EXPECT_THAT(schema.names(), ElementsAre("z", "a"));
  EXPECT_THAT(schema.find("z")->categories->labels, ElementsAre("x", "1", "true", "other"));
  EXPECT_EQ(schema.find("a")->bounds->lower, *Decimal::parse("0.1"));
  EXPECT_EQ(schema.find("a")->bounds->upper, *Decimal::parse("123456789012345678901234567890"));
  EXPECT_EQ(schema.find("a")->bounds->resolution, *Decimal::parse("0.01"));
}

TEST(Schema, EveryColumnHasACellForEveryValue) {
  const Schema defaults = schema_with("[columns.c]\ncategories = [\"a\", \"b\"]\n");
  EXPECT_THAT(defaults.columns[0].categories->labels, ElementsAre("a", "b", "other"));
  EXPECT_EQ(defaults.columns[0].categories->other, 2U);
  EXPECT_EQ(defaults.columns[0].categories->missing, 2U);

  const Schema folded = schema_with("[columns.c]\ncategories = [\"a\", \"b\"]\nother = \"b\"\nmissing = \"a\"\n");
  EXPECT_THAT(folded.columns[0].categories->labels, ElementsAre("a", "b"));
  EXPECT_EQ(folded.columns[0].categories->other, 1U);
  EXPECT_EQ(folded.columns[0].categories->missing, 0U);

  const Schema apart = schema_with("[columns.c]\ncategories = [\"a\"]\nmissing = \"unknown\"\n");
  EXPECT_THAT(apart.columns[0].categories->labels, ElementsAre("a", "other", "unknown"));

  const Schema declared = schema_with("[columns.c]\ncategories = [\"a\", \"other\"]\n");
  EXPECT_THAT(declared.columns[0].categories->labels, ElementsAre("a", "other"));
}

TEST(Schema, CategoriesMayBeIntegersAndBooleans) {
  const Schema schema = schema_with("[columns.c]\ncategories = [0, -7, true, \"x\", 9223372036854775807, 1000]\n");
  EXPECT_THAT(schema.columns[0].categories->labels, ElementsAre("0", "-7", "true", "x", "9223372036854775807", "1000", "other"));
}

TEST(Schema, MissingDefaultsToTheMiddleOfTheBounds) {
  const Schema schema = schema_with("[columns.c]\nlower = 0\nupper = 5\nresolution = 1\nmissing_values = [\"NA\", \"\"]\n");
  EXPECT_EQ(schema.columns[0].bounds->missing, *Decimal::parse("2.5"));
  EXPECT_THAT(schema.columns[0].missing_values, ::testing::UnorderedElementsAre("NA", ""));
}

TEST(Schema, AnyNameOfAColumnCanBeWritten) {
  const Schema schema = schema_with(
      "[columns.\"a.b\"]\n[columns.'q\"q']\n[columns.\"line\\nbreak\"]\n[columns.\"größe 日本\"]\n[columns.\"\"]\n[columns]\ninline = "
      "{}\n");
  EXPECT_THAT(schema.names(), ElementsAre("a.b", "q\"q", "line\nbreak", "größe 日本", "", "inline"));
}

TEST(Schema, UnknownFieldsAreNamedWithTheKnownOnes) {
  EXPECT_EQ(error_in("neighbors = \"replace-one\"\n[columns.c]\n"),
            "field is \"neighbors\", but must be one of \"tacet\", \"dataset\", \"ledger\", \"source\", \"neighbours\", \"idealised\", "
            "\"table\", \"csv\", \"contributions\", "
            "\"columns\"; did you mean \"neighbours\"?");
  EXPECT_THAT(error_in_column("catgories = [\"a\"]\n"),
              AllOf(HasSubstr("field is \"catgories\" under [columns.c]"), HasSubstr("\"categories\", \"other\""),
                    HasSubstr("did you mean \"categories\"?")));
  EXPECT_THAT(error_in("[csv]\nseparator = \";\"\n[columns.c]\n"), HasSubstr("under [csv], but must be one of \"delimiter\""));
}

TEST(Schema, RequiredFieldsShowTheLineToWrite) {
  EXPECT_THAT(error_of("dataset = \"d\"\nledger = \"l\"\n[columns.c]\n"), HasSubstr("write: tacet = 1"));
  EXPECT_THAT(error_of("tacet = 2\ndataset = \"d\"\nledger = \"l\"\n[columns.c]\n"), HasSubstr("tacet is 2, but must be 1"));
  EXPECT_THAT(error_of("tacet = 1\nledger = \"l\"\n[columns.c]\n"), HasSubstr("write: dataset = \"patients\""));
  EXPECT_THAT(error_of("tacet = 1\ndataset = \"\"\nledger = \"l\"\n[columns.c]\n"), HasSubstr("dataset is \"\", but must not be empty"));
  EXPECT_THAT(error_of("tacet = 1\ndataset = 7\nledger = \"l\"\n[columns.c]\n"), HasSubstr("dataset is 7, but must be text in quotes"));
  EXPECT_THAT(error_of("tacet = 1\ndataset = \"d\"\n[columns.c]\n"), HasSubstr("write: ledger = \"patients.ledger\""));
  EXPECT_THAT(error_in(""), HasSubstr("write: [columns.smoking]"));
  EXPECT_THAT(error_in("columns = 3\n"), HasSubstr("columns is 3, but must be a table of columns"));
  EXPECT_THAT(error_in("[columns]\nc = 3\n"), HasSubstr("columns.c is 3, but must be a table; write: [columns.c]"));
  EXPECT_THAT(error_in("neighbours = \"add-one\"\n[columns.c]\n"),
              AllOf(HasSubstr("neighbours is \"add-one\""), HasSubstr("\"add-or-remove-one\"")));
  EXPECT_THAT(error_in("neighbours = 1\n[columns.c]\n"), HasSubstr("neighbours is 1"));
}

TEST(Schema, BadCategoriesAreExplained) {
  EXPECT_EQ(error_in_column("categories = []\n"),
            "columns.c.categories is [], but must list at least one value; write under [columns.c]: categories = [\"...\", \"...\"]");
  EXPECT_EQ(error_in_column("categories = [\"a\", \"b\", \"a\"]\n"),
            "columns.c.categories is [\"a\", \"b\", \"a\"], but must list each value once; delete one \"a\"");
  EXPECT_THAT(error_in_column("categories = [1, \"1\"]\n"), HasSubstr("must list each value once"));
  EXPECT_THAT(error_in_column("categories = \"a\"\n"), HasSubstr("columns.c.categories is \"a\", but must be a list"));
  EXPECT_THAT(error_in_column("categories = [1.5]\n"),
              HasSubstr("is 1.5, but must be text, an integer or true or false; write it in quotes"));
  EXPECT_THAT(error_in_column("categories = [2024-05-31]\n"), HasSubstr("is 2024-05-31, but must be text"));
  EXPECT_THAT(error_in_column("categories = [\"\"]\n"), HasSubstr("must not be empty"));
  EXPECT_THAT(error_in_column("categories = [\"a\\u0000b\"]\n"), HasSubstr("must not hold the character NUL"));
  EXPECT_THAT(error_in_column("categories = [\"a\"]\nother = \"\"\n"), HasSubstr("columns.c.other is \"\""));
  EXPECT_THAT(error_in_column("categories = [\"a\"]\nmissing = 1.5\n"), HasSubstr("columns.c.missing is 1.5"));
  EXPECT_THAT(error_in_column("categories = [\"a\", \"?\"]\nmissing_values = [\"?\"]\n"), HasSubstr("is also one of the categories"));
  EXPECT_THAT(error_in_column("categories = [\"a\"]\nother = \"?\"\nmissing = \"m\"\nmissing_values = [\"?\"]\n"),
              HasSubstr("is also one of missing_values"));
  EXPECT_THAT(error_in_column("categories = [\"a\"]\nmissing_values = [\"?\", \"?\"]\n"), HasSubstr("must list each value once"));
  EXPECT_THAT(error_in_column("categories = [\"a\"]\nmissing_values = [\"\", \"\"]\n"), HasSubstr("missing_values"));
  EXPECT_THAT(error_in_column("categories = [\"a\"]\nmissing_values = []\n"), HasSubstr("must list at least one value"));
  EXPECT_THAT(error_in_column("categories = [\"a\"]\nmissing_values = \"?\"\n"), HasSubstr("must be a list"));
  EXPECT_THAT(error_in_column("other = \"x\"\n"), HasSubstr("has a meaning only beside categories"));
}

TEST(Schema, BadBoundsAreExplained) {
  EXPECT_EQ(
      error_in_column("lower = 300\nupper = 20\nresolution = 1\n"),
      "columns.c.lower is 300, but must be less than upper, which is 20; write the least and the greatest value that a person can have");
  EXPECT_THAT(error_in_column("lower = 5\nupper = 5\nresolution = 1\n"), HasSubstr("must be less than upper"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = 1\nresolution = 0\n"),
              HasSubstr("columns.c.resolution is 0, but must be greater than 0"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = 1\nresolution = -0.5\n"), HasSubstr("resolution is -0.5"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = 1\nresolution = 2\n"), HasSubstr("must be at most upper - lower, which is 1"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = 1\n"), HasSubstr("write under [columns.c]: resolution = ..."));
  EXPECT_THAT(error_in_column("lower = nan\nupper = 1\nresolution = 1\n"),
              HasSubstr("columns.c.lower is nan, but must be a decimal number"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = inf\nresolution = 1\n"), HasSubstr("columns.c.upper is inf"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = \"many\"\nresolution = 1\n"),
              HasSubstr("columns.c.upper is \"many\", but must be a decimal number"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = 1\nresolution = true\n"), HasSubstr("must be a decimal number"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = 1\nresolution = 1\nmissing = 2\n"), HasSubstr("must lie between lower and upper"));
  EXPECT_THAT(error_in_column("lower = 0\nupper = 1\nresolution = 1\nother = \"x\"\n"), HasSubstr("only beside categories"));
}

TEST(Schema, BadDialectsAreExplained) {
  for (const std::string bad :
       {"delimiter = \";;\"", "delimiter = \"\"", "delimiter = \"\\n\"", "delimiter = \"é\"", "delimiter = 1", "quote = \"ab\"",
        "escape = \"\"", "header = \"yes\"", "line_breaks_in_quotes = 1", "quote = \"\"\nline_breaks_in_quotes = true",
        "quote = \"\"\nescape = \"\\\\\"", "delimiter = \"\\\"\"", "quote = \",\"", "delimiter = \"x\"\nescape = \"x\""}) {
    EXPECT_THAT(error_in("[csv]\n" + bad + "\n[columns.c]\n"), HasSubstr("csv.")) << bad;
  }
  EXPECT_THAT(error_in("csv = 1\n[columns.c]\n"), HasSubstr("csv is 1, but must be a table"));
}

TEST(Schema, SyntaxErrorsTellTheLineAndQuoteNothing) {
  // By mistake the data file may be given as schema: its contents must not be shown.
  EXPECT_EQ(error_of("name,illness\nSECRET,flu\n"), "the schema is not valid TOML: see line 1; `init` writes a schema to start from");
  EXPECT_EQ(error_of("{\n\"tacet\": SECRET}", true), "the schema is not valid JSON: see line 2; `init` writes a schema to start from");
  EXPECT_THAT(error_of("[1, 2]", true), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of("", true), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of("tacet = 1\ntacet = 1\n"), HasSubstr("see line 2"));
  EXPECT_THAT(error_of(R"({"tacet": 1, "tacet": 1})", true), HasSubstr("\"tacet\" written twice"));
  EXPECT_THAT(error_of("a = \"\xff\"\n"), HasSubstr("not valid TOML"));
}

TEST(Schema, ATextGoesOnAfterABackslashAtTheEndOfALine) {
  const auto category = [](const std::string& text) {
    const Result<Schema> schema =
        parse_schema(std::string(kStart) + "[columns.a]\ncategories = [\"\"\"" + text + "\"\"\", \"b\"]\n", false, "");
    return schema.ok() ? schema->columns.front().categories->labels.front() : schema.error().message();
  };
  EXPECT_EQ(category("a\\\n \xC3\xA9"), "a\xC3\xA9");
  EXPECT_EQ(category("a \\ \t\n\n\t\xE2\x80\x9C"), "a \xE2\x80\x9C") << "a quotation mark, which shares two bytes with wide blanks";
  EXPECT_EQ(category("a\\\n\xE6\x97\xA5"), "a\xE6\x97\xA5");
  // toml++ drops these, TOML does not.
  for (const char* blank : {"\xC2\xA0", "\xE2\x80\x83", "\xE2\x80\xA8", "\xE3\x80\x80"}) {
    EXPECT_THAT(
        category(std::string("a\\\n ") + blank + "b"),
        HasSubstr("of the schema continues a text after a backslash and begins with white space beyond ASCII, which is unclear; use "
                  "ordinary blanks there"));
  }
  EXPECT_THAT(category("a\\ \xC3\xA9"), HasSubstr("not valid TOML")) << "no line ends there";
}

// Each of these stopped the program: toml++ asserts, and reading what is deep needs a deep stack.
TEST(Schema, NoTextStopsTheProgram) {
  for (const std::string bad :
       {"[\n",     "[[\n",    "[#",      "[[#",   "[ \n",     "[[ \n]]",   "[=",       "[,",        "[.",
        "[\t[a]]", "a = {\n", "a = [\n", "a.",    "a.\n",     "\"",        "'''",      "\"\"\"",    "a = \"\\u",
        "a = 0x",  "a = 1_",  "a = +",   "a = .", "a = inf.", "a = 1979-", "[a]\n[a.", "[[a]]\n[a", "\xEF\xBB\xBF[\n"}) {
    EXPECT_THAT(error_of(bad), HasSubstr("not valid TOML")) << bad;
  }
  const std::string many(100000, '[');
  std::string dotted = "a";
  std::string quoted = "\"a\"";
  std::string inlined;
  std::string objects;
  for (int i = 0; i < 50000; ++i) {
    dotted += ".a";
    quoted += " . 'a'";
    inlined += "a.a.a.a = {";
    objects += "{\"a\":";
  }
  const std::string sentence = "the schema nests deeper than 16 levels; no field needs that; `init` writes a schema to start from";
  for (const std::string& deep :
       {many, "a = " + many, "[" + dotted + "]", dotted + " = 1", "[[" + quoted + "]]", "[a]\n" + quoted + " = 1", inlined,
        "# \"\n" + dotted + " = 1", "a = \"\"\"\"\"\"\n" + dotted + " = 1", "a = \"\"\"b\"\"\"\"\n" + dotted + " = 1",
        "a = '''b'''''\n" + dotted + " = 1", "a = '\\'\n" + dotted + " = 1"}) {
    EXPECT_EQ(error_of(deep), sentence) << deep.substr(0, 20);
  }
  EXPECT_EQ(error_of(many, true), sentence);
  EXPECT_EQ(error_of(objects, true), sentence);
  EXPECT_THAT(error_of(std::string(100000, '{'), true), HasSubstr("not valid JSON"));
  // Dots and brackets that nest nothing.
  const std::string dots(100, '.');
  const std::string brackets(100, '[');
  const std::string flat = "# " + dots + brackets + "\n" + kStart + "[columns.\"" + dots + "\"]\ncategories = [\"" + dots + "\", '" +
                           brackets + "', \"\"\"" + brackets +
                           "\\\"\"\"\"\", 1]\n[columns.x]\nlower = 1.5\nupper = 2.5\nresolution = 0.5\n";
  const Result<Schema> schema = parse_schema(flat, false, "");
  EXPECT_TRUE(schema.ok()) << schema.error().message();
}

// Schemas cut, doubled and mixed with what the two languages are made of. Fixed seed: nothing here
// can fail by chance.
TEST(Schema, AnyTextIsASchemaOrAnError) {
  std::mt19937 random(20260103);
  const std::string toml =
      std::string(kStart) +
      "neighbours = 'replace-one'\nidealised = false\nsource = \"x.csv\"\n[csv]\ndelimiter = \";\"\nheader = true\n"
      "[columns.a]\ncategories = [\"x\", 1, true]\nmembership = \"public\"\nmissing_values = [\"\", '?']\n"
      "[columns.\"b.c\"]\nlower = -1.5\nupper = 1e3\nresolution = 0.5\nunit = \"mg\"\n[columns]\nd = { categories = [ 7 ] }\n"
      "e = { date = true, lower = 1900-01-01, upper = \"2000-01-01\", bins = [0, 9] }\n";
  const std::string json =
      R"({"tacet": 1, "dataset": "d", "ledger": "l", "csv": {"quote": ""}, "contributions": {"person": "a", "rows": 3, "groups": 2},
         "columns": {"a": {"categories": ["x", 1, true], "other": "x"},
         "b": {"lower": -1.5, "upper": 1e3, "resolution": "0.5", "missing": 0, "missing_values": ["\u00e9", ""], "thousands": ","},
         "c": {"bins": [0, 1.5], "missing": "m"}}})";
  const std::vector<std::string> pieces{"[",
                                        "]",
                                        "[[",
                                        "]]",
                                        "{",
                                        "}",
                                        "=",
                                        ".",
                                        ",",
                                        ":",
                                        "\"",
                                        "'",
                                        "\"\"\"",
                                        "'''",
                                        "\n",
                                        "\r",
                                        "\t",
                                        "#",
                                        "\\",
                                        "\\u",
                                        "\xff",
                                        "\xC3",
                                        "é",
                                        "0",
                                        "1e9",
                                        "0x",
                                        "_",
                                        "+",
                                        "-",
                                        "inf",
                                        "nan",
                                        "true",
                                        "null",
                                        "2024-05-31T",
                                        "12:00",
                                        "a",
                                        "columns",
                                        "categories",
                                        std::string(1, '\0'),
                                        "\xEF\xBB\xBF",
                                        " "};
  std::size_t schemas = 0;
  for (int round = 0; round < 100000; ++round) {
    const bool as_json = round % 4 == 0;
    std::string text = as_json ? json : toml;
    if (round % 3 == 0) text.clear();
    for (std::size_t change = 1 + random() % 6; change > 0; --change) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 8) {
        case 0: text.resize(at); break;
        case 1: text.erase(at, random() % 8); break;
        case 2: text.insert(at, text.substr(random() % (text.size() + 1), random() % 40)); break;
        default: text.insert(at, pieces[random() % pieces.size()]);
      }
    }
    const Result<Schema> schema = parse_schema(text, as_json, "folder");
    schemas += schema.ok() ? 1 : 0;
    EXPECT_TRUE(schema.ok() || schema.error().code() == Code::SchemaInvalid) << text;
  }
  EXPECT_GT(schemas, 1000U);
}

TEST(Schema, TheSourceIsAPathOrAUri) {
  const auto source = [](const std::string& line) {
    return parse_schema(std::string(kStart) + line + "[columns.c]\n", false, "/folder")->source;
  };
  EXPECT_EQ(source(""), std::nullopt);
  EXPECT_EQ(source("source = \"a/people.csv\"\n"), "/folder/a/people.csv");
  EXPECT_EQ(source("source = \"/abs/people.csv\"\n"), "/abs/people.csv");
  EXPECT_EQ(source("source = \"s3://bucket/people.parquet\"\n"), "s3://bucket/people.parquet");
  EXPECT_THAT(error_in("source = 1\n[columns.c]\n"), HasSubstr("source is 1, but must be text in quotes"));
  EXPECT_THAT(error_in("source = \"\"\n[columns.c]\n"), HasSubstr("source is \"\", but must not be empty"));
}

TEST(Schema, IdealisedMechanismsAreAllowedOnlyWhereItSaysSo) {
  EXPECT_FALSE(schema_with("[columns.c]\n").idealised);
  EXPECT_FALSE(schema_with("idealised = false\n[columns.c]\n").idealised);
  EXPECT_TRUE(schema_with("idealised = true\n[columns.c]\n").idealised);
  EXPECT_EQ(error_in("idealised = \"yes\"\n[columns.c]\n"), "idealised is \"yes\", but must be true or false; write: idealised = false");
}

TEST(Schema, MembershipIsPublicOnlyUnderReplaceOneAndOnlyOfCategories) {
  const std::string categories = "[columns.c]\ncategories = [\"a\", \"b\"]\n";
  const std::string add_or_remove = "neighbours = \"add-or-remove-one\"\n";
  EXPECT_FALSE(schema_with(categories).columns[0].public_membership);
  EXPECT_FALSE(schema_with(categories + "membership = \"private\"\n").columns[0].public_membership);
  EXPECT_TRUE(schema_with(categories + "membership = \"public\"\n").columns[0].public_membership);
  EXPECT_FALSE(schema_with(add_or_remove + categories + "membership = \"private\"\n").columns[0].public_membership);
  EXPECT_EQ(
      error_in(add_or_remove + categories + "membership = \"public\"\n"),
      "columns.c.membership is \"public\", but cannot be public under neighbours = \"add-or-remove-one\", where the number of people in a "
      "group is private; delete the line, or write: neighbours = \"replace-one\"");
  // Also where the relation is written after the columns.
  EXPECT_THAT(error_of(R"({"tacet": 1, "dataset": "d", "ledger": "l", "columns": {"c": {"categories": ["a"], "membership": "public"}},
                           "neighbours": "add-or-remove-one"})",
                       true),
              HasSubstr("cannot be public"));
  EXPECT_THAT(error_in(categories + "membership = true\n"), HasSubstr("columns.c.membership is true, but must be \"public\""));
  EXPECT_THAT(error_in(categories + "membership = \"Public\"\n"), HasSubstr("write under [columns.c]: membership = \"private\""));
  for (const std::string without : {"", "lower = 0\nupper = 1\nresolution = 1\n"})
    EXPECT_THAT(error_in_column(without + "membership = \"public\"\n"), HasSubstr("has a meaning only beside categories;"));
}

TEST(Schema, AFileIsReadByItsEnding) {
  const TestFolder folder;
  const std::string toml = folder.write("s.toml", std::string(kStart) + "[columns.c]\n");
  EXPECT_EQ(read_schema(toml)->ledger, folder.path("patients.ledger"));
  const std::string json = folder.write("s.json", R"({"tacet": 1, "dataset": "d", "ledger": "l", "columns": {"c": {}}})");
  EXPECT_EQ(read_schema(json)->ledger, folder.path("l"));
  EXPECT_EQ(read_schema(folder.path("none.toml")).error().code(), Code::NotFound);
  EXPECT_EQ(read_schema("").error().code(), Code::NotFound);
  EXPECT_EQ(read_schema(toml + std::string("\0x", 2)).error().code(), Code::NotFound);
  std::ofstream(folder.path("big.toml")).close();
  std::filesystem::resize_file(folder.path("big.toml"), std::uintmax_t{65} << 20);
  EXPECT_THAT(read_schema(folder.path("big.toml")).error().message(), HasSubstr("too large for a schema"));
}

TEST(Schema, WhatIsNoRegularFileIsRefused) {
  const TestFolder folder;
  ASSERT_EQ(mkfifo(folder.path("pipe.toml").c_str(), 0600), 0);
  for (const std::string& path : {folder.folder().string(), folder.path("pipe.toml"), std::string("/dev/null"), std::string("/dev/zero")}) {
    const Error error = read_schema(path).error();  // and does not wait for a writer
    EXPECT_EQ(error.code(), Code::SchemaInvalid) << path;
    EXPECT_THAT(error.message(), HasSubstr("is not a regular file")) << path;
  }
  // A regular file that cannot be read was an internal error.
  const Error error = read_schema("/proc/self/mem").error();
  EXPECT_EQ(error.code(), Code::SchemaInvalid);
  EXPECT_EQ(error.message(), "\"/proc/self/mem\" cannot be read; check that the disk it is on is readable");
}

}  // namespace
}  // namespace tacet::schemas

// A schema, the terms and the file of people: what differs is said, and what no release could use
// is refused before it is written.
#include "tacet/workflow/custody/terms_check.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/workflow/custody/source_register.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The schema of the desk with these lines before its columns.
std::string schema_with(const std::string& lines) {
  std::string text = test::kPeopleSchema;
  return text.insert(text.find("\n[columns.sex]"), lines);
}

class SourceOfSchema : public ::testing::Test {
 protected:
  SourceOfSchema() {
    desk.write("a.csv", test::kPeople);
    desk.write("b.csv", test::kPeople);
    desk.write("people.toml", schema_with("source = \"a.csv\"\n"));
    desk.write("b.toml", schema_with("source = \"b.csv\"\n"));
  }
  std::string difference() const { return "source is \"" + desk.path("b.csv") + "\", but the terms say \"" + desk.path("a.csv") + "\""; }
  Result<Json> check(const std::string& schema) const { return desk.call("dataset check", {{"schema", desk.path(schema)}}); }
  Result<Json> amend(Json more) const {
    more["reason"] = "it moved";
    return desk.call("dataset amend", more);
  }
  Desk desk;
};

TEST_F(SourceOfSchema, ThatIsAnotherIsToldByACheckAndRefusedByARelease) {
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  EXPECT_THAT(check("people.toml")->at("findings"), ElementsAre());
  EXPECT_THAT(check("b.toml")->at("findings"), ElementsAre(difference()));
  for (const std::string data : {"a.csv", "b.csv"}) {
    const Json request = {{"schema", desk.path("b.toml")}, {"data", desk.path(data)}};
    EXPECT_THAT(desk.release(request).error().message(), HasSubstr(difference()));
    EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.release(request));
  }
  EXPECT_TRUE(desk.release({{"data", desk.path("a.csv")}}).ok());
}

TEST_F(SourceOfSchema, UnderAnotherNameIsTheSame) {
  std::filesystem::create_symlink(desk.path("a.csv"), desk.path("link.csv"));
  std::filesystem::create_directory(desk.path("sub"));
  std::filesystem::create_directory_symlink(desk.path("sub"), desk.path("same"));
  desk.write("linked.toml", schema_with("source = \"link.csv\"\n"));
  std::string below = schema_with("source = \"../a.csv\"\n");
  below.replace(below.find("people.ledger"), 13, "../people.ledger");
  desk.write("sub/below.toml", below);
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  for (const std::string schema : {"linked.toml", "sub/below.toml", "same/below.toml", "sub/../people.toml"}) {
    EXPECT_EQ(check(schema)->at("agrees"), true) << schema << *check(schema);
    EXPECT_EQ(
        desk.release(
                {{"schema", desk.path(schema)}, {"data", desk.path("link.csv")}, {"rho", "0.1"}, {"out", std::to_string(desk.entries())}})
            .ok(),
        true)
        << schema;
  }
  std::filesystem::remove(desk.path("link.csv"));
  std::filesystem::create_symlink(desk.path("b.csv"), desk.path("link.csv"));
  EXPECT_THAT(check("linked.toml")->at("findings"), ElementsAre(difference()));
}

TEST_F(SourceOfSchema, SaysNothingAboutTermsWithoutOneButTheFirstReleaseReadsIt) {
  desk.write("silent.toml", test::kPeopleSchema);
  ASSERT_TRUE(desk.call("budget create", {{"schema", desk.path("silent.toml")}, {"rho", 1}}).ok());
  EXPECT_EQ(check("b.toml")->at("agrees"), true);
  EXPECT_EQ(check("b.toml")->at("source"), desk.path("b.csv"));
  const Json other = {{"schema", desk.path("b.toml")}, {"data", desk.path("a.csv")}};
  EXPECT_EQ(desk.release(other).error().message(),
            "data is \"" + desk.path("a.csv") + "\", but must be \"" + desk.path("b.csv") +
                "\", the source in the schema; read from there, or write in the schema where the data are");
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release(other));
  EXPECT_TRUE(desk.release({{"schema", desk.path("b.toml")}, {"data", desk.path("b.csv")}}).ok());
  // From now on the terms have one, and a schema without a source agrees with it.
  EXPECT_EQ(check("silent.toml")->at("agrees"), true);
  EXPECT_EQ(check("people.toml")->at("agrees"), false);
}

TEST_F(SourceOfSchema, IsAmendedWithTheSchema) {
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto amended = amend({{"schema", desk.path("b.toml")}});
  ASSERT_TRUE(amended.ok()) << amended.error().message();
  EXPECT_EQ(amended->at("changed"), Json::array({"source"}));
  EXPECT_EQ(amended->at("source"), desk.path("b.csv"));
  EXPECT_EQ(check("b.toml")->at("agrees"), true);
  EXPECT_THAT(amend({{"schema", desk.path("b.toml")}}).error().message(), HasSubstr("must change something"));
  EXPECT_THAT(amend({{"schema", desk.path("b.toml")}, {"source", desk.path("a.csv")}}).error().message(),
              HasSubstr("must be what the schema says, \"" + desk.path("b.csv") + "\""));
  // Without a schema the source alone.
  const Json by_name = {{"ledger", desk.path("people.ledger")}, {"dataset", "people"}, {"source", desk.path("a.csv")}};
  EXPECT_EQ(amend(by_name)->at("source"), desk.path("a.csv"));
}

TEST_F(SourceOfSchema, AndOfTheRequestMustBeOne) {
  EXPECT_THAT(desk.budget("create", {{"rho", 1}, {"source", desk.path("b.csv")}}).error().message(),
              HasSubstr("must be what the schema says, \"" + desk.path("a.csv") + "\"; leave it out, or change the schema"));
  EXPECT_FALSE(desk.has("people.ledger"));
  EXPECT_TRUE(desk.budget("create", {{"rho", 1}, {"source", desk.path("a.csv")}}).ok());
}

TEST(Amend, NeedsAReasonThatIsNotBlank) {
  const Desk desk;
  desk.write("other.csv", test::kPeople);
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  for (const std::string blank : {"", " ", "\t \n"}) {
    const auto refused =
        desk.call("dataset amend", {{"schema", desk.path("people.toml")}, {"source", desk.path("other.csv")}, {"reason", blank}});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().name(), "reason");
  }
  EXPECT_EQ(desk.entries(), 0U);
}

TEST(Amend, OfAnotherThanTheCustodianClaimsNoSource) {
  Desk desk;
  desk.write("other.csv", test::kPeople);
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  desk.context.analyst = "eve";
  EXPECT_FALSE(
      desk.call("dataset amend", {{"schema", desk.path("people.toml")}, {"source", desk.path("other.csv")}, {"reason", "mine"}}).ok());
  desk.context.analyst = "ada";
  EXPECT_TRUE(desk.budget("create", {{"rho", 1}, {"dataset", "second"}, {"source", desk.path("other.csv")}}).ok());
}

class NewTerms : public ::testing::Test {
 protected:
  Result<Json> create(const std::string& schema, Json more = Json::object()) const {
    desk.write("people.toml", schema);
    more["rho"] = 1;
    return desk.budget("create", more);
  }
  /// Refused with these words, and nothing is left behind.
  void refuses(const std::string& schema, const std::string& words, const Json& more = Json::object()) const {
    const auto refused = create(schema, more);
    ASSERT_FALSE(refused.ok()) << words;
    EXPECT_THAT(refused.error().message(), HasSubstr(words));
    EXPECT_FALSE(desk.has("people.ledger")) << words;
  }
  static std::string age(const std::string& lower, const std::string& upper, const std::string& resolution) {
    return "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n[columns.age]\nlower = " + lower + "\nupper = " + upper +
           "\nresolution = " + resolution + "\n";
  }
  Desk desk;
};

TEST_F(NewTerms, ThatNoReleaseCanUseAreRefused) {
  refuses(age("0", "120", "1e-9"), "the resolution of column \"age\" is 0.000000001, but must leave at most 67108864 steps");
  refuses(age("-1e305", "1e305", "1e300"), "the upper bound of column \"age\" is 1e305, but must lie between");
  refuses("tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n[columns.sex]\n[columns.age]\n",
          "no release can use a column that has neither");
  refuses(schema_with("[csv]\ndelimiter = \";\"\n"), "none of the columns that are declared is in the source",
          {{"source", desk.path("people.csv")}});
  desk.write("people.txt", test::kPeople);
  refuses(test::kPeopleSchema, "source is \"" + desk.path("people.txt") + "\", but must end in .csv",
          {{"source", desk.path("people.txt")}});
}

TEST_F(NewTerms, HintAtTheDelimiterOfTheFile) {
  const std::string declared = test::kPeopleSchema;
  desk.write("semicolons.csv", "sex;plan;age\nf;basic;31\n");
  desk.write("tabs.csv", "sex\tplan\tage\nf\tbasic\t31\n");
  const std::string hint = "its first line is one field that holds ";
  refuses(declared, hint + R"(";"; if that parts the columns, write under [csv]: delimiter = ";")",
          {{"source", desk.path("semicolons.csv")}});
  refuses(declared, hint + R"("\t"; if that parts the columns, write under [csv]: delimiter = "\t")", {{"source", desk.path("tabs.csv")}});
  ASSERT_TRUE(create(declared).ok());
  EXPECT_THAT(desk.release({{"data", desk.path("semicolons.csv")}}).error().message(), HasSubstr("write under [csv]: delimiter = \";\""));
  EXPECT_THAT(
      desk.call("dataset check", {{"schema", desk.path("people.toml")}, {"data", desk.path("tabs.csv")}})->at("findings").at(0),
      ::testing::Truly([](const Json& finding) { return finding.get<std::string>().find(R"(delimiter = "\t")") != std::string::npos; }));
}

TEST_F(NewTerms, ThatMayBeOnPurposeAreWarnedOf) {
  const auto none = create(test::kPeopleSchema, {{"source", desk.path("later.csv")}});
  ASSERT_TRUE(none.ok()) << none.error().message();
  EXPECT_THAT(none->at("warnings"), ElementsAre("there is no file \"" + desk.path("later.csv") + "\" yet"));
  EXPECT_THAT(desk.budget_words("create", {{"rho", 1}, {"dataset", "three"}, {"source", desk.path("later.tsv")}}),
              HasSubstr("Beware: there is no file \"" + desk.path("later.tsv") + "\" yet.\n"));

  desk.write("two.csv", "sex,age\nf,31\n");
  const auto some = create(test::kPeopleSchema, {{"source", desk.path("two.csv")}, {"dataset", "two"}});
  ASSERT_TRUE(some.ok()) << some.error().message();
  ASSERT_EQ(some->at("warnings").size(), 1U);
  EXPECT_THAT(some->at("warnings").at(0).get<std::string>(), HasSubstr("column \"plan\", which the terms declare, is not in the source"));

  desk.write("twice.csv", "sex,plan,age,age\nf,basic,31,31\n");
  const auto twice = create(test::kPeopleSchema, {{"source", desk.path("twice.csv")}, {"dataset", "twice"}});
  ASSERT_TRUE(twice.ok()) << twice.error().message();
  EXPECT_THAT(twice->at("warnings"), ElementsAre("column \"age\" is in the source more than once, so that it cannot be read"));

  const auto uri = create(test::kPeopleSchema, {{"source", "postgres://people"}, {"dataset", "uri"}});
  ASSERT_TRUE(uri.ok()) << uri.error().message();
  EXPECT_THAT(uri->at("warnings").at(0).get<std::string>(), HasSubstr("reads files only"));

  const auto good = create(test::kPeopleSchema, {{"source", desk.path("people.csv")}, {"dataset", "good"}});
  ASSERT_TRUE(good.ok());
  EXPECT_THAT(good->at("warnings"), ElementsAre());
}

TEST_F(NewTerms, AreCheckedWhenTheyAreAmendedToo) {
  ASSERT_TRUE(create(test::kPeopleSchema).ok());
  desk.write("people.toml", age("0", "120", "1e-9"));
  const auto amend = [this] { return desk.call("dataset amend", {{"schema", desk.path("people.toml")}, {"reason", "finer"}}); };
  EXPECT_THAT(amend().error().message(), HasSubstr("must leave at most 67108864 steps"));
  desk.write("people.toml", schema_with("source = \"later.csv\"\n"));
  const auto amended = amend();
  ASSERT_TRUE(amended.ok()) << amended.error().message();
  EXPECT_THAT(amended->at("warnings"), ElementsAre("there is no file \"" + desk.path("later.csv") + "\" yet"));
  EXPECT_THAT(
      desk.words(
          "dataset amend",
          {{"ledger", desk.path("people.ledger")}, {"dataset", "people"}, {"source", desk.path("people.csv")}, {"reason", "it is here"}}),
      HasSubstr("Changed: source.\n"));
}

TEST(DatasetShow, TellsHowValuesAreReadAndWhatOthersMaySpend) {
  const Desk desk;
  desk.write("people.toml", R"(tacet = 1
dataset = "people"
ledger = "people.ledger"
[csv]
delimiter = ";"
[columns.sex]
categories = ["f", "m"]
other = "f"
missing = "unknown"
missing_values = ["?", "NA"]
[columns.age]
lower = 0
upper = 120
resolution = 1
)");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"share", "ada=0.5"}, {"others", "0.2"}}).ok());
  const auto shown = desk.call("dataset show", {{"schema", desk.path("people.toml")}});
  ASSERT_TRUE(shown.ok()) << shown.error().message();
  EXPECT_EQ(shown->at("csv").at("delimiter"), ";");
  EXPECT_EQ(shown->at("others_words"), "rho 0.2");
  EXPECT_FALSE(shown->at("columns").at(1).contains("missing")) << "left out";
  const std::string words = desk.words("dataset show", {{"schema", desk.path("people.toml")}});
  EXPECT_THAT(words, HasSubstr("  others      at most rho 0.2 for all without a share together\n"));
  EXPECT_THAT(words, HasSubstr("  csv         fields are separated by \";\"\n"));
  EXPECT_THAT(words, ::testing::ContainsRegex("sex +f, m, unknown +f +unknown +empty, \\?, NA +private\n"));
  EXPECT_THAT(words,
              ::testing::ContainsRegex("age +0 to 120 in steps of 1 +missing, or the nearer bound +left out of sums +empty +private\n"));
}

TEST(DatasetShow, HasNoQuoteWhereQuotesAreOrdinary) {
  const Desk desk;
  desk.write("people.toml", std::string(test::kPeopleSchema) + "\n[csv]\nquote = \"\"\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto shown = desk.call("dataset show", {{"schema", desk.path("people.toml")}});
  ASSERT_TRUE(shown.ok()) << shown.error().message();
  for (const std::string field : {"delimiter", "quote", "escape"}) EXPECT_TRUE(shown->at("csv").at(field).is_null()) << field;
  EXPECT_THAT(desk.said, HasSubstr("quotes are ordinary characters"));
}

TEST(DatasetShow, SaysThatWithoutAShareThereIsNothing) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"share", "ada=0.5"}}).ok());
  EXPECT_THAT(desk.words("dataset show", {{"schema", desk.path("people.toml")}}),
              HasSubstr("  others      analysts without a share can spend nothing\n"));
}

TEST(Analyst, WithoutAShareIsAskedWhetherAnotherWasMeant) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"share", "bobby=0.5,ada=0.5"}}).ok());
  const auto refusal = [&desk](const std::string& analyst) {
    const auto refused = desk.release({{"analyst", analyst}});
    return refused.ok() ? std::string("released") : refused.error().message();
  };
  EXPECT_THAT(refusal("Ada"), HasSubstr("did you mean \"ada\"?"));
  EXPECT_THAT(refusal("BOBBY"), HasSubstr("did you mean \"bobby\"?"));
  EXPECT_THAT(refusal("boby"), HasSubstr("did you mean \"bobby\"?"));
  EXPECT_THAT(refusal("zoe"), ::testing::Not(HasSubstr("did you mean")));
  EXPECT_REFUSED(desk, Code::BudgetExhausted, desk.release({{"analyst", "Ada"}}));
  // Whoever is refused under their own name is not told those of others.
  desk.context.analyst = "Ada";
  EXPECT_THAT(desk.release().error().message(), ::testing::Not(HasSubstr("did you mean")));
}

TEST(SecondBudget, IsRefusedWithThePathOfTheFirst) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"source", desk.path("people.csv")}}).ok());
  const auto again = [&desk] {
    return desk.budget("create",
                       {{"rho", 1}, {"source", desk.path("people.csv")}, {"dataset", "second"}, {"ledger", desk.path("other.ledger")}});
  };
  const std::string where = "as the dataset \"people\" of the ledger \"" + desk.path("people.ledger") + "\"";
  EXPECT_THAT(again().error().message(), HasSubstr(where + ";"));
  std::filesystem::remove(desk.path("people.ledger"));
  EXPECT_THAT(again().error().message(), HasSubstr(where + ", which is gone;"));
  EXPECT_FALSE(desk.has("other.ledger"));
}

TEST(SourceText, IsReadBackAsThePathItWasMadeOf) {
  for (const std::string path : {"/data/people.csv", "/data/\xFF \xC3%41.csv", "/\x80", "/a%b.csv"})
    EXPECT_EQ(path_of_source(source_text(path)), path);
  EXPECT_EQ(path_of_source("bytes:%4"), "%4");
}

}  // namespace
}  // namespace tacet::service

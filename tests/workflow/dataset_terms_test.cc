// The terms of a dataset: shown, compared with a schema and a file, and amended.
#include "tacet/workflow/custody/dataset_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/amend_dataset.h"
#include "tacet/workflow/custody/check_dataset.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/release/release_counts.h"

#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Terms : public ::testing::Test {
 protected:
  Terms() {
    EXPECT_TRUE(create_budget({.schema = schema(), .total = Rho(1), .source = desk.path("people.csv")}, {.analyst = "cleo"}).ok());
  }
  data::Schema schema() const { return *schemas::read_schema(desk.path("people.toml")); }
  Dataset people(const std::string& analyst = "cleo") const { return *Dataset::open({.schema = schema()}, {.analyst = analyst}); }
  /// Declares a third sex.
  void forget_nothing() const {
    std::string text = test::kPeopleSchema;
    desk.write("people.toml", text.replace(text.find("[\"f\", \"m\"]"), 10, "[\"f\", \"m\", \"x\"]"));
  }
  Desk desk;
};

TEST_F(Terms, AreWhatTheCustodianDeclared) {
  const auto terms = dataset_terms(people());
  ASSERT_TRUE(terms.ok()) << terms.error().message();
  EXPECT_EQ(terms->terms.declared().custodian, "cleo");
  EXPECT_EQ(terms->terms.declared().source, desk.path("people.csv"));
  ASSERT_TRUE(terms->schema.has_value());
  EXPECT_THAT(terms->schema->names(), ElementsAre("sex", "plan", "age"));
}

TEST_F(Terms, WithoutASchemaHaveNone) {
  ASSERT_TRUE(create_budget({.ledger = desk.path("people.ledger"), .dataset = "bare", .total = Rho(1)}).ok());
  const auto terms = dataset_terms(*Dataset::open({.ledger = desk.path("people.ledger"), .dataset = "bare"}));
  ASSERT_TRUE(terms.ok()) << terms.error().message();
  EXPECT_EQ(terms->schema, std::nullopt);
}

TEST_F(Terms, AgreeWithTheirOwnSchemaAndSource) {
  const auto check = check_dataset(people());
  ASSERT_TRUE(check.ok()) << check.error().message();
  EXPECT_TRUE(check->agrees());
  EXPECT_EQ(check->source, desk.path("people.csv"));
}

TEST_F(Terms, DifferFromAnotherSchemaAndFile) {
  forget_nothing();
  desk.write("half.csv", "sex,plan\nf,basic\n");
  const auto check = check_dataset(*Dataset::open({.schema = schema(), .data = desk.path("half.csv")}));
  ASSERT_TRUE(check.ok()) << check.error().message();
  EXPECT_FALSE(check->agrees());
  EXPECT_EQ(check->source, desk.path("half.csv"));
  EXPECT_THAT(check->findings, ElementsAre(HasSubstr("sex"), HasSubstr("half.csv\", but the terms say"),
                                           HasSubstr("column \"age\", which the terms declare, is not in the source")));
}

TEST_F(Terms, AreAmendedByTheirCustodian) {
  forget_nothing();
  desk.write("moved.csv", test::kPeople);
  const auto amended = amend_dataset(people(), {.reason = "a category was forgotten", .source = desk.path("moved.csv")});
  ASSERT_TRUE(amended.ok()) << amended.error().message();
  EXPECT_THAT(amended->changed, ElementsAre(AmendedTerm::Schema, AmendedTerm::Source));
  EXPECT_THAT(amended->warnings, ElementsAre());
  EXPECT_EQ(amended->terms.terms.declared().source, desk.path("moved.csv"));
  EXPECT_EQ(amended->terms.schema->find("sex")->categories->declared, 3U);
  EXPECT_TRUE(check_dataset(people())->agrees());
}

TEST_F(Terms, KeepTheirContributionsOnceSomethingWasCharged) {
  const auto amend_to = [this](const std::string& contributions, const std::string& lines) {
    desk.write("people.toml", contributions + test::kPeopleSchema + lines);
    return amend_dataset(people(), {.reason = "as it is"});
  };
  const std::string twice = "contributions = { person = \"sex\", rows = 2 }\n";
  EXPECT_EQ(amend_to(twice, "")->terms.schema->contributions->rows, 2);
  EXPECT_EQ(amend_to("", "")->terms.schema->contributions, std::nullopt);
  const Dataset source = *Dataset::open({.schema = schema(), .data = desk.path("people.csv")}, {.analyst = "cleo"});
  ASSERT_TRUE(release_counts(source, {.by = {"sex"}, .loss = Rho(0.1)}).ok());
  const auto refused = amend_to(twice, "");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
  EXPECT_EQ(refused.error().message(),
            "contributions is at most 2 rows, named by sex, but must stay as they are: something was charged under them; losses about rows "
            "and about people do not add up; make a new dataset with a budget of its own");
  const auto binned = amend_to("", "bins = [0, 18, 120]\n");  // the last column is age
  ASSERT_TRUE(binned.ok()) << binned.error().message();
  EXPECT_EQ(binned->terms.schema->find("age")->bins.size(), 3U);
}

TEST_F(Terms, AreNotAmendedWithoutAChangeAReasonOrTheCustodian) {
  EXPECT_EQ(amend_dataset(people(), {.reason = "why not"}).error().message(),
            "amendment is no change: the schema and the source are those of the terms, but must change something; give a schema that "
            "differs from the terms, or source = FILE");
  forget_nothing();
  EXPECT_EQ(amend_dataset(people(), {.reason = "\t"}).error().message(),
            "reason is \"\\t\", but must say why: everybody can read it in the ledger; for example: reason = \"the file was renamed\"");
  EXPECT_EQ(amend_dataset(people("eve"), {.reason = "mine"}).error().code(), Code::InvalidArgument);
  EXPECT_EQ(dataset_terms(people())->schema->find("sex")->categories->declared, 2U);
}

}  // namespace
}  // namespace tacet

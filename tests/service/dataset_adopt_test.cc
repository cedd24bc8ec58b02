// Ledgers of earlier versions: looked at as they are, and gone on from in a ledger that has terms.
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "old_ledger/old_file.h"
#include "service/desk.h"

namespace tacet::test {
namespace {

using service::Json;
using ::testing::HasSubstr;

class OldFormat : public ::testing::TestWithParam<int> {
 protected:
  OldFormat() {
    testing::make_old_ledger(desk_.path("old.ledger"), GetParam());
    std::string schema = kPeopleSchema;
    schema.replace(schema.find("\"people\""), 8, "\"patients\"");
    desk_.write("people.toml", schema);
  }
  Json look(const std::string& verb) const {
    const auto seen = desk_.call("budget " + verb, {{"ledger", desk_.path("old.ledger")}, {"dataset", "patients"}});
    EXPECT_TRUE(seen.ok()) << seen.error().message();
    return seen.ok() ? *seen : Json();
  }
  Result<Json> adopt(Json more = Json::object()) const {
    more["schema"] = desk_.path("people.toml");
    if (!more.contains("from")) more["from"] = desk_.path("old.ledger");
    return desk_.call("dataset adopt", more);
  }
  Desk desk_;
};

TEST_P(OldFormat, IsReadAndVerifiedButNotCharged) {
  const Json shown = look("show");
  EXPECT_EQ(shown.at("format"), GetParam());
  EXPECT_EQ(shown.at("charges"), 3);
  EXPECT_EQ(shown.at("sealed"), false);
  EXPECT_EQ(shown.at("neighbours").is_null(), GetParam() == 1) << "format 1 wrote no relation down";
  EXPECT_THAT(desk_.words("budget show", {{"ledger", desk_.path("old.ledger")}, {"dataset", "patients"}}),
              HasSubstr(fmt::format("format {}, which is read but not charged", GetParam())));
  EXPECT_EQ(look("history").at("entries").size(), 3U);
  const auto charged = desk_.release({{"ledger", desk_.path("old.ledger")}});
  ASSERT_FALSE(charged.ok());
  EXPECT_EQ(charged.error().code(), Code::Unsupported);
  EXPECT_THAT(charged.error().message(), HasSubstr("`dataset adopt`"));
}

TEST_P(OldFormat, GoesOnWithItsEntriesAndBudget) {
  const Json before = look("show");
  const auto adopted = adopt({{"others", "0.5"}});
  ASSERT_TRUE(adopted.ok()) << adopted.error().message();
  EXPECT_EQ(adopted->at("spent"), before.at("spent"));
  EXPECT_EQ(adopted->at("total"), before.at("total"));
  EXPECT_EQ(adopted->at("adopted_from").at("format"), GetParam());
  EXPECT_THAT(adopted->at("not_adopted_yet").get<std::vector<std::string>>(), ::testing::Contains("clinics"));
  const Json old_entries = look("history").at("entries");
  const Json entries = desk_.budget("history")->at("entries");
  ASSERT_EQ(entries.size(), old_entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].at("entry_hash"), old_entries[i].at("entry_hash"));
    EXPECT_EQ(entries[i].at("spent_after"), old_entries[i].at("spent_after"));
  }
  // What one analyst of the old ledger may still spend is charged on top of what was spent there.
  const auto released = desk_.release({{"rho", "0.01"}});
  ASSERT_TRUE(released.ok()) << released.error().message();
  EXPECT_EQ(desk_.entries(), 4U);
}

TEST_P(OldFormat, CannotBeAdoptedTwiceNorIntoItself) {
  ASSERT_TRUE(adopt().ok());
  const auto again = adopt();
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), Code::AlreadyExists);
  const auto current = adopt({{"from", desk_.path("people.ledger")}, {"ledger", desk_.path("third.ledger")}});
  ASSERT_FALSE(current.ok());
  EXPECT_THAT(current.error().message(), HasSubstr("must be of format 1 or 2: this ledger has terms already"));
  const auto itself = adopt({{"ledger", desk_.path("old.ledger")}});
  ASSERT_FALSE(itself.ok());
  EXPECT_THAT(itself.error().message(), HasSubstr("must be a new file beside the old ledger"));
}

TEST_P(OldFormat, GoesOnInOneLedgerWhateverItIsCalledOrCopiedTo) {
  std::filesystem::copy_file(desk_.path("old.ledger"), desk_.path("copy.ledger"));
  ASSERT_TRUE(adopt().ok());
  const auto second = adopt({{"ledger", desk_.path("second.ledger")}});
  ASSERT_FALSE(second.ok());
  EXPECT_FALSE(desk_.has("second.ledger"));
  const auto copy = adopt({{"from", desk_.path("copy.ledger")}, {"ledger", desk_.path("third.ledger")}});
  ASSERT_FALSE(copy.ok());
  EXPECT_EQ(copy.error().code(), Code::AlreadyExists);
  EXPECT_THAT(copy.error().message(), HasSubstr("one budget cannot go on in two ledgers"));
  // Its other datasets follow into the same ledger.
  std::string schema = desk_.read("people.toml");
  schema.replace(schema.find("\"patients\""), 10, "\"clinics\"");
  if (GetParam() == 2) schema.replace(schema.find("replace-one"), 11, "add-or-remove-one");
  desk_.write("people.toml", schema);
  const auto clinics = adopt();
  EXPECT_TRUE(clinics.ok()) << clinics.error().message();
}

TEST_P(OldFormat, ThatWasChargedDoesNotGetPublicGroups) {
  std::string schema = desk_.read("people.toml");
  schema.replace(schema.find("other = \"f\""), 11, "other = \"f\"\nmembership = \"public\"");
  desk_.write("people.toml", schema);
  const auto refused = adopt();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
}

TEST_P(OldFormat, NeedsASchemaADatasetAndItsOwnRelation) {
  const auto none =
      desk_.call("dataset adopt", {{"ledger", desk_.path("new")}, {"dataset", "patients"}, {"from", desk_.path("old.ledger")}});
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message(), HasSubstr("schema is missing"));
  const auto unknown = adopt({{"dataset", "nobody"}});
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().message(), HasSubstr("it has: \"patients\""));
  const auto missing = adopt({{"from", desk_.path("nowhere")}});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), Code::NotFound);
  EXPECT_FALSE(desk_.has("people.ledger")) << "nothing was made for a refusal";
  if (GetParam() == 1) return;
  std::string schema = desk_.read("people.toml");
  schema.replace(schema.find("replace-one"), 11, "add-or-remove-one");
  desk_.write("people.toml", schema);
  const auto other = adopt();
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message(), HasSubstr("must be replace-one, as in the old ledger"));
}

TEST_P(OldFormat, WhoHadNoShareGetsNothingUnlessTheTermsSaySo) {
  ASSERT_TRUE(adopt().ok());
  desk_.context.analyst = "ben";  // spent 0.045 of the old ledger, where the total alone was his limit
  EXPECT_EQ(desk_.release({{"rho", "0.01"}}).error().code(), Code::BudgetExhausted);
  desk_.context.analyst = "ada";
  EXPECT_TRUE(desk_.release({{"rho", "0.01"}}).ok());
}

TEST_P(OldFormat, OthersGoOnFromWhatTheySpent) {
  ASSERT_TRUE(adopt({{"others", "0.06"}}).ok());
  desk_.context.analyst = "ben";
  EXPECT_FALSE(desk_.release({{"rho", "0.02"}}).ok()) << "0.045 of 0.06 are spent";
  EXPECT_TRUE(desk_.release({{"rho", "0.01"}}).ok());
}

INSTANTIATE_TEST_SUITE_P(Ledgers, OldFormat, ::testing::Values(1, 2));

}  // namespace
}  // namespace tacet::test

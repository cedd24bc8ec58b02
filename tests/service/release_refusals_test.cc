// Every request for a release that must be refused: with the right code, nothing spent, nothing
// written.
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

class ReleaseRefusals : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok()); }
  Desk desk;
};

TEST_F(ReleaseRefusals, MechanismAndWayOfSayingHowPrivateMustMatch) {
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"rho", nullptr}, {"epsilon", 1}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"mechanism", "rank-deficient"}, {"rho", nullptr}, {"epsilon", 1}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument,
                 desk.release({{"mechanism", "laplace"}, {"rho", nullptr}, {"epsilon", 1}, {"delta", "1e-6"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"mechanism", "exponential"}}));
}

TEST_F(ReleaseRefusals, MechanismAndCurrencyOfTheBudgetMustMatch) {
  const Desk pure;
  ASSERT_TRUE(pure.budget("create", {{"epsilon", 1}}).ok());
  EXPECT_REFUSED(pure, Code::Unsupported, pure.release());
  EXPECT_REFUSED(pure, Code::Unsupported, pure.release({{"rho", nullptr}, {"mu", "0.1"}}));
  const Desk approximate;
  ASSERT_TRUE(approximate.budget("create", {{"epsilon", 1}, {"delta", "1e-6"}}).ok());
  EXPECT_REFUSED(approximate, Code::Unsupported, approximate.release());
  EXPECT_THAT(approximate.release().error().remedy(), ::testing::StartsWith("ask with mechanism = gaussian epsilon = E delta = D"));
  EXPECT_TRUE(approximate.release({{"rho", nullptr}, {"epsilon", "0.5"}, {"delta", "1e-7"}}).ok());
}

TEST_F(ReleaseRefusals, ExactlyOneLossMustBeGiven) {
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"rho", nullptr}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"mu", "0.1"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"delta", "0.1"}}));
}

TEST_F(ReleaseRefusals, LossesMustBeNumbersThatNoiseCanServe) {
  for (const std::string wrong : {"-0.25", "0", "nan", "inf", "-inf", "1e400", "", "1e7", "1e-301", "0,1", "rho"}) {
    EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"rho", wrong}}));
  }
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"rho", std::string(100'000, '1')}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"rho", nullptr}, {"mu", "1e-300"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"rho", "0.1" + std::string(3000, '0') + "1"}}));
}

TEST_F(ReleaseRefusals, ColumnsMustBeDeclaredWithCategoriesEachOnce) {
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"by", ""}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"by", ","}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"by", "sex,"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"by", Json::array()}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"by", "[\"sex\""}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"by", "[1]"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"by", "sex,sex"}}));
  EXPECT_REFUSED(desk, Code::NotFound, desk.release({{"by", "sxe"}}));
  EXPECT_REFUSED(desk, Code::NotFound, desk.release({{"by", "Sex"}}));
  EXPECT_REFUSED(desk, Code::NotFound, desk.release({{"by", Json::array({" sex"})}}));
  EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.release({{"by", "sex,age"}}));
}

TEST_F(ReleaseRefusals, TableMayNotHaveMoreDimensionsThanAReleaseFile) {
  std::string schema = test::kPeopleSchema;
  std::vector<std::string> columns;
  for (int i = 0; i < 33; ++i) {
    columns.push_back("c" + std::to_string(i));
    schema += "[columns.c" + std::to_string(i) + "]\ncategories = [\"x\"]\nother = \"x\"\n";
  }
  desk.write("people.toml", schema);
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"by", columns}}));
}

TEST_F(ReleaseRefusals, TableMayNotBeLargerThanAReleaseFile) {
  std::string schema = test::kPeopleSchema;
  std::string names = "sex";
  for (int i = 0; i < 7; ++i) {
    const std::string name = "d" + std::to_string(i);
    names += "," + name;
    schema +=
        "[columns." + name + "]\ncategories = [\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]\nother = \"0\"\n";
  }
  const Desk large;
  large.write("people.toml", schema);
  ASSERT_TRUE(large.budget("create", {{"rho", 1}}).ok());
  EXPECT_REFUSED(large, Code::InvalidArgument, large.release({{"by", names}}));
}

TEST_F(ReleaseRefusals, OutMustBeNew) {
  desk.write("taken.json", "x");
  std::filesystem::create_directory(desk.path("folder"));
  std::filesystem::create_symlink("nowhere", desk.path("dangling"));
  for (const std::string out : {"taken.json", "folder", "dangling", "people.csv", "people.toml", "people.ledger"}) {
    EXPECT_REFUSED(desk, Code::AlreadyExists, desk.release({{"out", out}}));
  }
  EXPECT_EQ(desk.read("taken.json"), "x");
}

TEST_F(ReleaseRefusals, OutMustBeWritable) {
  EXPECT_REFUSED(desk, Code::FileUnwritable, desk.release({{"out", "no/such/folder/r.json"}}));
  EXPECT_REFUSED(desk, Code::FileUnwritable, desk.release({{"out", "people.csv/r.json"}}));
  EXPECT_REFUSED(desk, Code::FileUnwritable, desk.release({{"out", std::string(300, 'x')}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"out", "new/"}}));
  EXPECT_REFUSED(desk, Code::FileUnwritable,
                 desk.call("release counts", {{"data", desk.path("people.csv")},
                                              {"schema", desk.path("people.toml")},
                                              {"by", "sex"},
                                              {"mechanism", "gaussian"},
                                              {"rho", 0.1},
                                              {"out", "/proc/tacet-release.json"}}));
  if (::geteuid() != 0) {
    std::filesystem::create_directory(desk.path("locked"));
    std::filesystem::permissions(desk.path("locked"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_REFUSED(desk, Code::FileUnwritable, desk.release({{"out", "locked/r.json"}}));
  }
}

TEST_F(ReleaseRefusals, DataMustBeThereAndReadable) {
  EXPECT_REFUSED(desk, Code::NotFound, desk.release({{"data", desk.path("missing.csv")}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"data", desk.path("people.toml")}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"data", ""}}));
  std::filesystem::create_directory(desk.path("folder.csv"));
  EXPECT_REFUSED(desk, Code::DataUnreadable, desk.release({{"data", desk.path("folder.csv")}}));
  desk.write("empty.csv", "");
  EXPECT_REFUSED(desk, Code::DataUnreadable, desk.release({{"data", desk.path("empty.csv")}}));
  desk.write("plain.csv.gz", "sex,plan\nf,basic\nm,basic\n");
  EXPECT_REFUSED(desk, Code::DataUnreadable, desk.release({{"data", desk.path("plain.csv.gz")}}));
  desk.write("other.csv", "gender,plan\nf,basic\n");
  EXPECT_REFUSED(desk, Code::NotFound, desk.release({{"data", desk.path("other.csv")}}));
  desk.write("text.parquet", "sex,plan\nf,basic\n");
  EXPECT_REFUSED(desk, Code::DataUnreadable, desk.release({{"data", desk.path("text.parquet")}}));
}

TEST_F(ReleaseRefusals, SchemaMustBeThereAndValid) {
  EXPECT_REFUSED(desk, Code::NotFound, desk.release({{"schema", desk.path("missing.toml")}}));
  EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.release({{"schema", desk.path(".")}}));
  desk.write("wrong.toml", "tacet = 1\n");
  EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.release({{"schema", desk.path("wrong.toml")}}));
  EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.release({{"schema", desk.path("people.csv")}}));
}

TEST_F(ReleaseRefusals, LedgerDatasetAndAnalystMustBeThere) {
  EXPECT_REFUSED(desk, Code::NotFound, desk.release({{"ledger", desk.path("other.ledger")}}));
  EXPECT_REFUSED(desk, Code::NotFound, desk.release({{"dataset", "patients"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"analyst", ""}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"analyst", std::string(201, 'a')}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"analyst", "ada\n"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"analyst", "\xFF"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"ledger", ":memory:"}}));
}

// A request beyond the budget is refused before the data is opened: nothing about the data can be
// learnt by asking.
TEST_F(ReleaseRefusals, BeyondTheBudgetAreTheSameWhateverTheData) {
  const auto good = desk.release({{"rho", 2}});
  for (const std::string data : {"missing.csv", "people.toml", "folder.csv"}) {
    const auto refused = desk.release({{"rho", 2}, {"data", desk.path(data)}});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::BudgetExhausted);
    EXPECT_EQ(refused.error().message(), good.error().message());
  }
}

TEST_F(ReleaseRefusals, NameTheParameterItsValueTheRuleAndTheRemedy) {
  const auto refused = desk.release({{"rho", "-0.25"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().name(), "rho");
  EXPECT_EQ(refused.error().value(), "-0.25");
  EXPECT_THAT(refused.error().rule(), HasSubstr("greater than 0"));
}

}  // namespace
}  // namespace tacet::service

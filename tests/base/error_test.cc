#include "tacet/base/error.h"

#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace tacet {
namespace {

TEST(Error, SaysNameValueRuleAndRemedyInOneSentence) {
  const Error error = Error::invalid("rho", "-0.25", "must be a finite number greater than 0", "for example: --rho 0.125");
  EXPECT_EQ(error.message(), "rho is -0.25, but must be a finite number greater than 0; for example: --rho 0.125");
  EXPECT_EQ(error.code(), Code::InvalidArgument);
  EXPECT_EQ(error.name(), "rho");
  EXPECT_EQ(error.value(), "-0.25");
  EXPECT_EQ(error.rule(), "must be a finite number greater than 0");
  EXPECT_EQ(error.remedy(), "for example: --rho 0.125");
}

TEST(Error, WithoutARemedyEndsAfterTheRule) {
  EXPECT_EQ(Error::invalid("rho", "0", "must be greater than 0").message(), "rho is 0, but must be greater than 0");
}

TEST(Error, AnEmptyValueIsCalledEmpty) {
  EXPECT_EQ(Error::invalid("analyst", "", "must have a name").message(), "analyst is empty, but must have a name");
}

TEST(Error, OfTheSchemaHasItsOwnCodeAndTheSameSentence) {
  const Error error = Error::schema("columns.age.lower", "9", "must be less than upper", "write: lower = 0");
  EXPECT_EQ(error.code(), Code::SchemaInvalid);
  EXPECT_EQ(error.message(), "columns.age.lower is 9, but must be less than upper; write: lower = 0");
}

TEST(Error, OfAnythingElseIsASentenceAndARemedy) {
  const Error error = Error::of(Code::NotFound, "there is no file \"x.csv\"", "look at the name");
  EXPECT_EQ(error.code(), Code::NotFound);
  EXPECT_EQ(error.message(), "there is no file \"x.csv\"; look at the name");
  EXPECT_EQ(error.name(), "");
  EXPECT_EQ(Error::of(Code::Internal, "a sum is negative").message(), "a sum is negative");
}

TEST(Error, SpendsNothingUnlessAChargeWasDurable) {
  Error error = Error::of(Code::FileUnwritable, "the release could not be written");
  EXPECT_EQ(error.spent(), "nothing was spent");
  const Error after = std::move(error).after_charge("rho 0.125 was spent");
  EXPECT_EQ(after.spent(), "rho 0.125 was spent");
  EXPECT_EQ(after.code(), Code::FileUnwritable);
  EXPECT_EQ(after.message(), "the release could not be written");
}

TEST(Error, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(Code::Internal); ++code) names.insert(name(static_cast<Code>(code)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Code::Internal) + 1);
  EXPECT_EQ(name(Code::InvalidArgument), "InvalidArgument");
  EXPECT_EQ(name(Code::BudgetExhausted), "BudgetExhausted");
  EXPECT_EQ(name(Code::Internal), "Internal");
}

}  // namespace
}  // namespace tacet

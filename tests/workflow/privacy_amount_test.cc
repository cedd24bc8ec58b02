#include "tacet/workflow/privacy_amount.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/privacy/parameters.h"

namespace tacet {
namespace {

using ::testing::HasSubstr;

TEST(PrivacyAmount, ADoubleStandsForItsShortestDecimal) {
  EXPECT_EQ(Digits(0.1).text(), "0.1");
  EXPECT_EQ(Digits(1e-6).text(), "1e-06");
  EXPECT_EQ(Digits(2).text(), "2");
  EXPECT_EQ(Digits("0.10").text(), "0.10");
}

TEST(PrivacyAmount, RhoIsExactInTheLoss) {
  const auto loss = loss_of(Rho(0.1));
  ASSERT_TRUE(loss.ok());
  EXPECT_EQ(std::get<privacy::GaussianLoss>(*loss).mu_squared.to_string(), "0.2");
}

TEST(PrivacyAmount, ADeltaOfZeroIsPurePrivacy) {
  EXPECT_TRUE(std::holds_alternative<privacy::PureLoss>(*loss_of(EpsilonDelta("1", "0"))));
  EXPECT_TRUE(std::holds_alternative<privacy::PureLoss>(*loss_of(Epsilon(1))));
  EXPECT_FALSE(std::holds_alternative<privacy::PureLoss>(*loss_of(EpsilonDelta(1, 1e-6))));
  EXPECT_FALSE(std::holds_alternative<privacy::PureLoss>(*loss_of(Mu(1))));
}

TEST(PrivacyAmount, WhatIsNotPositiveIsRefusedWhereItIsUsed) {
  EXPECT_THAT(loss_of(Rho(-0.25)).error().message(), HasSubstr("rho is -0.25, but must be"));
  EXPECT_THAT(budget_of(Epsilon("many")).error().message(), HasSubstr("epsilon is many"));
  EXPECT_FALSE(loss_of(Mu("1e400")).ok());
}

TEST(PrivacyAmount, MustBeGivenWhereThereIsNoDefault) {
  EXPECT_THAT(required_privacy(std::nullopt).error().message(), HasSubstr("privacy is missing, but must be exactly one of"));
  EXPECT_TRUE(required_privacy(PrivacyAmount(Rho(1))).ok());
}

}  // namespace
}  // namespace tacet

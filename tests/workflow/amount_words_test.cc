#include "tacet/workflow/amount_words.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

TEST(ShortAmount, HasSixDigitsAndRoundsWhatIsSpentUpAndTheRestDown) {
  EXPECT_EQ(short_amount("0.05760156614281", AmountIs::Spent), "0.0576016");
  EXPECT_EQ(short_amount("0.05760156614281", AmountIs::Available), "0.0576015");
  EXPECT_EQ(short_amount("12.3456701", AmountIs::Spent), "12.3457");
  EXPECT_EQ(short_amount(2.419091234, AmountIs::Spent), "2.4191");
  EXPECT_EQ(short_amount(2.419091234, AmountIs::Available), "2.41909");
}

TEST(ShortAmount, StaysAsItIsWrittenIfItIsShort) {
  for (const char* number : {"0", "0.125", "1e-6", "0.000001", "100000000", "0.0000000123456", "1.0"})
    EXPECT_EQ(short_amount(number, AmountIs::Spent), number);
  EXPECT_EQ(short_amount(0.1 + 0.2, AmountIs::Spent), "0.3");
  EXPECT_EQ(short_amount(0.0, AmountIs::Spent), "0");
}

TEST(ShortAmounts, ReplacesEveryNumberOfATextAndNothingElse) {
  EXPECT_EQ(short_amounts("epsilon 0.5 (rho 0.05760156614281)"), "epsilon 0.5 (rho 0.0576016)");
  EXPECT_EQ(short_amounts("epsilon 1.23456789, delta 1.23456789e-7."), "epsilon 1.23457, delta 1.23457e-07.");
  EXPECT_EQ(short_amounts("mu^2 0.9716716291606367908"), "mu^2 0.971672");
  EXPECT_EQ(short_amounts("nothing"), "nothing");
  EXPECT_EQ(short_amounts("1e"), "1e");
  EXPECT_EQ(short_amounts(""), "");
}

}  // namespace
}  // namespace tacet

#include "tacet/kernel/custody/new_ledger.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::kernel::new_ledger_test {
namespace {

TEST(NewLedger, HasANameOfHexadecimalDigitsThatNoOtherHas) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) names.insert(*random_hex(16));
  test::declare_false_alarm("NewLedger.HasANameOfHexadecimalDigitsThatNoOtherHas", 1e6 * 0x1p-128);
  EXPECT_EQ(names.size(), 1000U);
  for (const std::string& name : names) {
    EXPECT_EQ(name.size(), 32U);
    EXPECT_EQ(name.find_first_not_of("0123456789abcdef"), std::string::npos) << name;
  }
  EXPECT_EQ(*random_hex(0), "");
}

}  // namespace
}  // namespace tacet::kernel::new_ledger_test

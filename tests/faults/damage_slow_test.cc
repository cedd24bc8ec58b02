#include <gtest/gtest.h>

#include "faults/damaged_ledger.h"

namespace tacet::kernel {
namespace {

TEST(Damage, OfEveryByteGivesTheRightAnswersOrARefusal) {
  const testing::DamagedLedger ledger;
  std::size_t refused = 0;
  for (std::size_t at = 0; at < ledger.size(); ++at) {
    SCOPED_TRACE(::testing::Message() << "byte " << at);
    if (ledger.is_right_or_refused_with(at, static_cast<unsigned char>(1U << (at % 8)))) ++refused;
  }
  EXPECT_GT(refused, ledger.size() / 10);
}

}  // namespace
}  // namespace tacet::kernel

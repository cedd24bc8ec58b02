#include <gtest/gtest.h>

#include "faults/damaged_ledger.h"

namespace tacet::kernel {
namespace {

TEST(Damage, OfEveryBitIsRefused) {
  const testing::DamagedLedger ledger;
  for (std::size_t at = 0; at < ledger.bytes().size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      SCOPED_TRACE(::testing::Message() << "byte " << at << " bit " << bit);
      std::string damaged = ledger.bytes();
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      ledger.expect_refused(damaged);
      ledger.is_refused_to_readers(damaged);
    }
  }
}

TEST(Damage, TruncatedAtAnyByteIsRefused) {
  const testing::DamagedLedger ledger;
  for (std::size_t size = 0; size < ledger.bytes().size(); ++size) {
    SCOPED_TRACE(::testing::Message() << size << " bytes");
    ledger.expect_refused(ledger.bytes().substr(0, size));
    ledger.is_refused_to_readers(ledger.bytes().substr(0, size));
  }
}

}  // namespace
}  // namespace tacet::kernel

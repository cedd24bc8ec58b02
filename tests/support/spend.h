// tests/support/spend.h: obeys a filter, as a ledger does.
//
//   EXPECT_EQ(*test::spend(filter, step), privacy::Verdict::Go);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tacet/privacy/filter.h"

namespace tacet::test {

/// Go: the steps are counted. Stop: nothing changed.
inline Result<privacy::Verdict> spend(privacy::Filter& filter, const privacy::Step& step, std::uint64_t times = 1) {
  TACET_TRY(const privacy::Verdict verdict, filter.ask(step, times));
  if (verdict == privacy::Verdict::Go) {
    TACET_TRY(filter, filter.forced(step, times));
  }
  return verdict;
}

}  // namespace tacet::test

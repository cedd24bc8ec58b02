// What a sealed value holds, for tests that compare it.
//
//   EXPECT_EQ(test::opened(std::move(table.counts)), (std::vector<std::int64_t>{2, 1}));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "tacet/kernel/vault.h"

namespace tacet::test {

template <class T, class Bound>
T opened(kernel::Sensitive<T, Bound>&& sealed) {
  const auto value = kernel::Vault::trusted_open(std::move(sealed));
  return *value;
}

}  // namespace tacet::test

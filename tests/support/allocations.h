// tests/support/allocations.h: how often the program has asked for memory, so that a test can say that there was no need.
//
//   const std::size_t before = allocations();
//   f();
//   EXPECT_EQ(allocations(), before);
//
// A program that calls this has its global operator new replaced by one that counts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tacet::test {

/// Calls of operator new so far, in all threads.
std::size_t allocations();

}  // namespace tacet::test

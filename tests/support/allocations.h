// tests/support/allocations.h: how often the program has asked for memory, and what it left in
// memory that it gave back.
//
//   const std::size_t before = allocations();
//   f();
//   EXPECT_EQ(allocations(), before);
//
//   const FreedMemory freed;
//   g(secret);
//   EXPECT_FALSE(freed.holds(&secret, sizeof secret));
//
// A program that calls these has its global operator new and delete replaced by some that count and
// keep.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tacet::test {

/// Calls of operator new so far, in all threads.
std::size_t allocations();

/// While it lives it keeps what stood in every block that operator delete was given, up to 64 MiB
/// altogether. One at a time, and one thread.
class FreedMemory {
 public:
  FreedMemory();
  FreedMemory(const FreedMemory&) = delete;
  FreedMemory& operator=(const FreedMemory&) = delete;
  ~FreedMemory();
  bool holds(const void* bytes, std::size_t size) const;
};

}  // namespace tacet::test

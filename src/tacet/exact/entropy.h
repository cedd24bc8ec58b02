// tacet/exact/entropy.h: random bits from the operating system, and a libsodium that never ends the program for want of them.
//
//   TACET_CHECK(draw_entropy(key, sizeof key));
//
// libsodium by itself draws random bits when it starts and calls abort() where there are none. start_sodium() gives it a source of ours first,
// so that a system without random bits is an error where bits are needed, and nothing where they are not: hashes are checked all the same.
// The architecture test `entropy` keeps every other way to random bits out of the tree.
// Error    EntropyUnavailable; there is no fallback and no weaker source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "tacet/base/result.h"

namespace tacet::exact {

/// Fills `size` bytes with bits from getrandom(2), which waits until the system has gathered enough of them after it was started.
Status draw_entropy(void* bytes, std::size_t size);

/// Makes libsodium ready; needs no random bits. Cheap after the first time, and safe in any thread.
Status start_sodium();

/// The error of whatever needs random bits and gets none.
Error entropy_unavailable(const char* what = "the operating system gave no random bits");

}  // namespace tacet::exact

// tacet/exact/entropy.h: random bits from the operating system, without aborting the program.
//
//   unsigned char key[32]; TACET_CHECK(draw_entropy(key, sizeof key));
//
// libsodium draws random bits when it starts and aborts if there are none. start_sodium() installs
// our own source first, so missing bits are an error only where bits are needed; hashing works.
// The architecture test `entropy` forbids every other source of random bits.
// Error    EntropyUnavailable; there is no fallback and no weaker source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "tacet/base/result.h"

namespace tacet::exact {

/// Fills `size` bytes from getrandom(2), which blocks until enough entropy exists after boot.
Status draw_entropy(void* bytes, std::size_t size);

/// Initialises libsodium without random bits. Thread-safe, and cheap after the first call.
Status start_sodium();

/// The error of an operation that needs random bits when there are none.
Error entropy_unavailable(const char* what = "the operating system gave no random bits");

}  // namespace tacet::exact

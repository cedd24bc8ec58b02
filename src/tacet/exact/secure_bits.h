// tacet/exact/secure_bits.h: cryptographic random bits, the only kind that reaches a release.
//
// ChaCha20 (libsodium) under a 256-bit key from getrandom(2). Each refill makes one buffer of words and the next key, and
// overwrites the old key (fast key erasure), and words are wiped as they are read: what was drawn cannot be recovered later
// from memory. The state lives in a page that the kernel replaces by zeros in a forked child (MADV_WIPEONFORK) and leaves
// out of core dumps; zeros read as "no key, nothing buffered", so the child draws a key of its own before its first word.
//
//   std::unique_ptr<SecureBits> bits = *SecureBits::open();
//   std::uint64_t w = bits->word();
//
// A failure of the operating system is EntropyUnavailable from open(), and EntropyFailure from a later word (which can
// only happen in a forked child): there is no fallback and no weak key.
// Threads  one object per thread.        Cost   about 5 ns per word (bench/noise_bench.cc).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "tacet/base/result.h"
#include "tacet/exact/random_bits.h"

namespace tacet::exact {

class SecureBits final : public RandomBits {
 public:
  /// Fills `size` bytes with bits from the operating system and returns true, or returns false.
  using Entropy = bool (*)(void* bytes, std::size_t size);
  static bool os_entropy(void* bytes, std::size_t size);

  static Result<std::unique_ptr<SecureBits>> open(Entropy entropy = os_entropy);
  ~SecureBits() override;

 private:
  struct Page;
  SecureBits(Page* page, Entropy entropy);
  bool draw_key();
  void refill() override;
  Page* page_;
  Entropy entropy_;
};

}  // namespace tacet::exact

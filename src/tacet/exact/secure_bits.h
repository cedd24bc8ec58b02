// tacet/exact/secure_bits.h: cryptographic random bits, the only source of noise in a release.
//
// ChaCha20 (libsodium) under a 256-bit key from getrandom(2). Each refill makes a buffer of words
// and the next key, and overwrites the old key (fast key erasure); words are wiped when read. So
// past draws cannot be recovered from memory. The system leaves the page of the state out of core
// dumps and replaces it by zeros in a forked child (MADV_WIPEONFORK). Zeros mean "no key, no
// words", so a child draws a new key first.
//   std::unique_ptr<SecureBits> bits = *SecureBits::open();
//   std::uint64_t w = bits->word();
// Error    EntropyUnavailable from open(); EntropyFailure from a word (in a forked child).
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
  /// Fills `size` bytes with bits from the operating system. Returns false if it cannot.
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

// tacet/exact/random_bits.h: the source of random bits, passed to every sampler as an argument.
//
// RandomBits is a buffer of uniform 64-bit words that refills itself. Shipped programs link only
// SecureBits (exact/secure_bits.h); tests have scripted and seeded kinds.
//   std::uint64_t w = bits.word();        // 64 fresh bits
//
// A source that fails throws EntropyFailure. It is the one exception type of Tacet, because a draw
// is deep inside a rejection loop. kernel::release turns it into EntropyUnavailable.
// Cost     one bounds check per word; a refill is amortised over the buffer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>

namespace tacet::exact {

class EntropyFailure : public std::exception {
 public:
  const char* what() const noexcept override { return "the operating system gave no random bits"; }
};

/// The words not yet read. A page of zeros, which a forked child sees instead, reads as empty.
struct WordBuffer {
  std::uint64_t remaining;
  std::uint64_t words[504];
};

class RandomBits {
 public:
  RandomBits(const RandomBits&) = delete;
  RandomBits& operator=(const RandomBits&) = delete;
  virtual ~RandomBits() = default;

  /// 64 fresh uniform bits. Read words are wiped.
  std::uint64_t word() {
    if (buffer_->remaining == 0) [[unlikely]]
      refill();
    ++words_used_;
    std::uint64_t& slot = buffer_->words[--buffer_->remaining];
    const std::uint64_t value = slot;
    slot = 0;
    return value;
  }

  /// The number of words returned so far, for tests and benchmarks.
  std::uint64_t words_used() const { return words_used_; }

 protected:
  explicit RandomBits(WordBuffer* buffer) : buffer_(buffer) {}
  /// Fills buffer() with at least one word, or throws EntropyFailure.
  virtual void refill() = 0;
  WordBuffer* buffer() { return buffer_; }

 private:
  WordBuffer* buffer_;
  std::uint64_t words_used_ = 0;
};

}  // namespace tacet::exact

// tests/support/scripted_bits.h: random bits for tests: replayed, seeded, or failing. No shipped
// target links this library.
//
//   ScriptedBits bits({0xA5, 0x3C});  // word() gives 0xA5, then 0x3C, then throws EntropyFailure
//   InsecureSeededBits bits(7);       // the same stream on every run; see `stream`
//   FailingBits bits(100);                    // a hundred seeded words, then EntropyFailure
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/exact/random_bits.h"

#include "support/promise.h"

namespace tacet::test {

class ScriptedBits final : public exact::RandomBits {
 public:
  explicit ScriptedBits(std::vector<std::uint64_t> script) : RandomBits(&storage_), script_(std::move(script)) {}
  /// Words of the script that were never asked for.
  std::uint64_t unused() const { return script_.size() - words_used(); }

 private:
  void refill() override {
    if (next_ == script_.size()) throw exact::EntropyFailure();
    storage_.words[0] = script_[next_++];
    storage_.remaining = 1;
  }
  exact::WordBuffer storage_{};
  std::vector<std::uint64_t> script_;
  std::size_t next_ = 0;
};

/// xoshiro256++ (Blackman & Vigna 2021), started by splitmix64: fast, reproducible, and not secret.
class InsecureStream {
 public:
  explicit InsecureStream(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9E3779B97F4A7C15;
      std::uint64_t mixed = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9;
      mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
      word = mixed ^ (mixed >> 31);
    }
  }
  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0], shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
  std::array<std::uint64_t, 4> state_{};
};

class InsecureSeededBits final : public exact::RandomBits {
 public:
  explicit InsecureSeededBits(std::uint64_t stream = 0, std::uint64_t seed = suite_seed())
      : RandomBits(&storage_), stream_(seed * 0xD1342543DE82EF95 + stream) {}

 private:
  void refill() override {
    for (std::uint64_t& word : storage_.words) word = stream_.next();
    storage_.remaining = std::size(storage_.words);
  }
  exact::WordBuffer storage_{};
  InsecureStream stream_;
};

class FailingBits final : public exact::RandomBits {
 public:
  explicit FailingBits(std::uint64_t good_words, std::uint64_t stream = 0)
      : RandomBits(&storage_), stream_(suite_seed() * 0xD1342543DE82EF95 + stream), left_(good_words) {}

 private:
  void refill() override {
    if (left_ == 0) throw exact::EntropyFailure();
    --left_;
    storage_.words[0] = stream_.next();
    storage_.remaining = 1;
  }
  exact::WordBuffer storage_{};
  InsecureStream stream_;
  std::uint64_t left_;
};

}  // namespace tacet::test

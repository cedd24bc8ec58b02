// tests/support/law.h: the law of round(scale Z) from its closed form, and a census of a sample to
// hold against it.
//
//   Census census(Family::Gaussian, 1e9);
//   for (...) census.count(noise.draw(bits));
//   EXPECT_FALSE(judge(census.events(), census.size(), 1e-11).red);
//
// Probabilities are computed with MPFR at 200 bits and rounded to doubles; no sampler is consulted.
// What a census counts (about 600 events): 256 bins of a power of two, of 1/16 to 1/8 of the scale
// (single integers when the scale is below 16), with everything outside in the outermost two; the
// upper tail at each of their edges, which sees a wrong scale or sign; the tails beyond 4 and 6
// scales; and for scales of at least 64 also every residue modulo 2, 4 and 8, every single bit that
// is small against the scale, and narrow windows on both sides of the strip boundaries v = 1, 2, 3
// of the production sampler. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tacet/base/wide.h"

#include "support/promise.h"

namespace tacet::test {

enum class Family : std::uint8_t { Gaussian, Laplace };

/// P[low <= round(scale Z) <= high], and P[round(scale Z) >= low].
double probability(Family family, double scale, Int128 low, Int128 high);
double upper_tail(Family family, double scale, Int128 low);

class Census {
 public:
  Census(Family family, double scale);

  void count(Int128 z) {
    ++size_;
    const Int128 bin = z >> shift_;
    ++bins_[bin < -kHalf ? 0 : bin >= kHalf ? 2 * kHalf - 1 : static_cast<std::size_t>(bin + kHalf)];
    const Int128 magnitude = z < 0 ? -z : z;
    if (magnitude >= four_scales_) {
      ++beyond_four_;
      if (magnitude >= six_scales_) ++beyond_six_;
    }
    if (bytes_ == 0) return;
    for (std::size_t byte = 0; byte < bytes_; ++byte) ++low_[byte][static_cast<std::size_t>((z >> (8 * byte)) & 255)];
    if (magnitude < window_from_ || magnitude >= window_to_) return;
    count_windows(magnitude);
  }

  std::uint64_t size() const { return size_; }
  /// Every event with its probability under the closed form and its count so far; always in the
  /// same order.
  std::vector<Event> events() const;

 private:
  static constexpr int kHalf = 128;
  static constexpr std::size_t kBoundaries = 3, kWidths = 4;
  void count_windows(Int128 magnitude);

  Family family_;
  double scale_;
  int shift_;
  Int128 four_scales_, six_scales_;
  std::size_t bytes_ = 0;  // how many low bytes are watched
  std::array<Int128, kBoundaries> boundary_{};
  std::array<Int128, kWidths> width_{};
  Int128 window_from_ = 0, window_to_ = 0;

  std::uint64_t size_ = 0, beyond_four_ = 0, beyond_six_ = 0;
  std::array<std::uint64_t, 2 * kHalf> bins_{};
  std::array<std::array<std::uint64_t, 256>, 8> low_{};
  std::array<std::array<std::array<std::uint64_t, kWidths>, 2>, kBoundaries> windows_{};
};

/// What a census of n draws at `false_alarm` is promised to see, and the n that follows.
struct CensusPromise {
  double false_alarm;  // of the whole census
  double miss;
  double scale_shift;  // relative: 0.01 is noise one per cent too small
  double bit_shift;    // a bit, or the sign, of probability 1/2 + bit_shift
};
std::uint64_t draws_for(Family family, const CensusPromise& promise);

/// Two censuses of equally many draws: the worst event of the two-sample test at `false_alarm`.
Verdict judge_two_samples(const Census& first, const Census& second, double false_alarm);

}  // namespace tacet::test

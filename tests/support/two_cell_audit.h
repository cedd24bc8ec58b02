// tests/support/two_cell_audit.h: the audit of a noisy table of two cells on its worst neighbours,
// x = (a + 1, b) and x' = (a, b + 1).
//
//   TwoCellAudit audit({.a = 40, .b = 7, .grid_log2 = 9, .scale = 2.0});
//   for (...) audit.count(Neighbour::First, y1, y2);  // ticks of 2^-grid_log2; as many of each
//   EXPECT_EQ(audit.shape(1e-10).delta(epsilon).delta, 0);  // pure epsilon-DP
//   EXPECT_EQ(audit.low_bits(1e-10).delta(0).delta, 0);     // low bits tell nothing at all
//
// Shape events: y1 - y2 against 65 thresholds a quarter scale apart (the likelihood ratio of the
// Gaussian is monotone in it), each cell alone against as many, the two quadrants in which the
// likelihood ratio of Laplace noise is largest and constant, and the complements. Low-bit events:
// the residues of either cell modulo 2, 4 and 256, and the parity of the sum. As x 2^k leaves
// residues modulo 2^k alone, the law of these is exactly the same under both neighbours, whatever
// the noise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tacet/base/wide.h"

#include "support/hockey_stick.h"

namespace tacet::test {

enum class Neighbour : std::uint8_t { First, Second };

class TwoCellAudit {
 public:
  struct Setting {
    std::int64_t a, b;
    int grid_log2;
    double scale;  // of the noise as claimed, in the statistic's own units
  };
  static constexpr std::uint64_t kShapeEvents = 2 * (3 * 65 + 2);

  explicit TwoCellAudit(const Setting& setting);
  void count(Neighbour neighbour, Int128 y1, Int128 y2);
  ProvenEvents shape(double false_alarm) const;
  ProvenEvents low_bits(double false_alarm) const;
  std::uint64_t size() const { return sizes_[0] < sizes_[1] ? sizes_[0] : sizes_[1]; }

 private:
  static constexpr int kHalf = 32;  // thresholds on either side of the middle
  using Bins = std::array<std::uint64_t, 2 * kHalf + 2>;
  struct Side {
    Bins difference{}, first{}, second{};
    std::array<std::uint64_t, 2> quadrant{};
    std::array<std::uint64_t, 256> low_first{}, low_second{};
    std::uint64_t odd_sum = 0;
  };
  std::size_t bin(Int128 value) const;

  Int128 a_, b_, one_, width_;
  std::array<Side, 2> sides_{};
  std::array<std::uint64_t, 2> sizes_{};
};

}  // namespace tacet::test

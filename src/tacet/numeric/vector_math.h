// tacet/numeric/vector_math.h: elementary functions without branches, which compilers vectorise.
//
//   double u = unit_interval(std::uint64_t{7} << 60);     // (0, 1), from 64 random bits
//   double x = branchless_log(u);
//
// For simulation kernels. Files that use it are compiled without fused products
// (src/CMakeLists.txt), so every machine computes the same bits. Accuracy:
// numeric/insecure_stream.h, whose tests check these functions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

// A second copy of a function for processors with vector instructions; the loader chooses one.
// Sanitizers cannot instrument the choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TACET_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TACET_VECTORISED
#endif
#define TACET_INLINE [[gnu::always_inline]] inline

namespace tacet::numeric {

/// The upper 52 bits of a word as an odd multiple of 2^-53 in (0, 1); exact.
TACET_INLINE double unit_interval(std::uint64_t word) {
  return std::bit_cast<double>(0x3FF0000000000000U | (word >> 12)) - (1.0 - 0x1p-53);
}

/// The largest integer that is at most x. Domain |x| < 2^50.
TACET_INLINE double branchless_floor(double x) {
  constexpr double kShift = 0x1.8p52;
  const double nearest = (x + kShift) - kShift;
  return nearest - (nearest > x ? 1.0 : 0.0);
}

/// The integer nearest to x, halves to even. Domain |x| < 2^50.
TACET_INLINE double branchless_round(double x) {
  constexpr double kShift = 0x1.8p52;
  return (x + kShift) - kShift;
}

TACET_INLINE double branchless_log(double x) {
  constexpr std::uint64_t kOne = 0x3FF0000000000000U;
  constexpr std::uint64_t kRootHalf = 0x3FE6A09E667F3BCDU;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t biased = (bits + (kOne - kRootHalf)) >> 52;
  const double exponent = std::bit_cast<double>(0x4330000000000000U | biased) - (0x1p52 + 1023);
  // In [sqrt(1/2), sqrt(2)) - 1.
  const double f = std::bit_cast<double>(bits - (biased << 52) + (std::uint64_t{1023} << 52)) - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  const double r = z * (6.666666666666735130e-01 +
                        z * (3.999999999940941908e-01 +
                             z * (2.857142874366239149e-01 +
                                  z * (2.222219843214978396e-01 +
                                       z * (1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01))))));
  const double half = 0.5 * f * f;
  return exponent * 6.93147180369123816490e-01 - ((half - (s * (half + r) + exponent * 1.90821492927058770002e-10)) - f);
}

/// log(1 + t), accurate for small t too. Domain t > -1.
TACET_INLINE double branchless_log1p(double t) {
  const double sum = 1 + t;
  return branchless_log(sum) + (t - (sum - 1)) / sum;
}

/// Domain -700 <= x <= 700. Taylor's series to the 13th power within log(2)/2 of 0.
TACET_INLINE double branchless_exp(double x) {
  // The number of doublings is in the lowest bits.
  const double shifted = x * 1.44269504088896340736 + 0x1.8p52;
  const double doublings = shifted - 0x1.8p52;
  const double r = (x - doublings * 6.93147180369123816490e-01) - doublings * 1.90821492927058770002e-10;
  double sum = 1 + r * (1.0 / 13);
  sum = 1 + r * sum * (1.0 / 12);
  sum = 1 + r * sum * (1.0 / 11);
  sum = 1 + r * sum * (1.0 / 10);
  sum = 1 + r * sum * (1.0 / 9);
  sum = 1 + r * sum * (1.0 / 8);
  sum = 1 + r * sum * (1.0 / 7);
  sum = 1 + r * sum * (1.0 / 6);
  sum = 1 + r * sum * (1.0 / 5);
  sum = 1 + r * sum * (1.0 / 4);
  sum = 1 + r * sum * (1.0 / 3);
  sum = 1 + r * sum * (1.0 / 2);
  sum = 1 + r * sum;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) + (std::bit_cast<std::uint64_t>(shifted) << 52));
}

struct Point {
  double x, y;
};

/// A point of the unit circle with a uniform angle: 52 bits within an eighth turn on either side
/// of the axis, and the two lowest bits of the word for one of the four images of that quarter.
TACET_INLINE Point unit_circle(std::uint64_t word) {
  const double angle = (unit_interval(word) - 0.5) * 1.57079632679489661923;
  const double z = angle * angle;
  const double sine =
      angle + angle * z *
                  (-1.66666666666666324348e-01 +
                   z * (8.33333333332248946124e-03 +
                        z * (-1.98412698298579493134e-04 +
                             z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const double cosine =
      1 -
      (0.5 * z - z * z *
                     (4.16666666666666019037e-02 +
                      z * (-1.38888888888741095749e-03 +
                           z * (2.48015872894767294178e-05 +
                                z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));
  const std::uint64_t other = 0 - (word & 1);  // all bits, or none
  const std::uint64_t sign = (word & 2) << 62;
  const auto c = std::bit_cast<std::uint64_t>(cosine);
  const auto s = std::bit_cast<std::uint64_t>(sine);
  return {std::bit_cast<double>((c ^ ((c ^ s) & other)) ^ sign), std::bit_cast<double>((s ^ ((c ^ s) & other)) ^ sign)};
}

/// Two independent standard normal variables (Box & Muller 1958). Bits 2 to 11 of both words are
/// not used.
TACET_INLINE Point normal_pair(std::uint64_t first, std::uint64_t second) {
  const double radius = std::sqrt(-2 * branchless_log(unit_interval(first)));
  const Point point = unit_circle(second);
  return {radius * point.x, radius * point.y};
}

}  // namespace tacet::numeric

// tacet/data/grid.h: a number of a bounded column as a whole number of steps from a public centre.
//
//   Grid grid = *Grid::of("glucose", *column.bounds);        // centre: the grid point lower + k resolution nearest the middle
//   grid.steps(values, 1024, out);                            // to the nearest: (95.7 - 160) / 1 = -64.3, so -64
//
//   q(x) = sign(x - centre) floor(|x - centre| / resolution + slack),  then q(lower) <= q <= q(upper), compared as integers.
//
// The slack rounds to the nearest step: it is 1/2, and a little more, so that a half that binary stores a little below counts as a half, away
// from the centre. That little is 2^-20 of a step, or the least power of two above twice the rounding that the column's
// format and bounds make unavoidable; never above 1/4.
// NaN is the declared `missing`; infinities and values outside the bounds count as the bound; denormals are ordinary numbers.
// Theorem  q is a non-decreasing function of the value alone, with integer bounds lowest() <= q <= highest() that are both attained. So
//          q(clamp(x)) = clamp(q(x)), and no rounding anywhere can enlarge what a row is worth.
// Domain   every double. Bounds within 1e300; resolution at least 1e-290, at least 2^-40 of the larger bound, and at most 2^26 steps.
// Error    none: the formula above, as real arithmetic has it. Floating point decides where its own error bound allows; the other values,
//          which lie within about 2^-22 of a step of where the number of steps changes, are decided in rational arithmetic.
// Cost     about 0.6 ns a value with AVX2 and 5 without; 0.3 us for each value that rational arithmetic decides.
// Checked  tests/data/grid_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <gmpxx.h>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/data/schema.h"

namespace tacet::data {

/// The largest (upper - lower) / resolution: two numbers of steps multiply to at most 2^52, and 2^10 such products add up in 64 bits.
inline constexpr std::int32_t kMostSteps = 1 << 26;

/// How a column stores its numbers: to 53 significant bits, or to the 24 of a FLOAT.
enum class Precision : std::uint8_t { Double, Single };

class Grid {
 public:
  /// `column` is its name in messages. The centre may be any number between the bounds.
  static Result<Grid> of(const std::string& column, const Bounds& bounds, const std::optional<Decimal>& centre = {},
                         Precision precision = Precision::Double);

  // What is public about it.
  const Decimal& centre() const { return centre_; }
  const Decimal& resolution() const { return resolution_; }
  std::int32_t lowest() const { return lowest_; }    // q(lower)
  std::int32_t highest() const { return highest_; }  // q(upper)
  std::int32_t missing() const { return missing_; }  // q(missing)
  double slack() const { return slack_; }

  void steps(const double* values, std::size_t count, std::int32_t* out) const;

 private:
  Grid() = default;
  std::int32_t exact_steps(const mpq_class& value) const;
  bool quick_steps(const double* values, std::size_t count, std::int32_t* out) const;

  Decimal centre_, resolution_;
  mpq_class exact_centre_, exact_resolution_, exact_slack_;
  std::int32_t lowest_ = 0, highest_ = 0, missing_ = 0;
  double slack_ = 0;
  // For floating point: bounds rounded outwards, the centre, steps per unit, and by how much the computed number of steps may be wrong.
  double lower_ = 0, upper_ = 0, near_centre_ = 0, per_unit_ = 0, doubt_ = 0;
};

}  // namespace tacet::data

// tacet/data/grid.h: a number of a bounded column as integer steps from a public centre.
//
//   Grid grid = *Grid::of("glucose", *column.bounds);      // centre: the grid point in the middle
//   grid.steps(values, 1024, out);                         // (95.7 - 160) / 1 = -64.3 gives -64
//
//   q(x) = sign(x - centre) floor(|x - centre|/resolution + slack), within [q(lower), q(upper)]
//
// The slack is 1/2 and a little more, at most 3/4. It rounds to the nearest step, and a half that
// binary stores slightly too low counts as a half. NaN is the declared `missing`, if any;
// infinities and values outside count as the bound; denormals are ordinary.
// Theorem  q is a non-decreasing function of the value alone, with attained bounds
//          lowest() <= q <= highest(). So q(clamp(x)) = clamp(q(x)): rounding adds no effect.
// Domain   every double. Bounds within 1e300; resolution at least 1e-290 and at least 2^-40 of the
//          larger bound; at most 2^26 steps.
// Error    none: what floating point cannot decide, near a jump of q, rational arithmetic decides.
// Cost     0.6 ns per value with AVX2, 5 without; 0.3 us per value in rational arithmetic.
// Checked  tests/data/grid_test.cc          Derivation  docs/explanation/grid.md
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

/// The largest (upper - lower) / resolution: 2^10 products of two such numbers fit into 64 bits.
inline constexpr std::int32_t kMostSteps = 1 << 26;

inline constexpr const char* kLargestBound = "1e300";
inline constexpr const char* kLeastResolution = "1e-290";
inline constexpr int kFinestLog2 = 40;  // the larger bound is at most 2^40 steps from 0
/// Of the two bounds.
Decimal largest_size(const Bounds& bounds);

/// The precision of a stored column: 53 significant bits, or the 24 of a FLOAT.
enum class Precision : std::uint8_t { Double, Single };

class Grid {
 public:
  /// Messages name `column` (schemas/column_request.h says what is wrong with bounds). The centre
  /// may be any number within the bounds.
  static Result<Grid> of(const std::string& column, const Bounds& bounds, const std::optional<Decimal>& centre = {},
                         Precision precision = Precision::Double);

  // Public facts.
  const Decimal& centre() const { return centre_; }
  const Decimal& resolution() const { return resolution_; }
  std::int32_t lowest() const { return lowest_; }    // q(lower)
  std::int32_t highest() const { return highest_; }  // q(upper)
  std::int32_t missing() const { return missing_; }  // q(missing); 0 if it is left out
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
  // For floating point: outward bounds, centre, steps per unit, and a bound on the error in steps.
  double lower_ = 0, upper_ = 0, near_centre_ = 0, per_unit_ = 0, doubt_ = 0;
};

}  // namespace tacet::data

// tacet/data/norm_clip.h: rows as integer vectors of bounded length: moved, mapped, clipped and cut to a grid.
//
//   ClipRequest request{.centre = {120, 80}, .map = {{0.05, 0}, {0, 0.1}}, .radius = 2.5, .steps = 1 << 20};
//   NormClip clip = *NormClip::of({systolic, diastolic}, request);
//   clip.apply(columns, 1024, out);        // out[i][row]: the i-th coordinate, in units of radius / steps
//
//   v = map (x - centre),   v *= min(1, radius / ||v||),   q_i = v_i steps / radius, toward zero;   q = 0 unless q'q <= steps^2.
//
// x is each column's number between its declared bounds, or what a missing value counts as. The last condition is decided in integers,
// so that no rounding before it matters: q'q <= steps^2 for every row there can be. Rows at the edge are shortened by 2^-48 of their
// length, and then it never fails in practice.
// Theorem  one row more or less changes a sum of rows by at most `steps` in the Euclidean norm, and another row instead of it by at most
//          2 steps. (Aggregation, section 3: clipping is a part of the mechanism. Adjusted, section 3: the trimmed version, with map =
//          Sigma^-1/2, projects onto the ellipsoid of radius `radius`.)
// Domain   1 to 64 columns and coordinates; 1 <= steps <= 2^26; 1e-150 <= radius <= 1e150; no number beyond 1e150 for any row.
// Error    of v: that of double arithmetic, the same on every machine. Of the bound: none.
// Cost     rows x coordinates x (columns + 4) operations; allocates nothing once it is made.
// Checked  tests/data/norm_clip_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"

namespace tacet::data {

struct ClipRequest {
  std::vector<double> centre;            // public: one number for each column
  std::vector<std::vector<double>> map;  // public: a line for each coordinate, with a factor for each column
  double radius;                         // the longest vector that is not clipped
  std::int32_t steps;                    // whole steps in that radius
};

class NormClip {
 public:
  static Result<NormClip> of(const std::vector<Bounds>& columns, const ClipRequest& request);

  std::size_t columns() const { return lower_.size(); }
  std::size_t coordinates() const { return map_.size(); }
  std::int32_t steps() const { return steps_; }
  /// out[i][row] for at most kStretch rows of values[j][row], where NaN is a missing value. `scratch` holds scratch_size() numbers.
  void apply(const double* const* values, std::size_t rows, std::int32_t* const* out, double* scratch) const;
  std::size_t scratch_size() const;

 private:
  NormClip() = default;
  std::vector<double> lower_, upper_, missing_, centre_;
  std::vector<std::vector<double>> map_;
  double radius_ = 0;
  std::int32_t steps_ = 0;
};

}  // namespace tacet::data

// tacet/data/norm_clip.h: maps rows to integer vectors of bounded Euclidean norm.
//
//   ClipRequest request{.centre = {120}, .map = {{0.05}}, .radius = 2.5, .steps = 1 << 20};
//   NormClip clip = *NormClip::of({*column.bounds}, request);
//   std::vector<double> scratch(clip.scratch_size());
//   clip.apply(numbers, 1024, outs, scratch.data());  // outs[i][row]: i in units of radius / steps
//
//   v = map (x - centre);  v *= min(1, radius / ||v||);  q_i = v_i steps / radius, toward zero
//   q = 0 unless q'q <= steps^2
// x has each column's number within its bounds, or the value for missing ones. The last condition
// is decided in integers; rows at the edge are shortened by 2^-48, so it never fails in practice.
// Theorem  Adding or removing a row changes a sum by at most `steps` in the Euclidean norm,
//          replacing one by 2 steps (Aggregation, section 3; Adjusted, section 3).
// Domain   1 to 64 columns and coordinates; 1 <= steps <= 2^26; 1e-150 <= radius <= 1e150; no
//          number beyond 1e150 for any row.
// Error    of v: double arithmetic, the same on every machine. Of the bound: none.
// Cost     rows x coordinates x (columns + 4) operations; no allocation after construction.
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
  std::vector<double> centre;            // public: one number per column
  std::vector<std::vector<double>> map;  // public: one row per coordinate, one factor per column
  double radius;                         // the longest vector that is not clipped
  std::int32_t steps;                    // integer steps in that radius
};

class NormClip {
 public:
  static Result<NormClip> of(const std::vector<Bounds>& columns, const ClipRequest& request);

  std::size_t columns() const { return lower_.size(); }
  std::size_t coordinates() const { return request_.map.size(); }
  std::int32_t steps() const { return request_.steps; }
  /// out[i][row] for at most kStretch rows of values[j][row]; NaN is missing.
  void apply(const double* const* values, std::size_t rows, std::int32_t* const* out, double* scratch) const;
  std::size_t scratch_size() const;

 private:
  NormClip() = default;
  ClipRequest request_{};
  std::vector<double> lower_, upper_, missing_;
};

}  // namespace tacet::data

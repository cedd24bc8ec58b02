// tacet/data/moments.h: from a file to sealed sums and second moments of its numeric columns, in one scan.
//
//   Moments all = *moments(file, declared, {.columns = {"height", "weight"}});
//   // all.values: sealed. all.layout.product(0, 0, 1) is where the sum of height times weight stands, in steps about the public centres.
//   Moments two = *moments(file, declared, {.columns = {"height"}, .groups = Groups{"treated", Membership::Public}});
//   ClippedSums sums = *clipped_sums(file, declared, {"height", "weight"}, {.centre = {170, 70}, .map = {{.1, 0}, {0, .05}}, ...});
//
// A row becomes integers q_j by itself, whatever it holds (grid.h): the number of steps of column j from its centre. Then
//   sum_j = sum of q_j,   product_jk = sum of q_j q_k for j <= k,   over all rows, or for each group of a categorical column.
// Under replace-one n is public, and under add-or-remove-one it is private. Group sizes are public only if membership is (and n is).
// Theorem  q_j lies in [a, b], both attained. One row more or less changes sum_j by at most max(|a|, |b|), and another row instead of it by
//          at most b - a; with [a, b] the range of q_j q_k, which is attained at corners of the box (and at 0 for a square), the same holds
//          for product_jk. With private membership a replaced row may leave one group and enter another: two groups change, each coordinate
//          by at most max(b - a, |a|, |b|). No smaller bound holds for a coordinate by itself; for all products
//          together one does (kernel/outer_products.h), for which outer_products says what they are. Clipped rows: norm_clip.h.
// Domain   1 to 64 columns; columns and groups together at most 10^6 numbers.
// Error    none: the sums are exact, and the same to the bit for every number of threads, order of chunks and kind of file.
// Cost     one scan; memory depends on the request and the threads, not on the rows; bench/moments_bench.cc compares it with the plain
//          query for the same figures. CSV files are read by one thread.
// Checked  tests/data/moments_test.cc, tests/data/moments_neighbours_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/data/counts.h"
#include "tacet/data/data_file.h"
#include "tacet/data/grid.h"
#include "tacet/data/moment_sums.h"
#include "tacet/data/norm_clip.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::data {

using kernel::Membership;

struct Groups {
  std::string column;  // categorical
  Membership membership;
};

struct MomentRequest {
  std::vector<std::string> columns;
  bool products = true;            // also the sums of products
  std::optional<Groups> groups{};  // for each group instead of all together
  bool counts = false;             // also the number of rows (of each group) where it is private
  std::vector<Decimal> centres{};  // public, one for each column; none: near the middle of each column's bounds
};

struct MomentColumn {
  std::string name;
  Grid grid;  // centre, resolution and integer bounds are public
};

/// Where a figure stands in the sealed vector: group by group; in each the count if there is one, the sums, the products.
struct MomentLayout {
  MomentShape shape;
  bool counts;

  std::size_t stretch() const { return shape.width() + (counts ? 1 : 0); }
  std::size_t size() const { return shape.groups * stretch(); }
  std::size_t count(std::size_t group) const { return group * stretch(); }
  std::size_t sum(std::size_t group, std::size_t j) const { return group * stretch() + (counts ? 1 : 0) + j; }
  std::size_t product(std::size_t group, std::size_t j, std::size_t k) const { return sum(group, shape.product(j, k)); }
};

/// What is public about the rows: nothing but their groups' names under add-or-remove-one.
struct PublicRows {
  std::optional<kernel::PublicFact<std::int64_t>> n;
  std::optional<Axis> groups;
  std::optional<kernel::PublicFact<std::vector<std::int64_t>>> group_sizes;
};

struct Moments {
  std::vector<MomentColumn> columns;
  MomentLayout layout;
  PublicRows rows;
  kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity> values;
};

struct ClippedSums {
  std::vector<std::string> columns;
  ClipRequest clip;  // a coordinate's unit is clip.radius / clip.steps
  PublicRows rows;
  kernel::Sensitive<std::vector<Int128>, kernel::NormSensitivity> values;  // group by group, coordinate by coordinate
};

/// What one person changes, coordinate by coordinate of the layout. Sharp.
kernel::BoxSensitivity moment_sensitivity(const kernel::Relation& relation, const std::vector<MomentColumn>& columns,
                                          const MomentLayout& layout, Membership membership);
/// What one person changes in all coordinates and groups together.
kernel::NormSensitivity clip_sensitivity(const kernel::Relation& relation, std::int32_t steps);

/// The same request without the data: what will be published and what one person changes in it. A file with columns in single precision
/// may have a grid whose slack differs; its bounds do not.
struct MomentDesign {
  std::vector<MomentColumn> columns;
  MomentLayout layout;
  kernel::BoxSensitivity sensitivity;
  ScanRequest scan;  // what is asked of the rows
};
Result<MomentDesign> design_moments(const Schema& schema, const MomentRequest& request);

/// Fail before any row is read where the terms do not declare what the request needs.
Result<Moments> moments(const DataFile& file, const Declared& declared, const MomentRequest& request, const CountOptions& options = {});
Result<ClippedSums> clipped_sums(const DataFile& file, const Declared& declared, const std::vector<std::string>& names,
                                 const ClipRequest& clip, const std::optional<Groups>& groups = {}, const CountOptions& options = {});

}  // namespace tacet::data

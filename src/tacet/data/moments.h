// tacet/data/moments.h: sealed sums and second moments of numeric columns, in one scan.
//
//   Moments all = *moments(file, declared, {.columns = {"height", "weight"}});
//   // all.values is sealed; all.layout.product(0, 0, 1): the index of the sum of height * weight
//   Moments two = *moments(file, declared, {.columns = {"height"},
//                                           .groups = Groups{"treated", Membership::Public}});
//   ClipRequest clip{.centre = {170, 70}, .map = {{1, 0}, {0, 1}}, .radius = 60, .steps = 1 << 20};
//   ClippedSums sums = *clipped_sums(file, declared, {"height", "weight"}, clip);  // norm_clip.h
// Each row becomes integers q_j on its own: the steps of column j from its public centre (grid.h).
// Over all rows, or per group of a categorical column, sum_j adds up q_j and product_jk (j <= k)
// adds up q_j q_k. A row counts if `where` accepts it and no number is missing that is left out.
// n is public under replace-one if every row counts, and private otherwise. Group sizes are public
// only if n and the membership are.
// Domain   1 to 64 columns; columns and groups together at most 10^6 numbers.
// Error    none.    Cost   one scan, and no memory for rows (bench/moments_bench.cc).
// Checked  tests/data/moments_test.cc, tests/data/moments_neighbours_test.cc
// Derivation  docs/explanation/moment_sensitivity.md
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
  bool counts = false;             // also the number of rows (per group), if it is private
  std::vector<Decimal> centres{};  // public; none: near the middle of the bounds
  RowFilter where{};               // the rows that count; no steps: all
};

struct MomentColumn {
  std::string name;
  Grid grid;  // centre, resolution and integer bounds are public
};

/// The sealed vector holds group by group: the count (if there is one), the sums, the products.
struct MomentLayout {
  MomentShape shape;
  bool counts;

  std::size_t stretch() const { return shape.width() + (counts ? 1 : 0); }
  std::size_t size() const { return shape.groups * stretch(); }
  std::size_t count(std::size_t group) const { return group * stretch(); }
  std::size_t sum(std::size_t group, std::size_t j) const { return group * stretch() + (counts ? 1 : 0) + j; }
  std::size_t product(std::size_t group, std::size_t j, std::size_t k) const { return sum(group, shape.product(j, k)); }
};

/// The public facts about the rows; under add-or-remove-one only the names of their groups.
struct PublicRows {
  std::optional<kernel::PublicFact<std::int64_t>> n;
  std::optional<Axis> groups;
};

struct Moments {
  std::vector<MomentColumn> columns;
  MomentLayout layout;
  PublicRows rows;
  kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity> values;
};

/// How clipped rows are added up. If the number of rows is private, each adds count_steps to one
/// more coordinate of its group.
struct ClipDesign {
  ScanRequest scan;
  std::optional<std::int32_t> count_steps;
  kernel::NormSensitivity sensitivity;
};

struct ClippedSums {
  std::vector<std::string> columns;
  ClipRequest clip;  // a coordinate's unit is clip.radius / clip.steps
  PublicRows rows;
  std::optional<std::int32_t> count_steps;
  kernel::Sensitive<std::vector<Int128>, kernel::NormSensitivity> values;  // by group
};

/// The largest change of each coordinate of the layout by one person. Sharp if rows are people.
/// Theorem  A change by r rows of a person is the mean of r changes, each r times that by one row;
///          a convex loss is at most that of the largest of them.
kernel::BoxSensitivity moment_sensitivity(const kernel::Relation& relation, const std::vector<MomentColumn>& columns,
                                          const MomentLayout& layout, Membership membership, const std::optional<PersonLimit>& limit = {});
/// The largest k with steps^2 + k^2 <= (2 steps)^2: a row that comes and is counted in steps of k
/// changes sums no more than one that is replaced.
std::int32_t free_count_steps(std::int32_t steps);

/// The layout and sensitivity of a request, without data. Columns in single precision may change
/// the slack of a grid, not its bounds.
struct MomentDesign {
  std::vector<MomentColumn> columns;
  MomentLayout layout;
  kernel::BoxSensitivity sensitivity;
  ScanRequest scan;  // the request for the scan
};
Result<MomentDesign> design_moments(const Schema& schema, const MomentRequest& request);
Result<ClipDesign> design_clip(const Schema& schema, const std::vector<std::string>& names, const ClipRequest& clip,
                               const std::optional<Groups>& groups = {}, const RowFilter& where = {});

/// Both fail before any row is read if the terms do not declare what the request needs.
Result<Moments> moments(const DataSource& source, const Declared& declared, const MomentRequest& request, const CountOptions& options = {});
Result<ClippedSums> clipped_sums(const DataSource& source, const Declared& declared, const std::vector<std::string>& names,
                                 const ClipRequest& clip, const std::optional<Groups>& groups = {}, const RowFilter& where = {},
                                 const CountOptions& options = {});

}  // namespace tacet::data

// tacet/workflow/infer/t_test.h: the t-test for one column of a release, or for one combination of
// its columns: a mean against a value, or the means of two groups.
//
//   MomentRelease release = *read_release_as<MomentRelease>("by_arm.json");
//   TTestAnswer arms = *t_test({release}, {.column = "ldl", .groups = {"new", "old"}});
//   arms.test->estimate;  arms.test->lower;      // of new minus old
//   MomentRelease all = *read_release_as<MomentRelease>("people.json");
//   TTestAnswer one = *t_test({all}, {.column = "age", .null = 40});
//   // Is the mean of the first column twice that of the second?
//   TTestAnswer both = *t_test({all}, {.direction = {{1, -2}}});
//
// One release with groups: two of them are compared, or one named group with the value. Groups that
// may be empty are left out where none are named. Two releases without groups are two groups.
// Inconclusive if a group that is compared may be empty. Costs no privacy.
// Domain   1e-9 <= alpha <= 0.5. The population needs a release with second moments.
// Error, Cost   as inference/means/t_test.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/t_test.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/infer/disjoint_groups.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using inference::Alternative;
using inference::ColumnTest;
using inference::MeanTarget;
using mechanisms::MomentRelease;

/// The column, the groups and the hypothesis.
struct TTestRequest {
  std::optional<std::string> column = {};  // nothing: the only column of the release
  /// In place of column: the combination with these factors, one for each column.
  std::optional<std::vector<double>> direction = {};
  std::vector<std::string> groups = {};  // labels of one or two; empty: the two groups, or everybody
  std::vector<std::string> names = {};   // of two releases; empty: "release 1", "release 2"
  double null = 0;                       // the mean, or the difference, to test
  Alternative alternative = Alternative::TwoSided;
  MeanTarget target = MeanTarget::Population;
  double alpha = 0.05;
  bool disjoint = false;  // nobody is in both releases, says whoever asks
  Simulation simulation = inference::TTestOptions{}.simulation;
};

/// A group, the people in it and its mean of the column or combination.
struct TestedGroup {
  std::string name;  // "everybody" if there are no groups
  double n;
  std::optional<double> mean;  // nothing: maybe nobody is there
};

/// The test, or why there is none.
struct TTestAnswer {
  std::string column;               // or the combination, in words
  std::vector<TestedGroup> groups;  // one or two
  std::optional<ColumnTest> test;   // empty: `reason` says why
  std::optional<std::string> reason;
  Disjoint disjoint;  // how it is known that nobody is in both groups
  TTestRequest asked;
  mechanisms::Counted counted = mechanisms::Counted::People;  // rows where a person may have several
  std::vector<std::string> left_out = {};                     // groups that may be empty
  bool dates = false;                                         // of the column: days since 1970-01-01
};

/// Is the mean of a column this value, or are the means of two groups the same?
Result<TTestAnswer> t_test(const std::vector<MomentRelease>& releases, const TTestRequest& request, const Context& context = {});

}  // namespace tacet

// tacet/workflow/infer/proportion.h: proportions of people behind a released table, and the
// difference of two.
//
//   ProportionAnswer a = *infer_proportions(
//       table, {.of = {*parse_proportion("smoking=current given disease=yes", "of")}});
//   a.rows[0].estimate;
//   a.rows[0].population->lower;     // noise and sampling
//   a.rows[0].file.lower;            // noise alone: for the people of the file
//
// Where a person may count several times there are intervals for the file alone, and a reason.
// Each interval holds with the confidence (marginal, the default), or all of them together
// (simultaneous: each at the level alpha/k of Bonferroni). It reads no data and costs no privacy.
// Domain   0.5 <= confidence <= 1 - 1e-9; at most 10,000 proportions.
// Error    inference/counts/proportion.h and proportion_pair.h.
// Cost     milliseconds for each proportion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/proportion_pair.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/infer/table_event.h"

namespace tacet {

using inference::Interval;
using inference::IntervalKind;
using mechanisms::CountRelease;

/// What is asked: proportions, or one and the proportion to subtract.
struct ProportionOptions {
  std::vector<ProportionOf> of = {};
  std::optional<ProportionOf> minus = {};
  double confidence = 0.95;
  IntervalKind intervals = IntervalKind::Marginal;
};

/// A proportion with its words.
struct ProportionRow {
  std::optional<double> estimate = {};      // empty if the group may be empty
  Interval file{0, 1};                      // for the people, or rows, of the file
  std::optional<Interval> population = {};  // empty where a person may count several times
  double people = 0;                        // or rows, of the group: estimated
  std::optional<std::string> reason = {};   // why nothing is known
  std::string of = {};
  std::optional<std::string> given = {};
};

/// The difference of two proportions.
struct ProportionDifference {
  std::optional<double> estimate = {};
  Interval file{-1, 1};
  std::optional<Interval> population = {};
  std::optional<std::string> reason = {};
};

/// The proportions that were asked for, and their difference.
struct ProportionAnswer {
  std::vector<ProportionRow> rows;
  std::optional<ProportionDifference> difference = {};  // of the two rows, if one is subtracted
  double confidence = 0;
  IntervalKind intervals = IntervalKind::Marginal;
  AboutWhom about = {};
};

/// Which part of the people is it?
Result<ProportionAnswer> infer_proportions(const CountRelease& release, const ProportionOptions& options);

/// The cells of two proportions as groups: 0 of 1, and 2 of 3. InvalidArgument if one is
/// impossible.
Result<inference::GroupedCells> grouped(const CountRelease& release, const ProportionOf& first, const std::string& parameter,
                                        const std::optional<ProportionOf>& second = {}, const std::string& second_parameter = {});

/// The proportion with its words.
ProportionRow row_of(const inference::Proportion& proportion, const ProportionOf& asked, const AboutWhom& about);

/// Why a comparison, or its upper end, is not known; none for a population that is not shown.
std::optional<std::string> reason_of(const inference::Comparison& comparison, const AboutWhom& about);

}  // namespace tacet

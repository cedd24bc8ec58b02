// tacet/workflow/infer/quantile.h: quantiles and medians from a released histogram.
//
//   QuantileAnswer a = *infer_quantiles(source, {.probabilities = {0.25, 0.5, 0.75}});
//   a.rows[1].estimate;              // the median, interpolated within its bin
//   a.rows[1].population->lower;     // noise and sampling; an edge of a bin
//   a.rows[1].file.upper;            // noise alone: for the people of the file
//
// Each interval holds with the confidence (marginal, the default), or all quantiles together, also
// those that were not asked for (simultaneous: from the bands of distribution.h). Where a person
// may count several times there is no population. It reads no data and costs no privacy.
// Domain   0.5 <= confidence <= 1 - 1e-9; 1 to 1,000 probabilities between 0 and 1.
// Error    inference/histograms/quantile.h. Ends of intervals are edges of bins.
// Cost     milliseconds for each quantile; simultaneous intervals as distribution.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/inference/histograms/quantile.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/infer/histogram_source.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using inference::Interval;
using inference::IntervalKind;

/// Which quantiles, of which column and people.
struct QuantileOptions {
  HistogramPart part = {};
  std::vector<double> probabilities = {0.5};
  double confidence = 0.95;
  IntervalKind intervals = IntervalKind::Marginal;
  Simulation simulation = {};  // of simultaneous intervals
};

/// One quantile.
struct QuantileRow {
  double probability = 0;
  std::optional<double> estimate = {};  // empty if nobody may have a number
  Interval file{};                      // noise alone
  std::optional<Interval> population = {};
};

/// The quantiles that were asked for.
struct QuantileAnswer {
  std::vector<QuantileRow> rows;
  std::string column;
  bool dates = false;  // days since 1970-01-01
  double people = 0;   // or rows, with a number, estimated
  double confidence = 0;
  IntervalKind intervals = IntervalKind::Marginal;
  AboutWhom about = {};
};

/// Below which numbers are these parts of the people?
Result<QuantileAnswer> infer_quantiles(const HistogramSource& source, const QuantileOptions& options, const Context& context = {});

}  // namespace tacet

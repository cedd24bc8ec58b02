// tacet/workflow/infer/histogram_source.h: the histogram in a release: of its own kind, or in a
// table of counts with a column of bins.
//
//   const HistogramSource source = *read_release_as<HistogramRelease, CountRelease>("age.json");
//   NoisyHistogram ages = *histogram_in(source, {});
//   NoisyHistogram women =
//       *histogram_in(source, {.of = "age", .given = *parse_event("sex=f", "given")});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "tacet/base/result.h"
#include "tacet/inference/histograms/noisy_histogram.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/infer/table_event.h"

namespace tacet {

using inference::NoisyHistogram;
using mechanisms::CountRelease;
using mechanisms::HistogramRelease;

/// A release with bins of numbers.
using HistogramSource = std::variant<HistogramRelease, CountRelease>;

/// The column of a table and the people who are meant.
struct HistogramPart {
  std::optional<std::string> of = {};    // empty: the only column of bins
  std::optional<TableEvent> given = {};  // among whom; empty: all
};

/// InvalidArgument for a release without bins, or a column or category that it does not have.
Result<NoisyHistogram> histogram_in(const HistogramSource& source, const HistogramPart& part);

AboutWhom about_whom(const HistogramSource& source);

}  // namespace tacet

// tacet/workflow/release/release_histogram.h: publishes a histogram of a column of numbers.
//
//   Dataset patients = *Dataset::open("patients.ledger", {.analyst = "team-3"});
//   Published<HistogramRelease> ages = *release_histogram(
//       patients, {.column = "age", .loss = Rho(0.02), .out = "age.json"});
//   QuantileAnswer median = *infer_quantiles(ages.release, {.probabilities = {0.5}});   // free
//
// The bins lie between the declared bounds and are public: at most 256, or as many as asked for,
// each a whole number of steps of the resolution wide; or the request names their edges. Numbers
// beyond the edges are in the nearest bin; rows without a number are counted apart. Bins of dates
// may be the months, quarters or years between the bounds, the first and last cut by these.
// Besides the bins, sums of `branching` neighbouring bins have noise of their own, then sums of so
// many sums, and so on: all quantiles and the distribution function are then known far better
// (docs/explanation/decisions/histograms_are_trees.md). By default 4 for Gaussian noise and more
// than 16 bins, the root of the number of bins for Laplace noise and at least 128 bins, otherwise
// 1: no sums.
// Domain   2 to 4096 bins; a column with bounds.
// Error    none: the guarantee holds for the bits that are published.
// Cost     one scan of the file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/mechanisms/histogram_release.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/release/published.h"
#include "tacet/workflow/release/release_counts.h"

namespace tacet {

using mechanisms::HistogramRelease;

inline constexpr std::size_t kUsualBins = 256;
inline constexpr std::size_t kMostBins = 4096;

/// Parts of a year.
enum class CalendarBins : std::uint8_t { Month, Quarter, Year };
constexpr auto names_of(CalendarBins) {
  using enum CalendarBins;
  return std::to_array<Named<CalendarBins>>({{Month, "month"}, {Quarter, "quarter"}, {Year, "year"}});
}

/// The column, its bins, the privacy and the mechanism.
struct HistogramRequest {
  std::string column;
  std::optional<std::size_t> bins = {};          // at most so many, of equal width
  std::vector<double> edges = {};                // in place of `bins`: increasing
  std::optional<CalendarBins> every = {};        // in place of both, of a column of dates
  std::optional<std::size_t> branching = {};     // 1: bins alone
  std::optional<CountMechanism> mechanism = {};  // empty: by the loss, Laplace or Gaussian
  std::optional<CountUnit> count = {};           // as in CountRequest
  std::optional<std::string> where = {};
  std::optional<PrivacyAmount> loss = {};  // must be given: there is no default for privacy
  std::optional<std::string> out = {};
};

/// Refuses before the charge if possible; after the charge the error says what was spent.
Result<Published<HistogramRelease>> release_histogram(const Dataset& dataset, const HistogramRequest& request);

/// Edges from bound to bound, so that there are at most `bins` bins, each the same number of steps
/// wide, except the last. Public: they follow from the schema.
std::vector<Decimal> equal_bins(const data::Bounds& bounds, std::size_t bins);
/// The bounds, which are days since 1970-01-01, and the first day of each part of a year between
/// them.
std::vector<Decimal> calendar_bins(const data::Bounds& bounds, CalendarBins every);
/// The default.
std::size_t usual_branching(CountMechanism mechanism, std::size_t bins);

}  // namespace tacet

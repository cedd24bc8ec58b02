// tacet/workflow/infer/ratio.h: two proportions compared, or the strength of an association.
//
//   RatioAnswer r = *infer_ratio(table, {.of = *parse_proportion("ill=yes given smoker=yes", "of"),
//                                        .to = *parse_proportion("ill=yes given smoker=no", "to"),
//                                        .measure = RatioMeasure::OddsRatio});
//   r.estimate; r.population->lower; r.file.upper;      // an upper end may be infinite
//   RatioAnswer v = *infer_ratio(table, {.measure = RatioMeasure::CramersV});   // of two columns
//
// Where a person may count several times there is no population. It reads no data and costs no
// privacy.
// Domain   0.5 <= confidence <= 1 - 1e-9 (Cramer's V: at most 0.999).
// Error    inference/counts/proportion_pair.h and cramers_v.h.
// Cost     milliseconds; Cramer's V: about 70 times its draws.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/infer/proportion.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

/// How two proportions, or two columns, are compared.
enum class RatioMeasure : std::uint8_t { Ratio, OddsRatio, Difference, CramersV };
constexpr auto names_of(RatioMeasure) {
  return std::to_array<Named<RatioMeasure>>({{RatioMeasure::Ratio, "ratio"},
                                             {RatioMeasure::OddsRatio, "odds-ratio"},
                                             {RatioMeasure::Difference, "difference"},
                                             {RatioMeasure::CramersV, "cramers-v"}});
}

/// Two proportions, or for Cramer's V two columns.
struct RatioOptions {
  std::optional<ProportionOf> of = {}, to = {};
  RatioMeasure measure = RatioMeasure::Ratio;
  double confidence = 0.95;
  std::optional<std::string> rows = {}, columns = {};
  Simulation simulation = {};  // of Cramer's V
};

/// The comparison, with the two proportions.
struct RatioAnswer {
  RatioMeasure measure = RatioMeasure::Ratio;
  std::optional<double> estimate = {};  // empty if it is not finite, or not known
  Interval file{};
  std::optional<Interval> population = {};
  double confidence = 0;
  std::optional<std::string> reason = {};  // why there is no estimate or no upper end
  std::vector<ProportionRow> proportions = {};
  std::optional<std::string> rows = {}, columns = {};  // of Cramer's V, if they have names
  std::optional<std::size_t> draws = {};               // of Cramer's V
  std::vector<std::string> left_out = {};              // of Cramer's V: categories that may be empty
  AboutWhom about = {};
};

/// How do two proportions compare, or how strongly do two columns depend on each other?
Result<RatioAnswer> infer_ratio(const CountRelease& release, const RatioOptions& options, const Context& context = {});

}  // namespace tacet

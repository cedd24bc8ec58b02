// tacet/inference/counts/proportion_pair.h: difference, ratio and odds ratio of two proportions.
//
//   GroupedCells cells(release, masks);
//   Comparison c = compare_proportions(cells, {.event = 0, .among = 1}, {.event = 2, .among = 3},
//                                      Measure::OddsRatio, /*alpha=*/0.05);
//   c.estimate; c.population.lower; c.file.upper;      // an upper end may be infinite
//
// Each proportion has its interval of proportion.h; those of two are combined by their distances
// from the estimates, with the correlation of the two (MOVER). The ratio solves p1 - R p2 = 0 in
// this sense, so that a denominator near 0 makes the interval unbounded, as Fieller's does. The
// odds ratio combines log odds.
// Theorem  Zou and Donner (2008) for differences; Donner and Zou (2012) for ratios. Exact for
//          normal errors and known denominators; conservative otherwise, as measured.
// Domain   as proportion.h. The groups may overlap.
// Cost     two proportions.
// Checked  tests/inference/proportion_test.cc: coverage over sizes, noise and families with
//          sampling error, intervals that ignore the noise, and values without noise.
// Derivation  docs/explanation/proportions.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tacet/base/enum_names.h"
#include "tacet/inference/counts/proportion.h"

namespace tacet::inference {

enum class Measure : std::uint8_t { Ratio, OddsRatio, Difference };
constexpr auto names_of(Measure) {
  return std::to_array<Named<Measure>>(
      {{Measure::Ratio, "ratio"}, {Measure::OddsRatio, "odds-ratio"}, {Measure::Difference, "difference"}});
}

struct Comparison {
  std::optional<double> estimate = {};  // empty if it is not finite or a group may be empty
  Interval file{}, population{};
  Proportion first, second;
  std::optional<std::string> reason = {};  // why nothing, or no upper end, is known
};

Comparison compare_proportions(const GroupedCells& cells, ProportionGroups first, ProportionGroups second, Measure measure, double alpha);

}  // namespace tacet::inference

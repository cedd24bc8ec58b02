// tacet/studies/rate_claims.h: verdicts on the order of rates: one test rejects at most as often as
// another, or as a level, or it leads in power.
//
//   const Rate small{0.048, 10000}, large{0.3, 10000};
//   Verdict level = is_at_most("the test keeps its level", {{"n = 1000", small}}, /*bound=*/0.05);
//   Verdict order = is_at_most("noise costs power", {{"n = 1000", small, large}});
//   const Lead lead = Lead::paired(/*more=*/120, /*fewer=*/95, /*trials=*/500);
//   Verdict power = leads("projected outperforms classical", {{"n = 1000", lead}});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tacet/studies/findings.h"
#include "tacet/studies/study.h"

namespace tacet::studies {

/// Rates that should not be greater than others, or than a bound (which has no trials).
struct AtMost {
  std::string where;
  Rate low, high;
};
/// Holds if none exceeds the other by more than both simulations explain.
Verdict is_at_most(std::string claim, const std::vector<AtMost>& pairs, std::string words = {}, Outcome outcome = Outcome::Reproduced);
Verdict is_at_most(std::string claim, const std::vector<std::pair<std::string, Rate>>& rates, double bound, std::string words = {});

/// How much more often one test rejects than another.
struct Lead {
  double difference, standard_error;

  /// On the same tables: rejections by the one only, and by the other only.
  static Lead paired(double more, double fewer, double trials);
  static Lead between(const Rate& one, const Rate& other);
};
/// The lead whose counts are the sums of a cell at this place and the next.
Lead lead_at(std::size_t place, const Measured& measured, const std::string& cell);
/// Holds if no lead is below 0, and their mean is above it, by more than the error of simulation.
Verdict leads(std::string claim, const std::vector<std::pair<std::string, Lead>>& all, std::string words = {},
              Outcome outcome = Outcome::Reproduced);

/// The trials of several cells together.
Rate pooled(const Measured& measured, const std::vector<std::string>& cells, std::size_t which);

}  // namespace tacet::studies

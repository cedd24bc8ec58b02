#include "tacet/studies/rate_claims.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tacet::studies {

Verdict is_at_most(std::string claim, const std::vector<AtMost>& pairs, std::string words, Outcome outcome) {
  double worst = -1e300;
  const AtMost* nearest = nullptr;
  Comparison told{};
  for (const AtMost& pair : pairs) {
    const Comparison one = compared(pair.low, pair.high.share, pair.high.trials, pairs.size());
    const double excess = (one.ours - one.paper) / one.tolerance;
    if (!(excess > worst)) continue;
    worst = excess;
    nearest = &pair;
    told = one;
  }
  if (nearest != nullptr) words += fmt::format("{}Nearest to the contrary, in tolerances: {}.", words.empty() ? "" : " ", nearest->where);
  return holds(std::move(claim), nearest != nullptr && worst <= 1,
               {{"compared", static_cast<double>(pairs.size())}, {"less", told.ours}, {"more", told.paper}, {"tolerance", told.tolerance}},
               std::move(words), outcome);
}

Verdict is_at_most(std::string claim, const std::vector<std::pair<std::string, Rate>>& rates, double bound, std::string words) {
  std::vector<AtMost> pairs;
  for (const auto& [where, rate] : rates) pairs.push_back({where, rate, {bound, 0}});
  return is_at_most(std::move(claim), pairs, std::move(words));
}

Lead Lead::paired(double more, double fewer, double trials) {
  const double difference = (more - fewer) / trials;
  // At least the error of one table.
  const double variance = std::max((more + fewer) / trials - difference * difference, 1 / trials);
  return {difference, std::sqrt(variance / trials)};
}

Lead Lead::between(const Rate& one, const Rate& other) {
  const double least = 1 / std::min(one.trials, other.trials);
  return {one.share - other.share, std::max(least, std::hypot(one.standard_error(), other.standard_error()))};
}

Lead lead_at(std::size_t place, const Measured& measured, const std::string& cell) {
  return Lead::paired(measured.sum(cell, place), measured.sum(cell, place + 1), measured.trials(cell));
}

Verdict leads(std::string claim, const std::vector<std::pair<std::string, Lead>>& all, std::string words, Outcome outcome) {
  const double errors = allowed_errors(all.size()), count = static_cast<double>(all.size());
  bool never_behind = true;
  double least = 1, most = -1, mean = 0, variance = 0;
  for (const auto& [name, lead] : all) {
    never_behind = never_behind && lead.difference >= -errors * lead.standard_error;
    least = std::min(least, lead.difference);
    most = std::max(most, lead.difference);
    mean += lead.difference / count;
    variance += lead.standard_error * lead.standard_error;
  }
  const bool ahead = mean > allowed_errors(1) * std::sqrt(variance) / count;
  return holds(std::move(claim), never_behind && ahead,
               {{"settings", count}, {"least_difference", least}, {"mean_difference", mean}, {"largest_difference", most}},
               std::move(words), outcome);
}

Rate pooled(const Measured& measured, const std::vector<std::string>& cells, std::size_t which) {
  Rate all{0, 0};
  for (const std::string& cell : cells) {
    all.share += measured.sum(cell, which);
    all.trials += measured.trials(cell);
  }
  all.share /= std::max(all.trials, 1.0);
  return all;
}

}  // namespace tacet::studies

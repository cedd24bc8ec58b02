#include "tacet/studies/findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/numeric/normal.h"

namespace tacet::studies {
namespace {

bool is_within(const Comparison& one) { return std::abs(one.ours - one.paper) <= one.tolerance; }

/// The distance in tolerances; large if there is none.
double excess(const Comparison& one) {
  if (!std::isfinite(one.ours)) return std::numeric_limits<double>::infinity();
  return std::abs(one.ours - one.paper) / std::max(one.tolerance, 1e-300);
}

}  // namespace

Verdict agrees(std::string claim, const Comparison& compared, std::string words) {
  const bool same = is_within(compared);
  return {std::move(claim),
          same ? Outcome::Reproduced : Outcome::Differs,
          same,
          {{"ours", compared.ours}, {"paper", compared.paper}, {"tolerance", compared.tolerance}},
          std::move(words)};
}

Verdict all_agree(std::string claim, const std::vector<std::pair<std::string, Comparison>>& compared, std::string words) {
  const auto inside =
      static_cast<std::size_t>(std::count_if(compared.begin(), compared.end(), [](const auto& one) { return is_within(one.second); }));
  const auto worst =
      std::max_element(compared.begin(), compared.end(), [](const auto& a, const auto& b) { return excess(a.second) < excess(b.second); });
  const bool same = !compared.empty() && inside == compared.size();
  std::vector<Number> numbers = {{"compared", static_cast<double>(compared.size())}, {"within", static_cast<double>(inside)}};
  if (worst != compared.end()) {
    words += fmt::format("{}Furthest from the paper, in tolerances: {}.", words.empty() ? "" : " ", worst->first);
    for (const auto& [name, value] :
         {std::pair{"ours", worst->second.ours}, {"paper", worst->second.paper}, {"tolerance", worst->second.tolerance}})
      numbers.push_back({name, value});
  }
  return {std::move(claim), same ? Outcome::Reproduced : Outcome::Differs, same, std::move(numbers), std::move(words)};
}

Verdict holds(std::string claim, bool it_holds, std::vector<Number> numbers, std::string words, Outcome outcome) {
  return {std::move(claim), it_holds ? outcome : Outcome::Differs, it_holds, std::move(numbers), std::move(words)};
}

Verdict differs(std::string claim, bool as_expected, std::vector<Number> numbers, std::string reason) {
  return {std::move(claim), Outcome::Differs, as_expected, std::move(numbers), std::move(reason)};
}

bool as_expected(const std::vector<Verdict>& verdicts) {
  return std::all_of(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.expected; });
}

double Rate::standard_error() const { return std::sqrt(std::max(share * (1 - share), 0.0) / trials); }

double allowed_errors(std::size_t count) {
  // Two sides of each comparison.
  const double chance = 2 * numeric::normal_upper(3) / static_cast<double>(std::max<std::size_t>(count, 1));
  return numeric::normal_upper_quantile(chance / 2);
}

Comparison compared(const Rate& rate, double paper, double paper_trials, std::size_t count, double reading) {
  // The variance at the common share; for few events that of one event at least.
  const double weight = paper_trials > 0 ? paper_trials : 0;
  const double common = paper_trials > 0 ? (rate.share * rate.trials + paper * weight) / (rate.trials + weight) : paper;
  double variance = 0;
  for (const double trials : {rate.trials, paper_trials}) {
    if (trials > 0) variance += std::max(common * (1 - common), (1 - 1 / trials) / trials) / trials;
  }
  return {rate.share, paper, allowed_errors(count) * std::sqrt(variance) + reading};
}

}  // namespace tacet::studies

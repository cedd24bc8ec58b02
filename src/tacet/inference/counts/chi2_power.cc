#include "tacet/inference/counts/chi2_power.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {

using numeric::ChiTerm;
using numeric::WeightedChi2;

double noncentral_upper(double df, double noncentrality, double critical) {
  const auto distribution = WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = df, .noncentrality = noncentrality}});
  return distribution ? distribution->upper(critical) : 1;
}

std::optional<double> power_of_excess(double statistic, double df, double alpha) {
  const auto null = WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = df}});
  if (!null) return std::nullopt;
  return noncentral_upper(df, std::max(0.0, statistic - df), null->upper_quantile(alpha));
}

std::string chi2_words(double df) { return fmt::format("chi-square with {} {} of freedom", df, df == 1 ? "degree" : "degrees"); }

}  // namespace tacet::inference

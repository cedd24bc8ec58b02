#include "tacet/planning/split_width.h"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>

namespace tacet::planning {
namespace {

constexpr double kNoData = 0.5;      // the width of the answer 1/2
constexpr double kMostParts = 4096;  // smaller parts that are tried
constexpr double kScanned = 512;     // up to here every whole c is tried

/// P[X >= c], X binomial(m, p).
double binomial_at_least(double m, double p, double c) {
  if (c <= 0) return 1;
  if (c > m || p <= 0) return 0;
  if (p >= 1) return 1;
  return boost::math::ibeta(c, m - c + 1, p);
}

/// The least t with P[X > t] <= level, X binomial(m, 1/2).
double least_excess_at_half(double m, double level) {
  double low = std::floor(m / 2) - 1;  // too small: the tail is about 1/2
  double high = m;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (binomial_at_least(m, 0.5, middle + 1) <= level ? high : low) = middle;
  }
  return high;
}

double width_at_half(double rows, double level) {
  double least = kNoData;
  const auto fewer = static_cast<int>(std::min({4 * std::sqrt(rows) + 16, kMostParts, rows - 1}));
  for (int i = 0; i <= fewer; ++i) least = std::min(least, least_excess_at_half(rows - i, level) / (rows - i) - 0.5);
  return least;
}

double width_of_proportion(double rows, double level, double bounded) {
  if (bounded >= kNoData) bounded = kNoData;
  double low = 0;
  double high = bounded;
  if (worst_excess(rows, high) > level) return high;  // Hoeffding's, or the answer 1/2
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (worst_excess(rows, middle) <= level ? high : low) = middle;
  }
  return high;
}

}  // namespace

double worst_excess(double m, double w) {
  const auto at = [&](double c) { return binomial_at_least(m, c / m - w, c); };
  // Hoeffding's exponent is least where p and p + w are symmetric about 1/2, at c = m (1 + w)/2.
  const double first = std::floor(m * w) + 1;
  const auto most_between = [&](double from, double to) {
    double most = 0;
    for (int i = 0; i <= static_cast<int>(to - from); ++i) most = std::max(most, at(from + i));
    return most;
  };
  if (m <= kScanned) return most_between(first, m);
  double low = first;
  double high = m;
  while (high - low > 2) {
    const double left = std::floor(low + (high - low) / 3);
    const double right = std::ceil(high - (high - low) / 3);
    if (at(left) < at(right)) {
      low = left;
    } else {
      high = right;
    }
    if (right - left < 1) break;
  }
  return most_between(std::max(first, low - 2), std::min(m, high + 2));
}

Result<SplitWidths> split_widths(const AdaptiveQueries& queries) {
  TACET_CHECK(check_queries(queries));
  const double k = queries.queries;
  const double rows = std::floor(queries.n / k);
  if (rows < 1) return SplitWidths{0, kNoData, kNoData, kNoData};
  const double level = queries.beta / (2 * k);
  const double bounded = std::sqrt(-std::log(level) / (2 * rows));
  return SplitWidths{rows, std::min(bounded, kNoData), width_of_proportion(rows, level, bounded), width_at_half(rows, level)};
}

}  // namespace tacet::planning

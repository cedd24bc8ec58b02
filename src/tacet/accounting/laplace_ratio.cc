#include "tacet/accounting/laplace_ratio.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include <boost/math/tools/roots.hpp>

namespace tacet::accounting {
namespace {

// P[L > K] = e^(-(s+K)/2) g(K) with s = sum |d_i|. At each point sum +-d_i with m positive signs a
// fixed polynomial starts, and g(K) is the sum of the polynomials at the points left of K. It is
// also minus the sum over the points right of K; the smaller sum cancels less. Coefficients:
// docs/explanation/laplace_likelihood_ratio.md.

/// The coefficients in powers of y = (K - a)/2 of the polynomial that starts at a point a with m
/// positive signs.
std::vector<double> polynomial(std::size_t n, std::size_t m) {
  std::vector<double> c(n, 0.0);
  if (m == 0) {
    double binomial = 1, sum = 0;  // binomial(n, i) from i = n down
    for (std::size_t i = n; i >= 1; --i) {
      sum += binomial;
      c[i - 1] = sum;
      binomial = binomial * static_cast<double>(i) / static_cast<double>(n - i + 1);
    }
  } else {
    c[0] = -1;
    const auto times = [&c](double sign) {
      for (std::size_t k = c.size(); k-- > 1;) c[k] += sign * c[k - 1];
    };
    for (std::size_t i = 0; i < n - m; ++i) times(1);
    for (std::size_t i = 0; i + 1 < m; ++i) times(-1);
  }
  double factor = std::ldexp(1.0, -static_cast<int>(n));
  for (std::size_t k = 0; k < n; ++k) {
    c[k] *= factor;
    factor /= static_cast<double>(k + 1);
  }
  return c;
}

double horner(const std::vector<double>& c, double y) {
  double value = 0;
  for (std::size_t k = c.size(); k-- > 0;) value = value * y + c[k];
  return value;
}

}  // namespace

LaplaceRatio::LaplaceRatio(std::vector<double> sizes) : sizes_(std::move(sizes)) {
  std::sort(sizes_.begin(), sizes_.end(), std::greater<>());
  total_ = std::accumulate(sizes_.begin(), sizes_.end(), 0.0);
  const std::size_t n = sizes_.size();
  std::vector<std::vector<double>> polynomials;
  for (std::size_t m = 0; m <= n; ++m) polynomials.push_back(polynomial(n, m));

  std::vector<std::pair<double, std::size_t>> points;  // a point and its number of positive signs
  for (std::uint32_t signs = 0; signs < (std::uint32_t{1} << n); ++signs) {
    double k = 0;
    std::size_t m = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const bool positive = ((signs >> i) & 1U) != 0;
      k += positive ? sizes_[i] : -sizes_[i];
      m += positive ? 1 : 0;
    }
    points.emplace_back(k, m);
  }
  std::sort(points.begin(), points.end());
  // Sums that differ by rounding only are one point.
  const double same = 0x1p-50 * total_;
  for (const auto& [k, m] : points) {
    if (knots_.empty() || k - knots_.back().k > same) knots_.push_back({k, std::vector<double>(n, 0.0), 0, 0});
    for (std::size_t i = 0; i < n; ++i) knots_.back().poly[i] += polynomials[m][i];
  }
  for (std::size_t i = 0, j = knots_.size(); i < j--; ++i) {  // exactly symmetric
    const double k = (knots_[j].k - knots_[i].k) / 2;
    knots_[i].k = -k;
    knots_[j].k = k;
  }
  double least = 0;
  for (std::size_t j = knots_.size(); j-- > 0;) {
    least = knots_[j].above = std::max(least, tail(j + 1, knots_[j].k));
    least = knots_[j].from = j == 0 ? 1 : std::max(least, tail(j, knots_[j].k));
  }
}

std::size_t LaplaceRatio::segment_of(double k) const {
  return static_cast<std::size_t>(std::partition_point(knots_.begin(), knots_.end(), [k](const Knot& knot) { return knot.k <= k; }) -
                                  knots_.begin());
}

double LaplaceRatio::g(std::size_t below, double k) const {
  double value = 0;
  if (2 * below <= knots_.size()) {
    for (std::size_t j = 0; j < below; ++j) value += horner(knots_[j].poly, (k - knots_[j].k) / 2);
  } else {
    for (std::size_t j = knots_.size(); j-- > below;) value -= horner(knots_[j].poly, (k - knots_[j].k) / 2);
  }
  return value;
}

double LaplaceRatio::tail(std::size_t below, double k) const {
  if (below == 0) return 1;
  if (below == knots_.size()) return 0;
  return std::min(1.0, std::exp(-(total_ + k) / 2) * g(below, k));
}

double LaplaceRatio::type_one(double k) const { return tail(segment_of(k), k); }

double LaplaceRatio::type_two(double k) const {
  // Q[L <= k] = P[L >= -k], as L under Q is -L under P.
  const auto below = std::partition_point(knots_.begin(), knots_.end(), [k](const Knot& knot) { return knot.k < -k; }) - knots_.begin();
  return tail(static_cast<std::size_t>(below), -k);
}

LaplaceRatio::Point LaplaceRatio::at(double alpha) const {
  // The knots j > first have P[L > k_j] < alpha, so alpha lies at the atom of knot `first` or on
  // the segment to its right.
  const auto found = std::partition_point(knots_.begin(), knots_.end(), [alpha](const Knot& knot) { return knot.above > alpha; });
  // The lowest knot with above <= alpha; the highest knot has above = 0.
  const auto j = static_cast<std::size_t>(found - knots_.begin());
  const Knot& knot = knots_[j];
  const Knot& mirror = knots_[knots_.size() - 1 - j];
  if (alpha <= knot.from) {  // straight: (above, Q[L <= k]) to (from, Q[L < k])
    const double mass = knot.from - knot.above;
    const double weight = mass > 0 ? std::clamp((alpha - knot.above) / mass, 0.0, 1.0) : 0.0;
    const double rest = mass > 0 ? std::clamp((knot.from - alpha) / mass, 0.0, 1.0) : 1.0;
    return {mirror.above * weight + mirror.from * rest, -std::exp(knot.k)};
  }
  // Between the knots j - 1 and j, where P[L > K] decreases from above alpha to below it.
  const double low = knots_[j - 1].k, high = knot.k;
  const auto excess = [&](double k) { return tail(j, k) - alpha; };
  const double at_low = knots_[j - 1].above - alpha, at_high = knot.from - alpha;
  std::uintmax_t rounds = 200;
  const auto bracket =
      boost::math::tools::toms748_solve(excess, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(52), rounds);
  const double k = bracket.first + (bracket.second - bracket.first) / 2;
  return {tail(knots_.size() - j, -k), -std::exp(k)};
}

double LaplaceRatio::delta(double epsilon) const {
  if (epsilon >= total_) return 0;
  const std::size_t below = segment_of(epsilon);
  const double sum = g(below, epsilon) + g(knots_.size() - below, -epsilon);
  return std::max(0.0, 1 - std::exp(-(total_ - epsilon) / 2) * sum);
}

double LaplaceRatio::fixed_point() const {
  const std::size_t below = segment_of(0);
  // Without an atom at 0 both tails are equal.
  return (tail(below, 0) + tail(knots_.size() - below, 0)) / 2;
}

std::vector<double> LaplaceRatio::breaks() const {
  std::vector<double> alphas{0};
  for (std::size_t j = knots_.size(); j-- > 0;) {
    for (const double alpha : {knots_[j].above, knots_[j].from}) {
      if (alpha > alphas.back()) alphas.push_back(alpha);
    }
  }
  return alphas;
}

}  // namespace tacet::accounting

#include "tacet/accounting/many_laplace.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "tacet/accounting/loss_lattice.h"
#include "tacet/accounting/privacy_loss.h"
#include "tacet/accounting/tradeoff.h"

namespace tacet::accounting {
namespace {

constexpr std::size_t kMostDifferent = 12;
constexpr std::size_t kCells = 4000;
/// Epsilons go up to so many standard deviations of the loss, where delta is below 1e-12.
constexpr double kDeviations = 9;
/// Of the sizes together.
constexpr double kMostTotal = 700;

/// At most kMostDifferent different sizes; each size becomes the largest, or the least, of its part.
std::vector<PrivacyLossTerm> terms_of(const std::vector<double>& sizes, Side side) {
  std::map<double, std::uint64_t> different;
  for (const double size : sizes) ++different[size];
  std::map<double, std::uint64_t, std::greater<>> merged;
  if (different.size() <= kMostDifferent) {
    merged.insert(different.begin(), different.end());
  } else {
    const std::size_t part = (different.size() + kMostDifferent - 1) / kMostDifferent;
    std::vector<std::pair<double, std::uint64_t>> listed(different.begin(), different.end());
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const std::size_t first = i / part * part;
      const std::size_t last = std::min(first + part, listed.size()) - 1;
      merged[listed[side == Side::Upper ? last : first].first] += listed[i].second;
    }
  }
  std::vector<PrivacyLossTerm> terms;
  for (const auto& [size, times] : merged) terms.push_back({LossKind::Laplace, size, times});
  return terms;
}

/// From 0 to the total of the sizes.
std::vector<long double> epsilons_for(const std::vector<double>& sizes) {
  double mean = 0;
  double squares = 0;
  double total = 0;
  for (const double size : sizes) {
    mean += size + std::expm1(-size);
    squares += size * size;
    total += size;
  }
  const double most = std::min(total, mean + kDeviations * std::sqrt(squares));
  std::vector<long double> epsilons;
  for (std::size_t i = 0; i <= kCells; ++i) epsilons.push_back(static_cast<long double>(most) * i / kCells);
  if (most < total) epsilons.push_back(total);
  return epsilons;
}

/// The value at x of the line through two points.
long double line_at(long double x, long double x0, long double y0, long double x1, long double y1) {
  return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

}  // namespace

ManyLaplace many_laplace(std::vector<double> sizes) {
  std::sort(sizes.begin(), sizes.end());  // the order has no effect
  const std::vector<long double> epsilons = epsilons_for(sizes);
  const std::vector<PrivacyLossTerm> less_private = terms_of(sizes, Side::Upper);
  const std::vector<PrivacyLossTerm> more_private = terms_of(sizes, Side::Lower);
  std::vector<LongBounds> deltas = composed_deltas(less_private, epsilons);
  const bool rounded = !std::equal(less_private.begin(), less_private.end(), more_private.begin(), more_private.end(),
                                   [](const PrivacyLossTerm& a, const PrivacyLossTerm& b) { return a.parameter == b.parameter; });
  if (rounded) {
    const std::vector<LongBounds> lower = composed_deltas(more_private, epsilons);
    for (std::size_t i = 0; i < deltas.size(); ++i) deltas[i].lower = lower[i].lower;
  }
  ManyLaplace many{{}, 0};
  std::vector<long double> x;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    x.push_back(std::expm1(epsilons[i]));  // less 1, for small epsilons
    // Larger numbers promise less.
    const double epsilon = std::nextafter(static_cast<double>(epsilons[i]), kMostTotal);
    const double delta = std::nextafter(static_cast<double>(deltas[i].upper), 1.0);
    many.pairs.push_back({epsilon, delta});
  }
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const auto chord = [&](long double at) { return line_at(at, x[i], deltas[i].upper, x[i + 1], deltas[i + 1].upper); };
    const auto from_left = [&](long double at) {
      return i == 0 ? 0.0L : line_at(at, x[i - 1], deltas[i - 1].upper, x[i], deltas[i].lower);
    };
    const auto from_right = [&](long double at) {
      return i + 2 == x.size() ? 0.0L : line_at(at, x[i + 1], deltas[i + 1].lower, x[i + 2], deltas[i + 2].upper);
    };
    // chord - max(left, right) is largest at an end or where left and right cross.
    long double worst = std::max(deltas[i].upper - deltas[i].lower, deltas[i + 1].upper - deltas[i + 1].lower);
    const long double at_start = from_left(x[i]) - from_right(x[i]);
    const long double at_end = from_left(x[i + 1]) - from_right(x[i + 1]);
    if (at_start * at_end < 0) {
      const long double crossing = x[i] + (x[i + 1] - x[i]) * (at_start / (at_start - at_end));
      worst = std::max(worst, chord(crossing) - std::max({from_left(crossing), from_right(crossing), 0.0L}));
    } else {
      worst = std::max({worst, chord(x[i]) - std::max(from_left(x[i]), from_right(x[i])),
                        chord(x[i + 1]) - std::max(from_left(x[i + 1]), from_right(x[i + 1]))});
    }
    many.slack = std::max(many.slack, static_cast<double>(worst));
  }
  many.slack = std::nextafter(many.slack * (1 + 1e-12) + 1e-15, 2.0);
  return many;
}

}  // namespace tacet::accounting

#include "tacet/accounting/equal_responses.h"

#include <algorithm>
#include <cmath>

namespace tacet::accounting {
namespace {

constexpr long double kUnit = 0x1p-64L;
// Weights below this part of the largest one are omitted. They are far below any delta in the
// domain (at least 1e-310). Below the mode, weights are omitted once the rest is below the
// rounding of the total.
constexpr long double kLeast = 1e-350L;
constexpr long double kBelow = 0x1p-80L;
// A delta below the omitted weights cannot be distinguished from 0.
constexpr long double kFloor = 1e-340L;

}  // namespace

struct EqualResponses::Line {
  std::uint64_t from = 0;  // the line begins at the loss of this many successes,
  long double gain = 0;    // where delta times the total is `gain`;
  long double fall = 0;    // at a distance t above it is gain - expm1(t) fall
  bool beyond = false;     // above every weight that was kept
};

EqualResponses::EqualResponses(long double epsilon, std::uint64_t k) : epsilon_(epsilon), k_(k) {
  const long double odds = std::exp(-epsilon);  // P[failure]/P[success]
  const auto count = static_cast<long double>(k);
  const auto mode = static_cast<std::uint64_t>(std::min(count, std::floor((count + 1) / (1 + odds))));
  std::vector<long double> above;
  long double weight = 1;
  for (std::uint64_t l = mode; l < k; ++l) {
    const long double ratio = static_cast<long double>(k - l) / (static_cast<long double>(l + 1) * odds);
    weight *= ratio;
    if (weight < kLeast) {
      beyond_ = weight * 2 / (1 - std::min(ratio, 0.999999L));  // ratios decrease from here on
      break;
    }
    above.push_back(weight);
    total_ += weight;
  }
  std::vector<long double> below = {1};
  total_ += 1;
  weight = 1;
  long double missing = 0;
  for (std::uint64_t l = mode; l > 0; --l) {
    const long double ratio = static_cast<long double>(l) * odds / static_cast<long double>(k - l + 1);
    weight *= ratio;
    if (ratio < 1 && weight < kBelow * (1 - ratio) * total_) {
      missing = kBelow;
      break;
    }
    below.push_back(weight);
    total_ += weight;
  }
  lowest_ = mode + 1 - below.size();
  weights_.assign(below.rbegin(), below.rend());
  weights_.insert(weights_.end(), above.begin(), above.end());
  // Three roundings per step from the largest weight, the rounding of the odds once per step, and
  // the summation.
  relative_ = (8 * static_cast<long double>(weights_.size()) + 64) * kUnit + missing;
}

long double EqualResponses::position(std::uint64_t successes) const {
  return (2 * static_cast<long double>(successes) - static_cast<long double>(k_)) * epsilon_;
}

// Let r = exp(-2 epsilon), and let g and b be the sums over i > l of w_i (1 - r^(i-l)) and w_i
// r^(i-l). One step down, at l - 1, they are g + (1 - r)(w_l + b) and r (w_l + b).
EqualResponses::Line EqualResponses::line_at(long double epsilon_g) const {
  const long double r = std::exp(-2 * epsilon_);
  const long double one_less_r = -std::expm1(-2 * epsilon_);
  Line line{lowest_ + weights_.size() - 1, 0, 0, false};
  if (epsilon_g >= position(line.from)) {
    line.beyond = true;
    return line;
  }
  for (std::size_t i = weights_.size(); i-- > 0 && position(line.from) > epsilon_g;) {
    const long double mass = weights_[i] + line.fall;
    line.gain += one_less_r * mass;
    line.fall = r * mass;
    --line.from;
  }
  return line;
}

EqualResponses::Line EqualResponses::line_of(long double delta) const {
  const long double r = std::exp(-2 * epsilon_);
  const long double one_less_r = -std::expm1(-2 * epsilon_);
  Line line{lowest_ + weights_.size() - 1, 0, 0, false};
  for (std::size_t i = weights_.size(); i-- > 0 && line.from > 0 && (line.fall == 0 || line.gain < delta * total_);) {
    const long double mass = weights_[i] + line.fall;
    line.gain += one_less_r * mass;
    line.fall = r * mass;
    --line.from;
  }
  return line;
}

long double EqualResponses::error_of(const Line& line, long double epsilon_g) const {
  // The slope of delta times the total, in epsilon_g.
  const long double slope = std::exp(std::max(0.0L, epsilon_g - position(line.from))) * line.fall;
  const long double value = std::max(line.gain - std::expm1(epsilon_g - position(line.from)) * line.fall, kFloor * total_);
  // A relative error of 2^-63 in epsilon changes every loss, and so every probability.
  const long double moved = (static_cast<long double>(k_) * epsilon_ + epsilon_g) * 8 * kUnit;
  return 2 * relative_ + moved * (1 + slope / value);
}

LongBounds EqualResponses::delta(long double epsilon_g) const {
  if (epsilon_g >= static_cast<long double>(k_) * epsilon_ * (1 + 4 * kUnit)) return {0, 0};
  const Line line = line_at(epsilon_g);
  const long double above = (beyond_ + kFloor) / total_;
  if (line.beyond) return {0, above};
  const long double value = std::max(0.0L, (line.gain - std::expm1(epsilon_g - position(line.from)) * line.fall) / total_);
  const long double error = error_of(line, epsilon_g);
  return {std::max(0.0L, value * (1 - error)), std::min(1.0L, value * (1 + error) + above)};
}

LongBounds EqualResponses::epsilon(long double delta) const {
  const auto solve = [this](long double target) {
    const Line line = line_of(target);
    const long double ratio = (line.gain - target * total_) / line.fall;
    // ratio <= -1: the target exceeds delta(0).
    return ratio <= -1 ? 0.0L : std::max(0.0L, position(line.from) + std::log1p(ratio));
  };
  const long double most = static_cast<long double>(k_) * epsilon_ * (1 + 4 * kUnit);
  const long double middle = solve(delta);
  const Line line = line_at(middle);
  if (line.beyond) {  // within rounding of the largest loss
    const long double below = most * (1 - 64 * kUnit);
    return {this->delta(below).lower > delta ? below : 0, most};
  }
  const long double error = std::min(0.5L, error_of(line, middle)) + kFloor / delta;
  const long double move = most * 4 * kUnit;
  const long double lower = std::min(most, solve(delta * (1 + 2 * error)));
  const long double upper = std::min(most, solve(delta * (1 - error)));
  return {std::max(0.0L, lower - move), upper > 0 ? std::min(most, upper + move) : 0};
}

}  // namespace tacet::accounting

#include "tacet/accounting/few_responses.h"

#include <algorithm>
#include <cmath>

namespace tacet::accounting {
namespace {

constexpr long double kUnit = 0x1p-64L;
constexpr long double kFloor = 1e-340L;

/// The probabilities of 0, 1, ..., k successes, by ratios from the largest one.
std::vector<long double> binomial(const Responses& group) {
  const std::uint64_t k = group.times;
  const long double odds = std::exp(-group.epsilon);  // P[failure]/P[success]
  const auto count = static_cast<long double>(k);
  const auto mode = static_cast<std::uint64_t>(std::min(count, std::floor((count + 1) / (1 + odds))));
  std::vector<long double> weights(static_cast<std::size_t>(k) + 1);
  weights[mode] = 1;
  long double total = 1;
  for (std::uint64_t l = mode; l < k; ++l) {
    total += weights[l + 1] = weights[l] * static_cast<long double>(k - l) / (static_cast<long double>(l + 1) * odds);
  }
  for (std::uint64_t l = mode; l > 0; --l) {
    total += weights[l - 1] = weights[l] * static_cast<long double>(l) * odds / static_cast<long double>(k - l + 1);
  }
  for (long double& weight : weights) weight /= total;
  return weights;
}

}  // namespace

std::uint64_t FewResponses::outcomes(const std::vector<Responses>& responses, std::uint64_t most) {
  std::uint64_t count = 1;
  for (const Responses& group : responses) {
    if (group.times >= most || count > most / (group.times + 1)) return most + 1;
    count *= group.times + 1;
  }
  return count;
}

FewResponses::FewResponses(const std::vector<Responses>& responses) {
  outcomes_ = {{0, 1}};
  long double steps = 0;
  for (const Responses& group : responses) {
    const std::vector<long double> weights = binomial(group);
    std::vector<Outcome> next;
    next.reserve(outcomes_.size() * weights.size());
    for (const Outcome& outcome : outcomes_) {
      for (std::size_t l = 0; l < weights.size(); ++l) {
        const long double probability = outcome.probability * weights[l];
        const long double loss = outcome.loss + (2 * static_cast<long double>(l) - static_cast<long double>(group.times)) * group.epsilon;
        next.push_back({loss, probability});
      }
    }
    outcomes_.swap(next);
    steps += static_cast<long double>(group.times) + 8;
    reach_ += static_cast<long double>(group.times) * group.epsilon;
  }
  std::sort(outcomes_.begin(), outcomes_.end(), [](const Outcome& a, const Outcome& b) { return a.loss > b.loss; });
  relative_ = (8 * steps + 4 * static_cast<long double>(outcomes_.size()) + 64) * kUnit;
  lines_.reserve(outcomes_.size());
  Line line;
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    line.at = i;
    lines_.push_back(line);
    if (i + 1 == outcomes_.size()) break;
    // The next loss is lower by d. With this outcome above it, gain + (p + fall)(1 - e^-d) is the
    // new gain, and (p + fall) e^-d the new fall.
    const long double d = outcomes_[i].loss - outcomes_[i + 1].loss;
    const long double mass = outcomes_[i].probability + line.fall;
    line.gain += mass * -std::expm1(-d);
    line.fall = mass * std::exp(-d);
  }
}

long double FewResponses::value(const Line& line, long double epsilon_g) const {
  return std::max(0.0L, line.gain - std::expm1(epsilon_g - outcomes_[line.at].loss) * line.fall);
}

long double FewResponses::error_of(const Line& line, long double epsilon_g) const {
  const long double slope = std::exp(epsilon_g - outcomes_[line.at].loss) * line.fall;
  // A relative error of 2^-63 in the epsilons changes every loss, and so every probability.
  const long double moved = (reach_ + epsilon_g) * 16 * kUnit;
  return 2 * relative_ + moved * (1 + slope / std::max(value(line, epsilon_g), kFloor));
}

LongBounds FewResponses::delta(long double epsilon_g) const {
  if (epsilon_g >= reach_ * (1 + 16 * kUnit)) return {0, 0};
  // The line of the largest loss at or below epsilon_g; below the smallest loss, that line
  // continues.
  auto found = std::partition_point(outcomes_.begin(), outcomes_.end(), [&](const Outcome& o) { return o.loss > epsilon_g; });
  if (found == outcomes_.end()) --found;
  const Line& line = lines_[static_cast<std::size_t>(found - outcomes_.begin())];
  const long double middle = value(line, epsilon_g);
  const long double error = error_of(line, epsilon_g);
  return {std::max(0.0L, middle * (1 - error)), std::min(1.0L, middle * (1 + error) + kFloor)};
}

LongBounds FewResponses::epsilon(long double delta) const {
  // Both bounds of delta() decrease in epsilon_g, up to their own errors; the search keeps the
  // proven side of the last interval.
  const auto search = [this](auto enough) {
    long double no = 0;
    long double yes = reach_ * (1 + 16 * kUnit);
    if (enough(no)) return LongBounds{0, 0};
    for (int i = 0; i < 80 && yes - no > 4 * kUnit * yes; ++i) {
      const long double middle = no + (yes - no) / 2;
      (enough(middle) ? yes : no) = middle;
    }
    return LongBounds{no, yes};
  };
  return {search([&](long double e) { return this->delta(e).lower <= delta; }).lower,
          search([&](long double e) { return this->delta(e).upper <= delta; }).upper};
}

}  // namespace tacet::accounting

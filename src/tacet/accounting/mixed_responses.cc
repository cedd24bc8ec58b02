#include "tacet/accounting/mixed_responses.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacet::accounting {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon();

/// The least number, by search over t, that the loss exceeds with a probability of at most `tail`
/// (Chernoff).
long double exceeded_rarely(const std::vector<Responses>& responses, long double tail) {
  long double best = std::numeric_limits<long double>::infinity();
  for (int i = -60; i < 100; ++i) {
    const long double t = std::pow(1.25L, i);
    best = std::min(best, (cumulant(responses, t).value - std::log(tail)) / t);
  }
  return best;
}

}  // namespace

Cumulant cumulant(const std::vector<Responses>& responses, long double t) {
  Cumulant sum{0, 0};
  for (const Responses& part : responses) {
    // log[(e^{e (1 + t)} + e^{-t e}) / (1 + e^e)], with the larger exponential as a factor.
    const long double e = part.epsilon;
    const long double high = e * (1 + t) - e;  // after dividing by e^e
    const long double low = -t * e - e;
    const long double larger = std::max(high, low);
    const long double up = std::exp(high - larger);
    const long double down = std::exp(low - larger);
    const auto times = static_cast<long double>(part.times);
    sum.value += times * (larger + std::log(up + down) - std::log1p(std::exp(-e)));
    sum.derivative += times * e * (up - down) / (up + down);
  }
  return sum;
}

MixedResponses::MixedResponses(const std::vector<Responses>& responses, std::size_t cells, long double tail) {
  long double variance = 0;
  long double steps = 0;
  for (const Responses& part : responses) {
    const long double tangent = std::tanh(part.epsilon / 2);
    const auto times = static_cast<long double>(part.times);
    most_ += times * part.epsilon;
    variance += times * part.epsilon * part.epsilon * (1 - tangent * tangent);
    steps += times;
  }
  const long double deviation = std::sqrt(variance);
  const long double highest = std::min(most_, exceeded_rarely(responses, tail * 0x1p-40L));
  const long double lowest = std::max(-most_, std::min(0.0L, cumulant(responses, 0).derivative) - 12 * deviation);
  const auto count = static_cast<long double>(cells);
  h_ = static_cast<double>((highest - lowest) / (count - 3));
  const auto start = static_cast<std::size_t>(std::ceil(-lowest / h_));
  lowest_ = -static_cast<double>(start) * h_;
  const std::size_t size = start + static_cast<std::size_t>(std::ceil(highest / h_)) + 2;
  shift_ = static_cast<double>(most_ + highest - lowest + deviation) * kUnit * (8 + 2 * static_cast<double>(steps));
  relative_ = 8 * kUnit * (steps + 8 + most_);

  upper_.assign(size, 0);
  mass_.assign(size, 0);
  place_.assign(size, 0);
  next_mass_.assign(size, 0);
  next_place_.assign(size, 0);
  upper_[start] = 1;
  first_ = last_ = start;
  for (const Responses& part : responses) {
    for (std::uint64_t i = 0; i < part.times; ++i) step_upper(static_cast<double>(part.epsilon));
  }
  mass_[start] = 1;
  first_ = last_ = start;
  for (const Responses& part : responses) {
    for (std::uint64_t i = 0; i < part.times; ++i) step_lower(static_cast<double>(part.epsilon));
  }
}

void MixedResponses::step_upper(double epsilon) {
  const double success = 1 / (1 + std::exp(-epsilon));
  const double failure = 1 / (1 + std::exp(epsilon));
  const double cells = std::floor(epsilon / h_);
  const double part = std::clamp(epsilon - cells * h_, 0.0, h_);
  const auto jump = static_cast<std::ptrdiff_t>(cells);
  // A loss `part` above a point goes to the next point with this probability, which keeps
  // E[exp(-loss)].
  const double on_up = std::expm1(-part) / std::expm1(-h_);
  const double on_down = std::expm1(-(h_ - part)) / std::expm1(-h_);
  struct Move {
    std::ptrdiff_t by;
    double weight;
  };
  const Move moves[] = {
      {jump, success * (1 - on_up)}, {jump + 1, success * on_up}, {-jump, failure * on_down}, {-jump - 1, failure * (1 - on_down)}};
  const auto size = static_cast<std::ptrdiff_t>(upper_.size());
  const auto first = static_cast<std::ptrdiff_t>(first_);
  const auto last = static_cast<std::ptrdiff_t>(last_);
  const std::ptrdiff_t new_first = std::max<std::ptrdiff_t>(0, first - jump - 1);
  const std::ptrdiff_t new_last = std::min(size - 1, last + jump + 1);
  std::fill(next_mass_.begin() + new_first, next_mass_.begin() + new_last + 1, 0.0);
  for (const Move& move : moves) {
    // A loss below the grid rises to its lowest point; one above it counts as certain. Both only
    // increase delta.
    const std::ptrdiff_t from = std::max(first, -move.by);
    const std::ptrdiff_t to = std::min(last, size - 1 - move.by);
    for (std::ptrdiff_t i = first; i < std::min(from, last + 1); ++i) next_mass_[0] += move.weight * upper_[static_cast<std::size_t>(i)];
    for (std::ptrdiff_t i = std::max(to + 1, first); i <= last; ++i) never_ += move.weight * upper_[static_cast<std::size_t>(i)];
    double* const target = next_mass_.data() + move.by;
    for (std::ptrdiff_t i = from; i <= to; ++i) target[i] += move.weight * upper_[static_cast<std::size_t>(i)];
  }
  upper_.swap(next_mass_);
  first_ = static_cast<std::size_t>(new_first);
  last_ = static_cast<std::size_t>(new_last);
}

void MixedResponses::step_lower(double epsilon) {
  const double success = 1 / (1 + std::exp(-epsilon));
  const double failure = 1 / (1 + std::exp(epsilon));
  const double inverse = 1 / h_;
  const double least = h_ * h_ / 8;
  const auto reach = static_cast<std::size_t>(std::min(std::ceil(epsilon * inverse) + 1, static_cast<double>(mass_.size())));
  const std::size_t new_first = first_ > reach ? first_ - reach : 0;
  const std::size_t new_last = std::min(mass_.size() - 1, last_ + reach);
  std::fill(next_mass_.begin() + static_cast<std::ptrdiff_t>(new_first), next_mass_.begin() + static_cast<std::ptrdiff_t>(new_last) + 1,
            0.0);
  std::fill(next_place_.begin() + static_cast<std::ptrdiff_t>(new_first), next_place_.begin() + static_cast<std::ptrdiff_t>(new_last) + 1,
            0.0);
  const double top = lowest_ + static_cast<double>(mass_.size() - 1) * h_;
  for (std::size_t i = first_; i <= last_; ++i) {
    const double mass = mass_[i];
    if (mass == 0) continue;
    const double up = std::min(place_[i] + epsilon, top);  // a lower bound may lower a loss
    const double down = place_[i] - epsilon;
    const auto high = static_cast<std::size_t>((up - lowest_) * inverse);
    next_mass_[high] += mass * success;
    next_place_[high] += mass * success * up;
    if (down < lowest_) continue;  // or drop it
    const auto low = static_cast<std::size_t>((down - lowest_) * inverse);
    next_mass_[low] += mass * failure;
    next_place_[low] += mass * failure * down;
  }
  for (std::size_t i = new_first; i <= new_last; ++i) {
    if (next_mass_[i] > 1e-290) {
      next_place_[i] = std::max(lowest_, next_place_[i] / next_mass_[i] - least);
    } else {
      next_mass_[i] = 0;  // a tiny mass loses digits; it is dropped
    }
  }
  mass_.swap(next_mass_);
  place_.swap(next_place_);
  first_ = new_first;
  last_ = new_last;
}

long double MixedResponses::upper_delta(long double epsilon_g) const {
  const long double moved = epsilon_g - shift_;
  long double sum = never_;
  for (std::size_t i = upper_.size(); i-- > 0;) {
    const long double loss = lowest_ + static_cast<double>(i) * h_;
    if (loss <= moved) break;
    if (upper_[i] > 0) sum -= upper_[i] * std::expm1(static_cast<double>(moved - loss));
  }
  return std::min(1.0L, sum * (1 + relative_) + std::numeric_limits<double>::min());
}

long double MixedResponses::lower_delta(long double epsilon_g) const {
  const long double moved = epsilon_g + shift_;
  long double sum = 0;
  for (std::size_t i = first_; i <= last_; ++i) {
    if (mass_[i] > 0 && place_[i] > moved) sum -= mass_[i] * std::expm1(static_cast<double>(moved - place_[i]));
  }
  return sum * (1 - relative_);
}

LongBounds MixedResponses::delta(long double epsilon_g) const {
  if (epsilon_g >= most_ * (1 + 0x1p-60L)) return {0, 0};
  return {lower_delta(epsilon_g), upper_delta(epsilon_g)};
}

LongBounds MixedResponses::epsilon(long double delta) const {
  // `enough` decides whether epsilon_g is large enough; each search keeps the proven side of the
  // last interval.
  const auto search = [this](auto enough) {
    long double no = 0;
    long double yes = most_ * (1 + 0x1p-60L);
    if (enough(no)) return LongBounds{0, 0};
    for (int i = 0; i < 60 && yes - no > 1e-13L * yes; ++i) {
      const long double middle = no + (yes - no) / 2;
      (enough(middle) ? yes : no) = middle;
    }
    return LongBounds{no, yes};
  };
  return {search([&](long double e) { return lower_delta(e) <= delta; }).lower,
          search([&](long double e) { return upper_delta(e) <= delta; }).upper};
}

}  // namespace tacet::accounting

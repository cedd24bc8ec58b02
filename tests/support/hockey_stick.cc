#include "support/hockey_stick.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "support/promise.h"

namespace tacet::test {

ProvenEvents::ProvenEvents(std::span<const EventPair> pairs, std::uint64_t n, double false_alarm) {
  const double part = false_alarm / (4 * static_cast<double>(pairs.size()));  // two probabilities, two sides each
  bounds_.reserve(pairs.size());
  for (const EventPair& pair : pairs) {
    bounds_.push_back({pair.name, clopper_pearson_lower(pair.first, n, part), clopper_pearson_upper(pair.first, n, part),
                       clopper_pearson_lower(pair.second, n, part), clopper_pearson_upper(pair.second, n, part)});
  }
}

Accusation ProvenEvents::delta(double epsilon) const {
  Accusation worst{0, "none"};
  const double factor = std::exp(epsilon);
  for (const Bounds& b : bounds_) {
    const double forward = b.first_low - factor * b.second_high, backward = b.second_low - factor * b.first_high;
    if (forward > worst.delta) worst = {forward, b.name};
    if (backward > worst.delta) worst = {backward, b.name + " (second against first)"};
  }
  return worst;
}

double ProvenEvents::epsilon(double delta) const {
  // More than delta is proven at epsilon when p - e^epsilon q > delta, that is, epsilon < log((p -
  // delta)/q).
  double epsilon = 0;
  for (const Bounds& b : bounds_) {
    for (const auto& [p, q] : {std::pair{b.first_low, b.second_high}, std::pair{b.second_low, b.first_high}}) {
      if (p > delta) epsilon = std::max(epsilon, std::log((p - delta) / q));
    }
  }
  return epsilon;
}

Accusation largest_delta(std::span<const EventPair> pairs, std::uint64_t n, double epsilon, double false_alarm) {
  return ProvenEvents(pairs, n, false_alarm).delta(epsilon);
}

std::uint64_t draws_to_accuse(double p, double q, double epsilon, double delta, std::uint64_t events, double false_alarm, double miss) {
  const double part = false_alarm / (4 * static_cast<double>(events));
  const auto proves = [&](std::uint64_t n) {
    // The least count of p and the greatest count of q that are too unlikely to matter.
    std::uint64_t low = 0, high = n;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (binomial_lower(n, p, middle) > miss / 2) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const std::uint64_t least_p = low;
    low = 0, high = n;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (binomial_upper(n, q, middle + 1) <= miss / 2) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return clopper_pearson_lower(least_p, n, part) - std::exp(epsilon) * clopper_pearson_upper(low, n, part) > delta;
  };
  std::uint64_t n = 64;
  while (!proves(n)) n *= 2;
  for (std::uint64_t step = n / 4; step >= n / 64 && step > 0; step /= 2) {
    if (proves(n - step)) n -= step;
  }
  return n;
}

double hockey_stick(const Histogram& p, const Histogram& q, std::uint64_t n, double epsilon) {
  double sum = 0;
  for (const auto& [outcome, count] : p) {
    const auto other = q.find(outcome);
    const double there = other == q.end() ? 0.0 : static_cast<double>(other->second);
    sum += std::max(0.0, static_cast<double>(count) - std::exp(epsilon) * there);
  }
  return sum / static_cast<double>(n);
}

Accusation split_sample_delta(const std::vector<std::string>& first, const std::vector<std::string>& second, double epsilon,
                              double false_alarm) {
  const std::size_t n = std::min(first.size(), second.size()), half = n / 2;
  Histogram chosen_p, chosen_q, p, q;
  for (std::size_t i = 0; i < n; ++i) {
    ++(i < half ? chosen_p : p)[first[i]];
    ++(i < half ? chosen_q : q)[second[i]];
  }
  const double factor = std::exp(epsilon);
  const auto count_of = [](const Histogram& histogram, const std::string& outcome) {
    const auto found = histogram.find(outcome);
    return found == histogram.end() ? std::uint64_t{0} : found->second;
  };
  EventPair forward{"outcomes likelier under the first input", 0, 0}, backward{"outcomes likelier under the second input", 0, 0};
  std::set<std::string> seen;
  for (const auto& [outcome, count] : chosen_p) seen.insert(outcome);
  for (const auto& [outcome, count] : chosen_q) seen.insert(outcome);
  std::vector<EventPair> pairs;
  for (const std::string& outcome : seen) {
    const auto in_first = static_cast<double>(count_of(chosen_p, outcome)), in_second = static_cast<double>(count_of(chosen_q, outcome));
    EventPair* side = in_first > factor * in_second ? &forward : in_second > factor * in_first ? &backward : nullptr;
    if (side == nullptr) continue;
    side->first += count_of(p, outcome);
    side->second += count_of(q, outcome);
  }
  pairs.push_back(forward);
  pairs.push_back(backward);
  for (int code = 0; code <= static_cast<int>(Code::Internal); ++code) {
    const std::string outcome(name(static_cast<Code>(code)));
    pairs.push_back({outcome, count_of(p, outcome), count_of(q, outcome)});
  }
  pairs.push_back({"ok", count_of(p, "ok"), count_of(q, "ok")});
  return largest_delta(pairs, n - half, epsilon, false_alarm);
}

double gaussian_delta(double mu, double epsilon) {
  const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  return phi(mu / 2 - epsilon / mu) - std::exp(epsilon) * phi(-mu / 2 - epsilon / mu);
}

}  // namespace tacet::test

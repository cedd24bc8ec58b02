#include "support/promise.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

namespace tacet::test {
namespace {

double slack(double tail) { return std::min(1.0, tail * kSlack); }

/// The least k in [0, n + 1] for which `red` holds; `red` is monotone and holds at n + 1.
template <class Red>
std::uint64_t least(std::uint64_t n, Red red) {
  std::uint64_t low = 0, high = n + 1;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (red(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

Plan plan(const Promise& promise) {
  // Red when |f - p| >= t: 2 exp(-2 n t^2) <= false_alarm. Missed when a shift s leaves |f - p| <
  // t: at most exp(-2 n (s - t)^2) <= miss.
  const double alarm = std::sqrt(std::log(2 / promise.false_alarm) / 2);
  const double miss = std::sqrt(std::log(1 / promise.miss) / 2);
  const double root = (alarm + miss) / promise.shift;
  const double n = std::ceil(root * root);
  return {static_cast<std::uint64_t>(n), alarm / std::sqrt(n)};
}

double binomial_upper(std::uint64_t n, double p, std::uint64_t k) {
  if (k == 0) return 1;
  if (k > n || p <= 0) return 0;
  if (p >= 1) return 1;
  return slack(boost::math::ibeta(static_cast<double>(k), static_cast<double>(n - k) + 1, p));
}

double binomial_lower(std::uint64_t n, double p, std::uint64_t k) {
  if (k >= n) return 1;
  if (p <= 0) return 1;
  if (p >= 1) return 0;
  return slack(boost::math::ibetac(static_cast<double>(k) + 1, static_cast<double>(n - k), p));
}

Verdict judge(const std::vector<Event>& events, std::uint64_t n, double false_alarm) {
  double sides = 0;
  for (const Event& event : events) sides += event.side == Side::Both ? 2 : 1;
  const double part = false_alarm / sides;
  Verdict verdict{false, "no events"};
  double least_tail = std::numeric_limits<double>::infinity();
  for (const Event& event : events) {
    double tail = 1;
    if (event.side != Side::TooFew) tail = std::min(tail, binomial_upper(n, event.probability, event.count));
    if (event.side != Side::TooMany) tail = std::min(tail, binomial_lower(n, event.probability, event.count));
    if (tail <= part) verdict.red = true;
    if (tail < least_tail) {
      least_tail = tail;
      verdict.worst = fmt::format("{}: seen {} times in {}, expected {:.6g}; tail {:.3g}, red at {:.3g}", event.name, event.count, n,
                                  event.probability * static_cast<double>(n), tail, part);
    }
  }
  return verdict;
}

double chance_to_miss(double p, double faulty, std::uint64_t n, std::uint64_t events, double false_alarm) {
  const double part = false_alarm / (2 * static_cast<double>(events));
  if (faulty > p) {
    const std::uint64_t critical = least(n, [&](std::uint64_t k) { return k > n || binomial_upper(n, p, k) <= part; });
    return binomial_lower(n, faulty, critical - 1);  // critical >= 1: the tail at 0 is 1
  }
  // Red when the count is at most `critical - 1`; the tail grows with k, so look for the first k
  // that is not red.
  const std::uint64_t critical = least(n, [&](std::uint64_t k) { return k > n || binomial_lower(n, p, k) > part; });
  return binomial_upper(n, faulty, critical);
}

std::uint64_t draws_to_tell(double p, double faulty, std::uint64_t events, double false_alarm, double miss) {
  std::uint64_t n = 16;
  while (chance_to_miss(p, faulty, n, events, false_alarm) > miss) n *= 2;
  for (std::uint64_t step = n / 4; step >= n / 64 && step > 0; step /= 2) {
    if (chance_to_miss(p, faulty, n - step, events, false_alarm) <= miss) n -= step;
  }
  return n;
}

double clopper_pearson_lower(std::uint64_t successes, std::uint64_t n, double alpha) {
  if (successes == 0) return 0;
  double p = boost::math::ibeta_inv(static_cast<double>(successes), static_cast<double>(n - successes) + 1, alpha / (kSlack * kSlack));
  while (p > 0 && binomial_upper(n, p, successes) > alpha) p *= 1 - 1e-9;
  return p;
}

double clopper_pearson_upper(std::uint64_t successes, std::uint64_t n, double alpha) {
  if (successes == n) return 1;
  double p = boost::math::ibetac_inv(static_cast<double>(successes) + 1, static_cast<double>(n - successes), alpha / (kSlack * kSlack));
  while (p < 1 && binomial_lower(n, p, successes) > alpha) p += 1e-9 * std::min(p, 1 - p) + std::numeric_limits<double>::epsilon();
  return std::min(p, 1.0);
}

double two_sample_threshold(std::uint64_t first_plus_second, std::uint64_t events, double false_alarm) {
  // first - second = 2 (first - m/2) with m draws, and P[first/m - 1/2 >= t] <= exp(-2 m t^2).
  const double log_part = std::log(2 * static_cast<double>(events) / false_alarm);
  return std::sqrt(2 * static_cast<double>(first_plus_second) * log_part);
}

double dkw_threshold(std::uint64_t n, double false_alarm) { return std::sqrt(std::log(2 / false_alarm) / (2 * static_cast<double>(n))); }

void declare_false_alarm(const std::string& name, double rate) {
  std::printf("[ false alarm ] %s %.3g\n", name.c_str(), rate);
  const char* path = std::getenv("TACET_FALSE_ALARM_LEDGER");
  if (path == nullptr) return;
  // One write of one short line to a file opened for appending: concurrent tests do not mix their
  // lines.
  std::FILE* file = std::fopen(path, "a");
  if (file == nullptr) {
    std::fprintf(stderr, "TACET_FALSE_ALARM_LEDGER is %s, which cannot be appended to\n", path);
    std::abort();
  }
  const std::string line = fmt::format("{} {:.6g}\n", name, rate);
  std::fwrite(line.data(), 1, line.size(), file);
  std::fclose(file);
}

double coarseness() {
  if (const char* text = std::getenv("TACET_TEST_COARSENESS")) return std::max(1.0, std::strtod(text, nullptr));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 4;
#else
  return 1;
#endif
}

std::uint64_t suite_seed() {
  constexpr std::uint64_t kFixed = 20260101;
  const char* text = std::getenv("TACET_TEST_SEED");
  if (text == nullptr) return kFixed;
  const std::uint64_t seed = std::strtoull(text, nullptr, 10);
  static const bool printed = [&] { return std::printf("[ seed        ] %llu\n", static_cast<unsigned long long>(seed)) > 0; }();
  (void)printed;
  return seed;
}

}  // namespace tacet::test

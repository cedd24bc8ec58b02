// tests/support/promise.h: what a stochastic test promises, and the exact or proven numbers that
// keep the promise.
//
// A test says how often it is red although the code is right (false_alarm), how large a fault it
// must see (shift), and how often it may overlook that fault (miss); the sample size follows:
//
//   const Promise promise{.false_alarm = 1e-9, .miss = 1e-9, .shift = 2e-3};
//   const Plan p = plan(promise);  // Hoeffding: n = 10,534,208, threshold = 0.0010082
//   declare_false_alarm("heads", promise.false_alarm); // into the ledger of the suite
//   EXPECT_NEAR(frequency_of_heads(p.n), 0.5, p.threshold);
//
// Every bound is an exact binomial tail or a proven inequality (Hoeffding 1963), never a normal or
// chi-square approximation. Several events tested together share the false alarm by the union
// bound.
// Error    binomial tails: Boost.Math's incomplete beta, enlarged by kSlack;
//          tests/support/promise_test.cc compares with sums in MPFR.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tacet::test {

struct Promise {
  double false_alarm, miss, shift;
};

struct Plan {
  std::uint64_t n;
  double threshold;
};

/// Two-sided test of a frequency: red when |frequency - p| >= threshold. Hoeffding (1963), Theorem
/// 2: each one-sided deviation of t has probability at most exp(-2 n t^2), whatever p is.
Plan plan(const Promise& promise);

/// Tails are enlarged by this factor, far more than the error of the incomplete beta and of a
/// probability rounded to a double.
inline constexpr double kSlack = 1.0 + 1e-6;

/// Upper bounds, tight to kSlack, on P[X >= k] and P[X <= k] for X binomial(n, p).
double binomial_upper(std::uint64_t n, double p, std::uint64_t k);
double binomial_lower(std::uint64_t n, double p, std::uint64_t k);

/// An event whose probability is known, and how often it happened in n draws. Sides: Both, or only
/// the side that can be a fault.
enum class Side : std::uint8_t { Both, TooMany, TooFew };
struct Event {
  std::string name;
  double probability;
  std::uint64_t count = 0;
  Side side = Side::Both;
};

/// The test of all `events` together: red when some event's exact tail is at most its part of
/// `false_alarm` (union bound).
struct Verdict {
  bool red;
  std::string worst;  // the event furthest out, its count, what was expected and its tail
};
Verdict judge(const std::vector<Event>& events, std::uint64_t n, double false_alarm);

/// The least n (up to a relative 2^-6, not below the true least n) at which an event of probability
/// p, tested as one of `events` two-sided events at `false_alarm` altogether, is found red except
/// with probability `miss` when its probability really is `faulty`.
std::uint64_t draws_to_tell(double p, double faulty, std::uint64_t events, double false_alarm, double miss);

/// P[the test of draws_to_tell stays green], for given n: an upper bound.
double chance_to_miss(double p, double faulty, std::uint64_t n, std::uint64_t events, double false_alarm);

/// Clopper & Pearson (1934): one-sided bounds on a probability after `successes` in n trials. Each
/// is wrong with probability at most alpha.
double clopper_pearson_lower(std::uint64_t successes, std::uint64_t n, double alpha);
double clopper_pearson_upper(std::uint64_t successes, std::uint64_t n, double alpha);

/// Two samples of n draws each. Given that an event happened `first + second` times, its part in
/// the first sample is hypergeometric if the laws agree, and Hoeffding (1963), Theorem 4 bounds its
/// tail: red when |first - second| >= this.
double two_sample_threshold(std::uint64_t first_plus_second, std::uint64_t events, double false_alarm);

/// Dvoretzky, Kiefer & Wolfowitz with Massart's constant (1990): P[sup |F_n - F| > t] <= 2 exp(-2 n
/// t^2), for every law F.
double dkw_threshold(std::uint64_t n, double false_alarm);

/// Enters `rate` into the suite's ledger: prints it, and appends a line `name rate` to the file
/// that TACET_FALSE_ALARM_LEDGER names. A test with a planted fault is red although the code is
/// right when it misses the fault, so it declares its miss rate.
void declare_false_alarm(const std::string& name, double rate);

/// How much smaller a fault the release build looks for than a build with sanitizers, which is
/// slow: multiplies every `shift`. 1 in a plain build, 4 (a sixteenth of the draws) under
/// sanitizers; TACET_TEST_COARSENESS overrides.
double coarseness();

/// The seed of every stochastic test: fixed, so that red means changed; TACET_TEST_SEED overrides
/// it for nightly runs, and is printed.
std::uint64_t suite_seed();

}  // namespace tacet::test

// tests/support/hockey_stick.h: the auditor. Lower bounds on how far two samples prove a mechanism
// from private.
//
// A mechanism that is (epsilon, delta)-DP has P[E] - e^epsilon Q[E] <= delta for every event E,
// where P and Q are the laws of its outcome on two neighbouring inputs. The auditor counts events
// on samples from both, bounds their probabilities by Clopper-Pearson from the side that favours
// the mechanism, and reports the largest proven excess. It accuses a private mechanism wrongly with
// probability at most `false_alarm`, over all events, both directions and every epsilon at once,
// since they all use the same intervals.
//
//   const EventPair pairs[] = {{"y1 - y2 >= 3", 250'000, 91'970}, ...};
//   Accusation a = largest_delta(pairs, n, /*epsilon=*/1.0, /*false_alarm=*/1e-10);
//   EXPECT_LE(a.delta, claimed) << a.event;
//
// Events must be fixed before the samples are seen. For outcomes nobody can list in advance, such
// as those possible under one input only, split_sample_delta chooses the event on one half of each
// sample and tests it on the other. An error is an outcome like any other: outcome_of() turns a
// Result into a key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tacet/base/error.h"
#include "tacet/base/wide.h"

namespace tacet::test {

/// How often an event happened in each of two samples of the same size.
struct EventPair {
  std::string name;
  std::uint64_t first = 0, second = 0;
};

struct Accusation {
  double delta;       // proven lower bound on sup_E P[E] - e^epsilon Q[E], in either direction; 0 when nothing is proven
  std::string event;  // the event that proves it
};

/// Bounds proven by one sample, reusable for every epsilon.
class ProvenEvents {
 public:
  ProvenEvents(std::span<const EventPair> pairs, std::uint64_t n, double false_alarm);
  /// The largest proven delta at this epsilon.
  Accusation delta(double epsilon) const;
  /// The largest epsilon at which more than `delta` is proven; 0 when none is.
  double epsilon(double delta) const;

 private:
  struct Bounds {
    std::string name;
    double first_low, first_high, second_low, second_high;
  };
  std::vector<Bounds> bounds_;
};
Accusation largest_delta(std::span<const EventPair> pairs, std::uint64_t n, double epsilon, double false_alarm);

/// The n (up to a relative 2^-6) at which an event of true probabilities p and q proves more than
/// `delta` at `epsilon`, except with probability `miss`.
std::uint64_t draws_to_accuse(double p, double q, double epsilon, double delta, std::uint64_t events, double false_alarm, double miss);

/// The distance of two histograms of n outcomes each, as they stand: sum over outcomes of max(0, p
/// - e^epsilon q). No statistics, so no bound.
using Histogram = std::map<std::string, std::uint64_t>;
double hockey_stick(const Histogram& p, const Histogram& q, std::uint64_t n, double epsilon);

/// For outcomes that are not known in advance. The event "outcomes with p > e^epsilon q" is chosen
/// on the first half of each sample (and its mirror for the other direction) and counted on the
/// second half; every error code alone and "ok" are events too.
Accusation split_sample_delta(const std::vector<std::string>& first, const std::vector<std::string>& second, double epsilon,
                              double false_alarm);

/// "ok", or the error's name: what an observer sees of a request that published nothing.
template <class Outcome>
std::string outcome_of(const Outcome& outcome) {
  return outcome.ok() ? std::string("ok") : std::string(name(outcome.error().code()));
}

/// Upper tail Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) of the Gaussian trade-off: the delta
/// that mu-GDP promises at epsilon (Balle & Wang 2018).
double gaussian_delta(double mu, double epsilon);

}  // namespace tacet::test

// Analysts who choose while they look. Rogers, Algorithm 6: run randomised response again and
// again, and stop at the first moment when the realised privacy loss exceeds the bound that is
// claimed. Against advanced composition, used as if it were an odometer, this succeeds far more
// often than delta; against our odometer and filters it does not.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/accounting/composition_basic.h"
#include "tacet/accounting/odometer.h"
#include "tacet/privacy/filter.h"
#include "tacet/privacy/parameters.h"

#include "support/promise.h"
#include "support/scripted_bits.h"
#include "support/spend.h"

namespace tacet::privacy::adversary_test {
namespace {

using namespace accounting;

constexpr int kRounds = 4096;
constexpr double kEpsilon = 1.0 / 64;
constexpr double kDelta = 0.01;

Epsilon epsilon(double value) { return *Epsilon::of(*Decimal::from_shortest(value)); }
Delta delta(double value) { return *Delta::of(*Decimal::from_shortest(value)); }

/// For each round, the least number of successes among so many rounds at which the loss (2
/// successes - rounds) epsilon exceeds the claimed bound; rounds + 1 if none does.
std::vector<int> broken_at(const std::vector<double>& bounds) {
  std::vector<int> least;
  for (int t = 1; t <= kRounds; ++t) {
    int successes = std::max(0, static_cast<int>((bounds[static_cast<std::size_t>(t - 1)] / kEpsilon + t) / 2) - 2);
    while (successes <= t && (2 * successes - t) * kEpsilon <= bounds[static_cast<std::size_t>(t - 1)]) ++successes;
    least.push_back(successes);
  }
  return least;
}

std::vector<double> advanced_bounds() {
  std::vector<double> bounds;
  for (int t = 1; t <= kRounds; ++t) {
    bounds.push_back(*advanced_epsilon(*LossList::of({*LossTerm::of(kEpsilon, 0, static_cast<std::uint64_t>(t))}), delta(kDelta)));
  }
  return bounds;
}

std::vector<double> odometer_bounds() {
  std::vector<double> bounds;
  Odometer odometer = *Odometer::of(delta(kDelta), kRounds);
  const Step step = Step::of(pure_loss(epsilon(kEpsilon)));
  for (int t = 1; t <= kRounds; ++t) {
    EXPECT_TRUE(odometer.spend(step));
    bounds.push_back(odometer.bound());
  }
  return bounds;
}

/// The exact probability that the adversary succeeds: the walk of successes, absorbed where the
/// bound is broken.
double success_probability(const std::vector<int>& least) {
  const double up = 1 / (1 + std::exp(-kEpsilon));
  std::vector<double> law = {1};
  double broken = 0;
  for (int t = 1; t <= kRounds; ++t) {
    law.push_back(0);
    for (int s = t; s >= 0; --s) {
      const auto i = static_cast<std::size_t>(s);
      law[i] = (s < t ? law[i] * (1 - up) : 0) + (s > 0 ? law[i - 1] * up : 0);
      if (s >= least[static_cast<std::size_t>(t - 1)]) {
        broken += law[i];
        law[i] = 0;
      }
    }
  }
  return broken;
}

class Coin {
 public:
  explicit Coin(double probability) : threshold_(static_cast<std::uint64_t>(std::ldexp(probability, 64))) {}
  bool operator()(test::InsecureStream& stream) const { return stream.next() < threshold_; }

 private:
  std::uint64_t threshold_;
};

TEST(StoppingTimeAdversary, BreaksAdvancedCompositionUsedAsAnOdometerAndNotOurs) {
  const std::vector<int> naive = broken_at(advanced_bounds());
  const std::vector<int> ours = broken_at(odometer_bounds());
  const double naive_exact = success_probability(naive);
  const double ours_exact = success_probability(ours);
  std::printf("claimed %.3g; broken with probability %.4f (advanced composition), %.3g (odometer), exactly\n", kDelta, naive_exact,
              ours_exact);
  EXPECT_GT(naive_exact, 2 * kDelta);
  EXPECT_LE(ours_exact, kDelta);

  // And by simulation, with as many trials as it takes to tell the claimed rate from the real one.
  constexpr double kFalseAlarm = 1e-9;
  const std::uint64_t trials = test::draws_to_tell(kDelta, naive_exact, 2, kFalseAlarm, kFalseAlarm);
  test::declare_false_alarm("StoppingTimeAdversary", 3 * kFalseAlarm);
  test::InsecureStream stream(test::suite_seed());
  const Coin coin(1 / (1 + std::exp(-kEpsilon)));
  std::uint64_t naive_broken = 0;
  std::uint64_t ours_broken = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    int successes = 0;
    bool naive_now = false;
    bool ours_now = false;
    for (int t = 1; t <= kRounds; ++t) {
      if (coin(stream)) ++successes;
      naive_now = naive_now || successes >= naive[static_cast<std::size_t>(t - 1)];
      ours_now = ours_now || successes >= ours[static_cast<std::size_t>(t - 1)];
    }
    naive_broken += naive_now ? 1 : 0;
    ours_broken += ours_now ? 1 : 0;
  }
  std::printf("in %llu trials: %llu and %llu\n", static_cast<unsigned long long>(trials), static_cast<unsigned long long>(naive_broken),
              static_cast<unsigned long long>(ours_broken));
  EXPECT_GT(test::clopper_pearson_lower(naive_broken, trials, kFalseAlarm), kDelta);  // the claim is refuted
  const test::Verdict claimed = test::judge({{"advanced composition", kDelta, naive_broken, test::Side::TooMany}}, trials, kFalseAlarm);
  EXPECT_TRUE(claimed.red) << claimed.worst;
  const test::Verdict kept = test::judge({{"odometer", kDelta, ours_broken, test::Side::TooMany}}, trials, kFalseAlarm);
  EXPECT_FALSE(kept.red) << kept.worst;
  const test::Verdict exact = test::judge({{"as computed", naive_exact, naive_broken}}, trials, kFalseAlarm);
  EXPECT_FALSE(exact.red) << exact.worst;
}

/// The loss of one run against a filter: steps of a size that depends on the loss so far, as long
/// as the filter lets them through.
template <class Choose>
bool beats(Filter filter, double goal, const std::vector<double>& sizes, const std::vector<Step>& steps, test::InsecureStream& stream,
           const Choose& choose) {
  double loss = 0;
  for (;;) {
    const std::size_t i = choose(loss, goal);
    if (*test::spend(filter, steps[i]) == Verdict::Stop) return false;
    loss += Coin(1 / (1 + std::exp(-sizes[i])))(stream) ? sizes[i] : -sizes[i];
    if (std::abs(loss) > goal) return true;
  }
}

TEST(AdaptiveAdversary, DoesNotBeatTheFiltersMoreOftenThanDelta) {
  constexpr double kFalseAlarm = 1e-9;
  const double goal = 1;
  const double slack = 0.05;
  const std::vector<double> sizes = {0.02, 0.05, 0.15};
  std::vector<Step> steps;
  steps.reserve(sizes.size());
  for (const double size : sizes) steps.push_back(Step::of(pure_loss(epsilon(size))));
  // Bold when behind, careful when near the goal; and the other way round.
  const auto bold = [](double loss, double) { return loss < 0 ? std::size_t{2} : loss < 0.5 ? std::size_t{1} : std::size_t{0}; };
  const auto last_push = [](double loss, double target) { return loss > 0.8 * target ? std::size_t{2} : std::size_t{0}; };
  const auto trials = static_cast<std::uint64_t>(20000 / test::coarseness());
  test::declare_false_alarm("AdaptiveAdversary", 4 * kFalseAlarm);
  test::InsecureStream stream(test::suite_seed());
  const std::vector<Filter> filters = {*whitehouse_filter(epsilon(goal), delta(slack), delta(slack)),
                                       *rogers_filter(epsilon(goal), delta(slack))};
  for (const Filter& filter : filters) {
    for (const bool first : {true, false}) {
      std::uint64_t beaten = 0;
      for (std::uint64_t i = 0; i < trials; ++i) {
        beaten += (first ? beats(filter, goal, sizes, steps, stream, bold) : beats(filter, goal, sizes, steps, stream, last_push)) ? 1 : 0;
      }
      std::printf("%.*s: beaten %llu times in %llu\n", static_cast<int>(name(filter.rule()).size()), name(filter.rule()).data(),
                  static_cast<unsigned long long>(beaten), static_cast<unsigned long long>(trials));
      const test::Verdict verdict = test::judge({{"filter", slack, beaten, test::Side::TooMany}}, trials, kFalseAlarm);
      EXPECT_FALSE(verdict.red) << verdict.worst;
    }
  }
}

}  // namespace
}  // namespace tacet::privacy::adversary_test

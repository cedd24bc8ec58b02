// composition_bench: how long accounting takes, and what it loses.
//
//   composition_bench            exits 1 if 10,000 compositions take a second or more, or a filter
//                                loses anything over 10^7 steps
//
// Every figure stands beside a baseline of the same run: the certified accountant beside advanced
// composition (a formula) and the optimal rule for pure epsilons; a filter step beside an addition
// of doubles to nearest, whose error over 10^7 steps is printed too.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/accountant.h"
#include "tacet/accounting/composition_basic.h"
#include "tacet/accounting/composition_optimal.h"
#include "tacet/accounting/odometer.h"
#include "tacet/privacy/filter.h"
#include "tacet/privacy/parameters.h"

#include "measure.h"
#include "support/spend.h"

namespace {

using namespace tacet;
using namespace tacet::accounting;
using namespace tacet::privacy;

constexpr int kRuns = 5;
constexpr double kMostSeconds = 1;
constexpr int kSteps = 10000000;

/// Time of this process alone, for things too short to be told from what else the machine does.
class Processor {
 public:
  double nanoseconds_each(double count) const { return (bench::processor_seconds() - start_) / count * 1e9; }

 private:
  double start_ = bench::processor_seconds();
};

template <class Work>
bench::Summary timed(const Work& work) {
  std::vector<double> seconds;
  for (int i = 0; i < kRuns; ++i) seconds.push_back(bench::seconds(work));
  return bench::summary(seconds);
}

Epsilon epsilon(const char* text) { return *Epsilon::parse(text); }
Delta delta(const char* text) { return *Delta::parse(text); }

/// Prints a row and tells whether the median stayed below the limit.
bool report(const char* what, const char* target, const bench::Summary& seconds, const Bounds& bounds) {
  const bool pass = seconds.median < kMostSeconds;
  fmt::print("{:<44} {:>7}  {:>9.1f} {:>9.1f}  {:<14.10g} {:<14.10g} {:>9.2e}  {}\n", what, target, seconds.median * 1e3,
             seconds.least * 1e3, bounds.lower, bounds.upper, bounds.upper - bounds.lower, pass ? "PASS" : "FAIL");
  return pass;
}

bool compositions() {
  fmt::print(
      "10,000 compositions, epsilon at delta             delta   median ms  least ms  lower          upper          distance   limit {} "
      "s\n",
      kMostSeconds);
  bool pass = true;
  Accountant laplace;
  Accountant mixture;
  Accountant gaussian;
  const bool made = laplace.add_laplace(epsilon("0.01"), 10000).ok() && gaussian.add_gaussian(*Mu::parse("0.01"), 10000).ok() &&
                    mixture.add_gaussian(*Mu::parse("0.005"), 4000).ok() && mixture.add_laplace(epsilon("0.01"), 3000).ok() &&
                    mixture.add_response(epsilon("0.01"), delta("0"), 3000).ok();
  if (!made) return false;
  for (const char* d : {"1e-6", "1e-12"}) {
    Bounds bounds{};
    const auto run = [&](const char* what, const auto& work) { pass = report(what, d, timed([&] { bounds = work(); }), bounds) && pass; };
    run("Laplace 0.01", [&] { return *laplace.epsilon(delta(d)); });
    run("Gaussian 0.005, Laplace 0.01, response 0.01", [&] { return *mixture.epsilon(delta(d)); });
    run("Gaussian 0.01 (closed form)", [&] { return *gaussian.epsilon(delta(d)); });
    const LossList equal = *LossList::of({*LossTerm::of(0.01, 0, 10000)});
    run("baseline: optimal, equal epsilons", [&] { return *optimal_epsilon(equal, delta(d)); });
    std::vector<LossTerm> terms;
    terms.reserve(1000);
    for (int i = 0; i < 1000; ++i) terms.push_back(*LossTerm::of(0.005 + 0.00001 * i, 0, 1));
    const LossList different = *LossList::of(terms);
    run("optimal, 1000 different epsilons", [&] { return *optimal_epsilon(different, delta(d)); });
    run("baseline: advanced, a formula", [&] {
      const double value = *advanced_epsilon(equal, delta(d));
      return Bounds{value, value};
    });
  }
  const LossList million = *LossList::of({*LossTerm::of(0.001, 0, 1000000)});
  Bounds bounds{};
  pass = report("optimal, a million equal epsilons", "1e-6", timed([&] { bounds = *optimal_epsilon(million, delta("1e-6")); }), bounds) &&
         pass;
  return pass;
}

/// ns per step, and the total against the exact sum of decimals.
bool filter_steps(const char* what, Filter filter, const Decimal& each) {
  const Step step = Step::of(pure_loss(epsilon("0.0000123")));
  const Processor processor;
  for (int i = 0; i < kSteps; ++i) {
    if (*tacet::test::spend(filter, step) != Verdict::Go) std::abort();
  }
  const double nanoseconds = processor.nanoseconds_each(kSteps);
  const Decimal kept = Decimal(filter.totals().first, privacy::kUnitLog10);
  const Decimal exact = each * Decimal(static_cast<long>(kSteps));
  const bool pass = kept == exact;
  fmt::print("{:<44} {:>9.1f}  excess over the exact sum {}  {}\n", what, nanoseconds, (kept - exact).to_string(), pass ? "PASS" : "FAIL");
  return pass;
}

bool filters() {
  fmt::print("\n10^7 steps                                    processor ns per step\n");
  const Decimal each = *Decimal::parse("0.0000123");
  double nearest = 0;
  const double square = each.approximate() * each.approximate();
  const Processor processor;
  for (int i = 0; i < kSteps; ++i) {
    nearest += square;
    asm volatile("" : "+x"(nearest));  // one addition after the other, as a filter must do them
  }
  const double nanoseconds = processor.nanoseconds_each(kSteps);
  const double exact = (each * each * Decimal(static_cast<long>(kSteps))).approximate();
  fmt::print("{:<44} {:>9.1f}  relative error {:.2e}\n", "baseline: doubles, added to nearest", nanoseconds, (nearest - exact) / exact);
  bool pass = filter_steps("basic", *basic_filter(epsilon("1000"), delta("1e-6")), each);
  pass = filter_steps("whitehouse", *whitehouse_filter(epsilon("1"), delta("1e-6"), delta("1e-6")), each * each) && pass;
  pass = filter_steps("rogers", *rogers_filter(epsilon("1"), delta("1e-6")), each * each) && pass;

  Odometer odometer = *Odometer::of(delta("1e-6"), 1000000);
  const Step step = Step::of(pure_loss(epsilon("0.0000123")));
  const Processor counting;
  for (int i = 0; i < kSteps; ++i) {
    if (!odometer.spend(step)) std::abort();
  }
  fmt::print("{:<44} {:>9.1f}\n", "odometer, counting", counting.nanoseconds_each(kSteps));
  const Processor bounding;
  double last = 0;
  for (int i = 0; i < kSteps / 10; ++i) last += odometer.bound();
  fmt::print("{:<44} {:>9.1f}  bound {:.9g}\n", "odometer, a bound", bounding.nanoseconds_each(kSteps / 10.0), last / kSteps * 10);
  const Processor making;
  for (int i = 0; i < kSteps / 100; ++i) (void)Step::of(pure_loss(epsilon("0.0000123")));
  fmt::print("{:<44} {:>9.1f}\n", "making a step", making.nanoseconds_each(kSteps / 100.0));
  return pass;
}

}  // namespace

int main() {
  const bool fast = compositions();
  const bool exact = filters();
  return fast && exact ? EXIT_SUCCESS : EXIT_FAILURE;
}

// calibration_bench: the time of a Gaussian calibration and of a weighted chi-square critical
// value, against plain ways to the same numbers.
//
//   calibration_bench            exits 1 if a median exceeds its limit: 2 microseconds per
//                                calibration, 1 ms per critical value of 100
//   weights
//
// The plain calibration bisects the textbook formula with std::erfc: no certificate, and no answer
// where the formula cancels or overflows, so both run where it still works. The plain critical
// value bisects Imhof's integral by the midpoint rule, as tables were made, to six digits. Times
// are of the processor, not of the clock, so that a busy machine disturbs them little; runs are
// interleaved, and the numbers are the median and the range.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/numeric/weighted_chi2.h"

#include "measure.h"

namespace {

using namespace tacet::bench;
using tacet::accounting::ForEpsilonDelta;
using tacet::accounting::L2;

constexpr int kRuns = 15;
constexpr double kMostPerCalibration = 2e-6;
constexpr double kMostPerCritical = 1e-3;

double sink = 0;  // what is computed is used

/// A low-discrepancy number in [0, 1): the same inputs on every machine.
double fraction(int i, double irrational) {
  const double product = (i + 1) * irrational;
  return product - std::floor(product);
}

std::vector<ForEpsilonDelta> targets(double least_epsilon, double most_epsilon, double least_delta, double most_delta, int count) {
  std::vector<ForEpsilonDelta> result;
  result.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    result.push_back({least_epsilon * std::pow(most_epsilon / least_epsilon, fraction(i, 0.7548776662466927)),
                      least_delta * std::pow(most_delta / least_delta, fraction(i, 0.5698402909980532))});
  }
  return result;
}

double plain_sigma(const ForEpsilonDelta& target) {
  const auto delta = [&](double sigma) {
    const double mu = 1 / sigma;
    const auto lower = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
    return lower(mu / 2 - target.epsilon / mu) - std::exp(target.epsilon) * lower(-mu / 2 - target.epsilon / mu);
  };
  double low = 1e-6;
  double high = 1e6;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (delta(middle) > target.delta ? low : high) = middle;
  }
  return high;
}

double plain_critical(const std::vector<double>& weights, double alpha) {
  const double scale = *std::max_element(weights.begin(), weights.end());
  const auto upper = [&](double q) {  // Imhof (1961)
    constexpr double kStep = 0.002;
    double sum = 0;
    for (int node = 0; node < 1500; ++node) {
      const double u = (node + 0.5) * kStep;
      double angle = -q / scale * u;
      double size = 0;
      for (const double weight : weights) {
        const double x = weight / scale * u;
        angle += std::atan(x);
        size += std::log1p(x * x);
      }
      sum += std::sin(0.5 * angle) * std::exp(-0.25 * size) / u;
    }
    return 0.5 + sum * kStep / std::numbers::pi;
  };
  double low = 0;
  double high = 0;
  for (const double weight : weights) high += 4 * weight;
  for (int i = 0; i < 22; ++i) {
    const double middle = 0.5 * (low + high);
    (upper(middle) > alpha ? low : high) = middle;
  }
  return high;
}

/// Seconds per call of each, over interleaved runs of `calls` calls.
std::pair<Summary, Summary> race(int runs, int calls, const std::function<void()>& ours, int plain_calls,
                                 const std::function<void()>& plain) {
  std::vector<double> first;
  std::vector<double> second;
  for (int run = 0; run <= runs; ++run) {
    const double start = processor_seconds();
    ours();
    const double middle = processor_seconds();
    plain();
    const double end = processor_seconds();
    if (run == 0) continue;  // warm up
    first.push_back((middle - start) / calls);
    second.push_back((end - middle) / plain_calls);
  }
  return {summary(first), summary(second)};
}

std::string shown(const Summary& s, double unit, const char* name) {
  return fmt::format("{:.3g} {} ({:.3g} to {:.3g})", s.median / unit, name, s.least / unit, s.most / unit);
}

bool judge(const char* what, const Summary& ours, double limit, double unit, const char* name) {
  const bool kept = ours.median <= limit;
  fmt::print("{}: {:.3g} {}, limit {:.3g}: {}\n", what, ours.median / unit, name, limit / unit, kept ? "PASS" : "FAIL");
  return kept;
}

}  // namespace

int main() {
  constexpr int kCount = 4000;
  const auto calibrate_all = [](const std::vector<ForEpsilonDelta>& all) {
    for (const ForEpsilonDelta& target : all) sink += tacet::accounting::calibrate_gaussian(target, L2{1})->sigma;
  };
  const std::vector<ForEpsilonDelta> usual = targets(0.01, 10, 1e-9, 1e-2, kCount);
  const std::vector<ForEpsilonDelta> whole = targets(1e-6, 1e4, 1e-300, 1 - 1e-6, kCount);
  const auto plain_all = [&] {
    for (int i = 0; i < kCount / 20; ++i) sink += plain_sigma(usual[static_cast<std::size_t>(i)]);
  };
  const auto [ours_usual, plain] = race(kRuns, kCount, [&] { calibrate_all(usual); }, kCount / 20, plain_all);
  const auto [ours_whole, again] = race(kRuns, kCount, [&] { calibrate_all(whole); }, kCount / 20, plain_all);
  (void)again;
  double slowest = 0;  // the worst single target of the whole box: the least of five timings of 20 calls
  for (const ForEpsilonDelta& target : whole) {
    double least = 1;
    for (int attempt = 0; attempt < 5; ++attempt) {
      const double start = processor_seconds();
      for (int i = 0; i < 20; ++i) sink += tacet::accounting::calibrate_gaussian(target, L2{1})->sigma;
      least = std::min(least, (processor_seconds() - start) / 20);
    }
    slowest = std::max(slowest, least);
  }

  std::vector<double> weights;
  weights.reserve(100);
  for (int i = 0; i < 100; ++i) weights.push_back(1 + 0.37 * i);
  double ours_value = 0;
  double plain_value = 0;
  const auto [ours_critical, plain_critical_time] = race(
      5, 20,
      [&] {
        for (int i = 0; i < 20; ++i) ours_value = tacet::numeric::WeightedChi2::of_weights(weights)->upper_quantile(0.05);
      },
      1, [&] { plain_value = plain_critical(weights, 0.05); });

  fmt::print("Gaussian calibration, usual   certified {}   plain bisection {}\n", shown(ours_usual, 1e-9, "ns"), shown(plain, 1e-9, "ns"));
  fmt::print("Gaussian calibration, all     certified {}   slowest target {:.3g} ns\n", shown(ours_whole, 1e-9, "ns"), slowest / 1e-9);
  fmt::print("critical value, 100 weights   ours {}   plain Imhof {}   ({:.10g} and {:.10g})\n", shown(ours_critical, 1e-6, "us"),
             shown(plain_critical_time, 1e-6, "us"), ours_value, plain_value);
  bool kept = judge("calibration, usual", ours_usual, kMostPerCalibration, 1e-9, "ns");
  kept = judge("calibration, whole box", ours_whole, kMostPerCalibration, 1e-9, "ns") && kept;
  kept = judge("calibration, slowest target", {slowest, slowest, slowest}, kMostPerCalibration, 1e-9, "ns") && kept;
  kept = judge("critical value of 100 weights", ours_critical, kMostPerCritical, 1e-6, "us") && kept;
  return kept && sink != 0.5 ? 0 : 1;
}

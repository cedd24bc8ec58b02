// adaptive_attack: what an analyst finds in random labels, with and without noise, and whether the
// widths and thresholds of Tacet hold against it.
//
//   adaptive_attack                 the whole study, three minutes: CSV on the output, a summary on
//                                   the error output
//   adaptive_attack --quick         a twentieth of the trials
//
// The vote of 10,000 variables over 10,000 rows (Rogers, chapter 1), smaller ones, and Freedman's
// paradox. Exits with 1 where a promise is broken, where the baseline is not, or where a width that
// is 30 % too small is not found by the attack with five times the best noise.
// SPDX-License-Identifier: Apache-2.0
#include "tacet/inference/adaptive/adaptive_attack.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

#include "tacet/accounting/max_information.h"
#include "tacet/planning/adaptive_width.h"

namespace {

using namespace tacet;

constexpr double kBeta = 0.05;
constexpr double kSurely = 1e-6;  // a tail below this is a verdict

std::size_t count_beyond(const std::vector<double>& values, double width) {
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [width](double v) { return std::abs(v) > width; }));
}

/// P[at least `count` of `trials` events of probability p].
double binomial_tail(std::size_t count, std::size_t trials, double p) {
  if (count == 0) return 1;
  return boost::math::ibeta(static_cast<double>(count), static_cast<double>(trials - count) + 1, p);
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

bool all_good = true;

void verdict(bool good, const std::string& words) {
  all_good = all_good && good;
  std::fputs(fmt::format("{}: {}\n", good ? "holds" : "BROKEN", words).c_str(), stderr);
}

void attack_once(std::size_t n, std::size_t variables, std::size_t trials) {
  inference::AdaptiveAttack attack{.n = n, .variables = variables, .repeats = std::max<std::size_t>(1, variables / 4)};
  const planning::AdaptiveQueries queries{static_cast<double>(n), static_cast<double>(attack.queries()), kBeta};
  const auto print = [&](const char* how, double noise, double width, const inference::AttackErrors& errors) {
    const std::size_t beyond = count_beyond(errors.largest, width);
    std::puts(fmt::format("{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{},{}", how, n, variables, attack.queries(), noise, width,
                          mean_of(errors.vote), mean_of(errors.largest), beyond, errors.largest.size())
                  .c_str());
    return beyond;
  };
  // Hoeffding's width would hold if the queries had been fixed beforehand.
  const double fixed = std::sqrt(std::log(2 * queries.queries / kBeta) / (2 * queries.n));
  const auto bare = *inference::run_attack(attack, trials);
  const std::size_t fooled = print("empirical", 0, fixed, bare);
  verdict(binomial_tail(fooled, trials, kBeta) < kSurely,
          fmt::format("n = {}, {} variables: bare shares fool the analyst in {} of {} trials, by {:.3f} on average", n, variables, fooled,
                      trials, mean_of(bare.vote)));
  const planning::AdaptiveWidth best = *planning::cvar_width(queries);
  for (const double factor : {1.0, 5.0}) {
    attack.noise = *best.noise * factor;
    const double width = *planning::cvar_width_at(queries, attack.noise);
    const auto noisy = *inference::run_attack(attack, trials);
    const std::size_t beyond = print(factor == 1 ? "noisy" : "five times the noise", attack.noise, width, noisy);
    verdict(binomial_tail(beyond, trials, kBeta) > kSurely,
            fmt::format("  noise {:.4g}: beyond the width {:.4g} in {} of {} trials", attack.noise, width, beyond, trials));
    if (factor == 1) continue;
    const std::size_t planted = count_beyond(noisy.largest, 0.7 * width);
    verdict(binomial_tail(planted, trials, kBeta) < kSurely,
            fmt::format("  a width 30 % too small is found: exceeded in {} of {} trials", planted, trials));
  }
}

void freedman_once(std::size_t n, std::size_t variables, double epsilon, std::size_t trials) {
  const double alpha = 0.05;
  const auto values = *inference::run_freedman({.n = n, .variables = variables, .epsilon = epsilon}, trials);
  const accounting::CorrectedLevel level = *accounting::corrected_level({static_cast<double>(n), {accounting::PureStep{epsilon}}}, alpha);
  const auto below = [](const std::vector<double>& ps, double threshold) {
    return static_cast<std::size_t>(std::count_if(ps.begin(), ps.end(), [threshold](double p) { return p <= threshold; }));
  };
  const std::size_t bare = below(values.by_correlation, alpha);
  const std::size_t kept = below(values.by_noisy_share, level.threshold);
  std::puts(fmt::format("freedman,{},{},1,,{:.6g},,,{},{}", n, variables, alpha, bare, trials).c_str());
  std::puts(fmt::format("freedman corrected,{},{},1,{:.6g},{:.6g},,,{},{}", n, variables, epsilon, level.threshold, kept, trials).c_str());
  verdict(binomial_tail(bare, trials, alpha) < kSurely,
          fmt::format("Freedman, n = {}, {} variables: the bare F test rejects in {} of {} trials at 0.05", n, variables, bare, trials));
  verdict(binomial_tail(kept, trials, alpha) > kSurely,
          fmt::format("  after private screening and at the threshold {:.4g} it rejects in {}", level.threshold, kept));
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const std::size_t part = quick ? 20 : 1;
  std::puts("how,n,variables,queries,noise,width,mean_vote_error,mean_largest_error,beyond,trials");
  attack_once(1000, 200, 2000 / part);
  attack_once(1000, 1000, 1000 / part);
  attack_once(10000, 100, 1000 / part);
  attack_once(10000, 10000, 400 / part);
  freedman_once(100, 50, 0.05, 2000 / part);
  freedman_once(1000, 100, 0.05, 400 / part);
  return all_good ? 0 : 1;
}
